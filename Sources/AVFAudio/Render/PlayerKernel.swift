import Glibc
import Synchronization

/// The part of a player node that runs on the render thread: takes scheduled items and lays them one after the other.
final class PlayerKernel: @unchecked Sendable {
    // Unchecked: what is not atomic below `Render state` is touched by the render thread alone.

    /// The control side's end of the queue.
    let queue: PlayerQueue
    /// The index of the last item that the render thread is done with.
    let consumedIndex = Atomic<Int>(0)

    private enum Voice {
        case silent
        case sounding
        case fadingIn
        case fadingOut
    }

    // MARK: Commands, written by control

    private let isPlaying = Atomic<Bool>(false)
    /// Items of a lower index are dropped at once.
    private let dropBefore = Atomic<Int>(0)
    /// Items of a lower index are dropped when their loop comes round.
    private let dropAtLoopBefore = Atomic<Int>(0)
    private let timeResets = Atomic<Int>(0)
    private let fadeFrameCount = Atomic<Int>(RampTime.fade(44_100))
    /// Set while the engine stops, so that no render waits for data that will not come.
    let isAborted = Atomic<Bool>(false)

    // MARK: What control reads

    /// Frames given ever, frames of the player's own time, and which of `timeResets` that counts from.
    let time = PublishedTriple()
    /// Frames of silence given because data had not come, since the last stop.
    let starvedFrames = Atomic<Int64>(0)
    /// How often data had not come, ever.
    let starvedCount = Atomic<Int>(0)

    // MARK: Render state

    /// The link whose `next` is the item that plays.
    ///
    /// The render thread's own; control frees what lies before it.
    private var head: UnsafeMutablePointer<ScheduledItem>
    private var nodeFrames: Int64 = 0
    private var playerFrames: Int64 = 0
    private var appliedTimeResets = 0
    private var offset = 0
    private var gain = Ramp(1)
    private var voice = Voice.silent
    /// Whether the last frame given was of an item, so that silence after it would be a click.
    private var hasSounded = false
    private var isStarved = false
    private var ended = false
    private var starved: Int64 = 0
    private let wake: UnsafeMutablePointer<sem_t>

    init() {
        queue = PlayerQueue()
        head = queue.firstLink
        wake = .allocate(capacity: 1)
        sem_init(wake, 0, 0)
    }

    deinit {
        sem_destroy(wake)
        wake.deallocate()
    }

    // MARK: Control

    /// The rate of the connection, which says how long a fade takes.
    func setSampleRate(_ sampleRate: Double) {
        fadeFrameCount.store(RampTime.fade(sampleRate), ordering: .relaxed)
    }

    /// Which time reset was asked for last: see `time`.
    var requestedTimeResets: Int { timeResets.load(ordering: .acquiring) }

    func play() {
        isPlaying.store(true, ordering: .releasing)
        nudge()
    }

    func pause() { isPlaying.store(false, ordering: .releasing) }

    /// Drops all items below `index`; with `resetsTime` the player's time begins anew.
    func drop(before index: Int, resetsTime: Bool) {
        dropBefore.store(index, ordering: .releasing)
        if resetsTime { timeResets.wrappingAdd(1, ordering: .releasing) }
        nudge()
    }

    func dropAtLoop(before index: Int) { dropAtLoopBefore.store(index, ordering: .releasing) }

    /// Wakes a render that waits for data.
    func nudge() { sem_post(wake) }

    // MARK: Render

    /// Fills `slot`.
    ///
    /// Where the pass may block, waits for data instead of giving silence.
    func render(into slot: RenderSlot, frames: Int, pass: RenderPass) {
        if pass.isSilent {
            settleUnheard()
            return
        }
        var filled = fill(slot, from: 0, to: frames, pass: pass)
        while pass.mayBlock, isStarved, !isAborted.load(ordering: .acquiring) {
            // The time-out only bounds how long a stop takes that forgot to nudge.
            var deadline = timespec()
            clock_gettime(CLOCK_REALTIME, &deadline)
            deadline.tv_nsec += 20_000_000
            if deadline.tv_nsec >= 1_000_000_000 {
                deadline.tv_nsec -= 1_000_000_000
                deadline.tv_sec += 1
            }
            sem_timedwait(wake, &deadline)
            if isAborted.load(ordering: .acquiring) { break }
            filled = fill(slot, from: filled, to: frames, pass: pass)
        }
        finish(slot, filled: filled, frames: frames)
    }

    /// Takes up what was asked while nothing of the player is heard.
    ///
    /// Also for control, when no render can run.
    @_noLocks @_noAllocation
    func settleUnheard() {
        settle(isSilent: true)
        time.publish(nodeFrames, playerFrames, Int64(appliedTimeResets))
    }

    /// Lays items from `first` on, and returns where it stopped: at `end`, or earlier when there is nothing to give.
    @_noLocks @_noAllocation
    private func fill(_ slot: RenderSlot, from first: Int, to end: Int, pass: RenderPass) -> Int {
        var filled = first
        isStarved = false
        while filled < end {
            if pass.appliesCommands { settle(isSilent: false) }
            guard voice != .silent else { return filled }
            guard let item = current() else {
                let hasEnded = ended
                isStarved = voice != .fadingOut && !hasEnded
                hasSounded = false
                if voice == .fadingOut { voice = .silent } else { return filled }
                continue
            }
            let gap = item.pointee.startTime - playerFrames
            if offset == 0, gap > 0 {
                let count = min(end - filled, Int(gap))
                slot.clear(from: filled, to: filled + count)
                filled += count
                playerFrames += Int64(count)
                hasSounded = false
                continue
            }
            filled += lay(item, slot, at: filled, limit: end - filled)
        }
        return filled
    }

