import Foundation
import TestSupport
import Testing

/// The command on a terminal: one that `script` makes for it.
@Suite("play on a terminal")
struct TerminalProcessTests {
    private func start(_ arguments: String, in scratch: ScratchDirectory) throws -> RunningSyrinx {
        // Ctrl-C goes to the shell as well. Some shells end by it: not one that has something of its own to do then.
        let command = "trap : INT; stty cols 72; stty -g; '\(Syrinx.path)' \(arguments); echo status $?; stty -g"
        return try RunningSyrinx(
            program: "script",
            arguments: ["-qfec", command, scratch.file("typescript")],
            environment: ["TERM": "xterm", "SHELL": "/bin/sh"]
        )
    }

    private func expect(_ running: RunningSyrinx, shows text: String) throws {
        waitUntil { running.output.contains(text) || running.process.exitStatus != nil }
        try #require(running.output.contains(text), "\(text) in \(running.output.suffix(400))")
    }

    /// The terminal's settings before and after, as `stty -g` tells them, have to be the same.
    private func expectRestored(_ running: RunningSyrinx) {
        let settings = running.output.split(whereSeparator: \.isNewline).filter {
            $0.count > 40 && $0.allSatisfy { $0.isHexDigit || $0 == ":" }
        }
        #expect(settings.count == 2 && settings.first == settings.last, "\(running.output)")
        #expect(running.output.components(separatedBy: "\u{1B}[?25l").count == 2)
        #expect(running.output.components(separatedBy: "\u{1B}[?25h").count == 2)
    }

    @Test("One line that is rewritten, and keys")
    func keys() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 300)
        let running = try start("play --output null '\(scratch.file("a.wav"))'", in: scratch)
        try expect(running, shows: "playing   0:00 / 5:00  [")
        running.type("]")
        try expect(running, shows: "1.1×")
        running.type(" ")
        try expect(running, shows: "paused")
        running.type("\u{1B}[A")
        try expect(running, shows: "paused    1:0")
        running.type("9")
        try expect(running, shows: "vol 95 %")
        running.type("q")
        try expect(running, shows: "status 0")
        #expect(running.process.wait() == 0)
        expectRestored(running)
        // Nothing is wider than the terminal, so nothing wraps.
        let drawn = running.output.components(separatedBy: "\r").map { $0.prefix { $0 != "\u{1B}" && !$0.isNewline } }
        #expect(drawn.filter { $0.hasPrefix("playing") }.allSatisfy { $0.count < 72 })
    }

    @Test("Ctrl-Z where no shell could resume it stops nothing")
    func orphanedStop() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 300)
        let running = try start("play --output null '\(scratch.file("a.wav"))'", in: scratch)
        try expect(running, shows: "playing")
        running.type("\u{1A}")
        waitUntil { running.output.components(separatedBy: "\u{1B}[?25l").count > 2 }
        running.type("]")
        try expect(running, shows: "1.1×")
        running.type("q")
        try expect(running, shows: "status 0")
        #expect(running.process.wait() == 0)
    }

    @Test("Ctrl-C puts the terminal back")
    func interruption() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 60)
        let running = try start("play --output null '\(scratch.file("a.wav"))'", in: scratch)
        try expect(running, shows: "playing")
        running.type("\u{3}")
        try expect(running, shows: "status 130")
        #expect(running.process.wait() == 0)
        expectRestored(running)
    }
}
