import Foundation
import SyrinxTestSupport
import Testing

@Suite("play --start") struct PlayStartTests {
    /// Returns the codes of the errors.
    private func codes(_ result: ProcessResult) -> [String] {
        result.objects.compactMap { $0["event"] as? String == "error" ? $0["code"] as? String : nil }
    }

    private func play(_ options: [String], _ inputs: [String]) throws -> ProcessResult {
        try runProcess(Syrinx.path, ["play", "--json"] + options + inputs, environment: Syrinx.environment)
    }

    @Test(
        "A start at or behind the end is an error, whatever tells the end",
        arguments: ["a.wav", "a.flac", "cbr.mp3", "a.ogg", "a.aac"]
    )
    func behindTheEnd(name: String) throws {
        let scratch = try ScratchDirectory()
        let format = try #require(Fixture.formats.first { $0.name == name })
        try Fixture.make(scratch.file(name), seconds: 2, format.options)
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        let file = ScriptedResponse.file(Array(try #require(FileManager.default.contents(atPath: scratch.file(name)))))
        server.route("/ranges", file)
        server.route("/none", file.withoutRanges())
        server.route("/unknown", file.withoutRanges().withoutLength())
        for input in [scratch.file(name), server.url("/ranges"), server.url("/none"), server.url("/unknown")] {
            let output = ["--output", "file:\(scratch.file("out.wav"))"]
            let result = try play(output + ["--start", "5"], [input])
            #expect(result.status == 64, "\(input): \(result.errors)")
            #expect(codes(result) == ["usage.startBeyondEnd"])
            #expect(result.errorLines.count == 1)
            #expect(result.states.last == "failed" && !result.states.contains("playing"), "\(result.states)")
            // Up to the end there is something to play.
            #expect(try play(output + ["--start", "1.9"], [input]).status == 0)
        }
    }

    @Test("Inputs shorter than --start fail, the others play, and the first failure sets the exit code")
    func severalInputs() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("long.wav"), seconds: 1)
        try Fixture.make(scratch.file("short.wav"), seconds: 0.3)
        let (long, short, output) = (scratch.file("long.wav"), scratch.file("short.wav"), scratch.file("out.wav"))
        let rest = try Fixture.decode(long).map { Array($0[22_050...]) }
        for inputs in [[long, short, long], [short, long, long], [long, long, short]] {
            let result = try play(["--output", "file:\(output)", "--start", "0.5"], inputs)
            #expect(result.status == 64)
            #expect(codes(result) == ["usage.startBeyondEnd"])
            let last = result.states.filter { ["ended", "failed"].contains($0) }
            #expect(last == inputs.map { $0 == short ? "failed" : "ended" })
            #expect(try readWAV(output).channels == rest.map { $0 + $0 })
        }
    }

    @Test("A part of no length is no error")
    func emptyPart() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 0.5)
        let result = try play(["--output", "null", "--start", "0.2", "--duration", "0"], [scratch.file("a.wav")])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.states.last == "ended")
    }
}
