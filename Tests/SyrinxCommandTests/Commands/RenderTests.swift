import Foundation
import SyrinxTestSupport
import Testing

@Suite("render")
struct RenderTests {
    private func render(_ arguments: String..., stdin: Data = Data()) throws {
        let result = try runProcess(
            Syrinx.path,
            ["render"] + arguments,
            environment: Syrinx.environment,
            stdin: stdin
        )
        try #require(result.status == 0, "\(arguments): \(result.errors)")
        #expect(result.errors.isEmpty && result.output.isEmpty)
    }

    @Test("With no option that changes the sound it writes what ffmpeg decodes", arguments: Fixture.formats.map(\.name))
    func untouched(name: String) throws {
        let scratch = try ScratchDirectory()
        let format = try #require(Fixture.formats.first { $0.name == name })
        try Fixture.make(scratch.file(name), format.options)
        try render(scratch.file(name), scratch.file("out.wav"), "--sample-format", "f32")
        let (sampleRate, samples) = try readWAV(scratch.file("out.wav"))
        var expected = try Fixture.decode(scratch.file(name))
        #expect(sampleRate == (name == "a.opus" ? 48_000 : 44_100))
        // In M4A the container's own length counts, where ffmpeg gives the padding too.
        if name.hasSuffix(".m4a") { expected = expected.map { Array($0.prefix(132_300)) } }
        #expect(samples.map(\.count) == expected.map(\.count))
        let isLossless = name == "a.wav" || name == "a.flac"
        #expect(Fixture.largestDifference(samples, expected) <= (isLossless ? 0 : 1 / 32_768.0))
    }

    @Test(
        "The length is round(frames / rate), and tones stay where they were",
        arguments: [(0.5, 0.0), (1.5, 0), (2, 0), (1, 1200), (1.25, -700), (32, 0)]
    )
    func rate(rate: Double, cents pitch: Double) throws {
        let scratch = try ScratchDirectory()
        let source = "sine=frequency=440:sample_rate=44100:duration=8"
        try FFmpeg.run(["-f", "lavfi", "-i", source, scratch.file("a.wav")])
        try render(
            scratch.file("a.wav"),
            "--rate",
            "\(rate)",
            "--pitch",
            "\(pitch)",
            scratch.file("out.wav"),
            "--sample-format",
            "f32"
        )
        let (_, samples) = try readWAV(scratch.file("out.wav"))
        let expected = Int((352_800 / rate).rounded())
        #expect(abs(samples[0].count - expected) <= 1)
        guard samples[0].count > 20_000 else { return }
        let middle = Array(samples[0].dropFirst(samples[0].count / 4).prefix(32_768))
        let wanted = 440 * pow(2, pitch / 1200)
        let heard = toneFrequency(middle, sampleRate: 44_100)
        #expect(abs(cents(from: wanted, to: heard)) < 3)
    }

