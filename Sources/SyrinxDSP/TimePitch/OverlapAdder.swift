/// Adds windowed frames to an output, and divides the sum by the sum of the windows.
///
/// One ring for the weights and one for each channel, addressed by output frame. Use from one thread at a time.
struct OverlapAdder: ~Copyable {
    private let capacity: Int
    private let channelCount: Int
    private let store: AlignedFloatBuffer
    /// The first output frame that was not taken.
    ///
    /// Earlier frames are dropped when they are added.
    private var start = 0
    /// The output frame after the last added frame.
    private var end = 0

    /// Creates an adder for frames of `length`, whose centers are within one length of the read position.
    init(channelCount: Int, length: Int) {
        var capacity = 1024
        while capacity < 3 * length { capacity *= 2 }
        self.capacity = capacity
        self.channelCount = channelCount
        store = AlignedFloatBuffer(count: capacity * (channelCount + 1))
    }

    /// Adds `source[i] * window[i]` to the frame `output + i`.
    @_noLocks @_noAllocation
    mutating func add(
        channel: Int,
        at output: Int,
        _ source: UnsafePointer<Float>,
        window: UnsafePointer<Float>,
        count: Int
    ) {
        end = max(end, output + count)
        let ring = store.pointer + channel * capacity
        let skipped = min(max(start - output, 0), count)
        let offset = (output + skipped) & (capacity - 1)
        let first = min(count - skipped, capacity - offset)
        let rest = skipped + first
        addProducts(source + skipped, window + skipped, to: ring + offset, count: first)
        addProducts(source + rest, window + rest, to: ring, count: count - rest)
    }

    /// Adds the product of two windows to the divisor of the sum.
    @_noLocks @_noAllocation
    mutating func addWeight(
        at output: Int,
        _ analysis: UnsafePointer<Float>,
        window: UnsafePointer<Float>,
        count: Int
    ) {
        add(channel: channelCount, at: output, analysis, window: window, count: count)
    }

    /// Takes finished output and clears it.
    ///
    /// After the last channel, call `finish` to take the weights too.
    @_noLocks @_noAllocation
    func take(channel: Int, at output: Int, count: Int, into target: UnsafeMutablePointer<Float>) {
        quotients(channel, at: output, count: count, into: target)
        silence(channel, at: output, count: count)
    }

    /// Reads output that is not finished yet, as far as it has been added up.
    @_noLocks @_noAllocation
    func peek(channel: Int, at output: Int, count: Int, into target: UnsafeMutablePointer<Float>) {
        let skipped = min(max(start - output, 0), count)
        target.update(repeating: 0, count: skipped)
        quotients(channel, at: output + skipped, count: count - skipped, into: target + skipped)
    }

    @_noLocks @_noAllocation
    private func quotients(_ channel: Int, at output: Int, count: Int, into target: UnsafeMutablePointer<Float>) {
        let ring = store.pointer + channel * capacity
        let weights = store.pointer + channelCount * capacity
        let offset = output & (capacity - 1)
        let first = min(count, capacity - offset)
        divide(ring + offset, by: weights + offset, into: target, count: first)
        divide(ring, by: weights, into: target + first, count: count - first)
    }

    @_noLocks @_noAllocation
    private func silence(_ channel: Int, at output: Int, count: Int) {
        let ring = store.pointer + channel * capacity
        let offset = output & (capacity - 1)
        let first = min(count, capacity - offset)
        (ring + offset).update(repeating: 0, count: first)
        ring.update(repeating: 0, count: count - first)
    }

    /// Clears the weights of frames that were taken by every channel.
    @_noLocks @_noAllocation
    mutating func finish(at output: Int, count: Int) {
        silence(channelCount, at: output, count: count)
        start = output + count
    }

    /// Forgets everything; `output` is the first frame that will be taken.
    @_noLocks @_noAllocation
    mutating func clear(startingAt output: Int) {
        // Frames that were taken are already cleared.
        for channel in 0...channelCount {
            let ring = store.pointer + channel * capacity
            for place in start..<max(end, start) { ring[place & (capacity - 1)] = 0 }
        }
        start = output
        end = output
    }
}
