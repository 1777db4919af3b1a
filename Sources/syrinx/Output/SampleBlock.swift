/// Memory for a block of samples: one buffer a channel.
final class SampleBlock {
    /// A pointer a channel.
    let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    /// The number of frames that there is room for.
    let capacity: Int
    /// The number of channels.
    let channelCount: Int

    private let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let samples: UnsafeMutablePointer<Float>

    /// Room for `capacity` frames of `channelCount` channels, all of it silence.
    init(channelCount: Int, capacity: Int) {
        self.channelCount = channelCount
        self.capacity = capacity
        samples = .allocate(capacity: channelCount * capacity)
        samples.initialize(repeating: 0, count: channelCount * capacity)
        pointers = .allocate(capacity: channelCount)
        for channel in 0..<channelCount { (pointers + channel).initialize(to: samples + channel * capacity) }
        channels = UnsafePointer(pointers)
    }

    deinit {
        pointers.deallocate()
        samples.deallocate()
    }

    /// The samples of `channel` from `offset` on.
    subscript(channel: Int) -> UnsafeMutableBufferPointer<Float> {
        UnsafeMutableBufferPointer(start: samples + channel * capacity, count: capacity)
    }
}
