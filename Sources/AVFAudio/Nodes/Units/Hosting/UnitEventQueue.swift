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
    var byteCount: UInt16 = 0
    var cable: UInt8 = 0
    /// The slot of `LongMessages` that has the bytes; −1 for a message of up to three.
    var longSlot: Int8 = -1
    var bytes: (UInt8, UInt8, UInt8) = (0, 0, 0)
}

/// A queue of events from any thread to the render thread, with the events that are not yet due.
///
/// Control threads are serialized by a lock that the render thread does not take. Sequencers add events on the render
/// thread.
final class UnitEventQueue: @unchecked Sendable {
    // Unchecked: `slots` between `taken` and `written` belong to the render thread, the others to the holder of `gate`;
    // everything below `Render state` belongs to the render thread.
    private let gate = Mutex(())
    private let slots: UnsafeMutablePointer<UnitEvent>
    private let written = Atomic<Int>(0)
    private let taken = Atomic<Int>(0)
    /// The bytes of messages of more than three.
    let long = LongMessages()
    /// The sample rate of the unit in Hz; 0 before it is known.
    let sampleRate = Atomic<Double>(0)

    /// The most events that wait at a time; further ones are refused.
    static let capacity = 1024

    /// An empty event to copy: the initializer of `UnitEvent` must not run on the render thread.
    private let blank = UnitEvent(time: 0, address: 0)

    // MARK: Render state

    /// Future events, ordered by time.
    private let waiting: UnsafeMutablePointer<UnitEvent>
    @exclusivity(unchecked) private var firstWaiting = 0
    @exclusivity(unchecked) private(set) var waitingCount = 0
    /// The events of sequencers, with times from the next frame of the unit on.
    private let due: UnsafeMutablePointer<UnitEvent>
    @exclusivity(unchecked) private var dueCount = 0
    @exclusivity(unchecked) private var blockTime: Int64 = -1
    @exclusivity(unchecked) private var blockFrames: Int64 = 0
    /// Frames of the unit in a frame of the engine.
    @exclusivity(unchecked) private var scale = 1.0

    init() {
        slots = .allocate(capacity: Self.capacity)
        waiting = .allocate(capacity: Self.capacity)
        due = .allocate(capacity: Self.capacity)
    }

    deinit {
        slots.deallocate()
        waiting.deallocate()
        due.deallocate()
    }

    /// Adds an event.
    ///
    /// Callable from any thread except the render thread.
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

    /// Adds a MIDI message of any length.
    ///
    /// Callable from any thread except the render thread.
    /// - Returns: False if too many wait, or it is longer than `LongMessages.capacity`.
    @discardableResult
    func add(_ bytes: UnsafeBufferPointer<UInt8>, at time: AUEventSampleTime, cable: UInt8 = 0) -> Bool {
        guard !bytes.isEmpty else { return false }
        var event = UnitEvent(time: time, address: 0, byteCount: UInt16(clamping: bytes.count), cable: cable)
        guard bytes.count > 3 else {
            event.bytes.0 = bytes[0]
            if bytes.count > 1 { event.bytes.1 = bytes[1] }
            if bytes.count > 2 { event.bytes.2 = bytes[2] }
            return add(event)
        }
        event.longSlot = long.store(bytes)
        guard event.longSlot >= 0 else { return false }
        if add(event) { return true }
        long.free(event.longSlot)
        return false
    }

    // MARK: Render

    /// Whether no event is pending.
    ///
    /// Call it on the render thread.
    var isEmpty: Bool {
        @_noLocks @_noAllocation
        get {
            guard waitingCount == 0, dueCount == 0 else { return false }
            return written.load(ordering: .acquiring) == taken.load(ordering: .relaxed)
        }
    }

    /// Moves added events to the pending ones on the render thread, as far as they fit.
    /// - Parameter now: The sample time of the next frame to render.
    @_noLocks @_noAllocation
    func takeUp(now: Int64) {
        var place = taken.load(ordering: .relaxed)
        let end = written.load(ordering: .acquiring)
        // A constant of the type would need its metadata.
        while place < end, waitingCount < 1024 {
            var event = slots[place & 1023]
            // `AUEventSampleTimeImmediate`, which as a global would be initialised here.
            let offset = event.time &+ 0x1_0000_0000
            if offset >= 0, offset <= 4096 { event.time = now &+ offset }
            insert(event)
            place &+= 1
        }
        taken.store(place, ordering: .releasing)
        var index = 0
        while index < dueCount, waitingCount < 1024 {
            var event = due[index]
            event.time = now &+ max(event.time, 0)
            insert(event)
            index &+= 1
        }
        let left = dueCount &- index
        var moved = 0
        while moved < left {
            due[moved] = due[index &+ moved]
            moved &+= 1
        }
        dueCount = left
    }

    @_noLocks @_noAllocation
    private func insert(_ event: UnitEvent) {
        if firstWaiting &+ waitingCount == 1024 {
            var index = 0
            while index < waitingCount {
                waiting[index] = waiting[firstWaiting &+ index]
                index &+= 1
            }
            firstWaiting = 0
        }
        var index = firstWaiting &+ waitingCount
        while index > firstWaiting, waiting[index &- 1].time > event.time {
            waiting[index] = waiting[index &- 1]
            index &-= 1
        }
        waiting[index] = event
        waitingCount &+= 1
    }

