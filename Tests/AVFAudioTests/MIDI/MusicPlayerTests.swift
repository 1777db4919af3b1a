import AVFAudio
import CoreAudioTypes
import Foundation
import SyrinxDevice
import SyrinxTestSupport
import Testing

@Suite("Tracks, files and players of the procedural API") struct MusicPlayerTests {
    private func sequence() throws -> MusicSequence {
        var sequence: MusicSequence?
        try #require(NewMusicSequence(&sequence) == noErr)
        return try #require(sequence)
    }

    private func newTrack(_ sequence: MusicSequence) throws -> MusicTrack {
        var track: MusicTrack?
        try #require(MusicSequenceNewTrack(sequence, &track) == noErr)
        return try #require(track)
    }

    private func addNote(_ key: UInt8, at beat: Double, to track: MusicTrack) {
        var note = MIDINoteMessage(channel: 0, note: key, velocity: 90, releaseVelocity: 0, duration: 0.5)
        MusicTrackNewMIDINoteEvent(track, beat, &note)
    }

    private func trackCount(_ sequence: MusicSequence) -> UInt32 {
        var count: UInt32 = 99
        MusicSequenceGetTrackCount(sequence, &count)
        return count
    }

    private func get<Value: BitwiseCopyable>(_ id: UInt32, _ track: MusicTrack, _ zero: Value) -> Value {
        var value = zero
        var size: UInt32 = 0
        #expect(MusicTrackGetProperty(track, id, &value, &size) == noErr)
        #expect(size == UInt32(MemoryLayout<Value>.size))
        return value
    }

    private func set<Value: BitwiseCopyable>(_ id: UInt32, _ track: MusicTrack, _ value: Value) -> OSStatus {
        var value = value
        return MusicTrackSetProperty(track, id, &value, UInt32(MemoryLayout<Value>.size))
    }

    // MARK: Tracks

    @Test("Tracks are found by their index, and are gone when they are disposed of")
    func findsTracks() throws {
        let sequence = try sequence()
        defer { DisposeMusicSequence(sequence) }
        let tracks = try (0..<3).map { _ in try newTrack(sequence) }
        #expect(trackCount(sequence) == 3)
        var found: MusicTrack?
        #expect(MusicSequenceGetIndTrack(sequence, 1, &found) == noErr && found == tracks[1])
        #expect(MusicSequenceGetIndTrack(sequence, 3, &found) == kAudioToolboxErr_TrackIndexError)
        var index: UInt32 = 9
        #expect(MusicSequenceGetTrackIndex(sequence, tracks[2], &index) == noErr && index == 2)
        #expect(MusicSequenceDisposeTrack(sequence, tracks[0]) == noErr)
        #expect(MusicSequenceGetTrackIndex(sequence, tracks[2], &index) == noErr && index == 1)
        var tempo: MusicTrack?
        MusicSequenceGetTempoTrack(sequence, &tempo)
        let tempoTrack = try #require(tempo)
        #expect(MusicSequenceDisposeTrack(sequence, tempoTrack) == kAudioToolboxErr_TrackNotFound)
        #expect(MusicSequenceGetTrackIndex(sequence, tempoTrack, &index) == kAudioToolboxErr_TrackNotFound)
        var owner: MusicSequence?
        #expect(MusicTrackGetSequence(tracks[1], &owner) == noErr && owner == sequence)
    }

