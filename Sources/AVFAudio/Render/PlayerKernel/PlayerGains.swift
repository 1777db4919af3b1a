import Synchronization

/// The gain of a stream from one of its frames on.
package struct StreamedGain: Equatable, Sendable {
    /// The first frame with this gain, counted in scheduled frames since the last stop.
    package var startFrame: Int64
    /// The factor of the amplitude.
    package var gain: Float
    /// The length of the ramp to the gain in frames, from `startFrame` or from the time of the change.
    package var rampFrames: Int

    package init(startFrame: Int64, gain: Float, rampFrames: Int) {
        (self.startFrame, self.gain, self.rampFrames) = (startFrame, gain, rampFrames)
    }
}

/// Returns the gain in the lower half of a word.
@_noLocks @_noAllocation
private func gain(of word: UInt64) -> Float { Float(bitPattern: UInt32(truncatingIfNeeded: word)) }

/// The gains of a player's frames: written by control, applied on the render thread, which never waits.
///
/// A sequence lock, as in `PublishedValues`.
final class PlayerGains: @unchecked Sendable {
    // Unchecked: the pointers never change; `words` and `sequence` are atomic; `known` and the ramp belong to the
    // render thread.

    /// The maximum number of pending gains.
    static let capacity = 16
    private let gate = Mutex(())
    /// The reset of the player's time that the gains are of, their number, then two words for each.
    private let words: UnsafeMutablePointer<Atomic<UInt64>>
    private let sequence = Atomic<Int>(0)
    private static let wordCount = 2 + 2 * capacity

    private let known: UnsafeMutablePointer<UInt64>
    @exclusivity(unchecked) private var knownSequence = 0
    @exclusivity(unchecked) private var ramp = Ramp(1)
    @exclusivity(unchecked) private var appliedResets: UInt64 = .max
    @exclusivity(unchecked) private var appliedWord: UInt64 = 0

    init() {
        words = .allocate(capacity: Self.wordCount)
        for index in 0..<Self.wordCount { (words + index).initialize(to: Atomic(0)) }
        known = .allocate(capacity: 2 * Self.wordCount)
        known.initialize(repeating: 0, count: 2 * Self.wordCount)
    }

    deinit {
        words.deinitialize(count: Self.wordCount)
        words.deallocate()
        known.deallocate()
    }

    /// Sets the gains, in the order of their frames.
    /// - Parameter resets: The reset of the player's time that the frames count from.
    func set(_ gains: [StreamedGain], resets: Int) {
        gate.withLock { _ in
            sequence.wrappingAdd(1, ordering: .acquiringAndReleasing)
            let count = min(gains.count, Self.capacity)
            words[0].store(UInt64(bitPattern: Int64(resets)), ordering: .releasing)
            words[1].store(UInt64(count), ordering: .releasing)
            for index in 0..<count {
                let frames = UInt64(max(1, min(gains[index].rampFrames, Int(UInt32.max))))
                let factor = gains[index].gain.isFinite ? gains[index].gain : 1
                words[2 + 2 * index].store(UInt64(bitPattern: gains[index].startFrame), ordering: .releasing)
                words[3 + 2 * index].store(frames << 32 | UInt64(factor.bitPattern), ordering: .releasing)
            }
            sequence.wrappingAdd(1, ordering: .releasing)
        }
    }

    /// Reads new gains, and returns whether frames may have to be changed.
    @_noLocks @_noAllocation
    func takeUp() -> Bool {
        let before = sequence.load(ordering: .acquiring)
        if before != knownSequence, before & 1 == 0 { read(before) }
        if ramp.remaining > 0 { return true }
        if ramp.current != 1 { return true }
        let count = Int(known[1])
        var index = 0
        while index < count {
            if gain(of: known[3 &+ 2 &* index]) != 1 { return true }
            index &+= 1
        }
        return false
    }

    @_noLocks @_noAllocation
    private func read(_ before: Int) {
        var index = 0
        while index < PlayerGains.wordCount {
            known[PlayerGains.wordCount &+ index] = words[index].load(ordering: .acquiring)
            index &+= 1
        }
        if sequence.load(ordering: .acquiring) != before { return }
        index = 0
        while index < PlayerGains.wordCount {
            known[index] = known[PlayerGains.wordCount &+ index]
            index &+= 1
        }
        knownSequence = before
    }

    /// Applies the gains to a block whose first frame has the index `first` in the stream.
    @_noLocks @_noAllocation
    func apply(to slot: RenderSlot, frames: Int, first: Int64, resets: Int) {
        let isCurrent = known[0] == UInt64(bitPattern: Int64(resets))
        let count = isCurrent ? Int(known[1]) : 0
        var place = 0
        while place < frames {
            var end = frames
            var word: UInt64 = 0
            var index = 0
            while index < count {
                let start = Int64(bitPattern: known[2 &+ 2 &* index])
                if start <= first &+ Int64(place) {
                    word = known[3 &+ 2 &* index]
                } else if start < first &+ Int64(end) {
                    end = Int(start &- first)
                }
                index &+= 1
            }
            if word != 0 { head(to: word) }
            multiply(slot, from: place, to: end)
            place = end
        }
    }

    /// Records that frames were rendered unchanged, so that the next gain is reached by a ramp.
    @_noLocks @_noAllocation
    func passUnchanged(resets: Int) {
        (appliedResets, appliedWord) = (UInt64(bitPattern: Int64(resets)), 0)
    }

    @_noLocks @_noAllocation
    private func head(to word: UInt64) {
        let isNew = appliedResets != known[0]
        if !isNew, word == appliedWord { return }
        // The sound before a reset has faded out.
        if isNew { ramp.jump(to: gain(of: word)) } else { ramp.head(to: gain(of: word), over: Int(word >> 32)) }
        (appliedResets, appliedWord) = (known[0], word)
    }

    @_noLocks @_noAllocation
    private func multiply(_ slot: RenderSlot, from first: Int, to end: Int) {
        if ramp.remaining == 0, ramp.current == 1 { return }
        for channel in 0..<slot.channelCount {
            var gains = ramp
            let samples = slot.channels[channel]
            var index = first
            while index < end {
                samples[index] *= gains.next()
                index &+= 1
            }
        }
        ramp.skip(end &- first)
    }
}
