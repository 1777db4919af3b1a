import Foundation
import SyrinxTestSupport
import Testing

@Suite("play: CUE sheets and folders")
struct DiscPlayTests {
    private func events(_ name: String, of result: ProcessResult) -> [[String: Any]] {
        result.objects.filter { $0["event"] as? String == name }
    }

    private func play(_ scratch: ScratchDirectory, _ arguments: String...) throws -> ProcessResult {
        let all = ["play", "--json", "--output", "file:\(scratch.file("out.wav"))"] + arguments
        return try runProcess(Syrinx.path, all, environment: Syrinx.environment)
    }

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    private static let sheet = """
        PERFORMER "The Band"
        TITLE "The Disc"
        FILE "disc.flac" WAVE
          TRACK 01 AUDIO
            TITLE "One"
            INDEX 00 00:00:00
            INDEX 01 00:00:30
          TRACK 02 AUDIO
            TITLE "Two"
            PERFORMER "A Guest"
            INDEX 00 00:01:10
            INDEX 01 00:01:15
          TRACK 03 AUDIO
            INDEX 01 00:02:00
        """

    @Test(
        "The tracks of one file are played without a gap, each under its own name",
        arguments: ["disc.flac", "disc.mp3", "disc.opus"]
    )
    func oneFile(name: String) throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file(name), ["-metadata", "title=The file", "-metadata", "genre=Rock"])
        try write(Self.sheet.replacing("disc.flac", with: name), to: scratch.file("disc.cue"))
        let result = try play(scratch, scratch.file("disc.cue"))
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        let told = events("metadata", of: result)
        #expect(told.map { $0["title"] as? String } == ["One", "Two", "The file"])
        #expect(told.map { $0["artist"] as? String } == ["The Band", "A Guest", "The Band"])
        #expect(told.allSatisfy { $0["album"] as? String == "The Disc" && $0["genre"] as? String == "Rock" })
        #expect(told.map { $0["track"] as? String } == ["1", "2", "3"])
        let rate = name == "disc.opus" ? 48_000.0 : 44_100.0
        let starts = [30.0 / 75, 1 + 15.0 / 75, 2, 3].map { Int(($0 * rate).rounded()) }
        let frames = events("opened", of: result).map { $0["frames"] as? Int }
        #expect(frames == zip(starts, starts.dropFirst()).map { $1 - $0 })
        #expect(events("ended", of: result).map { $0["frames"] as? Int } == frames)
        // Every time counts from the start of the track.
        #expect(events("state", of: result).allSatisfy { $0["time"] as? Double ?? 99 <= 1 })
        let expected = try Fixture.decode(scratch.file(name)).map { Array($0[starts[0]..<starts[3]]) }
        let actual = try readWAV(scratch.file("out.wav")).channels
        #expect(actual.map(\.count) == expected.map(\.count))
        // After a seek a decoder of what was compressed with loss may differ in the last bits.
        #expect(Fixture.largestDifference(actual, expected) <= (name == "disc.flac" ? 0 : 1e-4))
    }

    @Test("A sheet of several files is played across them, and one whose file has another extension by now finds it")
    func severalFiles() throws {
        let scratch = try ScratchDirectory()
        for (index, name) in ["a.flac", "b.flac"].enumerated() {
            try Fixture.make(scratch.file(name), seconds: 1 + Double(index))
        }
        let text = """
            \u{FEFF}REM DATE 1999
            TITLE "Größe"
            FILE "a.wav" WAVE
              TRACK 01 AUDIO
                TITLE "Erstes"
                INDEX 01 00:00:00
              TRACK 02 AUDIO
                TITLE "Zweites"
                INDEX 00 00:00:60
            FILE "b.flac" WAVE
                INDEX 01 00:00:00
              TRACK 03 AUDIO
                TITLE "Drittes"
                INDEX 01 00:01:00
            """
        for encoding in [String.Encoding.utf8, .utf16LittleEndian, .windowsCP1252] {
            let plain = encoding == .windowsCP1252 ? String(text.dropFirst()) : text
            try #require(plain.data(using: encoding)).write(to: scratch.url("d.cue"))
            let result = try play(scratch, scratch.file("d.cue"))
            #expect(result.status == 0, "\(result.errors)")
            let told = events("metadata", of: result)
            #expect(told.map { $0["title"] as? String } == ["Erstes", "Zweites", "Drittes"])
            #expect(told.allSatisfy { $0["album"] as? String == "Größe" && $0["date"] as? String == "1999" })
            let parts = try ["a.flac", "b.flac"].map { try Fixture.decode(scratch.file($0)) }
            #expect(try readWAV(scratch.file("out.wav")).channels == (0..<2).map { parts[0][$0] + parts[1][$0] })
        }
    }

    @Test("A track that begins behind the end of its file fails, and the others are played")
    func behindTheEnd() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("disc.flac"), seconds: 1)
        try write(Self.sheet, to: scratch.file("disc.cue"))
        let result = try play(scratch, scratch.file("disc.cue"))
        #expect(result.status == 74 && events("error", of: result).count == 2, "\(result.errors)")
        #expect(try readWAV(scratch.file("out.wav")).channels[0].count == 44_100 - 30 * 588)
    }

    @Test("A folder is played in its natural order, with the folders in it if that is wished")
    func folder() throws {
        let scratch = try ScratchDirectory()
        let names = [
            "10 z.wav", "2 b.wav", "1 É.wav", "1 a.wav", "cover.jpg", ".hidden.wav", "B/1.wav", "B/02.wav", "c.wav",
        ]
        try FileManager.default.createDirectory(atPath: scratch.file("f/B"), withIntermediateDirectories: true)
        for (index, name) in names.enumerated() {
            if name.hasSuffix("jpg") {
                try write("no sound", to: scratch.file("f/\(name)"))
            } else {
                try Fixture.make(scratch.file("f/\(name)"), seconds: 0.1 + 0.01 * Double(index))
            }
        }
        // A link that leads back.
        try #require(symlink("..", scratch.file("f/B/up")) == 0)
        func opened(_ arguments: String...) throws -> [String] {
            let all = ["play", "--json", "--output", "file:\(scratch.file("out.wav"))"] + arguments
            let result = try runProcess(Syrinx.path, all, environment: Syrinx.environment)
            #expect(result.status == 0, "\(result.errors)")
            let prefix = scratch.file("f/")
            return events("opened", of: result).compactMap { ($0["url"] as? String)?.replacing(prefix, with: "") }
        }
        let flat = ["1 a.wav", "1 É.wav", "2 b.wav", "10 z.wav", "c.wav"]
        #expect(try opened(scratch.file("f")) == flat)
        #expect(try opened(scratch.file("f/")) == flat)
        let deep = Array(flat.prefix(4)) + ["B/1.wav", "B/02.wav", "c.wav"]
        #expect(try opened("-r", scratch.file("f")) == deep && opened("--recursive", scratch.file("f")) == deep)
        try write("f\nf/c.wav\n", to: scratch.file("list.m3u"))
        #expect(try opened(scratch.file("list.m3u")) == flat + ["c.wav"])
    }

    @Test("A folder without recordings fails as an empty list does")
    func emptyFolder() throws {
        let scratch = try ScratchDirectory()
        let result = try play(scratch, scratch.path)
        #expect(result.status == 65 && result.errorLines.count == 1, "\(result.errors)")
        #expect(events("error", of: result).map { $0["code"] as? String } == ["media.empty"])
    }

    @Test("A playlist that names itself is refused when it comes to that, whatever way it goes")
    func loops() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 0.2)
        try write("a.wav\nself.m3u\n", to: scratch.file("self.m3u"))
        try write("a.wav\ntwo.pls\n", to: scratch.file("one.m3u"))
        try write("[playlist]\nFile1=./sub/../one.m3u\n", to: scratch.file("two.pls"))
        try write("a.wav\nlink.m3u\n", to: scratch.file("linked.m3u"))
        try #require(symlink("linked.m3u", scratch.file("link.m3u")) == 0)
        for name in ["self.m3u", "one.m3u", "linked.m3u"] {
            let result = try play(scratch, scratch.file(name))
            #expect(result.status == 65 && result.errorLines.count == 1, "\(name): \(result.errors)")
            #expect(events("opened", of: result).count == 1, "\(name)")
            #expect(events("error", of: result).map { $0["code"] as? String } == ["media.unsupported"])
        }
        // Twice in a row is no loop.
        try write("self2.m3u\nself2.m3u\n", to: scratch.file("twice.m3u"))
        try write("a.wav\n", to: scratch.file("self2.m3u"))
        let twice = try play(scratch, scratch.file("twice.m3u"))
        #expect(twice.status == 0 && events("opened", of: twice).count == 2, "\(twice.errors)")
    }

    @Test(
        "An XSPF list plays, however it is written",
        arguments: [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\">"
                + "<trackList><track><location>a%20b.wav</location></track></trackList></playlist>",
            "\n  <?xml version=\"1.0\"?><x:playlist xmlns:x=\"http://xspf.org/ns/0/\" xmlns:y=\"http://y\"><x:trackList>"
                + "<x:track><y:location>wrong.wav</y:location><x:location>a b.wav</x:location></x:track>"
                + "</x:trackList></x:playlist>",
            "<playlist xml:base=\"sub/\"><trackList><track xml:base=\"../\"><location>a%20b.wav</location></track>"
                + "</trackList></playlist>",
            "<playlist><trackList><track><location><![CDATA[a b.wav]]></location></track></trackList></playlist>",
        ]
    )
    func xspf(list: String) throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a b.wav"), seconds: 0.2)
        try write(list, to: scratch.file("list.xspf"))
        let result = try play(scratch, scratch.file("list.xspf"))
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(try readWAV(scratch.file("out.wav")).channels == Fixture.decode(scratch.file("a b.wav")))
    }

    @Test(
        "An XSPF list that gives nothing to play says so",
        arguments: ["<playlist/>", "<playlist><trackList/></playlist>", "<playlist><trackList>"]
    )
    func emptyXSPF(list: String) throws {
        let scratch = try ScratchDirectory()
        try write(list, to: scratch.file("list.xspf"))
        let result = try play(scratch, scratch.file("list.xspf"))
        #expect(result.status == 65 && result.errorLines.count == 1, "\(result.errors)")
    }
}
