public import CoreAudioTypes

// Tracks of the procedural API. Beats below 0 are taken as 0. A track takes events that `AVMusicTrack.addEvent(_:at:)` takes: the tempo
// track tempos and meta events, other tracks no tempos.

/// Gets the sequence of a track.
/// - Returns: `noErr`; `kAudioToolboxErr_NoSequence` for a track without one.
@discardableResult
public func MusicTrackGetSequence(
    _ inTrack: MusicTrack,
    _ outSequence: UnsafeMutablePointer<MusicSequence?>
) -> OSStatus {
    guard let sequence = MusicTrackObject.of(inTrack).sequence else { return kAudioToolboxErr_NoSequence }
    outSequence.pointee = sequence.handle
    return noErr
}

// MARK: Adding events

private func add(
    _ track: MusicTrack,
    _ beat: MusicTimeStamp,
    _ type: MusicEventType,
    _ event: UnsafeRawPointer
) -> OSStatus {
    MusicTrackObject.of(track).add(SequenceEvent(type, event), at: beat)
}

/// Adds a note.
///
/// The velocity of its release is not kept.
/// - Returns: `noErr`; `kAudioToolboxErr_InvalidEventType` for the tempo track.
@discardableResult
public func MusicTrackNewMIDINoteEvent(
    _ inTrack: MusicTrack,
    _ inTimeStamp: MusicTimeStamp,
    _ inMessage: UnsafePointer<MIDINoteMessage>
) -> OSStatus {
    add(inTrack, inTimeStamp, kMusicEventType_MIDINoteMessage, inMessage)
}

/// Adds a message of a channel: a pressure, a controller, a program, or a pitch bend.
/// - Returns: `noErr`; `kAudioToolboxErr_InvalidEventType` for a message of a note, which `MusicTrackNewMIDINoteEvent` adds, one without
///   a channel, and for the tempo track.
@discardableResult
public func MusicTrackNewMIDIChannelEvent(
    _ inTrack: MusicTrack,
    _ inTimeStamp: MusicTimeStamp,
    _ inMessage: UnsafePointer<MIDIChannelMessage>
) -> OSStatus {
    add(inTrack, inTimeStamp, kMusicEventType_MIDIChannelMessage, inMessage)
}

/// Adds a system-exclusive message, from 0xF0 to 0xF7.
/// - Parameters:
///   - inTrack: The track.
///   - inTimeStamp: The beat.
///   - inRawData: The number of bytes, and the bytes.
/// - Returns: `noErr`; `kAudioToolboxErr_InvalidEventType` for the tempo track.
@discardableResult
public func MusicTrackNewMIDIRawDataEvent(
    _ inTrack: MusicTrack,
    _ inTimeStamp: MusicTimeStamp,
    _ inRawData: UnsafePointer<MIDIRawData>
) -> OSStatus {
    add(inTrack, inTimeStamp, kMusicEventType_MIDIRawData, inRawData)
}

/// Adds a note whose pitch and velocity need not be whole.
///
/// The instruments here play the nearest key and velocity; further controls are not looked at.
/// - Returns: `noErr`; `kAudioToolboxErr_InvalidEventType` for numbers that are not finite, and for the tempo track.
@discardableResult
public func MusicTrackNewExtendedNoteEvent(
    _ inTrack: MusicTrack,
    _ inTimeStamp: MusicTimeStamp,
    _ inInfo: UnsafePointer<ExtendedNoteOnEvent>
) -> OSStatus {
    add(inTrack, inTimeStamp, kMusicEventType_ExtendedNote, inInfo)
}

/// Adds a change of a parameter of the track's unit.
/// - Returns: `noErr`; `kAudioToolboxErr_InvalidEventType` for the tempo track.
@discardableResult
public func MusicTrackNewParameterEvent(
    _ inTrack: MusicTrack,
    _ inTimeStamp: MusicTimeStamp,
    _ inInfo: UnsafePointer<ParameterEvent>
) -> OSStatus {
    add(inTrack, inTimeStamp, kMusicEventType_Parameter, inInfo)
}

/// Adds a tempo, in beats per minute, to the tempo track.
/// - Returns: `noErr`; `kAudioToolboxErr_InvalidEventType` for another track, and for a tempo that is not above 0.
@discardableResult
public func MusicTrackNewExtendedTempoEvent(
    _ inTrack: MusicTrack,
    _ inTimeStamp: MusicTimeStamp,
    _ inBPM: Float64
) -> OSStatus {
    MusicTrackObject.of(inTrack).add(.tempo(inBPM), at: inTimeStamp)
}

