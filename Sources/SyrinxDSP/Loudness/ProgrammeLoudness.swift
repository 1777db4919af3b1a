/// A measurement of loudness, to which more can be added.
package struct MeasuredLoudness: Sendable, Equatable {
    /// The blocks above the absolute gate.
    package var blocks: LoudnessHistogram
    /// The largest magnitude; 1 is full scale.
    package var peak: Float

    /// Creates a measurement, empty by default.
    package init(blocks: LoudnessHistogram = LoudnessHistogram(), peak: Float = 0) {
        (self.blocks, self.peak) = (blocks, peak)
    }

    /// The duration in seconds of sound above the absolute gate.
    package var duration: Double { Double(blocks.blockCount) / 10 }
}

/// Measures the loudness and the sample peak of a recording from consecutive samples.
///
/// Loudness is gated according to ITU-R BS.1770, with blocks of 400 ms every 100 ms. The memory does not grow. Use
/// from one thread at a time; nothing is allocated after `init`.
///
/// ```swift
/// let loudness = ProgrammeLoudness(sampleRate: 48_000, channelCount: 2)
/// loudness.append(channels, frameCount: 48_000)
/// if let integrated = loudness.integrated { print(integrated, "LUFS, peak", loudness.peak) }
/// ```
package final class ProgrammeLoudness {
    private static let stepsPerBlock = 4
    private let channelCount: Int
    private let weights: [Double]
    private var filters: [KWeighting]
    /// The frames of a step of 100 ms, from which blocks are made.
    package let stepFrames: Int
    /// The energies of the last steps of 100 ms.
    private var steps = [Double](repeating: 0, count: stepsPerBlock)
    private var stepCount = 0
    private var energy = 0.0
    private var filled = 0
    private var blocks: LoudnessHistogram
    /// The largest magnitude of a sample so far; 1 is full scale.
    package private(set) var peak: Float = 0

    /// Creates a measurement.
    /// - Parameters:
    ///   - sampleRate: The sample rate in Hz.
    ///   - channelCount: The number of channels to measure.
    ///   - earlier: The measurement of preceding recordings to include; empty by default.
    package init(sampleRate: Double, channelCount: Int, following earlier: MeasuredLoudness = MeasuredLoudness()) {
        self.channelCount = channelCount
        weights = KWeighting.usualWeights(channelCount: channelCount)
        filters = Array(repeating: KWeighting(sampleRate: sampleRate), count: (channelCount + 1) / 2)
        stepFrames = max(1, Int(sampleRate / 10))
        (blocks, peak) = (earlier.blocks, earlier.peak)
    }

    /// All that has been measured so far.
    package var measured: MeasuredLoudness { MeasuredLoudness(blocks: blocks, peak: peak) }

    /// The gated loudness in LUFS; `nil` if all sound is below the absolute gate.
    package var integrated: Double? { blocks.integrated }

    /// The duration in seconds of sound above the absolute gate.
    package var duration: Double { Double(blocks.blockCount) / 10 }

    /// Prepares for samples from another position of the recording.
    package func move() {
        for pair in filters.indices { filters[pair].reset() }
        (stepCount, energy, filled) = (0, 0, 0)
    }

    /// Drops the samples of the last incomplete step, which will be appended again.
    package func dropPending() { (energy, filled) = (0, 0) }

    /// Measures the next samples, one pointer per channel.
    package func append(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        for channel in 0..<channelCount { peak = max(peak, Self.peak(channels[channel], frameCount)) }
        var done = 0
        while done < frameCount {
            let count = min(stepFrames - filled, frameCount - done)
            for pair in filters.indices {
                let left = 2 * pair
                let hasRight = left + 1 < channelCount
                let right = hasRight ? UnsafePointer(channels[left + 1] + done) : nil
                let sums = filters[pair].energy(channels[left] + done, right, count: count)
                energy += sums.x * weights[left] + (hasRight ? sums.y * weights[left + 1] : 0)
            }
            filled += count
            done += count
            if filled == stepFrames { closeStep() }
        }
    }

    private func closeStep() {
        steps[stepCount % Self.stepsPerBlock] = energy.isFinite ? energy / Double(stepFrames) : 0
        stepCount += 1
        (energy, filled) = (0, 0)
        guard stepCount >= Self.stepsPerBlock else { return }
        blocks.add(steps.reduce(0, +) / Double(Self.stepsPerBlock))
    }

    private static func peak(_ samples: UnsafePointer<Float>, _ count: Int) -> Float {
        var top = SIMD8<Float>()
        var index = 0
        while index &+ 8 <= count {
            // A comparison with NaN is false.
            top = larger(top, absolute(load8(samples + index)))
            index &+= 8
        }
        var peak = largest(top)
        while index < count {
            if samples[index].magnitude > peak { peak = samples[index].magnitude }
            index &+= 1
        }
        return peak < .infinity ? peak : .greatestFiniteMagnitude
    }
}
