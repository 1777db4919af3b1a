import Foundation
import TestSupport
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

    /// Runs every command on the file, and some of them on its URL; each must end with a documented status.
    private func checkEveryCommand(_ bytes: [UInt8], _ name: String, in scratch: ScratchDirectory) throws {
        let path = scratch.file(name)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        server.route("/" + name, .file(bytes))
        server.route("/whole/" + name, .file(bytes).withoutRanges())
        let folder = try ScratchDirectory()
        let trial = CommandTrial(folder: folder.path + "/")
        let runs: [(String, [CommandTrial.Command])] = [
            (path, CommandTrial.Command.allCases), (server.url("/" + name), [.info, .drawing, .play]),
            (server.url("/whole/" + name), [.meter]),
        ]
        for (input, commands) in runs {
            for command in commands {
                for complaint in try trial.complaints(command, [input]) { Issue.record("\(complaint)") }
            }
        }
    }

    @Test("An MP4 box that ends near the largest offset does not end the process", arguments: [0, 8, 12] as [Int64])
    func boxes(rest: Int64) throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a.m4a")
        // In fragments, because all boxes are looked through then.
        let flags = "+frag_keyframe+empty_moov+default_base_moof"
        try Fixture.make(path, seconds: 1, ["-c:a", "aac", "-movflags", flags])
        let sound = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let box = { (offset: Int) in
            [0, 0, 0, 1] + Array("free".utf8) + self.big(.max - rest - Int64(offset))
        }
        // Behind all boxes, and behind the first one, whose size stands in its first bytes.
        let first = sound[0..<4].reduce(0) { $0 << 8 | Int($1) }
        try checkEveryCommand(sound + box(sound.count), "behind.m4a", in: scratch)
        try checkEveryCommand(sound[..<first] + box(first) + sound[first...], "between.m4a", in: scratch)
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
        for rate in [1, 100, 8_000] as [Int64] {
            for (name, bytes) in [
                ("a.wav", longWave(rate: rate, frames: frames)), ("a.caf", longCAF(rate: Double(rate), frames: frames)),
            ] {
                let path = scratch.file("\(rate)-\(name)")
                try Data(bytes).write(to: URL(fileURLWithPath: path))
                let text = try Syrinx.run("info", path)
                #expect(text.status == 0, "\(name) at \(rate) Hz: \(text.errors)")
                #expect(text.output.contains("\(rate) Hz") && text.output.contains("length"), "\(text.output)")
                #expect(try Syrinx.run("info", "--json", path).objects.count == 1)
            }
        }
        guard frames == 1 << 62 else { return }
        try checkEveryCommand(longWave(rate: 100, frames: frames), "a.wav", in: scratch)
        try checkEveryCommand(longCAF(rate: 100, frames: frames), "a.caf", in: scratch)
    }

    private static let pictures: [[String]] = [
        ["--with-axis-labels"], ["-s", "1"], ["-s", "1", "-e", "2"], ["-z", "auto", "--with-axis-labels"],
        ["-z", "4611686018427387904"],
        ["-w", "100", "-e", "1e18"],
    ]

    @Test(
        "A waveform in JSON with a rate or a zoom of any size is drawn or refused",
        arguments: [
            "1", "100", "2147483647", "4294967296", "4611686018427387904", "9223372036854775807", "-1", "0", "1e308",
        ]
    )
    func waveforms(number: String) throws {
        let scratch = try ScratchDirectory()
        let trial = CommandTrial(folder: scratch.path + "/", statuses: [0, 64, 65])
        for (rate, zoom) in [(number, "256"), (number, "1"), ("8000", number)] {
            let text = """
                {"version":2,"channels":1,"sample_rate":\(rate),"samples_per_pixel":\(zoom),"bits":8,"length":4,\
                "data":[-1,2,-3,4,-5,6,-7,8]}
                """
            let path = scratch.file("a.json")
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            for options in Self.pictures {
                let arguments = ["waveform", path, "-o", scratch.file("x.svg")] + options
                if let problem = try trial.run(arguments) {
                    Issue.record("rate \(rate), zoom \(zoom), \(options): \(problem)")
                }
            }
        }
    }
}
