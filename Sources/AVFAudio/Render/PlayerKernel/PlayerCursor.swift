import Synchronization

/// The place where samples are written or added.
struct SampleTarget {
    let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let channelCount: Int
    let first: Int
    let adds: Bool

    @_noLocks @_noAllocation
    init(
        _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
        _ channelCount: Int,
        from first: Int,
        adds: Bool
    ) {
        self.channels = channels
        self.channelCount = channelCount
        self.first = first
        self.adds = adds
    }
}

/// The position of a player in its queue, and the frames that it reads there.
///
/// Only the render thread uses it.
struct PlayerCursor {
    /// The link whose `next` is the playing item.
    ///
    /// The control side frees all earlier items.
    private(set) var head: UnsafeMutablePointer<ScheduledItem>
    /// Frames taken of the item that plays, since it last began.
    private(set) var offset = 0

    init(_ first: UnsafeMutablePointer<ScheduledItem>) { head = first }

    /// The item that plays, if there is one.
    @_noLocks @_noAllocation
    func current() -> UnsafeMutablePointer<ScheduledItem>? {
        ScheduledItem.pointer(head.pointee.next.load(ordering: .acquiring))
    }

    /// Whether the next item is a file segment that is due but has no frames read yet.
    @_noLocks @_noAllocation
    func awaitsFirstFrames() -> Bool {
        guard let item = current(), case .feed(let ring) = item.pointee.content, case .following = item.pointee.start
        else { return false }
        if ring.pointee.isComplete.load(ordering: .acquiring) { return false }
        return ring.pointee.written.load(ordering: .acquiring) == ring.pointee.taken.load(ordering: .relaxed)
    }

    /// Leaves the items below `index`, as dropped.
    @_noLocks @_noAllocation
    mutating func drop(below index: Int) {
        while let item = current(), item.pointee.index < index {
            head = item
            offset = 0
        }
    }

    /// Consecutive frames of an item.
    struct Run {
        let channels: UnsafePointer<UnsafeMutablePointer<Float>>
        let channelCount: Int
        let first: Int
    }

    /// Skips `count` frames of the playing item, if it has started or may start now, has all these frames, and
    /// continues or loops after them.
    ///
    /// The skipped frames are therefore still available when they are read.
    ///
    /// Returns `nil` if another item is waiting to interrupt.
    @_noLocks @_noAllocation
    mutating func pass(_ count: Int) -> Run? {
        guard let item = current(), case .samples(let channels, let channelCount, let length) = item.pointee.content
        else { return nil }
        if offset == 0 {
            guard case .following = item.pointee.start else { return nil }
        }
        let first = offset
        let end = first + count
        if end < length {
            offset = end
        } else if end == length, item.pointee.loops, count > 0 {
            offset = 0
        } else {
            return nil
        }
        return Run(channels: channels, channelCount: channelCount, first: first)
    }

    /// The result of taking frames.
    struct Taken {
        var count: Int
        /// Whether an item was left with which a stream ends; `nil` if none was left.
        var leftLast: Bool?
        /// Whether there are no frames yet, though there will be.
        var isWaiting: Bool
    }

