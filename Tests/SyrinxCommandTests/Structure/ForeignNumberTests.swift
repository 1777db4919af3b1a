import Foundation
import SyrinxTestSupport
import Testing

/// Numbers near the limits of 64 bits, in the fields that once ended the process.
@Suite("Numbers near the limits of 64 bits")
struct ForeignNumberTests {
    private func big(_ value: Int64) -> [UInt8] {
        (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private func little(_ value: Int64, _ count: Int = 8) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// Runs every command on the files, and some of them on their URLs; each must end with a documented status.
    private func checkEveryCommand(_ files: [(name: String, bytes: [UInt8])], in scratch: ScratchDirectory) throws {
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        for (name, bytes) in files {
            try Data(bytes).write(to: scratch.url(name))
            server.route("/" + name, .file(bytes))
            server.route("/whole/" + name, .file(bytes).withoutRanges())
        }
        let folder = try ScratchDirectory()
        let trial = CommandTrial(folder: folder.path + "/")
        let names = files.map(\.name)
        let runs: [([String], [CommandTrial.Command])] = [
            (names.map(scratch.file), CommandTrial.Command.allCases),
            (names.map { server.url("/" + $0) }, [.info, .drawing, .play]),
            (names.map { server.url("/whole/" + $0) }, [.meter]),
        ]
        for (inputs, commands) in runs {
            for command in commands {
                for complaint in try trial.complaints(command, inputs) {
                    Issue.record("\(complaint.input): \(complaint)")
                }
            }
        }
    }

    @Test("An MP4 box that ends near the largest offset does not end the process")
    func boxes() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a.m4a")
        // In fragments, because all boxes are looked through then.
        let flags = "+frag_keyframe+empty_moov+default_base_moof"
        try Fixture.make(path, seconds: 1, ["-c:a", "aac", "-movflags", flags])
        let sound = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        // Behind all boxes, and behind the first one, whose size stands in its first bytes.
        let first = sound[0..<4].reduce(0) { $0 << 8 | Int($1) }
        let files = ([0, 8, 12] as [Int64]).flatMap { rest -> [(name: String, bytes: [UInt8])] in
            let box = { (offset: Int) in
                [0, 0, 0, 1] + Array("free".utf8) + self.big(.max - rest - Int64(offset))
            }
            return [
                ("behind-\(rest).m4a", sound + box(sound.count)),
                ("between-\(rest).m4a", sound[..<first] + box(first) + sound[first...]),
            ]
        }
        try checkEveryCommand(files, in: scratch)
    }

    /// WAV of bytes at `rate`, whose `ds64` says that there are `frames`.
    private func longWave(rate: Int64, frames: Int64) -> [UInt8] {
        let format: [UInt8] =
            little(1, 2) + little(1, 2) + little(rate, 4) + little(rate, 4) + little(1, 2) + little(8, 2)
        let sizes: [UInt8] = little(frames &+ 72) + little(frames) + little(frames) + little(0, 4)
        var bytes = Array("RF64".utf8) + little(0xFFFF_FFFF, 4) + Array("WAVEds64".utf8) + little(28, 4) + sizes
        bytes += Array("fmt ".utf8) + little(16, 4) + format + Array("data".utf8) + little(0xFFFF_FFFF, 4)
        return bytes + [UInt8](repeating: 128, count: 1_000)
    }

    /// CAF of bytes at `rate`, whose packet table says that there are `frames`.
    private func longCAF(rate: Double, frames: Int64) -> [UInt8] {
        func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] { Array(name.utf8) + big(Int64(body.count)) + body }
        let numbers: [UInt32] = [0, 1, 1, 1, 8]
        let words = numbers.flatMap { Array(big(Int64($0))[4...]) }
        var bytes: [UInt8] = Array("caff".utf8) + [0, 1, 0, 0]
        bytes += chunk("desc", big(Int64(bitPattern: rate.bitPattern)) + Array("lpcm".utf8) + words)
        bytes += chunk("pakt", big(1) + big(frames) + [0, 0, 0, 0, 0, 0, 0, 0])
        return bytes + chunk("data", [0, 0, 0, 0] + [UInt8](repeating: 0, count: 1_000))
    }

    @Test("A stated length that overflows a time is printed", arguments: [1 << 62, .max, 1 << 40] as [Int64])
    func lengths(frames: Int64) throws {
        let scratch = try ScratchDirectory()
        var paths: [String] = []
        let rates: [Int64] = [1, 100, 8_000]
        for rate in rates {
            for (name, bytes) in [
                ("a.wav", longWave(rate: rate, frames: frames)), ("a.caf", longCAF(rate: Double(rate), frames: frames)),
            ] {
                paths.append(scratch.file("\(rate)-\(name)"))
                try Data(bytes).write(to: URL(fileURLWithPath: paths.last ?? ""))
            }
        }
        let text = try runProcess(Syrinx.path, ["info"] + paths, environment: Syrinx.environment)
        #expect(text.status == 0, "\(text.errors)")
        for rate in rates {
            #expect(text.output.components(separatedBy: " \(rate) Hz").count == 3, "\(text.output)")
        }
        #expect(text.output.components(separatedBy: "length").count == paths.count + 1, "\(text.output)")
        let events = try runProcess(Syrinx.path, ["info", "--json"] + paths, environment: Syrinx.environment)
        #expect(events.objects.count == paths.count)
        guard frames == 1 << 62 else { return }
        let files = [("a.wav", longWave(rate: 100, frames: frames)), ("b.caf", longCAF(rate: 100, frames: frames))]
        try checkEveryCommand(files, in: scratch)
    }

    private static let pictures: [[String]] = [
        ["--with-axis-labels"], ["-s", "1"], ["-s", "1", "-e", "2"], ["-z", "auto", "--with-axis-labels"],
        ["-z", "4611686018427387904"],
        ["-w", "100", "-e", "1e18"],
    ]

    private static let numbers = [
        "1", "100", "2147483647", "4294967296", "4611686018427387904", "9223372036854775807", "-1", "0", "1e308",
    ]

    @Test("A waveform in JSON with a rate or a zoom of any size is drawn or refused", arguments: pictures)
    func waveforms(options: [String]) throws {
        let scratch = try ScratchDirectory()
        let trial = CommandTrial(folder: scratch.path + "/", statuses: [0, 64, 65])
        let paths = try Self.numbers.flatMap { number in
            try [(number, "256"), (number, "1"), ("8000", number)].map { rate, zoom in
                let text = """
                    {"version":2,"channels":1,"sample_rate":\(rate),"samples_per_pixel":\(zoom),"bits":8,"length":4,\
                    "data":[-1,2,-3,4,-5,6,-7,8]}
                    """
                let path = scratch.file("rate \(rate), zoom \(zoom).json")
                try Data(text.utf8).write(to: URL(fileURLWithPath: path))
                return path
            }
        }
        let drawn = try ScratchDirectory()
        let complaints = try trial.complaints(paths, "waveform") {
            ["waveform", "-o", drawn.path + "/", "--output-format", "svg"] + options + $0
        }
        for complaint in complaints { Issue.record("\(complaint.input), \(options): \(complaint)") }
    }
}