    @Test("A part is cut to the frame, also of a pipe")
    func part() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.flac"))
        let whole = try Fixture.decode(scratch.file("a.flac"))
        let data = try #require(FileManager.default.contents(atPath: scratch.file("a.flac")))
        let options = ["--start", "0:01.5", "--duration", "0.25", "--sample-format", "f32"]
        for (input, stdin) in [(scratch.file("a.flac"), Data()), ("-", data)] {
            let arguments = ["render", input, scratch.file("out.wav")] + options
            let result = try runProcess(Syrinx.path, arguments, environment: Syrinx.environment, stdin: stdin)
            #expect(result.status == 0, "\(result.errors)")
            let samples = try readWAV(scratch.file("out.wav")).channels
            #expect(samples == whole.map { Array($0[66_150..<77_175]) })
        }
        try Fixture.make(scratch.file("a.ogg"))
        // Its end is not known before all of it has come.
        let endless = try #require(FileManager.default.contents(atPath: scratch.file("a.ogg")))
        for (input, stdin) in [(scratch.file("a.flac"), Data()), ("-", endless)] {
            let late = try Syrinx.run("render", "--start", "10", input, scratch.file("late.wav"), stdin: stdin)
            #expect(late.status == 64, "\(input): \(late.errors)")
            #expect(!FileManager.default.fileExists(atPath: scratch.file("late.wav")))
        }
    }

    @Test("Volume, rate conversion and channels")
    func conversions() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"))
        let whole = try Fixture.decode(scratch.file("a.wav"))
        try render("--volume", "0.5", scratch.file("a.wav"), scratch.file("half.wav"), "--sample-format", "f32")
        let half = try readWAV(scratch.file("half.wav")).channels
        #expect(Fixture.largestDifference(half, whole.map { $0.map { $0 / 2 } }) < 1e-6)
        #expect(half.map(\.count) == whole.map(\.count))

        try render("--sample-rate", "48000", "--channels", "1", scratch.file("a.wav"), scratch.file("b.wav"))
        let (sampleRate, mono) = try readWAV(scratch.file("b.wav"))
        #expect(sampleRate == 48_000)
        #expect(mono.count == 1)
        #expect(mono[0].count == 144_000)
    }

    @Test("Every format of the contract is written, and is as long as it should be")
    func formats() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("in.flac"), sampleRate: 48_000)
        for name in ["a.wav", "a.flac", "a.aiff", "a.caf", "a.m4a", "a.mp3", "a.ogg", "a.opus"] {
            try render(scratch.file("in.flac"), scratch.file(name))
            let info = try Syrinx.run("info", "--json", "--scan", scratch.file(name))
            #expect(info.objects.first?["frames"] as? Int == 144_000, "\(name): \(info.output)\(info.errors)")
        }
    }

    @Test("Tags, chapters, cover and layout go over; what says how loud it is only while that is true")
    func attachments() throws {
        let scratch = try ScratchDirectory()
        let chapters = """
            ;FFMETADATA1
            title=Ein Stück
            REPLAYGAIN_TRACK_GAIN=-3.20 dB
            [CHAPTER]
            TIMEBASE=1/1000
            START=0
            END=1000
            title=One
            [CHAPTER]
            TIMEBASE=1/1000
            START=1000
            END=3000
            title=Two
            """
        try Data(chapters.utf8).write(to: URL(fileURLWithPath: scratch.file("c.txt")))
        try FFmpeg.run(["-f", "lavfi", "-i", "color=red:s=16x16", "-frames:v", "1", scratch.file("cover.png")])
        let sources = ["-i", scratch.file("cover.png"), "-i", scratch.file("c.txt")]
        let sound = ["-f", "lavfi", "-i", "sine=d=3:r=48000", "-map", "2", "-map_metadata", "1"]
        let picture = ["-map", "0", "-c:v", "copy", "-disposition:v", "attached_pic"]
        try FFmpeg.run(sources + sound + picture + [scratch.file("a.mp3")])
        for name in ["out.m4a", "out.mp3", "out.flac", "out.opus"] {
            try render("--start", "0.5", "--rate", "2", scratch.file("a.mp3"), scratch.file(name))
            let info = try #require(try Syrinx.run("info", "--json", scratch.file(name)).objects.first)
            let tags = try #require(info["tags"] as? [String: String])
            #expect(tags["title"] == "Ein Stück")
            #expect(tags["replaygain_track_gain"] == nil)
            let found = try #require(info["chapters"] as? [[String: Any]])
            #expect(found.map { $0["title"] as? String } == ["One", "Two"], "\(name)")
            #expect(found.map { $0["start"] as? Double } == [0, 0.25], "\(name)")
            #expect((info["artwork"] as? [String: Any])?["width"] as? Int == 16, "\(name)")
        }
        for name in ["same.flac", "same.m4a"] {
            try render(scratch.file("a.mp3"), scratch.file(name))
            let same = try #require(try Syrinx.run("info", "--json", scratch.file(name)).objects.first)
            #expect((same["tags"] as? [String: String])?["replaygain_track_gain"] == "-3.20 dB")
        }
    }

    @Test("The arrangement of channels goes over where the format has it", arguments: ["flac", "wav", "m4a", "opus"])
    func layout(ending: String) throws {
        let scratch = try ScratchDirectory()
        let surround = ["-f", "lavfi", "-i", "sine=d=1:r=48000", "-af", "aformat=channel_layouts=5.1(side)"]
        try FFmpeg.run(surround + [scratch.file("a.wav")])
        try render(scratch.file("a.wav"), scratch.file("out." + ending))
        let info = try #require(try Syrinx.run("info", "--json", scratch.file("out." + ending)).objects.first)
        let hasSides = ending == "flac" || ending == "wav"
        #expect(info["channelLayout"] as? String == (hasSides ? "5.1(side)" : "5.1"))
    }

    /// A hundredth too short, which nothing but the last frame shows.
    @Test("What lies behind a length that FLAC states too short is found, also on a server")
    func flacOfAWrongLength() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.flac"), ["-map_metadata", "-1"])
        let whole = try Fixture.decode(scratch.file("a.flac"))
        var bytes = Array(try #require(FileManager.default.contents(atPath: scratch.file("a.flac"))))
        let stated = whole[0].count - 1323
        for index in 0..<4 { bytes[22 + index] = UInt8(stated >> (24 - 8 * index) & 0xFF) }
        try Data(bytes).write(to: URL(fileURLWithPath: scratch.file("short.flac")))
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        server.route("/a.flac", .file(bytes, type: "audio/flac"))
        for input in [scratch.file("short.flac"), server.url("/a.flac")] {
            // Half of what is not told.
            let first = stated + 661
            let start = String(Double(first) / 44_100)
            try render(input, "--start", start, scratch.file("out.wav"), "--sample-format", "f32")
            let samples = try readWAV(scratch.file("out.wav")).1
            #expect(samples[0] == Array(whole[0][first...]), "\(samples[0].count)")
            let beyond = try Syrinx.run("render", input, "--start", "4", scratch.file("out.wav"))
            #expect(beyond.status == 64 && beyond.errors.contains("after the end (0:03"), "\(beyond.errors)")
        }
    }

    @Test("From a server it writes the same as from the file")
    func web() throws {
        let scratch = try ScratchDirectory()
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        try Fixture.make(scratch.file("a.m4a"))
        let bytes = try #require(FileManager.default.contents(atPath: scratch.file("a.m4a")))
        server.route("/a.m4a", .file(Array(bytes), type: "audio/mp4"))
        try render(server.url("/a.m4a"), scratch.file("web.wav"), "--sample-format", "f32")
        try render(scratch.file("a.m4a"), scratch.file("file.wav"), "--sample-format", "f32")
        let web = FileManager.default.contents(atPath: scratch.file("web.wav"))
        #expect(web != nil && web == FileManager.default.contents(atPath: scratch.file("file.wav")))
    }

    @Test("A signal ends it at once, with nothing left behind", arguments: [SIGHUP, SIGINT, SIGTERM])
    func interruption(signal: Int32) throws {
        let scratch = try ScratchDirectory()
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        try Fixture.make(scratch.file("in.wav"), seconds: 30)
        let bytes = try #require(FileManager.default.contents(atPath: scratch.file("in.wav")))
        // So slow that it cannot be over before the signal comes.
        server.route("/in.wav", .file(Array(bytes), type: "audio/wav").paced(bytesPerSecond: 100_000))
        try FileManager.default.removeItem(atPath: scratch.file("in.wav"))
        let running = try RunningSyrinx("render", server.url("/in.wav"), scratch.file("out.wav"))
        #expect(server.wait { $0.contains { $0.bytesSent > 80_000 } })
        running.process.signal(signal)
        #expect(running.process.wait(timeout: promptly) == 128 + signal)
        #expect(running.errors.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
    }
}
