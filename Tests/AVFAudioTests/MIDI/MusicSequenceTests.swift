import AVFAudio
import CoreAudioTypes
import Foundation
import Testing

/// A sequence with one track, which ends with the object.
private final class SequenceRig {
    let sequence: MusicSequence
    let track: MusicTrack

    init() throws {
        var sequence: MusicSequence?
        try #require(NewMusicSequence(&sequence) == noErr)
        self.sequence = try #require(sequence)
        track = try Self.track(of: self.sequence)
    }

    deinit { DisposeMusicSequence(sequence) }

    static func track(of sequence: MusicSequence) throws -> MusicTrack {
        var track: MusicTrack?
        try #require(MusicSequenceNewTrack(sequence, &track) == noErr)
        return try #require(track)
    }

    var tempoTrack: MusicTrack {
        get throws {
            var track: MusicTrack?
            try #require(MusicSequenceGetTempoTrack(sequence, &track) == noErr)
            return try #require(track)
        }
    }

    func add(_ key: UInt8, at beat: Double, duration: Float = 0.5) {
        var note = MIDINoteMessage(channel: 3, note: key, velocity: 90, releaseVelocity: 0, duration: duration)
        MusicTrackNewMIDINoteEvent(track, beat, &note)
    }
}

/// An event as an iterator gives it.
private struct ReadEvent {
    let beat: Double
    let type: MusicEventType
    let data: UnsafeRawPointer
    let size: Int

    func load<Value: BitwiseCopyable>(_ type: Value.Type) -> Value { data.loadUnaligned(as: type) }

    /// The bytes from an offset on.
    func bytes(from offset: Int, count: Int) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: data + offset, count: count))
    }

    /// The events of a track in order.
    static func all(_ track: MusicTrack) throws -> [ReadEvent] {
        var iterator: MusicEventIterator?
        try #require(NewMusicEventIterator(track, &iterator) == noErr)
        let place = try #require(iterator)
        defer { DisposeMusicEventIterator(place) }
        var events: [ReadEvent] = []
        var isThere: DarwinBoolean = false
        MusicEventIteratorHasCurrentEvent(place, &isThere)
        while isThere.boolValue {
            let event = try #require(current(place))
            events.append(event)
            MusicEventIteratorNextEvent(place)
            MusicEventIteratorHasCurrentEvent(place, &isThere)
        }
        return events
    }

    static func current(_ iterator: MusicEventIterator) -> ReadEvent? {
        var (beat, type, size) = (MusicTimeStamp(0), MusicEventType(0), UInt32(0))
        var data: UnsafeRawPointer?
        let status = MusicEventIteratorGetEventInfo(iterator, &beat, &type, &data, &size)
        guard status == noErr, let data else { return nil }
        return ReadEvent(beat: beat, type: type, data: data, size: Int(size))
    }

    /// The keys of the notes of a track.
    static func keys(_ track: MusicTrack) throws -> [UInt8] {
        try all(track).filter { $0.type == kMusicEventType_MIDINoteMessage }.map { $0.load(MIDINoteMessage.self).note }
    }
}

/// Returns the bytes of a structure that begins with a number of bytes, and of those.
private func block(_ head: [UInt8], _ data: [UInt8]) -> [UInt8] {
    head + withUnsafeBytes(of: UInt32(data.count)) { Array($0) } + data + [0, 0, 0, 0]
}

@Suite("Sequences of the procedural API") struct MusicSequenceTests {
    @Test("Messages and notes come back from a track as they were added")
    func messagesComeBack() throws {
        let rig = try SequenceRig()
        rig.add(60, at: 2, duration: 0.75)
        var message = MIDIChannelMessage(status: 0xB5, data1: 7, data2: 99, reserved: 0)
        #expect(MusicTrackNewMIDIChannelEvent(rig.track, 1, &message) == noErr)
        var extended = ExtendedNoteOnEvent(
            instrumentID: 5,
            groupID: 2,
            duration: 1.5,
            extendedParams: MusicDeviceNoteParams(
                argCount: 2,
                mPitch: 61.5,
                mVelocity: 64.25,
                mControls: NoteParamsControlValue(mID: 0, mValue: 0)
            )
        )
        #expect(MusicTrackNewExtendedNoteEvent(rig.track, 3, &extended) == noErr)
        var parameter = ParameterEvent(parameterID: 11, scope: 1, element: 2, value: 0.625)
        #expect(MusicTrackNewParameterEvent(rig.track, 0.5, &parameter) == noErr)

        let events = try ReadEvent.all(rig.track)
        try #require(events.map(\.beat) == [0.5, 1, 2, 3])
        #expect(events[0].type == kMusicEventType_Parameter && events[0].size == 16)
        let read = events[0].load(ParameterEvent.self)
        #expect(read.parameterID == 11 && read.scope == 1 && read.element == 2 && read.value == 0.625)
        #expect(events[1].type == kMusicEventType_MIDIChannelMessage && events[1].size == 4)
        #expect(events[1].bytes(from: 0, count: 3) == [0xB5, 7, 99])
        #expect(events[2].type == kMusicEventType_MIDINoteMessage && events[2].size == 8)
        let note = events[2].load(MIDINoteMessage.self)
        #expect(note.channel == 3 && note.note == 60 && note.velocity == 90 && note.duration == 0.75)
        #expect(events[3].type == kMusicEventType_ExtendedNote)
        let long = events[3].load(ExtendedNoteOnEvent.self)
        #expect(long.instrumentID == 5 && long.groupID == 2 && long.duration == 1.5)
        #expect(long.extendedParams.mPitch == 61.5 && long.extendedParams.mVelocity == 64.25)
    }

