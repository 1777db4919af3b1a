import AVFAudio
import Foundation
import Testing

@Suite("MIDI files") struct MIDIFileTests {
    /// A file with tracks of these bytes.
    static func file(format: UInt8 = 1, division: [UInt8] = [0x01, 0xE0], _ tracks: [[UInt8]]) -> Data {
        var bytes: [UInt8] = Array("MThd".utf8) + [0, 0, 0, 6, 0, format, 0, UInt8(tracks.count)] + division
        for track in tracks {
            let count = track.count
            bytes += Array("MTrk".utf8) + [0, 0, UInt8(count >> 8), UInt8(count & 0xFF)] + track
        }
        return Data(bytes)
    }

    static let end: [UInt8] = [0, 0xFF, 0x2F, 0]

    private func load(_ data: Data, _ options: AVMusicSequenceLoadOptions = []) throws -> AVAudioSequencer {
        let sequencer = AVAudioSequencer()
        try sequencer.load(from: data, options: options)
        return sequencer
    }

    private func code(_ data: Data) -> String? {
        do {
            _ = try load(data)
            return nil
        } catch {
            return (error as? AVMIDIError)?.code.rawValue ?? "\(error)"
        }
    }

    /// The events of a track, as text.
    private func events(_ track: AVMusicTrack) -> [String] {
        var found: [String] = []
        track.enumerateEvents(in: AVBeatRange(start: 0, length: AVMusicTimeStampEndOfTrack)) { event, beat, _ in
            let text =
                switch event {
                case let note as AVMIDINoteEvent: "note \(note.channel) \(note.key) \(note.velocity) \(note.duration)"
                case let change as AVMIDIControlChangeEvent: "control \(change.messageType.rawValue) \(change.value)"
                case let program as AVMIDIProgramChangeEvent: "program \(program.programNumber)"
                case let bend as AVMIDIPitchBendEvent: "bend \(bend.value)"
                case let tempo as AVExtendedTempoEvent: "tempo \(tempo.tempo)"
                case let meta as AVMIDIMetaEvent: "meta \(meta.type.rawValue)"
                case let long as AVMIDISysexEvent: "sysex \(Array(long.data))"
                default: "\(type(of: event))"
                }
            found.append("\(beat.pointee) \(text)")
        }
        return found
    }

    /// Made each time: LeakSanitizer does not see the memory that a global `Data` holds.
    private static var song: Data {
        file([
            [0, 0xFF, 0x51, 3, 0x0F, 0x42, 0x40, 0, 0xFF, 0x58, 4, 4, 2, 24, 8] + end,
            // Running status, a note on without velocity as an end, a program, a bend, a system-exclusive message.
            [0, 0xC3, 7, 0, 0x93, 60, 100, 0x83, 0x60, 60, 0, 0, 0xE3, 0, 0x40, 0, 0xF0, 3, 0x7E, 1, 0xF7] + end,
        ])
    }

