import AVFAudio

/// Holds back quiet frames of an effect tail until louder ones follow.
struct QuietTail {
    private let channelCount: Int
    /// The interleaved frames to return next.
    private var ready: [Float] = []
    private var readIndex = 0
    /// The interleaved frames since the last loud one.
    private var quiet: [Float] = []

    init(channelCount: Int) { self.channelCount = channelCount }

    /// Adds frames of the tail.
    mutating func append(_ samples: UnsafePointer<UnsafeMutablePointer<Float>>, _ range: Range<Int>) {
        for frame in range {
            for channel in 0..<channelCount { quiet.append(samples[channel][frame]) }
            if !EffectTail.isQuiet(samples, channelCount, frame) {
                ready += quiet
                quiet.removeAll(keepingCapacity: true)
            }
        }
    }

    /// Copies frames that belong to the tail into `block`.
    /// - Returns: The number of frames.
    mutating func read(into block: SampleBlock) -> Int {
        let count = min(block.capacity, (ready.count - readIndex) / channelCount)
        for channel in 0..<channelCount {
            for frame in 0..<count { block[channel][frame] = ready[readIndex + frame * channelCount + channel] }
        }
        readIndex += count * channelCount
        if readIndex == ready.count {
            ready.removeAll(keepingCapacity: true)
            readIndex = 0
        }
        return count
    }
}
