import Glibc
import Synchronization

/// The part of a player node that runs on the render thread: it plays the scheduled items in sequence.
///
/// After an interruption or a stop, the last 5 ms of the old sound fade out. The next sound starts at its exact frame
/// and fades in meanwhile. The gains of both add up to 1, so the transition is never louder than the louder sound. A
/// pause plays 5 ms more of the sound while it fades out. Without a listener (`RenderManner.fades` is `false`), both
/// cut the sound at once.
final class PlayerKernel: @unchecked Sendable {
    // Unchecked: non-atomic state below `Render state` belongs to the render thread; `tails` is accessed by control
    // threads under the engine's lock.

    /// The control side's end of the queue.
    let queue: PlayerQueue
    let commands = PlayerCommands()
    let gains = PlayerGains()
    /// The index of the last item that the render thread is done with.
    let consumedIndex = Atomic<Int>(0)
    /// Set while the engine stops, so that no render waits for data that never arrives.
    let isAborted = Atomic<Bool>(false)
    /// The number of requests to hold the graph.
    ///
    /// A render that waits for data ends when it changes.
    let holdCount = Atomic<Int>(0)
    let sampleRate = Atomic<Double>(44_100)
    private let tail = Atomic<UnsafeMutableRawPointer?>(nil)
    private var tails: [UnsafeMutablePointer<PlayerFadeOut>] = []

    // MARK: State for control threads

    /// The total number of rendered frames, the player's time in frames, and the value of `timeResets` at its start.
    let time = PublishedTriple()
    /// The number of silent frames rendered since the last stop because data was missing.
    let starvedFrames = Atomic<Int64>(0)
    /// The number of times that data was missing, ever.
    let starvedCount = Atomic<Int>(0)

    // MARK: Render state

    // Exclusivity is unchecked at run time: one thread has all accesses, and each is over before the next begins.
    @exclusivity(unchecked) var reel: PlayerCursor
    @exclusivity(unchecked) var nodeFrames: Int64 = 0
    @exclusivity(unchecked) var playerFrames: Int64 = 0
    @exclusivity(unchecked) var appliedTimeResets = 0
    @exclusivity(unchecked) var appliedDrop = 0
    @exclusivity(unchecked) var appliedPauses = 0
    /// Whether `play()` was applied and its start time has been reached.
    @exclusivity(unchecked) var hasBegun = false
    @exclusivity(unchecked) var voice = PlayerFadeState()
    @exclusivity(unchecked) private var isStarved = false
    /// Whether it is a file that has not been read far enough.
    @exclusivity(unchecked) private var isStarvedOfFile = false
    @exclusivity(unchecked) var ended = false
    @exclusivity(unchecked) var starved: Int64 = 0
    /// The manner of the current pass.
    @exclusivity(unchecked) var manner = RenderManner(mayBlock: false, isOffline: false, fades: true)
    @exclusivity(unchecked) private var timeline = 0
    /// `holdCount` at the beginning of the pass.
    @exclusivity(unchecked) private var appliedHoldCount = 0
    /// Up to where in the block the tail has been laid.
    @exclusivity(unchecked) var tailPosition = 0
    private let wake: UnsafeMutablePointer<sem_t>
    /// Wakes the thread that reads files ahead.
    let readerSignal: UnsafeMutablePointer<sem_t>

    init() {
        queue = PlayerQueue()
        reel = PlayerCursor(queue.firstLink)
        wake = .allocate(capacity: 1)
        sem_init(wake, 0, 0)
        readerSignal = .allocate(capacity: 1)
        sem_init(readerSignal, 0, 0)
    }

    deinit {
        for signal in [wake, readerSignal] {
            sem_destroy(signal)
            signal.deallocate()
        }
        for tail in tails {
            tail.deinitialize(count: 1)
            tail.deallocate()
        }
    }

    // MARK: Control

