import Foundation
import SyrinxAnalysis
import SyrinxTestSupport
import Testing

@Suite("waveform: outputs")
struct WaveformOutputTests {
    @Test("Standard output gets the bytes of a file, and a pipe is drawn to its end")
    func pipes() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.flac"))
        // An AU file may leave its length open.
        try FFmpeg.run(["-i", scratch.file("a.flac"), "-c:a", "pcm_s16be", "-f", "au", scratch.file("known.au")])
        var sound = try Data(contentsOf: scratch.url("known.au"))
        sound.replaceSubrange(8..<12, with: [0xFF, 0xFF, 0xFF, 0xFF])
        func output(_ options: [String], _ input: String, _ stdin: Data = Data()) throws -> Data {
            let result = try runProcess(Syrinx.path, ["waveform", "-o", "-", input] + options, stdin: stdin)
            try #require(result.status == 0, "\(options): \(result.errors)")
            return result.stdout
        }
        let shapes = [
            ["--output-format", "dat", "--amplitude-scale", "auto"], ["--output-format", "json", "--bits", "8"],
            ["--output-format", "txt", "--split-channels"], ["--output-format", "wavesurfer", "-z", "100"],
            ["--output-format", "txt", "--decibels", "-w", "70"],
            ["--output-format", "txt", "--decibels", "-w", "70", "--no-antialias"],
        ]
        for options in shapes {
            let piped = try output(options, "-", sound)
            #expect(piped == (try output(options, scratch.file("known.au"))), "\(options)")
            let result = try runProcess(
                Syrinx.path,
                ["waveform", "-o", scratch.file("x"), scratch.file("known.au")] + options
            )
            try #require(result.status == 0, "\(result.errors)")
            #expect(FileManager.default.contents(atPath: scratch.file("x")) == piped)
        }
        let picture = ["--output-format", "json", "--zoom", "auto", "-w", "70"]
        let text = try output(picture, "-", sound)
        let whole = try PeakWaveform(jsonFile: try output(["--output-format", "json"], scratch.file("a.flac")))
        let auto = try PeakWaveform(jsonFile: text)
        #expect(auto == (try whole.rescaled(to: auto.samplesPerPixel)) && auto.count <= 70 && auto.count > 60)
    }

    @Test("Times at the edges, if they are wanted; audiowaveform's other names")
    func axis() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"))
        func svg(_ options: String...) throws -> String {
            let arguments = ["waveform", "-o", scratch.file("a.svg"), "-z", "300", scratch.file("a.wav")] + options
            let result = try runProcess(Syrinx.path, arguments)
            try #require(result.status == 0, "\(result.errors)")
            return String(decoding: try Data(contentsOf: scratch.url("a.svg")), as: UTF8.self)
        }
        let plain = try svg()
        #expect(try svg("--no-axis-labels", "--waveform-style", "normal") == plain)
        #expect(try svg("--style", "line") == plain && svg("--waveform-style", "bars") == svg("--style", "bars"))
        let marked = try svg("--with-axis-labels", "--axis-label-color", "ff0000", "--start", "1")
        #expect(marked.contains("<path fill=\"#ff0000\" d=\"M0 0"))
        #expect(try svg("--with-axis-labels").contains("<path fill=\"#000000\""))
        var sizes: [Int] = []
        for level in ["0", "-1", "9"] {
            let arguments = ["waveform", "-o", scratch.file("a.png"), "--compression", level, scratch.file("a.wav")]
            try #require(try runProcess(Syrinx.path, arguments).status == 0)
            sizes.append(try Data(contentsOf: scratch.url("a.png")).count)
        }
        #expect(sizes[0] > 2 * sizes[1] && sizes[0] > 2 * sizes[2])
    }

    @Test("Pictures of every kind, from a video, a URL and standard input")
    func pictures() throws {
        let scratch = try ScratchDirectory()
        let sine = "sine=frequency=300:sample_rate=44100:duration=2"
        try FFmpeg.run(
            ["-f", "lavfi", "-i", "color=red:s=32x32:d=2", "-f", "lavfi", "-i", sine, "-c:v", "mpeg4"]
                + ["-c:a", "aac", scratch.file("film.mp4")]
        )
        try Fixture.make(scratch.file("a.flac"))
        let data = try #require(FileManager.default.contents(atPath: scratch.file("a.flac")))
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        server.route("/a.flac", .file(Array(data), type: "audio/flac"))
        let runs: [([String], Data)] = [
            ([scratch.file("film.mp4"), "--style", "bars", "--bar-style", "rounded"], Data()),
            ([server.url("/a.flac"), "--decibels", "--colors", "audition"], Data()), (["-", "--split-channels"], data),
        ]
        for (arguments, stdin) in runs {
            for name in ["p.png", "p.svg"] {
                let all = ["waveform", "-o", scratch.file(name), "--zoom", "auto", "-w", "120", "--height", "40"]
                let result = try runProcess(
                    Syrinx.path,
                    all + arguments,
                    environment: Syrinx.environment,
                    stdin: stdin
                )
                try #require(result.status == 0, "\(arguments): \(result.errors)")
                let bytes = try #require(FileManager.default.contents(atPath: scratch.file(name)))
                if name == "p.png" {
                    let size = try runProcess(
                        "ffprobe",
                        [
                            "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0",
                            scratch.file(name),
                        ]
                    )
                    #expect(size.output == "120,40\n")
                } else {
                    let text = String(decoding: bytes, as: UTF8.self)
                    #expect(text.contains("width=\"120\" height=\"40\"") && text.contains("<path"))
                }
            }
        }
    }

    @Test("Several inputs go to a folder, and failures among them are reported")
    func several() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"))
        try Fixture.make(scratch.file("b.flac"))
        try FileManager.default.createDirectory(atPath: scratch.file("out"), withIntermediateDirectories: false)
        let result = try Syrinx.run(
            "waveform",
            "-o",
            scratch.file("out"),
            "--output-format",
            "wavesurfer",
            scratch.file("a.wav"),
            scratch.file("missing.wav"),
            scratch.file("b.flac")
        )
        #expect(result.status == 66)
        #expect(result.errorLines.count == 1)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.file("out")).sorted() == ["a.json", "b.json"]
        )
        let data = try Data(contentsOf: scratch.url("out/a.json"))
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(object["duration"] as? Double == 3)
        #expect((object["peaks"] as? [[Double]])?.first?.count == 517)
    }

    @Test(
        "What makes no sense is refused",
        arguments: [
            ["-o", "x.foo"], ["-o", "x.dat", "--decibels"], ["-o", "x.dat", "--bits", "12"],
            ["-o", "x.dat", "-z", "1"],
            ["-o", "x.dat", "-z", "2.5"], ["-o", "x.dat", "-z", "64", "--pixels-per-second", "10"],
            ["-o", "x.png", "--width", "0"], ["-o", "x.png", "--noise-floor", "0"], ["-o", "x.dat", "--end", "0"],
            ["-o", "x.png", "--waveform-color", "red"], ["-o", "x.dat", "second.wav"],
            ["-o", "x.png", "--compression", "10"],
            ["-o", "x.dat", "--raw-format", "s16le"], ["-o", "x.dat", "--input-format", "raw"],
            ["-o", "x.dat", "--raw-format", "s16le", "--raw-samplerate", "0", "--raw-channels", "1"],
            ["-o", "x.dat", "--raw-format", "s16le", "--raw-samplerate", "8000", "--raw-channels", "65"],
            ["-o", "x.dat", "--raw-channels", "1", "--input-format", "wav"],
            ["-o", "x.dat", "--raw-format", "s20le", "--raw-samplerate", "8000", "--raw-channels", "1"],
        ]
    )
    func refusals(arguments: [String]) throws {
        let result = try runProcess(Syrinx.path, ["waveform"] + arguments + ["input.wav"])
        #expect(result.status == 64, "\(result.errors)")
        #expect(result.errorLines.count == 1)
    }

    @Test("Ctrl-C leaves nothing behind, at once")
    func interruption() throws {
        let scratch = try ScratchDirectory()
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        try Fixture.make(scratch.file("in.wav"), seconds: 30)
        let bytes = try #require(FileManager.default.contents(atPath: scratch.file("in.wav")))
        server.route("/in.wav", .file(Array(bytes), type: "audio/wav").paced(bytesPerSecond: 100_000))
        try FileManager.default.removeItem(atPath: scratch.file("in.wav"))
        let running = try RunningSyrinx("waveform", "-o", scratch.file("out.png"), "-z", "auto", server.url("/in.wav"))
        #expect(server.wait { $0.contains { $0.bytesSent > 80_000 } })
        running.process.signal(SIGINT)
        #expect(running.process.wait(timeout: promptly) == 130)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
    }
}