    @Test("Events with data come back with all of it, and structures are never cut", arguments: [0, 1, 300])
    func dataComesBack(_ count: Int) throws {
        let rig = try SequenceRig()
        let data = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        block([0x03, 0, 0, 0], data).withUnsafeBytes { bytes in
            let event = bytes.baseAddress!.assumingMemoryBound(to: MIDIMetaEvent.self)
            #expect(MusicTrackNewMetaEvent(rig.track, 0, event) == noErr)
        }
        block([], data).withUnsafeBytes { bytes in
            let base = bytes.baseAddress!
            #expect(
                MusicTrackNewUserEvent(rig.track, 1, base.assumingMemoryBound(to: MusicEventUserData.self)) == noErr
            )
            #expect(
                MusicTrackNewMIDIRawDataEvent(rig.track, 2, base.assumingMemoryBound(to: MIDIRawData.self)) == noErr
            )
        }
        let events = try ReadEvent.all(rig.track)
        try #require(
            events.map(\.type) == [kMusicEventType_Meta, kMusicEventType_User, kMusicEventType_MIDIRawData]
        )
        #expect(events[0].load(UInt8.self) == 3 && events[0].load(MIDIMetaEvent.self).dataLength == UInt32(count))
        #expect(events[0].bytes(from: 8, count: count) == data)
        #expect(events[0].size == max(8 + count, MemoryLayout<MIDIMetaEvent>.size))
        for event in events[1...] {
            #expect(event.load(UInt32.self) == UInt32(count) && event.bytes(from: 4, count: count) == data)
            #expect(event.size == max(4 + count, MemoryLayout<MIDIRawData>.size))
        }
    }

    @Test("A track refuses events that it does not take")
    func refusesEvents() throws {
        let rig = try SequenceRig()
        for status: UInt8 in [0x00, 0x80, 0x90, 0xF0, 0xF8] {
            var message = MIDIChannelMessage(status: status, data1: 60, data2: 1, reserved: 0)
            #expect(MusicTrackNewMIDIChannelEvent(rig.track, 0, &message) == kAudioToolboxErr_InvalidEventType)
        }
        #expect(MusicTrackNewExtendedTempoEvent(rig.track, 0, 90) == kAudioToolboxErr_InvalidEventType)
        let tempo = try rig.tempoTrack
        #expect(MusicTrackNewExtendedTempoEvent(tempo, 0, 0) == kAudioToolboxErr_InvalidEventType)
        var note = MIDINoteMessage(channel: 0, note: 60, velocity: 90, releaseVelocity: 0, duration: 1)
        #expect(MusicTrackNewMIDINoteEvent(tempo, 0, &note) == kAudioToolboxErr_InvalidEventType)
        #expect(try ReadEvent.all(rig.track).isEmpty && ReadEvent.all(tempo).isEmpty)
    }

    @Test("An iterator goes forward and back, and says where the track begins and ends")
    func iteratorsMove() throws {
        let rig = try SequenceRig()
        for (key, beat) in [(60, 0), (61, 1), (62, 2)] as [(UInt8, Double)] { rig.add(key, at: beat) }
        var made: MusicEventIterator?
        NewMusicEventIterator(rig.track, &made)
        let place = try #require(made)
        defer { DisposeMusicEventIterator(place) }
        var (hasPrevious, hasNext): (DarwinBoolean, DarwinBoolean) = (true, false)
        MusicEventIteratorHasPreviousEvent(place, &hasPrevious)
        MusicEventIteratorHasNextEvent(place, &hasNext)
        #expect(!hasPrevious.boolValue && hasNext.boolValue)
        #expect(MusicEventIteratorPreviousEvent(place) == kAudioToolboxErr_StartOfTrack)
        MusicEventIteratorSeek(place, 1.5)
        #expect(ReadEvent.current(place)?.beat == 2)
        MusicEventIteratorHasNextEvent(place, &hasNext)
        MusicEventIteratorHasPreviousEvent(place, &hasPrevious)
        #expect(hasPrevious.boolValue && !hasNext.boolValue)
        #expect(MusicEventIteratorNextEvent(place) == noErr)
        #expect(MusicEventIteratorNextEvent(place) == kAudioToolboxErr_EndOfTrack)
        #expect(ReadEvent.current(place) == nil)
        #expect(MusicEventIteratorDeleteEvent(place) == kAudioToolboxErr_EndOfTrack)
        #expect(MusicEventIteratorPreviousEvent(place) == noErr)
        #expect(ReadEvent.current(place)?.beat == 2)
        MusicEventIteratorSeek(place, kMusicTimeStamp_EndOfTrack)
        #expect(ReadEvent.current(place) == nil)
    }

    @Test("An iterator replaces, moves and deletes its event, and deleting goes to the next")
    func iteratorsChange() throws {
        let rig = try SequenceRig()
        for (key, beat) in [(60, 0), (61, 1), (62, 2)] as [(UInt8, Double)] { rig.add(key, at: beat) }
        var made: MusicEventIterator?
        NewMusicEventIterator(rig.track, &made)
        let place = try #require(made)
        defer { DisposeMusicEventIterator(place) }
        var note = MIDINoteMessage(channel: 1, note: 70, velocity: 10, releaseVelocity: 0, duration: 0.25)
        #expect(MusicEventIteratorSetEventInfo(place, kMusicEventType_MIDINoteMessage, &note) == noErr)
        #expect(try ReadEvent.keys(rig.track) == [70, 61, 62])
        #expect(MusicEventIteratorSetEventTime(place, 1.5) == noErr)
        #expect(try ReadEvent.keys(rig.track) == [61, 70, 62])
        #expect(ReadEvent.current(place)?.load(MIDINoteMessage.self).note == 70)
        #expect(MusicEventIteratorDeleteEvent(place) == noErr)
        #expect(ReadEvent.current(place)?.load(MIDINoteMessage.self).note == 62)
        #expect(try ReadEvent.keys(rig.track) == [61, 62])
        #expect(
            MusicEventIteratorSetEventInfo(place, kMusicEventType_NULL, &note) == kAudioToolboxErr_InvalidEventType
        )
    }

    @Test("The structure of an event stays valid as long as the track has the event, whatever else changes")
    func structuresStay() throws {
        let rig = try SequenceRig()
        rig.add(60, at: 0)
        let kept = try #require(ReadEvent.all(rig.track).first)
        for round in 0..<200 {
            rig.add(UInt8(1 + round % 50), at: 1, duration: 1 + Float(round))
            _ = try ReadEvent.all(rig.track)
            MusicTrackClear(rig.track, 1, kMusicTimeStamp_EndOfTrack)
        }
        #expect(kept.load(MIDINoteMessage.self).note == 60)
        #expect(try ReadEvent.all(rig.track).map(\.data) == [kept.data])
    }

    @Test("Ranges are cleared, cut, moved, inserted and merged")
    func edits() throws {
        let rig = try SequenceRig()
        let other = try SequenceRig.track(of: rig.sequence)
        func fill() {
            MusicTrackClear(rig.track, 0, kMusicTimeStamp_EndOfTrack)
            for beat in 0..<4 { rig.add(60 + UInt8(beat), at: Double(beat)) }
        }
        fill()
        MusicTrackClear(rig.track, 1, 3)
        #expect(try ReadEvent.all(rig.track).map(\.beat) == [0, 3])
        fill()
        MusicTrackCut(rig.track, 1, 3)
        #expect(try ReadEvent.all(rig.track).map(\.beat) == [0, 1])
        fill()
        MusicTrackMoveEvents(rig.track, 2, 4, -1.5)
        #expect(try ReadEvent.all(rig.track).map(\.beat) == [0, 0.5, 1, 1.5])
        fill()
        MusicTrackMerge(rig.track, 1, 3, other, 10)
        #expect(try ReadEvent.all(other).map(\.beat) == [10, 11])
        MusicTrackCopyInsert(rig.track, 0, 2, other, 11)
        #expect(try ReadEvent.all(other).map(\.beat) == [10, 11, 12, 13])
        #expect(try ReadEvent.keys(other) == [61, 60, 61, 62])
    }
}
