import Foundation
import SyrinxTestSupport
import Testing

/// `syrinx` alone on a terminal, which `script` makes for it.
@Suite("syrinx without an input")
struct IdleScreenTests {
    private func start(_ arguments: String, in scratch: ScratchDirectory) throws -> RunningSyrinx {
        let command = "stty cols 90 rows 24; '\(Syrinx.path)' \(arguments); echo status $?"
        return try RunningSyrinx(
            program: "script",
            arguments: ["-qfec", command, scratch.file("typescript")],
            environment: [
                "TERM": "xterm-256color", "SHELL": "/bin/sh", "XDG_STATE_HOME": scratch.file("state"),
                "XDG_DATA_HOME": scratch.file("data"),
            ]
        )
    }

    private func expect(_ running: RunningSyrinx, shows text: String) throws {
        waitUntil { running.output.contains(text) || running.process.exitStatus != nil }
        try #require(running.output.contains(text), "\(text) in \(running.output.suffix(800))")
    }

    @Test("Without a terminal it prints the help")
    func help() throws {
        let result = try Syrinx.run()
        #expect(result.status == 0 && result.output.contains("USAGE:"))
        #expect(try Syrinx.run("play").status == 64)
    }

    @Test("It waits with nothing to play, plays what is opened, and waits again at its end")
    func waits() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 1)
        let running = try start("", in: scratch)
        try expect(running, shows: "Nothing is open")
        running.type("\u{1B}[200~\(scratch.file("a.wav"))\u{1B}[201~\r")
        try expect(running, shows: "a.wav")
        try expect(running, shows: "playing")
        let mark = running.output.count
        waitUntil { running.output.dropFirst(mark).contains("ended") || running.process.exitStatus != nil }
        #expect(running.output.dropFirst(mark).contains("ended"), "\(running.output.suffix(200))")
        running.type("q")
        try expect(running, shows: "status 0")
    }

    @Test("What was heard last is offered, and goes on at a key")
    func offers() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a.flac")
        try Fixture.make(path, seconds: 120, ["-c:a", "flac"], sampleRate: 8_000)
        let earlier = try RunningSyrinx(
            arguments: ["play", "--resume", "--json", "--control", "--output", "null", path],
            environment: ["XDG_STATE_HOME": scratch.file("state")]
        )
        _ = try earlier.state("playing")
        earlier.send(#"{"command":"seek","time":80}"#)
        _ = try earlier.event("position") { ($0["time"] as? Double ?? 0) > 83.5 }
        earlier.send(#"{"command":"stop"}"#)
        #expect(earlier.process.wait() == 0)
        let running = try start("play --output null", in: scratch)
        try expect(running, shows: "a.flac")
        try expect(running, shows: "stopped")
        running.type(" ")
        // Drawn whole, since only what changes is written.
        waitUntil {
            running.type("\u{0C}")
            return running.output.contains("resumes at 1:2") || running.process.exitStatus != nil
        }
        #expect(running.output.contains("resumes at 1:2"))
        try expect(running, shows: "playing")
        running.type("q")
        try expect(running, shows: "status 0")
    }
}
