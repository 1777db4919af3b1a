public import CoreAudioTypes

// Tracks of the procedural API. Beats below 0 are taken as 0. A track takes events that `AVMusicTrack.addEvent(_:at:)`
// takes: the tempo track tempos and meta events, other tracks no tempos.

/// Gets the sequence of a track.
/// - Returns: `noErr`, or `kAudioToolboxErr_NoSequence` if the track has no sequence.
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
/// - Returns: `noErr`; `kAudioToolboxErr_InvalidEventType` for a message of a note, which `MusicTrackNewMIDINoteEvent`
///   adds, one without a channel, and for the tempo track.
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

/// Adds a note with fractional pitch and velocity.
///
/// The instruments of this library play the nearest key and velocity, and ignore additional controls. A time below 0
/// is taken as beat 0.
/// - Returns: `noErr`, or `kAudioToolboxErr_InvalidEventType` for infinite or NaN values, and for the tempo track.
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
@discardableResult
public func MusicTrackNewMetaEvent(
    _ inTrack: MusicTrack,
    _ inTimeStamp: MusicTimeStamp,
    _ inMetaEvent: UnsafePointer<MIDIMetaEvent>
) -> OSStatus {
    add(inTrack, inTimeStamp, kMusicEventType_Meta, inMetaEvent)
}

/// Adds a user event, whose meaning the program defines.
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

/// Moves the events of a range by a number of beats, later or (if negative) earlier, but not before beat 0.
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
@discardableResult
public func MusicTrackClear(
    _ inTrack: MusicTrack,
    _ inStartTime: MusicTimeStamp,
    _ inEndTime: MusicTimeStamp
) -> OSStatus {
    MusicTrackObject.of(inTrack).track.clearEvents(in: range(inStartTime, inEndTime))
    return noErr
}

/// Removes a range of beats with its events, and moves later events forward to close the gap.
@discardableResult
public func MusicTrackCut(
    _ inTrack: MusicTrack,
    _ inStartTime: MusicTimeStamp,
    _ inEndTime: MusicTimeStamp
) -> OSStatus {
    MusicTrackObject.of(inTrack).track.cutEvents(in: range(inStartTime, inEndTime))
    return noErr
}

/// Inserts the events of a range of one track at a beat of another, and moves the events at that beat and later back.
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

/// Merges the events of a range of one track into another, beginning at a beat.
///
/// Existing events do not move.
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