    /// Prepares for the format of the connection, whose sample rate determines the length of a fade in frames.
    func configure(sampleRate: Double, channelCount: Int) {
        self.sampleRate.store(sampleRate, ordering: .relaxed)
        let frames = RampTime.fade(sampleRate)
        if let last = tails.last, last.pointee.capacity == frames, last.pointee.channelCount == channelCount { return }
        let new = UnsafeMutablePointer<PlayerFadeOut>.allocate(capacity: 1)
        new.initialize(to: PlayerFadeOut(channelCount: channelCount, capacity: frames))
        // A render may still use the previous one. They are few and small, and are freed with the player.
        tails.append(new)
        tail.store(UnsafeMutableRawPointer(new), ordering: .releasing)
    }

    /// The number of the most recently requested time reset: see `time`.
    var requestedTimeResets: Int { commands.timeResets.load(ordering: .acquiring) }

    /// Starts at the given frame of the node or host time; at the next frame if neither is given.
    func play(atFrame frame: Int64? = nil, atHostTime hostTime: UInt64 = 0) {
        commands.startFrame.store(frame ?? PlayerCommands.anyFrame, ordering: .relaxed)
        commands.startHostTime.store(hostTime, ordering: .relaxed)
        commands.isPlaying.store(true, ordering: .releasing)
        nudge()
    }

    func pause() {
        commands.isPlaying.store(false, ordering: .releasing)
        commands.pauses.wrappingAdd(1, ordering: .releasing)
    }

    /// Drops all items, and restarts the player's time.
    func dropAll() {
        commands.dropBefore.store(queue.nextIndex, ordering: .releasing)
        commands.timeResets.wrappingAdd(1, ordering: .releasing)
        nudge()
    }

    /// Wakes a render that waits for data.
    func nudge() { sem_post(wake) }

    // MARK: Render

    /// Renders into `slot`.
    ///
    /// If the pass may wait, the player waits for missing data instead of rendering silence.
    func render(into slot: RenderSlot, frames: Int, pass: RenderPass) {
        if pass.isSilent {
            settleUnheard()
            return
        }
        manner = pass.manner
        appliedHoldCount = holdCount.load(ordering: .acquiring)
        if pass.timeline != timeline {
            timeline = pass.timeline
            nodeFrames = 0
        }
        let hasGains = gains.takeUp()
        if !hasGains, giveOn(slot, frames: frames, pass: pass) {
            gains.passUnchanged(resets: appliedTimeResets)
            return
        }
        slot.lendOwn()
        tailPosition = 0
        var filled = fill(slot, from: 0, to: frames, pass: pass)
        while isStarved, mayWait, !isBrokenOff() {
            waitForData()
            if isBrokenOff() { break }
            filled = fill(slot, from: filled, to: frames, pass: pass)
        }
        finish(slot, filled: filled, frames: frames, blockHostTime: pass.hostTime)
        // They may have been set while the render waited for data.
        guard gains.takeUp() else {
            // The first gain after a start applies immediately, because no frame precedes it.
            if playerFrames > starved { gains.passUnchanged(resets: appliedTimeResets) }
            return
        }
        let first = playerFrames &- starved &- Int64(filled)
        gains.apply(to: slot, frames: frames, first: first, resets: appliedTimeResets)
    }

    /// Whether the pass must stop waiting; missing data then does not count as content.
    @_noLocks @_noAllocation
    private func isBrokenOff() -> Bool {
        if isAborted.load(ordering: .acquiring) { return true }
        if !mayWait { return false }
        return holdCount.load(ordering: .acquiring) != appliedHoldCount
    }

    private var mayWait: Bool {
        @_noLocks @_noAllocation
        get {
            if manner.mayBlock { return true }
            return manner.isOffline ? isStarvedOfFile : false
        }
    }

