public import CoreAudioTypes

/// A place in a track: the target of a `MusicEventIterator`, for one thread at a time.
private final class MusicEventIteratorObject {
    let object: MusicTrackObject
    /// The index of the current event; the number of events for the end of the track.
    var index: Int

    init(_ object: MusicTrackObject) { (self.object, index) = (object, 0) }

    static func of(_ handle: MusicEventIterator) -> MusicEventIteratorObject {
        Unmanaged<MusicEventIteratorObject>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
    }

    var events: EventList { object.track.snapshot.events }

    /// The current event; `nil` at the end.
    var current: TimedEvent? {
        let events = self.events.events
        return index < events.count ? events[index] : nil
    }

    /// Changes the events, if there is a current one.
    func change(_ body: (inout EventList) -> Void) -> OSStatus {
        let place = index
        let isDone = object.track.change { state in
            guard place < state.events.events.count else { return false }
            body(&state.events)
            return true
        }
        return isDone ? noErr : kAudioToolboxErr_EndOfTrack
    }
}

/// Creates an iterator over the events of a track, positioned at the first event.
///
/// If the track is changed by other means, the current event may change, but always stays within the track.
/// - Parameters:
///   - inTrack: The track.
///   - outIterator: Receives the iterator. Free it with `DisposeMusicEventIterator`.
@discardableResult
public func NewMusicEventIterator(
    _ inTrack: MusicTrack,
    _ outIterator: UnsafeMutablePointer<MusicEventIterator?>
) -> OSStatus {
    let iterator = MusicEventIteratorObject(.of(inTrack))
    outIterator.pointee = OpaquePointer(Unmanaged.passRetained(iterator).toOpaque())
    return noErr
}

/// Disposes of an iterator.
@discardableResult
public func DisposeMusicEventIterator(_ inIterator: MusicEventIterator) -> OSStatus {
    Unmanaged.passUnretained(MusicEventIteratorObject.of(inIterator)).release()
    return noErr
}

// MARK: Moving

/// Moves to the first event at or after a beat; to the end of the track if there is no such event.
@discardableResult
public func MusicEventIteratorSeek(_ inIterator: MusicEventIterator, _ inTimeStamp: MusicTimeStamp) -> OSStatus {
    let iterator = MusicEventIteratorObject.of(inIterator)
    iterator.index = iterator.events.firstIndex(from: inTimeStamp)
    return noErr
}

/// Moves to the next event; from the last event to the end of the track.
/// - Returns: `noErr`, or `kAudioToolboxErr_EndOfTrack` at the end.
@discardableResult
public func MusicEventIteratorNextEvent(_ inIterator: MusicEventIterator) -> OSStatus {
    let iterator = MusicEventIteratorObject.of(inIterator)
    guard iterator.current != nil else { return kAudioToolboxErr_EndOfTrack }
    iterator.index += 1
    return noErr
}

/// Moves to the previous event.
/// - Returns: `noErr`, or `kAudioToolboxErr_StartOfTrack` at the first event.
@discardableResult
public func MusicEventIteratorPreviousEvent(_ inIterator: MusicEventIterator) -> OSStatus {
    let iterator = MusicEventIteratorObject.of(inIterator)
    let index = min(iterator.index, iterator.events.events.count)
    guard index > 0 else { return kAudioToolboxErr_StartOfTrack }
    iterator.index = index - 1
    return noErr
}

/// Gets whether there is an event before the current one.
@discardableResult
public func MusicEventIteratorHasPreviousEvent(
    _ inIterator: MusicEventIterator,
    _ outHasPrevEvent: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    let iterator = MusicEventIteratorObject.of(inIterator)
    outHasPrevEvent.pointee = DarwinBoolean(min(iterator.index, iterator.events.events.count) > 0)
    return noErr
}

