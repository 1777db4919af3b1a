/// The newest input of every channel, addressed by frame number since the start.
///
/// Frames before the start and after the last written frame read as silence. NaN and infinite samples are stored as
/// silence, so that a bad sample cannot spread. Use from one thread at a time.
struct InputHistory: ~Copyable {
    private let store: AlignedFloatBuffer
    private let capacity: Int
    private let channelCount: Int
    /// The number of frames written since the start.
    private(set) var written = 0

    /// Room for at least `minimumCapacity` frames of each channel.
    init(channelCount: Int, minimumCapacity: Int) {
        var capacity = 1024
        while capacity < minimumCapacity { capacity *= 2 }
        self.capacity = capacity
        self.channelCount = channelCount
        store = AlignedFloatBuffer(count: capacity * channelCount)
    }

    /// Appends as many of `frameCount` frames as fit without losing the frame `oldest` or a later one.
    @_noLocks @_noAllocation
    mutating func write(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        frameCount: Int,
        keepingFrom oldest: Int
    ) {
        let count = min(frameCount, capacity - max(written - max(oldest, 0), 0))
        guard count > 0 else { return }
        let start = written & (capacity - 1)
        let first = min(count, capacity - start)
        for channel in 0..<channelCount {
            let base = store.pointer + channel * capacity
            Self.copyFinite(channels[channel], to: base + start, count: first)
            Self.copyFinite(channels[channel] + first, to: base, count: count - first)
        }
        written += count
    }

    /// Copies the frames `from ..< from + count` of one channel.
    @_noLocks @_noAllocation
    func read(channel: Int, from: Int, count: Int, into target: UnsafeMutablePointer<Float>) {
        let start = min(max(max(from, 0), written - capacity), from + count)
        let end = min(max(written, start), from + count)
        target.update(repeating: 0, count: start - from)
        (target + (end - from)).update(repeating: 0, count: from + count - end)
        guard end > start else { return }
        let base = store.pointer + channel * capacity
        let offset = start & (capacity - 1)
        let first = min(end - start, capacity - offset)
        let middle = target + (start - from)
        copyFloats(base + offset, to: middle, count: first)
        copyFloats(base, to: middle + first, count: end - start - first)
    }

    @_noLocks @_noAllocation
    mutating func reset() {
        // With a count of 0 old input cannot be read, so the memory need not be cleared.
        written = 0
    }

    @_noLocks @_noAllocation
    private static func copyFinite(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int) {
        var index = 0
        while index < count {
            let sample = source[index]
            target[index] = sample.magnitude <= .greatestFiniteMagnitude ? sample : 0
            index &+= 1
        }
    }
}