/// Adds a meta event of a MIDI file.
/// - Parameters:
///   - inTrack: The track.
///   - inTimeStamp: The beat.
///   - inMetaEvent: The type, the number of bytes, and the bytes.
/// - Returns: `noErr`.
@discardableResult
public func MusicTrackNewMetaEvent(
    _ inTrack: MusicTrack,
    _ inTimeStamp: MusicTimeStamp,
    _ inMetaEvent: UnsafePointer<MIDIMetaEvent>
) -> OSStatus {
    add(inTrack, inTimeStamp, kMusicEventType_Meta, inMetaEvent)
}

/// Adds an event of the program's own.
/// - Parameters:
///   - inTrack: The track.
///   - inTimeStamp: The beat.
///   - inUserData: The number of bytes, and the bytes.
/// - Returns: `noErr`; `kAudioToolboxErr_InvalidEventType` for the tempo track.
@discardableResult
public func MusicTrackNewUserEvent(
    _ inTrack: MusicTrack,
    _ inTimeStamp: MusicTimeStamp,
    _ inUserData: UnsafePointer<MusicEventUserData>
) -> OSStatus {
    add(inTrack, inTimeStamp, kMusicEventType_User, inUserData)
}

// MARK: Editing

/// The beats from a start up to, but not including, an end.
private func range(_ start: MusicTimeStamp, _ end: MusicTimeStamp) -> AVBeatRange {
    AVBeatRange(start: start.asBeats, length: end == kMusicTimeStamp_EndOfTrack ? end : end.asBeats - start.asBeats)
}

/// Moves the events of a range by a number of beats, forward or back, at the earliest to beat 0.
/// - Returns: `noErr`.
@discardableResult
public func MusicTrackMoveEvents(
    _ inTrack: MusicTrack,
    _ inStartTime: MusicTimeStamp,
    _ inEndTime: MusicTimeStamp,
    _ inMoveTime: MusicTimeStamp
) -> OSStatus {
    MusicTrackObject.of(inTrack).track.moveEvents(in: range(inStartTime, inEndTime), by: inMoveTime)
    return noErr
}

/// Removes the events of a range.
/// - Returns: `noErr`.
@discardableResult
public func MusicTrackClear(
    _ inTrack: MusicTrack,
    _ inStartTime: MusicTimeStamp,
    _ inEndTime: MusicTimeStamp
) -> OSStatus {
    MusicTrackObject.of(inTrack).track.clearEvents(in: range(inStartTime, inEndTime))
    return noErr
}

/// Removes a range with its events: what comes later moves to its place.
/// - Returns: `noErr`.
@discardableResult
public func MusicTrackCut(
    _ inTrack: MusicTrack,
    _ inStartTime: MusicTimeStamp,
    _ inEndTime: MusicTimeStamp
) -> OSStatus {
    MusicTrackObject.of(inTrack).track.cutEvents(in: range(inStartTime, inEndTime))
    return noErr
}

/// Inserts the events of a range of a track at a beat of another: what comes there and later moves back.
/// - Returns: `noErr`.
@discardableResult
public func MusicTrackCopyInsert(
    _ inSourceTrack: MusicTrack,
    _ inSourceStartTime: MusicTimeStamp,
    _ inSourceEndTime: MusicTimeStamp,
    _ inDestTrack: MusicTrack,
    _ inDestInsertTime: MusicTimeStamp
) -> OSStatus {
    MusicTrackObject.of(inDestTrack).track.copyEvents(
        in: range(inSourceStartTime, inSourceEndTime),
        from: MusicTrackObject.of(inSourceTrack).track,
        insertAt: inDestInsertTime
    )
    return noErr
}

/// Adds the events of a range of a track to those of another at a beat and behind.
/// - Returns: `noErr`.
@discardableResult
public func MusicTrackMerge(
    _ inSourceTrack: MusicTrack,
    _ inSourceStartTime: MusicTimeStamp,
    _ inSourceEndTime: MusicTimeStamp,
    _ inDestTrack: MusicTrack,
    _ inDestInsertTime: MusicTimeStamp
) -> OSStatus {
    MusicTrackObject.of(inDestTrack).track.copyAndMergeEvents(
        in: range(inSourceStartTime, inSourceEndTime),
        from: MusicTrackObject.of(inSourceTrack).track,
        mergeAt: inDestInsertTime
    )
    return noErr
}
