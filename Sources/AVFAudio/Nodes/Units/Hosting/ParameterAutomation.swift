import CoreAudioTypes

/// The changes of a store's parameters that are scheduled to a sample time, for the kernel of an effect of the library.
///
/// The render thread alone uses it.
final class ParameterAutomation {
    private struct Ramp: BitwiseCopyable {
        var index: Int
        var from: Float
        var to: Float
        var start: Int64
        var frames: Int64
    }

    private let ramps: UnsafeMutablePointer<Ramp>
    @exclusivity(unchecked) private var rampCount = 0

    /// The most parameters that move at a time: another takes its last value at once.
    private let mostRamps = 64
    /// A ramp moves in steps of these frames, which the kernels smooth.
    private let step: Int64 = 32

    init() { ramps = .allocate(capacity: 64) }

    deinit { ramps.deallocate() }

    /// Sets the parameters for `time`, and returns the number of frames, at most `limit`, for which these values
    /// apply.
    func advance(_ store: ParameterStore, at time: Int64, limit: Int) -> Int {
        let events = store.events
        guard rampCount > 0 || !events.isEmpty else { return limit }
        events.takeUp(now: time)
        while events.waitingCount > 0, events.nextTime <= time { begin(events.removeFirst(), at: time, store) }
        var count = Int64(limit)
        if events.waitingCount > 0 { count = min(count, events.nextTime &- time) }
        move(store, to: time)
        // Steps are at multiples of a frame count, so that they do not depend on the division into blocks.
        if rampCount > 0 { count = min(count, step &- (time & (step &- 1))) }
        return Int(count)
    }

    private func begin(_ event: UnitEvent, at time: Int64, _ store: ParameterStore) {
        let index = Int(event.address)
        drop(index)
        guard event.rampFrames > 0, rampCount < mostRamps else { return store.publish(index, event.value) }
        ramps[rampCount] = Ramp(
            index: index,
            from: store.value(index),
            to: event.value,
            start: time,
            frames: Int64(event.rampFrames)
        )
        rampCount &+= 1
    }

    /// Ends the ramp of a parameter at its current value.
    private func drop(_ index: Int) {
        var place = 0
        while place < rampCount {
            if ramps[place].index == index {
                rampCount &-= 1
                ramps[place] = ramps[rampCount]
                return
            }
            place &+= 1
        }
    }

    private func move(_ store: ParameterStore, to time: Int64) {
        var place = 0
        while place < rampCount {
            let ramp = ramps[place]
            let done = max((time & ~(step &- 1)) &- ramp.start, 0)
            if done >= ramp.frames {
                store.publish(ramp.index, ramp.to)
                rampCount &-= 1
                ramps[place] = ramps[rampCount]
            } else {
                store.publish(ramp.index, ramp.from + (ramp.to - ramp.from) * Float(done) / Float(ramp.frames))
                place &+= 1
            }
        }
    }
}
