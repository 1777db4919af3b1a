import Synchronization

/// The place on a timeline at which an item begins.
enum ItemStart {
    /// Directly after the previous item.
    case following
    /// At a frame of the player's own time.
    case playerTime(Int64)
    /// At a host time in nanoseconds, measured at the output.
    case hostTime(UInt64)
}

/// The relation of an item to the previously scheduled items.
enum ItemEntry {
    /// The item waits for the previous items.
    case queued
    /// The item replaces the previous items at its start time.
    case interrupts
    /// The item replaces the previous items at the end of the playing item or loop pass, after its start time.
    case interruptsAtLoop
}

/// The samples of an item.
enum ItemContent {
    /// One pointer a channel; all frames are there.
    case samples(UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frameCount: Int)
    /// Frames that another thread reads ahead.
    case feed(UnsafeMutablePointer<FileFrameRing>)

    static var nothing: ItemContent {
        // The pointer is never read, because the item has no frames.
        .samples(UnsafePointer(bitPattern: 1).unsafelyUnwrapped, channelCount: 0, frameCount: 0)
    }
}

/// One piece of sound on its way to a player: a link of the queue between the control threads and the render thread.
struct ScheduledItem: ~Copyable {
    let next = Atomic<UnsafeMutableRawPointer?>(nil)
    /// Counts up from 1 over the life of the player.
    let index: Int
    /// Kept alive by the control side until `PlayerKernel.consumedIndex` has reached `index`.
    let content: ItemContent
    let start: ItemStart
    let entry: ItemEntry
    let loops: Bool
    /// Whether a stream ends with it.
    let isLast: Bool
    /// The host time at which its last frame is audible, written by the render thread before it leaves the item.
    ///
    /// 0 for a dropped item, and without a clock.
    let heardAt = Atomic<UInt64>(0)

    @_noLocks @_noAllocation
    static func pointer(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<ScheduledItem>? {
        raw?.assumingMemoryBound(to: ScheduledItem.self)
    }
}

/// The moment that a frame is rendered for, on each of a player's clocks.
struct PlayerTimestamp {
    /// The frame of the player's own time.
    var playerFrame: Int64
    /// Frames since the first of the block.
    var position: Int
    /// The host time at which the first frame of the block is audible; 0 without a clock.
    let blockHostTime: UInt64
    let sampleRate: Double

    @_noLocks @_noAllocation
    init(playerFrame: Int64, position: Int, blockHostTime: UInt64, sampleRate: Double) {
        self.playerFrame = playerFrame
        self.position = position
        self.blockHostTime = blockHostTime
        self.sampleRate = sampleRate
    }

    /// Returns the number of frames until `start`: 0 or less if it is due.
    @_noLocks @_noAllocation
    func frames(until start: ItemStart) -> Int {
        switch start {
        case .following: return 0
        case .playerTime(let frame): return Int(frame &- playerFrame)
        case .hostTime(let time): return frames(untilHostTime: time)
        }
    }

    /// Returns the number of frames until the host's clock shows `time`; 0 if there is no clock.
    @_noLocks @_noAllocation
    func frames(untilHostTime time: UInt64) -> Int {
        guard blockHostTime != 0 else { return 0 }
        let nanoseconds = Double(Int64(bitPattern: time &- blockHostTime))
        // The frame nearest to the time. A time in the past is due, whatever the rounding.
        return Int(nanoseconds * sampleRate / 1e9 + 0.5) - position
    }

    /// The host time at which this frame is audible; 0 without a clock.
    var hostTime: UInt64 {
        @_noLocks @_noAllocation
        get {
            guard blockHostTime != 0 else { return 0 }
            return blockHostTime + UInt64(Double(position) / sampleRate * 1e9)
        }
    }
}