    /// The item that plays, if there is one.
    @_noLocks @_noAllocation
    private func current() -> UnsafeMutablePointer<ScheduledItem>? {
        head.pointee.next.load(ordering: .acquiring)?.assumingMemoryBound(to: ScheduledItem.self)
    }

    /// Leaves the item that plays.
    @_noLocks @_noAllocation
    private func advance() {
        guard let next = current() else { return }
        head = next
        offset = 0
        consumedIndex.store(next.pointee.index, ordering: .releasing)
    }

    /// Takes up play, pause, stop and drop: fades out what sounds, and only then leaves it.
    @_noLocks @_noAllocation
    private func settle(isSilent: Bool) {
        let playing = isPlaying.load(ordering: .acquiring)
        let dropIndex = dropBefore.load(ordering: .acquiring)
        let drops = current().map { $0.pointee.index < dropIndex } ?? false
        let resets = timeResets.load(ordering: .acquiring) != appliedTimeResets
        let mayGoOn = playing && !drops && !resets
        switch voice {
        case .sounding, .fadingIn:
            if mayGoOn {
                if voice == .fadingIn, gain.remaining == 0 { voice = .sounding }
                return
            }
            if hasSounded, !isSilent {
                gain.head(to: 0, over: fadeFrameCount.load(ordering: .relaxed))
                voice = .fadingOut
                return
            }
        case .fadingOut:
            if gain.remaining > 0, !isSilent { return }
        case .silent:
            break
        }
        voice = .silent
        hasSounded = false
        while let item = current(), item.pointee.index < dropIndex {
            advance()
        }
        takeTimeReset()
        guard playing else { return }
        if offset > 0 {
            gain.jump(to: 0)
            gain.head(to: 1, over: fadeFrameCount.load(ordering: .relaxed))
            voice = .fadingIn
        } else {
            gain.jump(to: 1)
            voice = .sounding
        }
    }

    @_noLocks @_noAllocation
    private func takeTimeReset() {
        let resets = timeResets.load(ordering: .acquiring)
        guard resets != appliedTimeResets else { return }
        appliedTimeResets = resets
        playerFrames = 0
        starved = 0
        starvedFrames.store(0, ordering: .relaxed)
        ended = false
    }

    /// Copies from `item`, and leaves it when it is done.
    @_noLocks @_noAllocation
    private func lay(
        _ item: UnsafeMutablePointer<ScheduledItem>,
        _ slot: RenderSlot,
        at position: Int,
        limit: Int
    ) -> Int {
        var count = min(limit, item.pointee.frameCount - offset)
        if gain.remaining > 0 { count = min(count, gain.remaining) }
        if count > 0 { copy(item, slot, at: position, count: count) }
        offset += count
        playerFrames += Int64(count)
        if count > 0 { hasSounded = true }
        if offset >= item.pointee.frameCount {
            let interrupted = item.pointee.index < dropAtLoopBefore.load(ordering: .acquiring)
            offset = 0
            if !item.pointee.loops || interrupted || item.pointee.frameCount == 0 {
                ended = item.pointee.isLast
                advance()
            }
        }
        return count
    }

    @_noLocks @_noAllocation
    private func copy(
        _ item: UnsafeMutablePointer<ScheduledItem>,
        _ slot: RenderSlot,
        at position: Int,
        count: Int
    ) {
        let sources = item.pointee.channels
        let last = item.pointee.channelCount - 1
        if gain.remaining == 0, gain.current == 1 {
            for channel in 0..<slot.channelCount {
                let source = sources[min(channel, last)] + offset
                copySamples(from: source, to: slot.channels[channel] + position, count: count)
            }
            return
        }
        let start = gain
        for channel in 0..<slot.channelCount {
            var ramp = start
            let source = sources[min(channel, last)] + offset
            let target = slot.channels[channel] + position
            for frame in 0..<count { target[frame] = source[frame] * ramp.next() }
        }
        gain.skip(count)
    }

    /// Makes the rest silence, and says what was given.
    @_noLocks @_noAllocation
    private func finish(_ slot: RenderSlot, filled: Int, frames: Int) {
        slot.clear(from: filled, to: frames)
        let playing = isPlaying.load(ordering: .acquiring)
        if playing, filled < frames, !ended {
            // Past what is scheduled the player's time goes on, as Apple's does.
            playerFrames += Int64(frames - filled)
            if isStarved {
                starved += Int64(frames - filled)
                starvedFrames.store(starved, ordering: .relaxed)
                starvedCount.wrappingAdd(1, ordering: .relaxed)
            }
        }
        nodeFrames += Int64(frames)
        let hasEnded = ended
        var gives = playing && !hasEnded
        if isAborted.load(ordering: .acquiring) { gives = false }
        slot.leave(contentFrames: gives ? frames : filled, isEnd: hasEnded && filled < frames)
        time.publish(nodeFrames, playerFrames, Int64(appliedTimeResets))
    }
}
