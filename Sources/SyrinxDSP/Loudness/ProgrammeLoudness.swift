/// A measurement of loudness, to which more can be added.
package struct MeasuredLoudness: Sendable, Equatable {
    /// The blocks above the absolute gate.
    package var blocks: LoudnessHistogram
    /// The largest magnitude; 1 is full scale.
    package var peak: Float

    /// Creates a measurement; of nothing by default.
    package init(blocks: LoudnessHistogram = LoudnessHistogram(), peak: Float = 0) {
        (self.blocks, self.peak) = (blocks, peak)
    }

    /// Seconds of what was above the absolute gate.
    package var duration: Double { Double(blocks.blockCount) / 10 }
}

/// The loudness and the largest sample of a recording so far, for samples in order.
///
/// Loudness is gated as ITU-R BS.1770 asks: blocks of 400 ms, one every 100 ms. Memory does not grow with time. One thread at a time;
/// it allocates nothing once it is made.
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
    ///   - sampleRate: Frames per second.
    ///   - channelCount: The channels that are appended.
    ///   - earlier: The measurement of recordings that this one follows on, which counts too; of nothing by default.
    package init(sampleRate: Double, channelCount: Int, following earlier: MeasuredLoudness = MeasuredLoudness()) {
        self.channelCount = channelCount
        weights = KWeighting.usualWeights(channelCount: channelCount)
        filters = Array(repeating: KWeighting(sampleRate: sampleRate), count: (channelCount + 1) / 2)
        stepFrames = max(1, Int(sampleRate / 10))
        (blocks, peak) = (earlier.blocks, earlier.peak)
    }

    /// All that has been measured so far.
    package var measured: MeasuredLoudness { MeasuredLoudness(blocks: blocks, peak: peak) }

    /// The gated loudness of all in LUFS, or `nil` if nothing was above the absolute gate.
    package var integrated: Double? { blocks.integrated }

    /// Seconds of what was above the absolute gate.
    package var duration: Double { Double(blocks.blockCount) / 10 }

    /// Has samples follow that lie elsewhere in the recording.
    package func move() {
        for pair in filters.indices { filters[pair].reset() }
        (stepCount, energy, filled) = (0, 0, 0)
    }

    /// Drops the samples of the last step that is not whole, because they come once more.
    package func dropPending() { (energy, filled) = (0, 0) }

    /// Takes the next samples, one pointer for each channel.
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
            // What is no number is larger than nothing.
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
