import Synchronization

/// Applying requests of control threads on the render thread.
extension PlayerKernel {
    /// Whether there is something to take up.
    @_noLocks @_noAllocation
    func asksAnything() -> Bool {
        guard commands.dropBefore.load(ordering: .acquiring) == appliedDrop,
            commands.timeResets.load(ordering: .acquiring) == appliedTimeResets,
            commands.pauses.load(ordering: .acquiring) == appliedPauses
        else { return true }
        return !commands.isPlaying.load(ordering: .acquiring)
    }

    /// Applies drop, pause and play requests; returns the number of frames until a pending start.
    @_noLocks @_noAllocation
    func takeUp(_ slot: RenderSlot, _ moment: PlayerTimestamp) -> Int {
        let drop = commands.dropBefore.load(ordering: .acquiring)
        if drop != appliedDrop { cutOff(below: drop, slot, moment) }
        takeUpDrop()
        takeUpPause()
        var wait = 0
        if !hasBegun, commands.isPlaying.load(ordering: .acquiring) {
            wait = framesUntilStart(atNodeFrame: nodeFrames + Int64(moment.position), moment)
            if wait <= 0, !awaitsFile() { hasBegun = true }
        }
        if hasBegun {
            voice.goOn(fadeFrames: fadeFrames)
        } else if voice.isSounding {
            voice.fadeAway(fadeFrames: fadeFrames, isMidway: reel.offset > 0)
        }
        return max(0, wait)
    }

    @_noLocks @_noAllocation
    func takeUpDrop() {
        let drop = commands.dropBefore.load(ordering: .acquiring)
        if drop != appliedDrop {
            appliedDrop = drop
            reel.drop(below: drop)
            voice.stand(fadesIn: false)
        }
        let resets = commands.timeResets.load(ordering: .acquiring)
        guard resets != appliedTimeResets else { return }
        appliedTimeResets = resets
        playerFrames = 0
        starved = 0
        starvedFrames.store(0, ordering: .relaxed)
        ended = false
    }

    @_noLocks @_noAllocation
    func takeUpPause() {
        let pauses = commands.pauses.load(ordering: .acquiring)
        if pauses != appliedPauses { hasBegun = false }
        if !commands.isPlaying.load(ordering: .acquiring) { hasBegun = false }
        appliedPauses = pauses
    }

    /// Returns the number of frames until the start time of `play()`; 0 without a start time.
    ///
    /// Without `moment`, a start at a host time counts as immediate, and the result is 0.
    @_noLocks @_noAllocation
    func framesUntilStart(atNodeFrame nodeFrame: Int64, _ moment: PlayerTimestamp?) -> Int {
        let frame = commands.startFrame.load(ordering: .relaxed)
        if frame != Int64.min { return Int(frame &- nodeFrame) }
        let hostTime = commands.startHostTime.load(ordering: .relaxed)
        guard hostTime != 0, let moment else { return 0 }
        return moment.frames(untilHostTime: hostTime)
    }

    /// Returns whether a start without a time is delayed because the first file has no frames read yet.
    ///
    /// Without the delay, the player's time would run ahead of its sound. If the render may wait for the file, it
    /// waits.
    @_noLocks @_noAllocation
    private func awaitsFile() -> Bool {
        if manner.mayBlock { return false }
        if manner.isOffline { return false }
        guard commands.startFrame.load(ordering: .relaxed) == Int64.min,
            commands.startHostTime.load(ordering: .relaxed) == 0
        else { return false }
        return reel.awaitsFirstFrames()
    }

    private var fadeFrames: Int {
        @_noLocks @_noAllocation
        get { manner.fades ? RampTime.fade(sampleRate.load(ordering: .relaxed)) : 0 }
    }

    /// Drops all items below `index`, and fades out the playing sound.
    @_noLocks @_noAllocation
    func cutOff(below index: Int, _ slot: RenderSlot, _ moment: PlayerTimestamp) {
        if manner.fades, voice.isSounding, voice.hasSounded, let tail = currentTail() {
            _ = tail.pointee.pour(into: slot, from: tailPosition, to: moment.position)
            tailPosition = moment.position
            tail.pointee.rewind()
            fade(into: tail, below: index, moment)
        }
        reel.drop(below: index)
        ended = false
        voice.stand(fadesIn: false)
        // The replacing item plays without a new `play()`.
        if hasBegun { voice.goOn(fadeFrames: fadeFrames) }
    }

    /// Reads the frames that the fade-out needs from the items below `index`.
    @_noLocks @_noAllocation
    private func fade(into tail: UnsafeMutablePointer<PlayerFadeOut>, below index: Int, _ moment: PlayerTimestamp) {
        let capacity = tail.pointee.capacity
        voice.gain.head(to: 0, over: capacity)
        var count = 0
        while voice.gain.remaining > 0, count < capacity, let item = reel.current(), item.pointee.index < index {
            if reel.offset == 0, moment.frames(until: item.pointee.start) > 0 { break }
            let target = SampleTarget(tail.pointee.channels, tail.pointee.channelCount, from: count, adds: true)
            let bound = min(interrupterBound, index)
            let taken = reel.take(capacity - count, into: target, gain: &voice.gain, at: moment, below: bound)
            count += taken.count
            if taken.count == 0, taken.leftLast == nil { break }
        }
        tail.pointee.grow(to: count)
    }
}
