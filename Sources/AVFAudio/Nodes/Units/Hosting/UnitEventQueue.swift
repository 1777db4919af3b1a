import CoreAudioTypes
import Synchronization

/// A change of a parameter, or a MIDI message, at a sample time.
struct UnitEvent: BitwiseCopyable {
    var time: AUEventSampleTime
    /// The address of a parameter, or the index in a store.
    var address: AUParameterAddress
    var value: Float = 0
    var rampFrames: UInt32 = 0
    /// The number of bytes of a MIDI message; 0 for a parameter.
    var byteCount: UInt8 = 0
    var cable: UInt8 = 0
    var bytes: (UInt8, UInt8, UInt8) = (0, 0, 0)
}

/// Events on their way from any thread to the render thread, and those that wait there for their time.
///
/// Control threads take turns under a lock, which the render thread does not take.
final class UnitEventQueue: @unchecked Sendable {
    // Unchecked: `slots` between `taken` and `written` belong to the render thread, the others to the holder of `gate`;
    // everything below `Render state` belongs to the render thread.
    private let gate = Mutex(())
    private let slots: UnsafeMutablePointer<UnitEvent>
    private let written = Atomic<Int>(0)
    private let taken = Atomic<Int>(0)

    /// The most events that wait at a time; further ones are refused.
    static let capacity = 128

    // MARK: Render state

    /// The events that are to come, the earliest first.
    private let waiting: UnsafeMutablePointer<UnitEvent>
    @exclusivity(unchecked) private(set) var waitingCount = 0

    init() {
        slots = .allocate(capacity: Self.capacity)
        waiting = .allocate(capacity: Self.capacity)
    }

    deinit {
        slots.deallocate()
        waiting.deallocate()
    }

    /// Adds an event.
    ///
    /// Any thread but the render thread.
    /// - Returns: False if too many wait.
    @discardableResult
    func add(_ event: UnitEvent) -> Bool {
        gate.withLock { _ in
            let place = written.load(ordering: .relaxed)
            guard place - taken.load(ordering: .acquiring) < Self.capacity else { return false }
            slots[place % Self.capacity] = event
            written.store(place + 1, ordering: .releasing)
            return true
        }
    }

    /// Whether nothing waits, on the render thread.
    var isEmpty: Bool {
        @_noLocks @_noAllocation
        get {
            guard waitingCount == 0 else { return false }
            return written.load(ordering: .acquiring) == taken.load(ordering: .relaxed)
        }
    }

    /// Takes up what has been added, on the render thread, as far as there is room.
    /// - Parameter now: The sample time of the next frame that is rendered.
    @_noLocks @_noAllocation
    func takeUp(now: Int64) {
        var place = taken.load(ordering: .relaxed)
        let end = written.load(ordering: .acquiring)
        // A constant of the type would need its metadata.
        while place < end, waitingCount < 128 {
            var event = slots[place & 127]
            // `AUEventSampleTimeImmediate`, which as a global would be initialised here.
            let offset = event.time &+ 0x1_0000_0000
            if offset >= 0, offset <= 4096 { event.time = now &+ offset }
            insert(event)
            place &+= 1
        }
        taken.store(place, ordering: .releasing)
    }

    @_noLocks @_noAllocation
    private func insert(_ event: UnitEvent) {
        var index = waitingCount
        while index > 0, waiting[index &- 1].time > event.time {
            waiting[index] = waiting[index &- 1]
            index &-= 1
        }
        waiting[index] = event
        waitingCount &+= 1
    }

    /// The time of the next event; only if there is one.
    var nextTime: Int64 { waiting[0].time }

    /// Removes and returns the next event, on the render thread; only if there is one.
    @_noLocks @_noAllocation
    func removeFirst() -> UnitEvent {
        let event = waiting[0]
        waitingCount &-= 1
        var index = 0
        while index < waitingCount {
            waiting[index] = waiting[index &+ 1]
            index &+= 1
        }
        return event
    }
}