    @Test("Properties of tracks are kept, and are those of the sequencer's tracks")
    func keepsProperties() throws {
        let sequencer = AVAudioSequencer()
        let track = try newTrack(sequencer.musicSequence)
        let object = try #require(sequencer.tracks.first)
        addNote(60, at: 3.5, to: track)
        #expect(get(kSequenceTrackProperty_TrackLength, track, 0.0) == 4)
        // The greater of what is set and the end of the last event.
        #expect(set(kSequenceTrackProperty_TrackLength, track, 2.0) == noErr)
        #expect(get(kSequenceTrackProperty_TrackLength, track, 0.0) == 4 && object.lengthInBeats == 4)
        #expect(set(kSequenceTrackProperty_TrackLength, track, 8.0) == noErr && object.lengthInBeats == 8)
        #expect(set(kSequenceTrackProperty_OffsetTime, track, 1.5) == noErr && object.offsetTime == 1.5)
        #expect(set(kSequenceTrackProperty_MuteStatus, track, UInt8(1)) == noErr && object.isMuted)
        #expect(set(kSequenceTrackProperty_SoloStatus, track, UInt8(1)) == noErr && object.isSoloed)
        #expect(set(kSequenceTrackProperty_AutomatedParameters, track, UInt32(0)) == noErr)
        #expect(!object.usesAutomatedParameters && get(kSequenceTrackProperty_MuteStatus, track, UInt8(0)) == 1)
        #expect(get(kSequenceTrackProperty_SoloStatus, track, UInt8(0)) == 1)
        #expect(get(kSequenceTrackProperty_AutomatedParameters, track, UInt32(7)) == 0)
        #expect(get(kSequenceTrackProperty_OffsetTime, track, 0.0) == 1.5)
        #expect(get(kSequenceTrackProperty_TimeResolution, track, Int16(0)) == 480)
        #expect(
            set(kSequenceTrackProperty_TimeResolution, track, Int16(96)) == kAudioUnitErr_PropertyNotWritable
        )
        #expect(set(77, track, 0.0) == kAudioUnitErr_InvalidProperty)
        // Too few bytes, and the size alone.
        var (length, size) = (0.0, UInt32(4))
        #expect(MusicTrackGetProperty(track, kSequenceTrackProperty_TrackLength, &length, &size) == kAudio_ParamError)
        #expect(length == 0 && size == 8)
        #expect(MusicTrackSetProperty(track, kSequenceTrackProperty_TrackLength, &length, 4) == kAudio_ParamError)
        #expect(MusicTrackGetProperty(track, kSequenceTrackProperty_LoopInfo, nil, &size) == noErr && size == 16)
    }

    @Test("A loop lies at the end of its track, also when the length changes")
    func placesLoops() throws {
        let sequencer = AVAudioSequencer()
        let track = try newTrack(sequencer.musicSequence)
        let object = try #require(sequencer.tracks.first)
        #expect(set(kSequenceTrackProperty_TrackLength, track, 8.0) == noErr)
        let loop = MusicTrackLoopInfo(loopDuration: 2, numberOfLoops: 3)
        #expect(set(kSequenceTrackProperty_LoopInfo, track, loop) == noErr)
        #expect(object.loopRange == AVBeatRange(start: 6, length: 2))
        #expect(object.isLoopingEnabled && object.numberOfLoops == 3)
        #expect(set(kSequenceTrackProperty_TrackLength, track, 4.0) == noErr)
        #expect(object.loopRange == AVBeatRange(start: 2, length: 2))
        let read = get(kSequenceTrackProperty_LoopInfo, track, MusicTrackLoopInfo())
        #expect(read.loopDuration == 2 && read.numberOfLoops == 3)
        let endless = MusicTrackLoopInfo(loopDuration: 4, numberOfLoops: 0)
        #expect(set(kSequenceTrackProperty_LoopInfo, track, endless) == noErr)
        #expect(object.numberOfLoops == AVMusicTrackLoopCount.forever.rawValue)
        let none = MusicTrackLoopInfo(loopDuration: 0, numberOfLoops: 1)
        #expect(set(kSequenceTrackProperty_LoopInfo, track, none) == noErr && !object.isLoopingEnabled)
    }

    // MARK: Files

    @Test("A file that is written is added to the tracks of another sequence, with its tempos and resolution")
    func loadsFiles() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).mid")
        defer { try? FileManager.default.removeItem(at: url) }
        let first = try sequence()
        defer { DisposeMusicSequence(first) }
        var tempo: MusicTrack?
        MusicSequenceGetTempoTrack(first, &tempo)
        #expect(MusicTrackNewExtendedTempoEvent(try #require(tempo), 0, 60) == noErr)
        addNote(64, at: 1, to: try newTrack(first))
        #expect(MusicSequenceFileCreate(first, url, .midiType, [], 96) == noErr)
        #expect(MusicSequenceFileCreate(first, url, .midiType, [], 96) == kAudio_FilePermissionError)
        #expect(MusicSequenceFileCreate(first, url, .midiType, .eraseFile, 96) == noErr)
        #expect(MusicSequenceFileCreate(first, url, .iMelodyType, .eraseFile, 96) == kAudio_ParamError)

        let second = try sequence()
        defer { DisposeMusicSequence(second) }
        let old = try newTrack(second)
        addNote(50, at: 0, to: old)
        #expect(MusicSequenceFileLoad(second, url, .midiType, []) == noErr)
        #expect(trackCount(second) == 2)
        var found: MusicTrack?
        #expect(MusicSequenceGetIndTrack(second, 0, &found) == noErr && found == old)
        #expect(MusicSequenceGetIndTrack(second, 1, &found) == noErr)
        #expect(get(kSequenceTrackProperty_TrackLength, try #require(found), 0.0) == 1.5)
        MusicSequenceGetTempoTrack(second, &tempo)
        #expect(get(kSequenceTrackProperty_TimeResolution, try #require(tempo), Int16(0)) == 96)
        var (seconds, beats) = (0.0, 0.0)
        #expect(MusicSequenceGetSecondsForBeats(second, 3, &seconds) == noErr && seconds == 3)
        #expect(MusicSequenceGetBeatsForSeconds(second, 2, &beats) == noErr && beats == 2)

        var bytes: Unmanaged<NSData>?
        #expect(MusicSequenceFileCreateData(first, .midiType, [], 96, &bytes) == noErr)
        let data = try #require(bytes).takeRetainedValue() as Data
        #expect(try data == Data(contentsOf: url))
        #expect(MusicSequenceFileLoadData(second, data, .anyType, .smf_ChannelsToTracks) == noErr)
        #expect(trackCount(second) == 3)
    }

    @Test("Files that cannot be read are errors, and leave the tracks as they are")
    func refusesFiles() throws {
        let sequence = try sequence()
        defer { DisposeMusicSequence(sequence) }
        let missing = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).mid")
        #expect(MusicSequenceFileLoad(sequence, missing, .midiType, []) == kAudio_FileNotFoundError)
        let text = Data("no MIDI".utf8)
        #expect(MusicSequenceFileLoadData(sequence, text, .midiType, []) == kAudioUnitErr_InvalidFile)
        #expect(MusicSequenceFileLoadData(sequence, text, .iMelodyType, []) == kAudio_ParamError)
        let web = try #require(URL(string: "https://example.org/a.mid"))
        #expect(MusicSequenceFileLoad(sequence, web, .midiType, []) == kAudio_BadFilePathError)
        #expect(trackCount(sequence) == 0)
    }

    // MARK: Players

    @Test("A player plays the tracks of a sequencer at their frames, and loops them as told")
    func plays() async throws {
        let rig = try await SequencerRig()
        let track = try newTrack(rig.sequencer.musicSequence)
        addNote(60, at: 0, to: track)
        addNote(62, at: 1, to: track)
        let loop = MusicTrackLoopInfo(loopDuration: 1, numberOfLoops: 2)
        #expect(set(kSequenceTrackProperty_LoopInfo, track, loop) == noErr)
        #expect(set(kSequenceTrackProperty_TrackLength, track, 2.0) == noErr)
        var made: MusicPlayer?
        NewMusicPlayer(&made)
        let player = try #require(made)
        #expect(MusicPlayerStart(player) == kAudioToolboxErr_NoSequence)
        #expect(MusicPlayerSetSequence(player, rig.sequencer.musicSequence) == noErr)
        #expect(MusicPlayerPreroll(player) == noErr && MusicPlayerStart(player) == noErr)
        var plays: DarwinBoolean = false
        #expect(MusicPlayerIsPlaying(player, &plays) == noErr && plays.boolValue)
        #expect(MusicPlayerSetSequence(player, nil) == kAudioToolboxErr_InvalidPlayerState)
        let starts = try rig.notes(72_001).filter { $0.key > 0 }
        #expect(starts == [ProbedNote(60, 0), ProbedNote(62, 24_000), ProbedNote(62, 48_000)])
        var time = 0.0
        #expect(MusicPlayerGetTime(player, &time) == noErr && abs(time - 72_001.0 / 24_000) < 1e-9)
        #expect(MusicPlayerStop(player) == noErr)
        MusicPlayerIsPlaying(player, &plays)
        #expect(!plays.boolValue)
        // Twice as fast, from the second note on.
        #expect(MusicPlayerSetPlayRateScalar(player, 2) == noErr && MusicPlayerSetTime(player, 0.5) == noErr)
        var rate = 0.0
        #expect(MusicPlayerGetPlayRateScalar(player, &rate) == noErr && rate == 2)
        #expect(MusicPlayerSetPlayRateScalar(player, 0) == kAudio_ParamError)
        #expect(MusicPlayerStart(player) == noErr)
        #expect(try rig.notes(12_000).first { $0.key > 0 } == ProbedNote(62, 6_000))
        // An engine that renders without a clock has no host times.
        var host: UInt64 = 0
        #expect(MusicPlayerGetHostTimeForBeats(player, 1, &host) == kAudioToolboxErr_InvalidPlayerState)
        #expect(MusicPlayerGetBeatsForHostTime(player, 1, &time) == kAudioToolboxErr_InvalidPlayerState)
        #expect(DisposeMusicPlayer(player) == noErr)
        #expect(!rig.sequencer.isPlaying)
        #expect(DisposeMusicSequence(rig.sequencer.musicSequence) == kAudio_ParamError)
    }
    @Test("Host times of beats are known as soon as a player plays")
    func hostTimesFromTheStart() throws {
        let engine = AVAudioEngine()
        engine.outputDevice = NullOutput()
        defer { engine.stop() }
        let sequencer = AVAudioSequencer(audioEngine: engine)
        try engine.start()
        var made: MusicPlayer?
        NewMusicPlayer(&made)
        let player = try #require(made)
        MusicPlayerSetSequence(player, sequencer.musicSequence)
        let before = monotonicNanoseconds()
        var (host, later, beats) = (UInt64(0), UInt64(0), 0.0)
        #expect(MusicPlayerStart(player) == noErr)
        var plays: DarwinBoolean = false
        MusicPlayerIsPlaying(player, &plays)
        #expect(plays.boolValue)
        #expect(MusicPlayerGetHostTimeForBeats(player, 4, &host) == noErr)
        // 120 beats a minute: 4 beats are 2 seconds.
        #expect(host >= before + 2_000_000_000)
        #expect(MusicPlayerGetBeatsForHostTime(player, host, &beats) == noErr && (0.1...4.1).contains(beats))
        #expect(waitUntil { sequencer.currentPositionInBeats > 0 })
        #expect(MusicPlayerGetHostTimeForBeats(player, 4, &later) == noErr && later >= before + 2_000_000_000)
        // A new position is known as soon.
        #expect(MusicPlayerSetTime(player, 100) == noErr)
        #expect(MusicPlayerGetBeatsForHostTime(player, monotonicNanoseconds(), &beats) == noErr && beats > 90)
        MusicPlayerStop(player)
        #expect(MusicPlayerGetHostTimeForBeats(player, 4, &host) == kAudioToolboxErr_InvalidPlayerState)
        DisposeMusicPlayer(player)
    }
}
