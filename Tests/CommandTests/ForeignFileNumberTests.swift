import Foundation
import TestSupport
import Testing

/// Files whose numbers nothing has: each ended the process.
@Suite("Foreign numbers in files") struct ForeignFileNumberTests {
    private func little(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    private func big(_ value: UInt64, _ count: Int) -> [UInt8] { little(value, count).reversed() }

    /// An RF64 file that states so many frames of 16 bits at a sample rate, and has some.
    private func rf64(frames: UInt64, sampleRate: UInt64) -> [UInt8] {
        let size = frames.multipliedReportingOverflow(by: 2).partialValue
        let ds64 = little(.max >> 1, 8) + little(size, 8) + little(frames, 8) + little(0, 4)
        let format =
            little(1, 2) + little(1, 2) + little(sampleRate, 4) + little(2 * sampleRate, 4) + little(2, 2)
            + little(16, 2)
        return Array("RF64".utf8) + little(0xFFFF_FFFF, 4) + Array("WAVEds64".utf8) + little(28, 4) + ds64
            + Array("fmt ".utf8) + little(16, 4) + format + Array("data".utf8) + little(0xFFFF_FFFF, 4)
            + [UInt8](repeating: 1, count: 8_000)
    }

    /// The commands that read a recording, and how they may end.
    private func check(_ path: String, in scratch: ScratchDirectory) throws {
        let commands = [
            ["info", path], ["info", "--json", "--scan", path], ["meter", path],
            ["waveform", "-o", scratch.file("a.dat"), path],
            ["waveform", "-o", scratch.file("b.svg"), "-z", "auto", "--with-axis-labels", path],
            ["waveform", "-o", scratch.file("c.json"), "-z", "auto", "-s", "1", path],
            ["render", path, scratch.file("out.wav")], ["play", "--output", "file:/dev/null", path],
        ]
        for arguments in commands {
            let result = try runProcess(Syrinx.path, arguments, environment: Syrinx.environment, timeout: 30)
            #expect(
                [0, 64, 65, 74, 75].contains(result.status),
                "\(arguments): \(result.status ?? -1) \(result.errors)"
            )
        }
    }

    @Test("Stated frame counts at low rates", arguments: [1 << 62, (1 << 63) - 1, 1 << 40], [1, 100, 8_000])
    func frames(count: UInt64, sampleRate: UInt64) throws {
        let scratch = try ScratchDirectory()
        try Data(rf64(frames: count, sampleRate: sampleRate)).write(to: scratch.url("a.wav"))
        try check(scratch.file("a.wav"), in: scratch)
    }

    @Test("An MP4 box that ends near the largest number, in a file and over HTTP")
    func boxes() throws {
        let scratch = try ScratchDirectory()
        let type = big(24, 4) + Array("ftypM4A ".utf8) + big(0, 4) + Array("M4A mp42".utf8)
        for size in [UInt64(Int64.max) - 24, UInt64(Int64.max), UInt64.max, 1 << 62] {
            let bytes = type + big(1, 4) + Array("free".utf8) + big(size, 8) + [UInt8](repeating: 0, count: 4_000)
            try Data(bytes).write(to: scratch.url("a.m4a"))
            try check(scratch.file("a.m4a"), in: scratch)
            let server = try ScriptedHTTPServer()
            defer { server.stop() }
            server.route("/a.m4a", .file(bytes))
            let result = try runProcess(Syrinx.path, ["info", server.url("/a.m4a")], environment: Syrinx.environment)
            #expect([65, 74].contains(result.status), "\(result.status ?? -1): \(result.errors)")
        }
    }

    @Test(
        "A waveform that states a sample rate or a zoom of any number",
        arguments: [1, 2_147_483_647, 4_294_967_296, 1 << 62, Int.max],
        [1, 2_147_483_647, 4_294_967_296, 1 << 62, Int.max]
    )
    func waveforms(sampleRate: Int, zoom: Int) throws {
        let scratch = try ScratchDirectory()
        let text = """
            {"version":2,"channels":1,"sample_rate":\(sampleRate),"samples_per_pixel":\(zoom),"bits":8,"length":4,\
            "data":[-1,1,-2,2,-3,3,-4,4]}
            """
        try Data(text.utf8).write(to: scratch.url("a.json"))
        let options = [
            ["--with-axis-labels"], ["-z", "auto", "--with-axis-labels"], ["-s", "1"], ["--pixels-per-second", "10"],
        ]
        for (index, option) in options.enumerated() {
            for ending in ["svg", "dat", "png"] {
                let arguments =
                    ["waveform", "-o", scratch.file("\(index).\(ending)")] + option + [scratch.file("a.json")]
                let result = try runProcess(Syrinx.path, arguments, environment: Syrinx.environment, timeout: 30)
                #expect(
                    [0, 64, 65, 69].contains(result.status),
                    "\(arguments): \(result.status ?? -1) \(result.errors)"
                )
            }
        }
    }
}
