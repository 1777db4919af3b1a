import Synchronization

/// The results of a step beside its samples.
package struct SlotInfo: BitwiseCopyable {
    /// The number of content frames before the end of the sound.
    ///
    /// The remaining frames are silent.
    var contentFrames: Int
    /// The length of the effects' tail so far: the number of frames from the end of the sources' sound to the end of
    /// this content.
    ///
    /// 0 while a source sounds.
    var tailFrames = 0
    /// Whether the sound ends after `contentFrames`.
    ///
    /// Further content follows only if a node is started again.
    var isEnd: Bool
}

/// The memory that a step writes and later ones read: one buffer for each channel, as long as the plan's longest block.
package struct RenderSlot: BitwiseCopyable {
    let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// The buffers that belong to the slot.
    ///
    /// They differ from `channels` if a step lets later steps read other memory instead of a copy: see `lend`.
    let ownChannels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let channelCount: Int
    let info: UnsafeMutablePointer<SlotInfo>

    /// Creates a slot whose readers always use its own buffers.
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

    /// A copy of the slot whose readers always use its own buffers.
    var plain: RenderSlot {
        @_noLocks @_noAllocation
        get { RenderSlot(plain: ownChannels, channelCount: channelCount, info: info) }
    }

    /// Whether others may be let read elsewhere.
    var canLend: Bool {
        @_noLocks @_noAllocation
        get { channels != ownChannels }
    }

    /// Makes later steps read the slot's own buffers.
    @_noLocks @_noAllocation
    func lendOwn() {
        guard canLend else { return }
        for channel in 0..<channelCount { channels[channel] = ownChannels[channel] }
    }

    /// Makes later steps read `sources` from frame `first`.
    ///
    /// Missing channels repeat the last one.
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
/// A loop, because the standard library's copy is not allowed in code that must not allocate.
@_noLocks @_noAllocation
@inline(__always)
func copySamples(from source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int) {
    for index in 0..<count { target[index] = source[index] }
}

/// The purpose of a rendering, which determines how nodes behave.
struct RenderManner: BitwiseCopyable {
    /// Whether a node that lacks data waits for it instead of giving silence: only without real time.
    var mayBlock: Bool
    /// Whether rendering is manual and not in real time, so that it may wait for other threads.
    var isOffline: Bool
    /// Whether players fade out interrupted sounds for a listener.
    ///
    /// Manual rendering is exact instead.
    var fades: Bool
}

/// The conditions of one run of a segment.
struct RenderPass {
    /// Whether nodes apply requests such as stop and reset; `false` while the output is still fading out.
    var appliesCommands: Bool
    /// Whether the output is inaudible, so that nodes stop and drop data without a fade.
    var isSilent: Bool
    var manner: RenderManner
    /// The time at which the first frame is audible, in monotonic nanoseconds; 0 without a clock.
    var hostTime: UInt64
    /// The first frame on the engine's own count.
    var sampleTime: Int64
    /// Which timeline that count is of: another one begins at 0.
    var timeline: Int

    /// A pass without frames, in which nodes apply pending requests.
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

/// Three related numbers, written by the render thread and read by any thread, without a lock.
///
/// A sequence lock: the writer never waits, and a reader that overlaps a write reads again (Lamport, "Concurrent
/// reading and writing", 1977).
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
