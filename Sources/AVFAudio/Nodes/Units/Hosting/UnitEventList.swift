import CoreAudioTypes

/// The events of a render, as a unit gets them: a list in order of their times.
///
/// The render thread alone uses it.
final class UnitEventList {
    private let queue: UnitEventQueue
    private let list: UnsafeMutablePointer<AURenderEvent>

    init(_ queue: UnitEventQueue) {
        self.queue = queue
        list = .allocate(capacity: UnitEventQueue.capacity)
        list.initialize(repeating: AURenderEvent(), count: UnitEventQueue.capacity)
    }

    deinit { list.deallocate() }

    /// Returns the events before `time` + `frameCount`; `nil` if there are none.
    ///
    /// Events that are late have the time of the first frame. The list is valid until the next call.
    func take(from time: Int64, frameCount: Int64) -> UnsafePointer<AURenderEvent>? {
        guard !queue.isEmpty else { return nil }
        queue.takeUp(now: time)
        var count = 0
        while queue.waitingCount > 0, queue.nextTime < time &+ frameCount {
            let event = queue.removeFirst()
            write(event, at: max(event.time, time), into: list + count)
            if count > 0 { (list + (count - 1)).pointee.head.next = list + count }
            count &+= 1
        }
        return count > 0 ? UnsafePointer(list) : nil
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
}
