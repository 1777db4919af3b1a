import AudioAnalysis
import Foundation
import TestSupport
import Testing

@Suite("waveform")
struct WaveformTests {
    private struct Kind: Sendable {
        var name: String
        var codec: [String]
    }

    /// How a sample of 32 bit becomes one of 16: by its upper half.
    private static func value(_ sample: Int32) -> Int { Int(sample >> 16) }

    private static let kinds = [
        Kind(name: "8.wav", codec: ["-c:a", "pcm_u8"]), Kind(name: "16.wav", codec: ["-c:a", "pcm_s16le"]),
        Kind(name: "24.wav", codec: ["-c:a", "pcm_s24le"]), Kind(name: "32.wav", codec: ["-c:a", "pcm_s32le"]),
        Kind(name: "16.flac", codec: ["-c:a", "flac"]),
        Kind(name: "24.flac", codec: ["-c:a", "flac", "-sample_fmt", "s32"]),
        Kind(name: "32.wv", codec: ["-c:a", "wavpack", "-sample_fmt", "s32p"]),
    ]

    private func make(_ kind: String, _ codec: [String], channels: Int, in scratch: ScratchDirectory) throws -> String {
        let noise = (0..<channels).map { "random(\($0))*0.9-0.45+0.5*sin(\($0 + 1)*700*t)" }.joined(separator: "|")
        let layouts = [1: "mono", 2: "stereo", 3: "2.1", 6: "5.1", 8: "7.1"]
        let source = "aevalsrc=exprs=\(noise):s=22050:d=0.9:c=\(layouts[channels] ?? "mono")"
        let path = scratch.file(kind)
        try Fixture.ffmpeg(["-f", "lavfi", "-i", source] + codec + [path])
        return path
    }

    private func integers(_ path: String, channels: Int) throws -> [[Int]] {
        let result = try runProcess("ffmpeg", ["-v", "error", "-nostdin", "-i", path, "-f", "s32le", "-"])
        let samples = result.stdout.withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
        return (0..<channels).map { channel in
            stride(from: channel, to: samples.count, by: channels).map { Self.value(samples[$0]) }
        }
    }

    private func plain(_ channels: [[Int]], zoom: Int, mixed: Bool) -> [Int] {
        let rows =
            mixed
            ? [channels[0].indices.map { frame in channels.reduce(0) { $0 + $1[frame] } / channels.count }] : channels
        var values: [Int] = []
        for start in stride(from: 0, to: rows[0].count, by: zoom) {
            for row in rows {
                let block = row[start..<min(start + zoom, row.count)]
                values += [block.min() ?? 0, block.max() ?? 0]
            }
        }
        return values
    }

    @Test("dat and json are what the plain rules give", arguments: kinds.indices, [1, 2, 6, 8])
    func values(index: Int, channels: Int) throws {
        let kind = Self.kinds[index]
        let scratch = try ScratchDirectory()
        let input = try make(kind.name, kind.codec, channels: channels, in: scratch)
        let samples = try integers(input, channels: channels)
        for (zoom, bits, split) in [(2, 16, false), (64, 8, true), (300, 16, true), (65536, 8, false)] {
            let options = ["--zoom", "\(zoom)", "--bits", "\(bits)"] + (split ? ["--split-channels"] : [])
            let expected = plain(samples, zoom: zoom, mixed: !split)
            for name in ["a.dat", "a.json"] {
                let result = try runProcess(Syrinx.path, ["waveform", "-o", scratch.file(name), input] + options)
                try #require(result.status == 0 && result.errors.isEmpty && result.output.isEmpty, "\(result.errors)")
                let data = try #require(FileManager.default.contents(atPath: scratch.file(name)))
                let waveform = try name == "a.dat" ? PeakWaveform(datFile: data) : PeakWaveform(jsonFile: data)
                #expect(waveform.sampleRate == 22050 && waveform.samplesPerPixel == zoom)
                #expect(waveform.channelCount == (split ? channels : 1))
                let scale = bits == 8 ? 256 : 1
                #expect(waveform.values.map { Int($0) / scale } == expected.map { $0 / scale })
            }
        }
    }

