import Foundation
import SyrinxTestSupport
import Testing

@Suite("info and devices")
struct InfoTests {
    @Test("Every field of the contract is there, for every format", arguments: Fixture.formats.map(\.name))
    func fields(name: String) throws {
        let scratch = try ScratchDirectory()
        let format = try #require(Fixture.formats.first { $0.name == name })
        try Fixture.make(scratch.file(name), format.options + ["-metadata", "title=A title"])
        let result = try Syrinx.run("info", "--json", "--scan", scratch.file(name))
        #expect(result.status == 0, "\(result.errors)")
        let object = try #require(result.objects.first)
        let keys: Set = [
            "url", "container", "codec", "profile", "sampleRate", "channels", "channelLayout", "bitRate", "duration",
            "frames", "seekable", "size", "tags", "chapters", "artwork",
        ]
        #expect(Set(object.keys) == keys)
        #expect(object["url"] as? String == scratch.file(name))
        #expect(object["sampleRate"] as? Int == (name == "a.opus" ? 48_000 : 44_100))
        #expect(object["channels"] as? Int == 2)
        #expect(object["channelLayout"] as? String == "stereo")
        #expect(object["artwork"] is NSNull)
        #expect(object["seekable"] as? Bool == true)
        var frames = try Fixture.decode(scratch.file(name))[0].count
        if name.hasSuffix(".m4a") { frames = 132_300 }
        #expect(object["frames"] as? Int == frames)
        let size = try FileManager.default.attributesOfItem(atPath: scratch.file(name))[.size] as? Int
        #expect(object["size"] as? Int == size)
        if name != "a.aac" { #expect((object["tags"] as? [String: String])?["title"] == "A title") }
    }

    @Test("A scan tells what is there, whatever the file states")
    func scanned() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), ["-bitexact"])
        var bytes = try Data(contentsOf: scratch.url("a.wav"))
        let data = try #require(bytes.range(of: Data("data".utf8)))
        let size = UInt32(0xFFFF_FF00)
        for index in 0..<4 { bytes[data.upperBound + index] = UInt8(truncatingIfNeeded: size >> (8 * UInt32(index))) }
        try bytes.write(to: scratch.url("b.wav"))
        let result = try Syrinx.run("info", "--json", "--scan", scratch.file("b.wav"))
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.objects.last?["frames"] as? Int == 132_300 && result.objects.last?["duration"] as? Double == 3)
        #expect(result.errorLines.count == 1 && result.errors.contains("the rest is missing"))
    }

    @Test("Several inputs, failures among them, and text for people")
    func several() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.flac"))
        let result = try Syrinx.run("info", scratch.file("a.flac"), scratch.file("missing"), scratch.file("a.flac"))
        #expect(result.status == 66)
        #expect(result.errorLines.count == 1)
        #expect(result.output.components(separatedBy: "flac, 44100 Hz, stereo").count == 3)
        #expect(result.output.contains("0:03.000 (132300 frames)"))
    }

    @Test("Standard input, chapters and artwork")
    func rich() throws {
        let scratch = try ScratchDirectory()
        let meta =
            ";FFMETADATA1\ntitle=Whole\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=One\n"
            + "[CHAPTER]\nTIMEBASE=1/1000\nSTART=1000\nEND=3000\ntitle=Two\n"
        try Data(meta.utf8).write(to: scratch.url("meta"))
        try Fixture.make(scratch.file("a.wav"))
        try FFmpeg.run(["-f", "lavfi", "-i", "color=red:s=32x16", "-frames:v", "1", scratch.file("a.png")])
        try FFmpeg.run(
            [
                "-i", scratch.file("a.wav"), "-i", scratch.file("meta"), "-i", scratch.file("a.png"), "-map", "0",
                "-map", "2",
            ]
                + ["-map_metadata", "1", "-c:v", "copy", "-disposition:v", "attached_pic", scratch.file("a.mp3")]
        )
        let object = try #require(try Syrinx.run("info", "--json", scratch.file("a.mp3")).objects.first)
        let chapters = try #require(object["chapters"] as? [[String: Any]])
        #expect(chapters.map { $0["title"] as? String } == ["One", "Two"])
        #expect(chapters.last?["end"] as? Double == 3)
        let artwork = try #require(object["artwork"] as? [String: Any])
        #expect(artwork["mimeType"] as? String == "image/png")
        #expect(artwork["width"] as? Int == 32 && artwork["height"] as? Int == 16)

        let data = try #require(FileManager.default.contents(atPath: scratch.file("a.mp3")))
        let piped = try Syrinx.run("info", "--json", "-", stdin: data)
        #expect(piped.objects.first?["url"] as? String == "-")
        #expect(piped.objects.first?["seekable"] as? Bool == false)
    }

    @Test("devices lists what a server has, the default first", arguments: SoundServerKind.allCases)
    func devices(kind: SoundServerKind) throws {
        let none = try Syrinx.run("devices", "--json")
        #expect(none.status == 0)
        let server = try kind.start()
        defer { server.kill() }
        let result = try runProcess(Syrinx.path, ["devices", "--json"], environment: server.environment)
        let first = try #require(result.objects.first)
        #expect(first["name"] as? String == "pulse:\(server.sink)")
        #expect(first["default"] as? Bool == true)
        #expect(first["sampleRate"] as? Int == server.sampleRate)
        let text = try runProcess(Syrinx.path, ["devices"], environment: server.environment)
        #expect(text.output.hasPrefix("* pulse:\(server.sink)"))
    }
}
