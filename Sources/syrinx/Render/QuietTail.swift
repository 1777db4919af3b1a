import AVFAudio

/// Holds back the quiet frames of a tail until something loud follows them.
struct QuietTail {
    private let channelCount: Int
    /// Interleaved frames that are given next.
    private var ready: [Float] = []
    private var readIndex = 0
    /// Interleaved frames since the last loud one.
    private var quiet: [Float] = []

    init(channelCount: Int) { self.channelCount = channelCount }

    /// Takes frames of the tail.
    mutating func append(_ samples: UnsafePointer<UnsafeMutablePointer<Float>>, _ range: Range<Int>) {
        for frame in range {
            for channel in 0..<channelCount { quiet.append(samples[channel][frame]) }
            if !EffectTail.isQuiet(samples, channelCount, frame) {
                ready += quiet
                quiet.removeAll(keepingCapacity: true)
            }
        }
    }

    /// Writes frames that are known to belong to the tail.
    /// - Returns: How many.
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