    /// Renders the next frames of the playing item, if the whole block consists of them; this is the usual case.
    @_noLocks @_noAllocation
    private func giveOn(_ slot: RenderSlot, frames: Int, pass: RenderPass) -> Bool {
        guard pass.appliesCommands, hasBegun, voice.isPlain(), interrupterBound == 0, !asksAnything() else {
            return false
        }
        if let tail = currentTail(), !tail.pointee.isEmpty { return false }
        guard let run = reel.pass(frames) else { return false }
        if slot.canLend {
            // The item is kept until the next render, which no reader of this block outlasts.
            slot.lend(run.channels, run.channelCount, from: run.first)
        } else {
            for channel in 0..<slot.channelCount {
                let source = run.channels[min(channel, run.channelCount - 1)] + run.first
                copySamples(from: source, to: slot.channels[channel], count: frames)
            }
        }
        voice.hasSounded = true
        isStarved = false
        playerFrames += Int64(frames)
        nodeFrames += Int64(frames)
        slot.leave(contentFrames: frames, isEnd: false)
        publish()
        return true
    }

    /// Waits until something is scheduled or has been read; 20 ms at most, to see that the engine stops.
    // A separate function, which `scripts/check-render-path` can exclude: in real time nothing waits.
    @inline(never)
    private func waitForData() {
        if isStarvedOfFile { sem_post(readerSignal) }
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_nsec += 20_000_000
        if deadline.tv_nsec >= 1_000_000_000 {
            deadline.tv_nsec -= 1_000_000_000
            deadline.tv_sec += 1
        }
        sem_timedwait(wake, &deadline)
    }

    /// Applies requests while the player is inaudible.
    ///
    /// Also called by control threads, when no render can run.
    @_noLocks @_noAllocation
    func settleUnheard() {
        voice.hasSounded = false
        if let tail = currentTail() { tail.pointee.clear() }
        takeUpDrop()
        takeUpPause()
        if !hasBegun { voice.pause(isMidway: reel.offset > 0) }
        publish()
    }

    @_noLocks @_noAllocation
    func currentTail() -> UnsafeMutablePointer<PlayerFadeOut>? {
        tail.load(ordering: .acquiring)?.assumingMemoryBound(to: PlayerFadeOut.self)
    }

    /// Renders items from frame `first`, and returns the end position: `end`, or less if there is no more data.
    @_noLocks @_noAllocation
    private func fill(_ slot: RenderSlot, from first: Int, to end: Int, pass: RenderPass) -> Int {
        var moment = PlayerTimestamp(
            playerFrame: playerFrames,
            position: first,
            blockHostTime: pass.hostTime,
            sampleRate: sampleRate.load(ordering: .relaxed)
        )
        isStarved = false
        isStarvedOfFile = false
        while moment.position < end {
            moment.playerFrame = playerFrames
            var wait = 0
            if pass.appliesCommands {
                wait = takeUp(slot, moment)
            } else if !hasBegun, voice.hasFaded() {
                voice.stand(fadesIn: true)
            }
            guard voice.isSounding else {
                // A start within this block is exact to the frame.
                guard wait > 0, wait < end - moment.position else { return moment.position }
                slot.clear(from: moment.position, to: moment.position + wait)
                moment.position += wait
                continue
            }
            moment.playerFrame = playerFrames
            // A sound that fades out may have to resume at the exact frame.
            let limit = wait > 0 ? min(end, moment.position + wait) : end
            guard let next = layNext(slot, moment, end: limit, pass: pass) else { return moment.position }
            moment.position += next
        }
        return moment.position
    }

    /// Renders the next frames, or the silence before them, and returns their number; `nil` if there is no data.
    @_noLocks @_noAllocation
    private func layNext(_ slot: RenderSlot, _ moment: PlayerTimestamp, end: Int, pass: RenderPass) -> Int? {
        guard let item = reel.current() else {
            let hasEnded = ended
            isStarved = hasBegun && !hasEnded
            if hasBegun { voice.giveSilence() } else { voice.stand(fadesIn: false) }
            return hasBegun ? nil : 0
        }
        // Items scheduled after a stop wait until the stop is applied.
        if !pass.appliesCommands {
            let drop = commands.dropBefore.load(ordering: .acquiring)
            if drop != appliedDrop, item.pointee.index >= drop { return nil }
        }
        var limit = end - moment.position
        if hasBegun, interrupterBound > 0 {
            let (due, wait) = reel.interrupter(atLoop: false, at: moment)
            if let due {
                cutOff(below: due.pointee.index, slot, moment)
                return 0
            }
            limit = min(limit, wait)
        }
        let gap = reel.offset == 0 ? moment.frames(until: item.pointee.start) : 0
        if gap > 0 {
            guard hasBegun else {
                voice.stand(fadesIn: false)
                return 0
            }
            voice.giveSilence()
            let count = min(limit, gap)
            slot.clear(from: moment.position, to: moment.position + count)
            playerFrames += Int64(count)
            return count
        }
        return lay(slot, moment, limit)
    }

