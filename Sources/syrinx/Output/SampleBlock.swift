/// The memory for a block of samples, with one buffer per channel.
final class SampleBlock {
    /// The buffers, one per channel.
    let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    /// The capacity, in frames.
    let capacity: Int
    /// The number of channels.
    let channelCount: Int

    private let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let samples: UnsafeMutablePointer<Float>

    /// Allocates `capacity` frames of `channelCount` channels, filled with silence.
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

    /// The samples of a channel.
    subscript(channel: Int) -> UnsafeMutableBufferPointer<Float> {
        UnsafeMutableBufferPointer(start: samples + channel * capacity, count: capacity)
    }
}
