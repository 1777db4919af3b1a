import CoreAudioTypes

/// The events of a render in the form that a unit receives: a linked list ordered by time.
///
/// Only the render thread uses it.
final class UnitEventList {
    private let queue: UnitEventQueue
    private let list: UnsafeMutablePointer<AURenderEvent>
    /// Memory for events with more bytes than the structure has.
    private let longList: UnsafeMutableRawPointer
    private let longStride: Int
    private let dataOffset: Int

    init(_ queue: UnitEventQueue) {
        self.queue = queue
        list = .allocate(capacity: UnitEventQueue.capacity)
        list.initialize(repeating: AURenderEvent(), count: UnitEventQueue.capacity)
        longStride = MemoryLayout<AURenderEvent>.stride + LongMessages.capacity
        dataOffset = MemoryLayout<AUMIDIEvent>.offset(of: \.data) ?? 21
        let byteCount = longStride * LongMessages.slotCount
        longList = .allocate(byteCount: byteCount, alignment: MemoryLayout<AURenderEvent>.alignment)
        longList.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    }

    deinit {
        list.deallocate()
        longList.deallocate()
    }

    /// Returns the events before `time` + `frameCount`; `nil` if there are none.
    ///
    /// Events that are late have the time of the first frame. The list is valid until the next call.
    func take(from time: Int64, frameCount: Int64) -> UnsafePointer<AURenderEvent>? {
        guard !queue.isEmpty else { return nil }
        queue.takeUp(now: time)
        var first: UnsafeMutablePointer<AURenderEvent>?
        var last: UnsafeMutablePointer<AURenderEvent>?
        var count = 0
        var longCount = 0
        while queue.waitingCount > 0, queue.nextTime < time &+ frameCount, count < 1024, longCount < 32 {
            let event = queue.removeFirst()
            var place = list + count
            if event.longSlot >= 0 {
                place = (longList + longCount &* longStride).assumingMemoryBound(to: AURenderEvent.self)
                longCount &+= 1
            } else {
                count &+= 1
            }
            write(event, at: max(event.time, time), into: place)
            if let last { last.pointee.head.next = place } else { first = place }
            last = place
        }
        guard let first else { return nil }
        return UnsafePointer(first)
    }

    private func write(_ event: UnitEvent, at time: Int64, into place: UnsafeMutablePointer<AURenderEvent>) {
        if event.byteCount > 0 {
            place.pointee.MIDI.next = nil
            place.pointee.MIDI.eventSampleTime = time
            place.pointee.MIDI.eventType = .MIDI
            place.pointee.MIDI.reserved = 0
            place.pointee.MIDI.length = UInt16(event.byteCount)
            place.pointee.MIDI.cable = event.cable
            place.pointee.MIDI.data = event.bytes
            if event.longSlot >= 0 { writeLong(event, into: place) }
        } else {
            place.pointee.parameter.next = nil
            place.pointee.parameter.eventSampleTime = time
            place.pointee.parameter.eventType = event.rampFrames > 0 ? .parameterRamp : .parameter
            place.pointee.parameter.reserved = (0, 0, 0)
            place.pointee.parameter.rampDurationSampleFrames = event.rampFrames
            place.pointee.parameter.value = event.value
            place.pointee.parameter.parameterAddress = event.address
        }
    }

    private func writeLong(_ event: UnitEvent, into place: UnsafeMutablePointer<AURenderEvent>) {
        let bytes = queue.long.bytes(event.longSlot)
        let data = (UnsafeMutableRawPointer(place) + dataOffset).assumingMemoryBound(to: UInt8.self)
        var index = 0
        while index < Int(event.byteCount) {
            data[index] = bytes[index]
            index &+= 1
        }
        if bytes[0] == 0xF0 { place.pointee.MIDI.eventType = .midiSysEx }
        queue.long.free(event.longSlot)
    }
}
