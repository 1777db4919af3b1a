internal import CoreMedia
internal import SyrinxByteStream

/// The volume of a track over time: steps and linear ramps.
///
/// A pure value. The volume is 1 before the first step or ramp. After each one, its end volume holds.
struct VolumeEnvelope: Sendable {
    /// A linear ramp; a step is a ramp without a duration.
    struct Ramp: Sendable {
        var range: CMTimeRange
        var from: Float
        var to: Float
    }

    /// In the order of their starts.
    private(set) var ramps: [Ramp] = []

    /// Adds a ramp, and replaces a ramp with the same start.
    mutating func add(_ ramp: Ramp) {
        ramps.removeAll { $0.range.start == ramp.range.start }
        let index = ramps.firstIndex { $0.range.start > ramp.range.start } ?? ramps.count
        ramps.insert(ramp, at: index)
    }

    /// Returns the ramp at a time, or the first one after it; `nil` after all ramps.
    func ramp(at time: CMTime) -> Ramp? {
        for (index, ramp) in ramps.enumerated() {
            var ramp = ramp
            if index + 1 < ramps.count {
                let end = CMTimeMinimum(ramp.range.end, ramps[index + 1].range.start)
                ramp.range = CMTimeRange(start: ramp.range.start, end: end)
            }
            if time < CMTimeMaximum(ramp.range.start, ramp.range.end) { return ramp }
        }
        return nil
    }

    /// Returns the volume at a time in seconds.
    func volume(at seconds: Double) -> Float {
        var volume: Float = 1
        for ramp in ramps {
            let (start, length) = (ramp.range.start.seconds, ramp.range.duration.seconds)
            guard seconds >= start else { break }
            let share = length > 0 ? Float(min((seconds - start) / length, 1)) : 1
            volume = ramp.from + (ramp.to - ramp.from) * share
        }
        return volume
    }

    /// Multiplies samples by the volume.
    /// - Parameters:
    ///   - firstFrame: The position of the first sample, in frames of `sampleRate`.
    ///   - sampleRate: The sample rate in hertz.
    func apply(
        to channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        channelCount: Int,
        frameCount: Int,
        firstFrame: Int64,
        sampleRate: Double
    ) {
        guard !ramps.isEmpty else { return }
        for frame in 0..<frameCount {
            let volume = volume(at: Double(firstFrame.addingClamped(Int64(frame))) / sampleRate)
            for channel in 0..<channelCount { channels[channel][frame] *= volume }
        }
    }
}