    /// Takes up to `limit` frames of the playing item, and leaves the item at its end.
    ///
    /// At its end the item loops, or the cursor moves to the next item, or to an interrupting item below `bound`.
    @_noLocks @_noAllocation
    mutating func take(
        _ limit: Int,
        into target: SampleTarget,
        gain: inout Ramp,
        at moment: PlayerTimestamp,
        below bound: Int = .max
    ) -> Taken {
        guard let item = current() else { return Taken(count: 0, leftLast: nil, isWaiting: false) }
        var taken = Taken(count: 0, leftLast: nil, isWaiting: false)
        let isThrough: Bool
        switch item.pointee.content {
        case .samples(let channels, let channelCount, let frameCount):
            var count = min(limit, frameCount - offset)
            if gain.remaining > 0 { count = min(count, gain.remaining) }
            if count > 0 {
                lay(channels, channelCount, from: offset, count, into: target, &gain)
                taken.count = count
                offset += count
            }
            isThrough = offset >= frameCount
        case .feed(let ring):
            // Read the completeness first, so that all frames written before it was set are visible.
            let isComplete = ring.pointee.isComplete.load(ordering: .acquiring)
            let start = ring.pointee.taken.load(ordering: .relaxed)
            let available = ring.pointee.written.load(ordering: .acquiring) - start
            let place = start % ring.pointee.capacity
            var count = min(min(limit, available), ring.pointee.capacity - place)
            if gain.remaining > 0 { count = min(count, gain.remaining) }
            if count > 0 {
                let channels = UnsafePointer(ring.pointee.channels)
                lay(channels, ring.pointee.channelCount, from: place, count, into: target, &gain)
                ring.pointee.taken.store(start + count, ordering: .releasing)
                taken.count = count
                offset += count
            }
            isThrough = isComplete && count == available
            taken.isWaiting = available == 0 && !isComplete
        }
        if isThrough { taken.leftLast = leave(item, at: moment.after(taken.count), below: bound) }
        return taken
    }

    /// Handles the end of `item`: loops, or moves to the next item.
    ///
    /// Returns whether the item was the last of a stream; `nil` if it loops.
    @_noLocks @_noAllocation
    private mutating func leave(
        _ item: UnsafeMutablePointer<ScheduledItem>,
        at moment: PlayerTimestamp,
        below bound: Int
    ) -> Bool? {
        let successor = interrupter(atLoop: true, at: moment, below: bound).due
        if successor == nil, item.pointee.loops, offset > 0 {
            offset = 0
            return nil
        }
        item.pointee.heardAt.store(moment.hostTime, ordering: .relaxed)
        head = item
        offset = 0
        guard let successor else { return item.pointee.isLast }
        drop(below: successor.pointee.index)
        return false
    }

    /// Returns the last item that interrupts the playing item now, and the time until the next such item.
    /// - Parameters:
    ///   - atLoop: Whether to look for items that interrupt at the end of a loop pass, or for items that interrupt at
    ///     once.
    ///   - bound: The exclusive upper bound of item indexes.
    @_noLocks @_noAllocation
    func interrupter(
        atLoop: Bool,
        at moment: PlayerTimestamp,
        below bound: Int = .max
    ) -> (due: UnsafeMutablePointer<ScheduledItem>?, wait: Int) {
        var due: UnsafeMutablePointer<ScheduledItem>?
        var wait = Int.max
        var link = current()
        while let item = link, let next = ScheduledItem.pointer(item.pointee.next.load(ordering: .acquiring)),
            next.pointee.index < bound
        {
            let counts: Bool
            switch next.pointee.entry {
            case .queued: counts = false
            case .interrupts: counts = !atLoop
            case .interruptsAtLoop: counts = atLoop
            }
            if counts {
                let frames = moment.frames(until: next.pointee.start)
                if frames <= 0 { due = next } else { wait = min(wait, frames) }
            }
            link = next
        }
        return (due, wait)
    }

    @_noLocks @_noAllocation
    private func lay(
        _ sources: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ sourceCount: Int,
        from first: Int,
        _ count: Int,
        into target: SampleTarget,
        _ gain: inout Ramp
    ) {
        let last = sourceCount - 1
        let isPlain = gain.remaining == 0 && gain.current == 1 && !target.adds
        let start = gain
        for channel in 0..<target.channelCount {
            let source = sources[min(channel, last)] + first
            let samples = target.channels[channel] + target.first
            if isPlain {
                copySamples(from: source, to: samples, count: count)
                continue
            }
            var ramp = start
            if target.adds {
                for frame in 0..<count { samples[frame] += source[frame] * ramp.next() }
            } else {
                for frame in 0..<count { samples[frame] = source[frame] * ramp.next() }
            }
        }
        gain.skip(count)
    }
}

extension PlayerTimestamp {
    @_noLocks @_noAllocation
    fileprivate func after(_ frames: Int) -> PlayerTimestamp {
        var moment = self
        moment.playerFrame += Int64(frames)
        moment.position += frames
        return moment
    }
}