    @_noLocks @_noAllocation
    private func lay(_ slot: RenderSlot, _ moment: PlayerTimestamp, _ limit: Int) -> Int? {
        if !voice.hasSounded, voice.isPlain(), let tail = currentTail() {
            let rest = tail.pointee.fadeRest(after: moment.position - tailPosition)
            if rest > 0 { voice.begin(beneath: rest, of: tail.pointee.capacity) }
        }
        let target = SampleTarget(slot.channels, slot.channelCount, from: moment.position, adds: false)
        let taken = reel.take(limit, into: target, gain: &voice.gain, at: moment, below: interrupterBound)
        playerFrames += Int64(taken.count)
        if taken.count > 0 { voice.hasSounded = true }
        if let leftLast = taken.leftLast { ended = leftLast }
        guard taken.isWaiting else { return taken.count }
        voice.hasSounded = false
        if !hasBegun {
            voice.stand(fadesIn: false)
            return 0
        }
        isStarved = true
        isStarvedOfFile = true
        return nil
    }

    /// The exclusive upper bound of the indexes of interrupting items; 0 if there are none.
    var interrupterBound: Int {
        @_noLocks @_noAllocation
        get {
            commands.lastInterrupter.load(ordering: .acquiring) > reel.head.pointee.index + 1 ? .max : 0
        }
    }

    // MARK: The end of a block

    /// Fills the rest with silence, adds the fade-outs, and records the content.
    @_noLocks @_noAllocation
    private func finish(_ slot: RenderSlot, filled: Int, frames: Int, blockHostTime: UInt64) {
        slot.clear(from: filled, to: frames)
        var sounded = filled
        if let tail = currentTail(), !tail.pointee.isEmpty {
            sounded = max(sounded, tail.pointee.pour(into: slot, from: tailPosition, to: frames))
        }
        let hasEnded = ended
        let isPlaying = commands.isPlaying.load(ordering: .acquiring)
        let goesOn = hasBegun ? isPlaying : false
        if goesOn, filled < frames, !hasEnded {
            // The player's time continues after the last item, as with Apple's node.
            playerFrames += Int64(frames - filled)
            if isStarved {
                starved += Int64(frames - filled)
                starvedFrames.store(starved, ordering: .relaxed)
                starvedCount.wrappingAdd(1, ordering: .relaxed)
            }
        }
        nodeFrames += Int64(frames)
        var gives = goesOn && !hasEnded
        if isBrokenOff() { gives = false }
        slot.leave(contentFrames: gives ? frames : sounded, isEnd: hasEnded && sounded < frames)
        publish(
            PlayerTimestamp(
                playerFrame: playerFrames,
                position: frames,
                blockHostTime: blockHostTime,
                sampleRate: sampleRate.load(ordering: .relaxed)
            )
        )
    }

    /// Publishes the counts for control threads.
    /// - Parameter moment: The end of the block, if one was rendered.
    @_noLocks @_noAllocation
    private func publish(_ moment: PlayerTimestamp? = nil) {
        consumedIndex.store(reel.head.pointee.index, ordering: .releasing)
        var playerFrame = playerFrames
        // Before a scheduled start, the player's time counts up towards 0.
        if !hasBegun, commands.isPlaying.load(ordering: .acquiring) {
            playerFrame -= Int64(max(0, framesUntilStart(atNodeFrame: nodeFrames, moment)))
        }
        time.publish(nodeFrames, playerFrame, Int64(appliedTimeResets))
    }
}
