import SyrinxByteStream

/// Trims audio for a file: removes the latency of the effects at the start, and the quiet end of their tail.
///
/// Quiet frames of a tail are held back until a loud frame follows. `syrinx render` trims in the same way, except that
/// this code writes the first part of a silence of more than 3 s within a tail.
struct ContentTrim: ~Copyable {
    /// The maximum time in seconds that can be held back: the longest delay, plus a reverb.
    ///
    /// Of a longer pause between two echoes, the first part is written.
    private static var longest: Double { 3 }

    private let channelCount: Int
    /// The maximum number of frames that can be held back.
    private let capacity: Int
    /// A ring of frames for each channel, stored channel by channel.
    private let store: UnsafeMutablePointer<Float>
    // Total frame counts: added to the ring, confirmed for writing, and taken out.
    private var put = 0
    private var ready = 0
    private var taken = 0
    /// Frames of content that are still to be left out; `nil` before there is content.
    private var latencyLeft: Int?

    /// Allocates all memory.
    init(sampleRate: Double, channelCount: Int) {
        self.channelCount = channelCount
        capacity = max(1, Int(clamped: (Self.longest * sampleRate).rounded()))
        store = .allocate(capacity: capacity * max(channelCount, 1))
    }

    deinit { store.deallocate() }

    /// Whether frames are to be taken out before the graph is rendered on.
    var isReady: Bool { @_noLocks @_noAllocation get { ready > taken } }

    /// The number of frames in the ring.
    var heldCount: Int { @_noLocks @_noAllocation get { put - taken } }

    /// Forgets the sound: another begins.
    @_noLocks @_noAllocation
    mutating func reset() { (put, ready, taken, latencyLeft) = (0, 0, 0, nil) }

    /// Replaces a block with the frames that are to be written next.
    /// - Parameters:
    ///   - content: The number of frames in the block.
    ///   - tail: The number of frames since the sources ended.
    ///   - latency: The frames by which the effects delay the sound.
    /// - Returns: The number of frames to write, at most `content`.
    @_noLocks @_noAllocation
    mutating func trim(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        content: Int,
        tail: Int,
        latency: Int
    ) -> Int {
        guard content > 0 else { return 0 }
        let wanted = latencyLeft ?? latency
        let dropped = min(wanted, content)
        latencyLeft = wanted - dropped
        // The first frames after the end of the sources are still content, because of the latency of the effects.
        let body = content - min(content, max(0, tail - latency))
        guard dropped > 0 || body < content || heldCount > 0 else { return content }
        var given = 0
        for frame in dropped..<content {
            hold(channels, frame)
            let isKept = frame < body || heldCount == capacity || !EffectTail.isQuiet(channels, channelCount, frame)
            if isKept { ready = put }
            if isReady {
                takeFrame(channels, given)
                given += 1
            }
        }
        return given
    }

    /// Takes up to `count` of the frames confirmed for writing.
    /// - Returns: The number of frames.
    @_noLocks @_noAllocation
    mutating func take(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int) -> Int {
        let given = min(count, ready - taken)
        for frame in 0..<given { takeFrame(channels, frame) }
        return given
    }

    @_noLocks @_noAllocation
    private mutating func takeFrame(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ frame: Int) {
        for channel in 0..<channelCount { channels[channel][frame] = store[channel * capacity + taken % capacity] }
        taken += 1
    }

    @_noLocks @_noAllocation
    private mutating func hold(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ frame: Int) {
        for channel in 0..<channelCount { store[channel * capacity + put % capacity] = channels[channel][frame] }
        put += 1
    }
}