    @Test("Events, tempo and meter of a file are read")
    func reads() throws {
        let sequencer = try load(Self.song)
        #expect(sequencer.tracks.count == 1 && sequencer.tracks[0].timeResolution == 480)
        #expect(events(sequencer.tempoTrack) == ["0.0 tempo 60.0", "0.0 meta 88"])
        #expect(
            events(sequencer.tracks[0]) == [
                "0.0 program 7", "0.0 note 3 60 100 1.0", "1.0 bend 8192", "1.0 sysex [240, 126, 1, 247]",
            ]
        )
        #expect(sequencer.tracks[0].lengthInBeats == 1 && sequencer.tracks[0].lengthInSeconds == 1)
    }

    @Test("What is written is read again, in beats and in SMPTE time", arguments: [0, 960, -(25 << 8) + 40])
    func roundTrips(_ resolution: Int) throws {
        let first = try load(Self.song)
        var error: NSError?
        let data = first.data(withSMPTEResolution: resolution, error: &error)
        #expect(error == nil)
        let second = try load(data)
        #expect(events(second.tracks[0]) == (resolution < 0 ? events(second.tracks[0]) : events(first.tracks[0])))
        if resolution >= 0 { #expect(events(second.tempoTrack) == events(first.tempoTrack)) }
        #expect(second.tracks[0].lengthInBeats == (resolution < 0 ? 2 : 1))
        #expect(first.data(withSMPTEResolution: 40_000, error: &error).isEmpty && error != nil)
    }

    @Test("Channels become tracks where that is asked for")
    func splitsChannels() throws {
        let data = Self.file(format: 0, [[0, 0x90, 60, 1, 0, 0x95, 61, 1, 10, 0x80, 60, 0, 0, 0x85, 61, 0] + Self.end])
        #expect(try load(data).tracks.count == 1)
        let split = try load(data, .smfChannelsToTracks)
        #expect(split.tracks.count == 2)
        #expect(events(split.tracks[1]).first?.hasPrefix("0.0 note 5 61 1") == true)
    }

    @Test("A file within a RIFF file is read")
    func readsRIFF() throws {
        let size = UInt8(Self.song.count)
        let head: [UInt8] = Array("RIFF".utf8) + [size + 12, 0, 0, 0] + Array("RMIDdata".utf8) + [size, 0, 0, 0]
        #expect(try load(Data(head) + Self.song).tracks.count == 1)
    }

    @Test("Files are written whole, and only replaced where that is asked for")
    func writesFiles() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).mid")
        defer { try? FileManager.default.removeItem(at: url) }
        let sequencer = try load(Self.song)
        try sequencer.write(to: url, smpteResolution: 0, replaceExisting: false)
        let again = AVAudioSequencer()
        try again.load(from: url)
        #expect(events(again.tracks[0]) == events(sequencer.tracks[0]))
        let error = #expect(throws: AVMIDIError.self) {
            try sequencer.write(to: url, smpteResolution: 0, replaceExisting: false)
        }
        #expect(error?.code == .fileExists && error?.description.hasSuffix(".") == true)
        try sequencer.write(to: url, smpteResolution: 0, replaceExisting: true)
        let missing = #expect(throws: AVMIDIError.self) {
            try again.load(from: URL(fileURLWithPath: "/nonexistent/song.mid"))
        }
        #expect(missing?.code == .fileNotFound && missing?.url != nil)
    }

    @Test("Damaged and foreign files are errors with a stable code")
    func refusesDamage() {
        #expect(code(Data()) == "media.notMIDI")
        #expect(code(Data("RIFF....WAVE".utf8)) == "media.notMIDI")
        #expect(code(Self.file(format: 2, [Self.end])) == "media.unsupported")
        #expect(code(Self.file(division: [0, 0], [Self.end])) == "media.corrupt")
        #expect(code(Self.file(division: [0xE7, 0], [Self.end])) == "media.corrupt")
        #expect(code(Self.song.dropLast(3)) == "media.truncated")
        #expect(code(Self.file([[0, 60, 60]])) == "media.corrupt")
        #expect(code(Self.file([[0x81, 0x82, 0x83, 0x84, 0x05, 0x90, 1, 1]])) == "media.corrupt")
        #expect(code(Self.file([[0, 0xFF, 1, 100, 1]])) == "media.corrupt")
        #expect(code(Self.file([[0, 0x90, 60, 0x90]])) == "media.corrupt")
        #expect(code(Self.file([[0, 0xF4]])) == "media.corrupt")
        #expect(code(Data("MThd".utf8) + Data([0xFF, 0xFF, 0xFF, 0xFF, 0, 1, 0, 1, 0, 96])) == "media.truncated")
    }

    @Test("No bytes end the process", arguments: 0..<40)
    func survivesNoise(_ seed: Int) {
        var generator = NoiseGenerator(seed: UInt64(seed))
        for _ in 0..<200 {
            var data = Self.song
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let place = data.startIndex + Int.random(in: 0..<data.count, using: &generator)
                data[place] = UInt8.random(in: 0...255, using: &generator)
            }
            guard let sequencer = try? load(data) else { continue }
            _ = sequencer.data(withSMPTEResolution: 0, error: nil)
            _ = sequencer.tracks.map(\.lengthInSeconds)
        }
    }
}

/// Numbers by chance that are the same each time.
private struct NoiseGenerator: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 31
    }
}