    /// The time of the next event; only if there is one.
    var nextTime: Int64 { waiting[firstWaiting].time }

    /// Removes and returns the next event, on the render thread; only if there is one.
    @_noLocks @_noAllocation
    func removeFirst() -> UnitEvent {
        let event = waiting[firstWaiting]
        waitingCount &-= 1
        firstWaiting = waitingCount == 0 ? 0 : firstWaiting &+ 1
        return event
    }

    // MARK: Sequencers, on the render thread

    /// Begins a block of an engine, before its units are rendered.
    /// - Parameter time: The engine's sample time of the first frame, which identifies the block.
    @_noLocks @_noAllocation
    func beginBlock(frames: Int, sampleRate: Double, time: Int64) {
        if time != blockTime {
            blockTime = time
            // The unit was not rendered since these events were added: it is behind a sample rate converter, or
            // unconnected.
            var index = 0
            let elapsed = Int64(Double(blockFrames) * scale)
            while index < dueCount {
                due[index].time = max(0, due[index].time &- elapsed)
                index &+= 1
            }
            if dueCount == 1024 { dropDue() }
        }
        guard frames > 0 else { return }
        blockFrames = Int64(frames)
        takeUpScale(sampleRate)
    }

    @_noLocks @_noAllocation
    private func takeUpScale(_ sampleRate: Double) {
        let own = self.sampleRate.load(ordering: .relaxed)
        scale = own > 0 ? own / sampleRate : 1
    }

    @_noLocks @_noAllocation
    private func dropDue() {
        var index = 0
        while index < dueCount {
            if due[index].longSlot >= 0 { long.free(due[index].longSlot) }
            index &+= 1
        }
        dueCount = 0
    }

    /// Adds an event whose time is in engine frames from the start of the block.
    ///
    /// The last quarter of the capacity is reserved for messages other than note-ons, so that notes can always end.
    /// - Returns: `false` if the queue is full.
    @_noLocks @_noAllocation
    func addDue(_ event: UnitEvent) -> Bool {
        let isBeginning = event.bytes.0 & 0xF0 == 0x90
        guard dueCount < (isBeginning ? 768 : 1024) else { return false }
        due[dueCount] = event
        due[dueCount].time = Int64(Double(event.time) * scale + 0.5)
        dueCount &+= 1
        return true
    }

    /// Adds a message of any length whose time is in engine frames from the start of the block.
    @_noLocks @_noAllocation
    func addDue(_ bytes: UnsafeMutableBufferPointer<UInt8>, offset: Int64) -> Bool {
        guard let start = bytes.baseAddress else { return false }
        var event = blank
        event.time = offset
        event.byteCount = UInt16(truncatingIfNeeded: bytes.count)
        event.longSlot = long.store(start, count: bytes.count)
        guard event.longSlot >= 0 else { return false }
        if addDue(event) { return true }
        long.free(event.longSlot)
        return false
    }
}

/// The bytes of MIDI messages of more than three, on their way to the render thread.
struct LongMessages: ~Copyable, @unchecked Sendable {
    // Unchecked: a slot belongs to the thread that has set its bit, and then to the thread that has received its
    // number.
    private let memory: UnsafeMutablePointer<UInt8>
    private let used = Atomic<UInt32>(0)

    /// The most bytes of a message.
    static let capacity = 512
    /// The number of messages that wait at a time.
    static let slotCount = 32

    init() { memory = .allocate(capacity: Self.capacity * Self.slotCount) }

    deinit { memory.deallocate() }

    /// Copies a message and returns its slot; −1 if it is too long, or too many wait.
    func store(_ bytes: UnsafeBufferPointer<UInt8>) -> Int8 {
        guard let start = bytes.baseAddress else { return -1 }
        return store(start, count: bytes.count)
    }

    /// Copies a message and returns its slot; −1 if it is too long, or too many wait.
    @_noLocks @_noAllocation
    func store(_ bytes: UnsafePointer<UInt8>, count: Int) -> Int8 {
        guard count > 0, count <= 512 else { return -1 }
        var old = used.load(ordering: .relaxed)
        while old != 0xFFFF_FFFF {
            let slot = (~old).trailingZeroBitCount
            let bit: UInt32 = 1 &<< UInt32(truncatingIfNeeded: slot)
            let (isDone, found) = used.compareExchange(
                expected: old,
                desired: old | bit,
                ordering: .acquiringAndReleasing
            )
            if isDone {
                var index = 0
                while index < count {
                    memory[slot &* 512 &+ index] = bytes[index]
                    index &+= 1
                }
                return Int8(truncatingIfNeeded: slot)
            }
            old = found
        }
        return -1
    }

    /// Returns the bytes of a slot.
    @_noLocks @_noAllocation
    func bytes(_ slot: Int8) -> UnsafePointer<UInt8> { UnsafePointer(memory + Int(slot) &* 512) }

    /// Frees a slot.
    @_noLocks @_noAllocation
    func free(_ slot: Int8) {
        let bit: UInt32 = 1 &<< UInt32(truncatingIfNeeded: Int(slot))
        _ = used.bitwiseAnd(~bit, ordering: .acquiringAndReleasing)
    }
}
