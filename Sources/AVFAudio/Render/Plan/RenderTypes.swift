import Synchronization

/// The results of a step beside its samples.
package struct SlotInfo: BitwiseCopyable {
    /// The number of frames that lie before the end of the sound.
    ///
    /// The rest is silence.
    var contentFrames: Int
    /// The length of the effects' tail so far: the number of frames from the end of the sources' sound to the end of this content.
    ///
    /// 0 while a source sounds.
    var tailFrames = 0
    /// Whether the sound ends after `contentFrames`: nothing more follows unless a node is started anew.
    var isEnd: Bool
}

/// The memory that a step writes and later ones read: one buffer for each channel, as long as the plan's longest block.
package struct RenderSlot: BitwiseCopyable {
    let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// The slot's own buffers.
    ///
    /// Other than `channels` where a step may let others read elsewhere, instead of copying: see `lend`.
    let ownChannels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let channelCount: Int
    let info: UnsafeMutablePointer<SlotInfo>

    /// Creates a slot that only lends its own buffers.
    @_noLocks @_noAllocation
    package init(
        plain channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
        channelCount: Int,
        info: UnsafeMutablePointer<SlotInfo>
    ) {
        self.init(channels: channels, ownChannels: channels, channelCount: channelCount, info: info)
    }

    @_noLocks @_noAllocation
    init(
        channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
        ownChannels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
        channelCount: Int,
        info: UnsafeMutablePointer<SlotInfo>
    ) {
        (self.channels, self.ownChannels) = (channels, ownChannels)
        (self.channelCount, self.info) = (channelCount, info)
    }

    /// The slot as one that only lends its own buffers.
    var plain: RenderSlot {
        @_noLocks @_noAllocation
        get { RenderSlot(plain: ownChannels, channelCount: channelCount, info: info) }
    }

    /// Whether others may be let read elsewhere.
    var canLend: Bool {
        @_noLocks @_noAllocation
        get { channels != ownChannels }
    }

    /// Lets those that come next read the slot's own buffers.
    @_noLocks @_noAllocation
    func lendOwn() {
        guard canLend else { return }
        for channel in 0..<channelCount { channels[channel] = ownChannels[channel] }
    }

    /// Lets those that come next read `sources` from the frame `first` on; channels that there are not, as the last.
    @_noLocks @_noAllocation
    func lend(_ sources: UnsafePointer<UnsafeMutablePointer<Float>>, _ sourceCount: Int, from first: Int) {
        for channel in 0..<channelCount { channels[channel] = sources[min(channel, sourceCount - 1)] + first }
    }

    @_noLocks @_noAllocation
    func leave(contentFrames: Int, isEnd: Bool, tailFrames: Int = 0) {
        info.pointee = SlotInfo(contentFrames: contentFrames, tailFrames: tailFrames, isEnd: isEnd)
    }

    @_noLocks @_noAllocation
    func clear(from first: Int, to end: Int) {
        guard end > first else { return }
        for channel in 0..<channelCount {
            (channels[channel] + first).update(repeating: 0, count: end - first)
        }
    }
}

/// Copies samples.
///
/// A loop, because the standard library's copy may not be called where nothing may allocate.
@_noLocks @_noAllocation
@inline(__always)
func copySamples(from source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int) {
    for index in 0..<count { target[index] = source[index] }
}

/// The purpose of an engine's rendering, which decides what its nodes may do.
struct RenderManner: BitwiseCopyable {
    /// Whether a node that lacks data waits for it instead of giving silence: only without real time.
    var mayBlock: Bool
    /// Whether rendering is done by hand and not in real time: what another thread reads ahead may be waited for.
    var isOffline: Bool
    /// Whether players fade what they cut off, as a listener wants it; manual rendering is exact instead.
    var fades: Bool
}

/// The conditions of one run of a segment.
struct RenderPass {
    /// Whether nodes take up what was asked of them (stop, reset): not while the output is still fading away from it.
    var appliesCommands: Bool
    /// Whether nothing of this is heard, so that nodes stop and drop at once instead of fading.
    var isSilent: Bool
    var manner: RenderManner
    /// When the first frame is heard, in nanoseconds of the monotonic clock; 0 without a clock.
    var hostTime: UInt64
    /// The first frame on the engine's own count.
    var sampleTime: Int64
    /// Which timeline that count is of: another one begins at 0.
    var timeline: Int

    /// A run of no frames, in which nodes take up what was asked of them.
    static var unheard: RenderPass {
        RenderPass(
            appliesCommands: true,
            isSilent: true,
            manner: RenderManner(mayBlock: false, isOffline: false, fades: false),
            hostTime: 0,
            sampleTime: 0,
            timeline: 0
        )
    }
}

/// Three numbers that belong together, written by the render thread and read by anybody, without a lock.
///
/// A sequence lock: the writer never waits; a reader that met a write reads again (Lamport, "Concurrent reading and
/// writing", 1977).
struct PublishedTriple: ~Copyable, Sendable {
    private let sequence = Atomic<Int>(0)
    private let first = Atomic<Int64>(0)
    private let second = Atomic<Int64>(0)
    private let third = Atomic<Int64>(0)

    @_noLocks @_noAllocation
    func publish(_ a: Int64, _ b: Int64, _ c: Int64) {
        sequence.wrappingAdd(1, ordering: .acquiringAndReleasing)
        first.store(a, ordering: .releasing)
        second.store(b, ordering: .releasing)
        third.store(c, ordering: .releasing)
        sequence.wrappingAdd(1, ordering: .releasing)
    }

    func read() -> (Int64, Int64, Int64) {
        while true {
            let before = sequence.load(ordering: .acquiring)
            let values = (
                first.load(ordering: .acquiring), second.load(ordering: .acquiring), third.load(ordering: .acquiring)
            )
            let after = sequence.load(ordering: .acquiring)
            if before == after, before % 2 == 0 { return values }
        }
    }
}