    /// A WAV file of 32-bit integers.
    private static func wav(_ samples: [Int32], channels: Int) -> Data {
        var data = Data()
        func put(_ text: String) { data.append(contentsOf: text.utf8) }
        func put(_ numbers: [Int32]) {
            for number in numbers { withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) } }
        }
        let size = Int32(samples.count * 4)
        put("RIFF")
        put([36 + size])
        put("WAVEfmt ")
        put([16, 1 | Int32(channels) << 16, 8000, 32_000 * Int32(channels), Int32(channels) * 4 | 32 << 16])
        put("data")
        put([size])
        put(samples)
        return data
    }

    @Test("Integers of 32 bits that a float would round up to the next step stay where they are", arguments: [1, 2])
    func roundedIntegers(channels: Int) throws {
        let scratch = try ScratchDirectory()
        // Just below a step, on it, and just above, all over the range: a float of 24 bits has no place for the first.
        var samples: [Int32] = [.min, .min + 1, .max, .max - 1, 0, -1, 1, 0xFFFF, -0xFFFF]
        for step in stride(from: Int32(-32_767), through: 32_767, by: 331) {
            for offset in [-1, 0, 1, -128, -129, 127] as [Int32] { samples.append(step << 16 &+ offset) }
        }
        samples.removeLast(samples.count % channels)
        try Self.wav(samples, channels: channels).write(to: scratch.url("a.wav"))
        let rows = (0..<channels).map { channel in
            stride(from: channel, to: samples.count, by: channels).map { Self.value(samples[$0]) }
        }
        for (zoom, split) in [(2, false), (2, true), (3, true)] {
            let options = ["-z", "\(zoom)", "-o", scratch.file("a.dat")] + (split ? ["--split-channels"] : [])
            let result = try runProcess(Syrinx.path, ["waveform", scratch.file("a.wav")] + options)
            try #require(result.status == 0, "\(result.errors)")
            let waveform = try PeakWaveform(datFile: try Data(contentsOf: scratch.url("a.dat")))
            #expect(waveform.values.map { Int($0) } == plain(rows, zoom: zoom, mixed: !split))
        }
    }

    @Test("What goes to standard output is what goes to a file; a pipe is drawn to its end")
    func pipes() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.flac"))
        // An AU file may leave its length open.
        try Fixture.ffmpeg(["-i", scratch.file("a.flac"), "-c:a", "pcm_s16be", "-f", "au", scratch.file("known.au")])
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

    @Test("Floats, and a part of the input")
    func part() throws {
        let scratch = try ScratchDirectory()
        let input = try make("f.wav", ["-c:a", "pcm_f32le"], channels: 2, in: scratch)
        let raw = try runProcess("ffmpeg", ["-v", "error", "-nostdin", "-i", input, "-f", "f32le", "-"]).stdout
        let floats = raw.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let samples = (0..<2).map { channel in
            stride(from: channel, to: floats.count, by: 2).map { Int((floats[$0] * 32767).rounded(.towardZero)) }
        }
        let result = try Syrinx.run(
            "waveform",
            "-o",
            "-",
            "--output-format",
            "txt",
            "-z",
            "100",
            "--start",
            "0.1",
            "--end",
            "0:00.5",
            input
        )
        #expect(result.status == 0)
        let clipped = samples.map { Array($0[2205..<11025]).map { max(min($0, 32767), -32768) } }
        let expected = plain(clipped, zoom: 100, mixed: true)
        #expect(result.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) } == expected)
        #expect(result.output.split(separator: "\n").count == 89)
    }

    @Test("The waveform begins and ends with the sound; the padding only if it is asked for")
    func alignment() throws {
        let scratch = try ScratchDirectory()
        let click = "aevalsrc=if(eq(n\\,0)+eq(n\\,39999)\\,0.9\\,0):s=44100:n=1024:d=0.90702947845805"
        for (name, codec) in [("a.mp3", ["-c:a", "libmp3lame", "-b:a", "128k"]), ("a.m4a", ["-c:a", "aac"])] {
            try Fixture.ffmpeg(["-f", "lavfi", "-i", click] + codec + [scratch.file(name)])
            func lengths(_ options: [String]) throws -> (count: Int, loudest: [Int]) {
                let arguments = ["waveform", "-o", scratch.file("a.dat"), "-z", "16", scratch.file(name)] + options
                let result = try runProcess(Syrinx.path, arguments)
                try #require(result.status == 0, "\(result.errors)")
                let waveform = try PeakWaveform(datFile: try Data(contentsOf: scratch.url("a.dat")))
                let loud = (0..<waveform.count).filter { waveform.maximum($0) > 8000 }
                return (waveform.count, loud)
            }
            let plain = try lengths([])
            #expect(plain.count == 2500)
            #expect(plain.loudest.first == 0 && plain.loudest.last == 2499)
            if name == "a.mp3" {
                let padded = try lengths(["--keep-padding"])
                // LAME fills up to whole packets of 1152: 576 and 529 before, and what is left behind.
                let packets = (40000 + 1105 + 1151) / 1152
                #expect(padded.count > 2500 && padded.count <= (packets + 1) * 1152 / 16)
                #expect(padded.loudest.last == 2499)
            }
        }
    }

    @Test("Pictures of every kind, from a video, a URL and standard input")
    func pictures() throws {
        let scratch = try ScratchDirectory()
        let sine = "sine=frequency=300:sample_rate=44100:duration=2"
        try Fixture.ffmpeg(
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

    @Test("A waveform is brought to another zoom, and scaled until it fits")
    func again() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"))
        func run(_ arguments: String...) throws -> PeakWaveform {
            let result = try runProcess(Syrinx.path, ["waveform", "-o", scratch.file("out.dat")] + arguments)
            try #require(result.status == 0, "\(result.errors)")
            return try PeakWaveform(datFile: try Data(contentsOf: scratch.url("out.dat")))
        }
        let fine = try run("-z", "64", scratch.file("a.wav"))
        try fine.datFile().write(to: scratch.url("fine.dat"))
        try fine.jsonFile().write(to: scratch.url("fine.json"))
        #expect(try run("-z", "1000", scratch.file("fine.dat")) == fine.rescaled(to: 1000))
        #expect(try run("-z", "128", scratch.file("fine.json")) == run("-z", "128", scratch.file("a.wav")))
        let loud = try run("-z", "64", "--amplitude-scale", "auto", scratch.file("a.wav"))
        #expect(loud == fine.scaled(by: fine.automaticScale))
        #expect(loud.values.map { abs(Int($0)) }.max() ?? 0 >= 32766)
        let late = try Syrinx.run("waveform", "-o", scratch.file("x.dat"), "-z", "32", scratch.file("fine.dat"))
        #expect(late.status == 64)
        #expect(!FileManager.default.fileExists(atPath: scratch.file("x.dat")))
    }

    @Test("Several inputs go to a folder, what fails among them is told")
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

    @Test("A recording that is cut off gives the picture of what is there, and says so")
    func damage() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.flac"))
        let data = try #require(FileManager.default.contents(atPath: scratch.file("a.flac")))
        try data.prefix(data.count / 2).write(to: scratch.url("cut.flac"))
        let result = try Syrinx.run("waveform", "-o", scratch.file("cut.dat"), scratch.file("cut.flac"))
        #expect(result.status == 74)
        #expect(result.errorLines.count == 1 && result.errors.contains("the rest is missing"))
        let part = try PeakWaveform(datFile: try Data(contentsOf: scratch.url("cut.dat")))
        let whole = try Syrinx.run("waveform", "-o", scratch.file("whole.dat"), scratch.file("a.flac"))
        #expect(whole.status == 0)
        let all = try PeakWaveform(datFile: try Data(contentsOf: scratch.url("whole.dat")))
        #expect(part.count > 100 && part.count < all.count)
        #expect(part.blocks(0..<part.count - 1) == all.blocks(0..<part.count - 1))
        let measured = try Syrinx.run("meter", "--json", scratch.file("cut.flac"))
        #expect(measured.status == 74)
        #expect(measured.objects.first?["integrated"] as? Double != nil)
    }

    @Test("What was kept is used while the file is the same")
    func cache() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"))
        func run() throws -> Data {
            let result = try Syrinx.run(
                "waveform",
                "-o",
                scratch.file("a.dat"),
                "--cache",
                scratch.file("cache"),
                scratch.file("a.wav")
            )
            try #require(result.status == 0, "\(result.errors)")
            return try Data(contentsOf: scratch.url("a.dat"))
        }
        let first = try run()
        let kept = try #require(try FileManager.default.contentsOfDirectory(atPath: scratch.file("cache")).first)
        // Something else, kept for the same file, shows that it was not decoded again.
        let key = try #require(
            WaveformCache.Key(
                filePath: scratch.file("a.wav"),
                settings: "zoom 256, span 0.0 end, split false, padding false"
            )
        )
        let other = PeakWaveform(sampleRate: 44100, samplesPerPixel: 256, channelCount: 1, values: [-5, 5])
        try WaveformCache(directory: scratch.url("cache")).keep(other, for: key)
        #expect(try run() == other.datFile())
        try Data([1]).write(to: scratch.url("cache/\(kept)"))
        #expect(try run() == first)
    }

    @Test("What was made of a URL is used while the server names the same version; a picture's part is no whole")
    func webCache() throws {
        let scratch = try ScratchDirectory()
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        try Fixture.make(scratch.file("a.flac"), seconds: 20)
        try Fixture.make(scratch.file("b.flac"), seconds: 2)
        let first = [UInt8](try Data(contentsOf: scratch.url("a.flac")))
        let second = [UInt8](try Data(contentsOf: scratch.url("b.flac")))
        func run(_ path: String, _ name: String = "a.dat") throws -> Data {
            let options = ["--cache", scratch.file("cache"), "-o", scratch.file(name), server.url(path)]
            let result = try runProcess(Syrinx.path, ["waveform"] + options, environment: Syrinx.environment)
            try #require(result.status == 0, "\(result.errors)")
            return try Data(contentsOf: scratch.url(name))
        }
        server.route("/a", .file(first, type: "audio/flac").etag("\"one\""))
        _ = try run("/a", "a.png")
        let whole = try run("/a")
        #expect(try PeakWaveform(datFile: whole).count == (20 * 44_100 + 255) / 256)
        // The same tag and length with other bytes shows that they are not read again.
        server.route("/a", .file(first.map { _ in 0 }, type: "audio/flac").etag("\"one\""))
        #expect(try run("/a") == whole)
        server.route("/a", .file(second, type: "audio/flac").etag("\"two\""))
        #expect(try PeakWaveform(datFile: try run("/a")).count == (2 * 44_100 + 255) / 256)
        // Without tag and date there is no telling.
        server.route("/b", .file(first, type: "audio/flac").withoutHeader("ETag"))
        #expect(try run("/b") == whole)
        server.route("/b", .file(second, type: "audio/flac").withoutHeader("ETag"))
        #expect(try run("/b") != whole)
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
