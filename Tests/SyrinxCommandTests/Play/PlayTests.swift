import Foundation
import SyrinxTestSupport
import Testing

@Suite("play")
struct PlayTests {
    @Test("All that came of a part is counted at its end, though the server fell silent at once")
    func receivedBytes() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 3)
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        let bytes = Array(try #require(FileManager.default.contents(atPath: scratch.file("a.wav"))))
        server.route("/a.wav", .file(bytes, type: "audio/wav").cut(after: 200_000, .hang))
        let output = "file:\(scratch.file("out.wav"))"
        let url = server.url("/a.wav")
        let result = try Syrinx.run("play", "--json", "--output", output, "--duration", "0.2", url)
        let ended = try #require(result.objects.last { $0["event"] as? String == "ended" })
        #expect(ended["frames"] as? Int == 8_820)
        let received = try #require(ended["bytesReceived"] as? Int)
        #expect(received >= 8_820 * 4)
        let told = result.objects.last { $0["event"] as? String == "download" }?["received"] as? Int
        #expect(try #require(told) >= received)
    }

    @Test("A recording that cannot be written is reported under its path")
    func failingRecording() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 3)
        let path = scratch.file("none/out.wav")
        let result = try Syrinx.run("play", "--output", "null", "--record", path, scratch.file("a.wav"))
        #expect(result.status == 74)
        #expect(result.errors.hasPrefix("syrinx: \(path): "), "\(result.errors)")
    }

    @Test(
        "Played to a file it writes what ffmpeg decodes, from a file and from a server",
        arguments: Fixture.formats.map(\.name)
    )
    func toFile(name: String) throws {
        let scratch = try ScratchDirectory()
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        let format = try #require(Fixture.formats.first { $0.name == name })
        try Fixture.make(scratch.file(name), format.options)
        let bytes = try #require(FileManager.default.contents(atPath: scratch.file(name)))
        server.route("/\(name)", .file(Array(bytes)))
        var expected = try Fixture.decode(scratch.file(name))
        if name.hasSuffix(".m4a") { expected = expected.map { Array($0.prefix(132_300)) } }
        for input in [scratch.file(name), server.url("/\(name)")] {
            let result = try Syrinx.run("play", "--json", "--output", "file:\(scratch.file("out.wav"))", input)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.errors.isEmpty)
            #expect(result.states.first == "opening")
            #expect(result.states.last == "ended")
            let (sampleRate, samples) = try readWAV(scratch.file("out.wav"))
            #expect(sampleRate == (name == "a.opus" ? 48_000 : 44_100))
            #expect(samples.map(\.count) == expected.map(\.count), "\(input)")
            let isLossless = name == "a.wav" || name == "a.flac"
            #expect(Fixture.largestDifference(samples, expected) <= (isLossless ? 0 : 1 / 32_768.0))
            let ended = try #require(result.objects.last { $0["event"] as? String == "ended" })
            #expect(ended["frames"] as? Int == expected[0].count)
            let opened = try #require(result.objects.first { $0["event"] as? String == "opened" })
            #expect(opened["url"] as? String == input)
            #expect(opened["channels"] as? Int == 2)
        }
    }

    @Test("At another rate or pitch it is as long as it should be, with tones where they belong")
    func rateAndPitch() throws {
        let scratch = try ScratchDirectory()
        let source = "sine=frequency=440:sample_rate=44100:duration=6"
        try FFmpeg.run(["-f", "lavfi", "-i", source, scratch.file("a.wav")])
        for (rate, pitch) in [(2.0, 0.0), (0.5, 0), (1, 1200), (1.5, -300)] {
            let output = scratch.file("out.wav")
            let result = try Syrinx.run(
                "play",
                "--rate",
                "\(rate)",
                "--pitch",
                "\(pitch)",
                "--output",
                "file:\(output)",
                scratch.file("a.wav")
            )
            #expect(result.status == 0, "\(result.errors)")
            let samples = try readWAV(output).channels[0]
            #expect(abs(samples.count - Int((264_600 / rate).rounded())) <= 1)
            let wanted = 440 * pow(2, pitch / 1200)
            let heard = toneFrequency(Array(samples.dropFirst(samples.count / 4).prefix(65_536)), sampleRate: 44_100)
            #expect(abs(cents(from: wanted, to: heard)) < 3)
        }
    }

    @Test("A part, a pipe and another sample rate")
    func partAndPipe() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.flac"))
        let whole = try Fixture.decode(scratch.file("a.flac"))
        let data = try #require(FileManager.default.contents(atPath: scratch.file("a.flac")))
        let output = "file:\(scratch.file("out.wav"))"
        let piped = try Syrinx.run("play", "-", "--output", output, stdin: data)
        #expect(piped.status == 0, "\(piped.errors)")
        #expect(try readWAV(scratch.file("out.wav")).channels == whole)

        let input = scratch.file("a.flac")
        let part = try Syrinx.run("play", input, "--start", "1", "--duration", "0.5", "--output", output)
        #expect(part.status == 0, "\(part.errors)")
        #expect(try readWAV(scratch.file("out.wav")).channels == whole.map { Array($0[44_100..<66_150]) })

        let other = try Syrinx.run("play", input, "--sample-rate", "22050", "--output", output)
        #expect(other.status == 0, "\(other.errors)")
        let (sampleRate, samples) = try readWAV(scratch.file("out.wav"))
        #expect(sampleRate == 22_050)
        #expect(abs(samples[0].count - 66_150) <= 1)
    }

    @Test("Inputs are played in turn; the first failure gives the exit code")
    func inTurn() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 0.3)
        try Fixture.make(scratch.file("b.wav"), seconds: 0.2)
        let missing = scratch.file("missing.wav")
        try FileManager.default.createDirectory(atPath: scratch.file("empty"), withIntermediateDirectories: false)
        let result = try Syrinx.run(
            "play",
            "--json",
            "--output",
            "null",
            scratch.file("a.wav"),
            missing,
            scratch.file("empty"),
            scratch.file("b.wav")
        )
        #expect(result.status == 66)
        #expect(result.errorLines.count == 2)
        let last = result.states.filter { ["ended", "failed", "stopped"].contains($0) }
        #expect(last == ["ended", "failed", "failed", "ended"])
        let opened = result.objects.filter { $0["event"] as? String == "opened" }.map { $0["url"] as? String }
        #expect(opened == [scratch.file("a.wav"), scratch.file("b.wav")])
    }

    @Test("A file that is written holds all inputs")
    func oneFile() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 0.5)
        try Fixture.make(scratch.file("b.flac"), seconds: 0.3)
        let output = scratch.file("out.wav")
        let inputs = (scratch.file("a.wav"), scratch.file("b.flac"))
        let result = try Syrinx.run("play", "--output", "file:\(output)", inputs.0, inputs.1)
        #expect(result.status == 0, "\(result.errors)")
        let expected = zip(try Fixture.decode(inputs.0), try Fixture.decode(inputs.1)).map { $0 + $1 }
        #expect(try readWAV(output).channels == expected)
    }

    /// At these rates a block of the output is longer than the seconds that are decoded ahead.
    @Test(
        "Any sample rate can be written",
        arguments: [(1, 40), (100, 4_000), (400, 4_000), (400, 24_000), (600, 36_000), (800, 8_000)]
    )
    func lowSampleRates(sampleRate: Int, frames: Int) throws {
        let scratch = try ScratchDirectory()
        let samples = (0..<frames).map { Int16(($0 * 7_919) % 20_000 - 10_000) }
        let path = scratch.file("a.wav")
        try Self.wave(samples, sampleRate: sampleRate).write(to: URL(fileURLWithPath: path))
        let output = scratch.file("out.wav")
        let result = try Syrinx.run("play", "--json", "--output", "file:\(output)", path)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.states == ["opening", "buffering", "playing", "ended"])
        let written = try readWAV(output)
        #expect(written.sampleRate == Double(sampleRate))
        #expect(written.channels == [samples.map { Float($0) / 32_768 }])
    }

    /// A WAV file of one channel of 16 bits.
    private static func wave(_ samples: [Int16], sampleRate: Int) -> Data {
        func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
        let body = samples.flatMap { bytes($0) }
        var data = Array("RIFF".utf8) + bytes(UInt32(36 + body.count)) + Array("WAVEfmt ".utf8) + bytes(UInt32(16))
        data += bytes(UInt16(1)) + bytes(UInt16(1)) + bytes(UInt32(sampleRate)) + bytes(UInt32(2 * sampleRate))
        data += bytes(UInt16(2)) + bytes(UInt16(16)) + Array("data".utf8) + bytes(UInt32(body.count)) + body
        return Data(data)
    }

    @Test("Without any device it says so, and keeps time in silence")
    func noDevice() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 0.3)
        let result = try runProcess(
            Syrinx.path,
            ["play", "--json", scratch.file("a.wav")],
            // libpulse has a word to say of its own if there is no home.
            environment: Syrinx.environment.merging(["ALSA_CONFIG_PATH": "/dev/null", "HOME": "/nonexistent"]) { $1 }
        )
        #expect(result.status == 0)
        #expect(result.errorLines.count == 1)
        let warning = try #require(result.objects.first { $0["event"] as? String == "warning" })
        #expect(warning["code"] as? String == "device.unavailable")
        #expect(result.states.last == "ended")
    }

    @Test("A failure is exactly one error event, the state failed and one line")
    func failure() throws {
        let result = try Syrinx.run("play", "--json", "--output", "null", "/nonexistent/a.mp3")
        #expect(result.status == 66)
        #expect(result.errorLines.count == 1)
        #expect(result.states == ["opening", "failed"])
        let errors = result.objects.filter { $0["event"] as? String == "error" }
        #expect(errors.map { $0["code"] as? String } == ["file.notFound"])
        #expect(errors.first?["url"] as? String == "/nonexistent/a.mp3")
    }
}