/// Gets whether there is an event after the current one.
@discardableResult
public func MusicEventIteratorHasNextEvent(
    _ inIterator: MusicEventIterator,
    _ outHasNextEvent: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    let iterator = MusicEventIteratorObject.of(inIterator)
    outHasNextEvent.pointee = DarwinBoolean(iterator.index < iterator.events.events.count - 1)
    return noErr
}

/// Gets whether there is a current event: `false` at the end of the track.
@discardableResult
public func MusicEventIteratorHasCurrentEvent(
    _ inIterator: MusicEventIterator,
    _ outHasCurEvent: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    outHasCurEvent.pointee = DarwinBoolean(MusicEventIteratorObject.of(inIterator).current != nil)
    return noErr
}

// MARK: The current event

/// Gets the current event.
/// - Parameters:
///   - inIterator: The iterator.
///   - outTimeStamp: Receives the beat of the event.
///   - outEventType: Receives the type of the event.
///   - outEventData: Receives a pointer to the event's structure, valid as long as the event is in the track.
///   - outEventDataSize: Receives the size of the structure in bytes.
/// - Returns: `noErr`, or `kAudioToolboxErr_EndOfTrack` at the end.
@discardableResult
public func MusicEventIteratorGetEventInfo(
    _ inIterator: MusicEventIterator,
    _ outTimeStamp: UnsafeMutablePointer<MusicTimeStamp>?,
    _ outEventType: UnsafeMutablePointer<MusicEventType>?,
    _ outEventData: UnsafeMutablePointer<UnsafeRawPointer?>?,
    _ outEventDataSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    let iterator = MusicEventIteratorObject.of(inIterator)
    guard let current = iterator.current else { return kAudioToolboxErr_EndOfTrack }
    let encoded = iterator.object.encoded(current.event)
    outTimeStamp?.pointee = current.beat
    outEventType?.pointee = encoded.type
    outEventData?.pointee = encoded.bytes.baseAddress
    outEventDataSize?.pointee = UInt32(clamping: encoded.bytes.count)
    return noErr
}

/// Replaces the current event by another at the same beat.
/// - Parameters:
///   - inIterator: The iterator.
///   - inEventType: The type of the new event.
///   - inEventData: Its structure.
/// - Returns: `noErr`; `kAudioToolboxErr_EndOfTrack` at the end, `kAudioToolboxErr_InvalidEventType` for an event that
///   the track does not take.
@discardableResult
public func MusicEventIteratorSetEventInfo(
    _ inIterator: MusicEventIterator,
    _ inEventType: MusicEventType,
    _ inEventData: UnsafeRawPointer
) -> OSStatus {
    let iterator = MusicEventIteratorObject.of(inIterator)
    guard let event = SequenceEvent(inEventType, inEventData), iterator.object.track.takes(event) else {
        return kAudioToolboxErr_InvalidEventType
    }
    return iterator.change { $0.replace(at: iterator.index, with: event) }
}

/// Moves the current event to another beat, after existing events at that beat.
///
/// The event stays the current one.
/// - Returns: `noErr`, or `kAudioToolboxErr_EndOfTrack` at the end.
@discardableResult
public func MusicEventIteratorSetEventTime(
    _ inIterator: MusicEventIterator,
    _ inTimeStamp: MusicTimeStamp
) -> OSStatus {
    let iterator = MusicEventIteratorObject.of(inIterator)
    var place = iterator.index
    let status = iterator.change { place = $0.move(at: iterator.index, to: inTimeStamp.asBeats) }
    iterator.index = place
    return status
}

/// Removes the current event.
///
/// The following event becomes the current one.
/// - Returns: `noErr`, or `kAudioToolboxErr_EndOfTrack` at the end.
@discardableResult
public func MusicEventIteratorDeleteEvent(_ inIterator: MusicEventIterator) -> OSStatus {
    let iterator = MusicEventIteratorObject.of(inIterator)
    return iterator.change { $0.remove(at: iterator.index) }
}
