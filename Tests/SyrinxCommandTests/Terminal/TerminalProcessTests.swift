import Foundation
import SyrinxTestSupport
import Testing

/// The command on a terminal: one that `script` makes for it.
@Suite("play on a terminal")
struct TerminalProcessTests {
    private func start(_ arguments: String, term: String = "xterm", in scratch: ScratchDirectory) throws
        -> RunningSyrinx
    {
        try start(line: "'\(Syrinx.path)' \(arguments)", term: term, in: scratch)
    }

    /// Has a shell run `line` on a terminal of its own, with the terminal's settings told before and after.
    private func start(line: String, term: String = "xterm", in scratch: ScratchDirectory) throws -> RunningSyrinx {
        // Ctrl-C goes to the shell as well. Some shells end by it: not one that has something of its own to do then.
        let command = "trap : INT; stty cols 72 rows 24; stty -g; \(line); echo status $?; stty -g"
        return try RunningSyrinx(
            program: "script",
            arguments: ["-qfec", command, scratch.file("typescript")],
            environment: ["TERM": term, "SHELL": "/bin/sh"]
        )
    }

    /// A line that runs the command with job control, so that it can be stopped, and then goes on with it.
    private func resumed(_ arguments: String) -> String {
        "set -m; '\(Syrinx.path)' \(arguments); echo stopped $?; stty -g; sleep 1; fg"
    }

    private func expect(_ running: RunningSyrinx, shows text: String) throws {
        waitUntil { running.output.contains(text) || running.process.exitStatus != nil }
        try #require(running.output.contains(text), "\(text) in \(running.output.suffix(400))")
    }

    /// The terminal's settings before and after, as `stty -g` tells them, have to be the same, and the cursor as often shown
    /// as it was hidden.
    private func expectRestored(_ running: RunningSyrinx, stops: Int = 0) {
        let settings = running.output.split(whereSeparator: \.isNewline).filter {
            $0.count > 40 && $0.allSatisfy { $0.isHexDigit || $0 == ":" }
        }
        #expect(settings.count == 2 + stops && Set(settings).count == 1, "\(running.output)")
        #expect(running.output.components(separatedBy: "\u{1B}[?25l").count == 2 + stops)
        #expect(running.output.components(separatedBy: "\u{1B}[?25h").count == 2 + stops)
        #expect(
            running.output.components(separatedBy: "\u{1B}[?7l").count
                == running.output.components(separatedBy: "\u{1B}[?7h").count
        )
    }

    @Test("Lines that are rewritten, and keys")
    func keys() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 300, sampleRate: 8_000)
        let running = try start("play --plain --output null '\(scratch.file("a.wav"))'", in: scratch)
        try expect(running, shows: "playing   0:00 / 5:00  [")
        running.type("]")
        try expect(running, shows: "1.1×")
        running.type(" ")
        try expect(running, shows: "paused")
        running.type("\u{1B}[A")
        try expect(running, shows: "paused    1:0")
        running.type("9")
        try expect(running, shows: "vol 95 %")
        running.type("m")
        try expect(running, shows: "muted")
        running.type("L")
        try expect(running, shows: "loop one")
        running.type("?")
        try expect(running, shows: "PgDn PgUp  chapter")
        running.type("q")
        try expect(running, shows: "status 0")
        #expect(running.process.wait() == 0)
        expectRestored(running)
        // Nothing is wider than the terminal, so nothing wraps.
        let drawn = running.output.components(separatedBy: "\r").map { $0.prefix { $0 != "\u{1B}" && !$0.isNewline } }
        #expect(drawn.filter { $0.hasPrefix("playing") }.allSatisfy { $0.count < 72 })
    }

    @Test("The terminal shows the title, and keys select chapters and inputs")
    func nowPlaying() throws {
        let scratch = try ScratchDirectory()
        try Fixture.makeChaptered(scratch.file("a.m4b"))
        try Fixture.make(scratch.file("b.wav"), seconds: 60)
        let running = try start(
            "--plain --output null '\(scratch.file("a.m4b"))' '\(scratch.file("b.wav"))'",
            in: scratch
        )
        try expect(running, shows: "1/2  The Reader – Three Parts  ·  Tests")
        try expect(running, shows: "Chapter 1/3  Alpha")
        running.type("\u{1B}[5~")
        try expect(running, shows: "Chapter 2/3  Beta")
        running.type("\r")
        try expect(running, shows: "2/2  b.wav")
        let mark = running.output.count
        running.type("<")
        waitUntil { running.output.dropFirst(mark).contains("1/2  The Reader") }
        #expect(running.output.dropFirst(mark).contains("1/2  The Reader"))
        running.type("q")
        try expect(running, shows: "status 0")
        #expect(running.process.wait() == 0)
        expectRestored(running)
    }

    @Test("A dumb terminal gets one line for each input and chapter")
    func dumb() throws {
        let scratch = try ScratchDirectory()
        try Fixture.makeChaptered(scratch.file("a.m4b"))
        try Fixture.make(scratch.file("b.wav"), seconds: 1)
        let files = "'\(scratch.file("a.m4b"))' '\(scratch.file("b.wav"))'"
        let running = try start("play --plain --rate 32 --output null \(files)", term: "dumb", in: scratch)
        try expect(running, shows: "status 0")
        #expect(running.process.wait() == 0)
        let lines = running.output.split(whereSeparator: \.isNewline).dropFirst().prefix { $0 != "status 0" }
        let chapters = ["Alpha", "Beta", "Gamma"].enumerated().map { "Chapter \($0 + 1)/3  \($1)" }
        #expect(lines.map(String.init) == ["1/2  The Reader – Three Parts  ·  Tests"] + chapters + ["2/2  b.wav"])
        #expect(!running.output.contains("\u{1B}"))
    }

    @Test("Keys come from the terminal while standard input is a pipe that is played")
    func keysBesidePipe() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.ogg"), seconds: 60)
        let line = "cat '\(scratch.file("a.ogg"))' | '\(Syrinx.path)' play --plain --output null -"
        let running = try start(line: line, in: scratch)
        try expect(running, shows: "playing   0:00")
        running.type("]")
        try expect(running, shows: "1.1×")
        running.type(" ")
        try expect(running, shows: "paused")
        running.type("q")
        try expect(running, shows: "status 0")
        #expect(running.process.wait() == 0)
        expectRestored(running)
    }

    @Test("Ctrl-Z stops it with the terminal restored, and fg takes it up again")
    func suspension() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 300, sampleRate: 8_000)
        let running = try start(line: resumed("play --plain --output null '\(scratch.file("a.wav"))'"), in: scratch)
        try expect(running, shows: "playing")
        running.type("\u{1A}")
        try expect(running, shows: "stopped 148")
        let mark = running.output.count
        waitUntil { running.output.dropFirst(mark).contains("playing") || running.process.exitStatus != nil }
        running.type("]")
        try expect(running, shows: "1.1×")
        running.type("q")
        try expect(running, shows: "status 0")
        #expect(running.process.wait() == 0)
        expectRestored(running, stops: 1)
    }

    @Test("Ctrl-Z stops it without keys too, and the events say so")
    func suspensionWithEvents() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 300, sampleRate: 8_000)
        let running = try start(line: resumed("play --json --output null '\(scratch.file("a.wav"))'"), in: scratch)
        try expect(running, shows: #""state":"playing""#)
        running.type("\u{1A}")
        try expect(running, shows: "stopped 148")
        // Read as text: the terminal writes `^Z` in front of a line.
        let states = running.output.matches(of: /"state":"([a-z]+)"/).map(\.output.1)
        #expect(states.last == "paused")
        let mark = running.output.count
        waitUntil { running.output.dropFirst(mark).contains(#""state":"playing""#) }
        #expect(running.output.dropFirst(mark).contains(#""state":"playing""#))
        running.type("\u{3}")
        try expect(running, shows: "status 130")
    }

    @Test("Ctrl-Z stops a render, which goes on after")
    func suspendedRender() throws {
        let scratch = try ScratchDirectory()
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        try Fixture.make(scratch.file("in.wav"), seconds: 4)
        let bytes = try #require(FileManager.default.contents(atPath: scratch.file("in.wav")))
        server.route("/in.wav", .file(Array(bytes), type: "audio/wav").paced(bytesPerSecond: 200_000))
        let running = try start(
            line: resumed("render \(server.url("/in.wav")) '\(scratch.file("out.flac"))'"),
            in: scratch
        )
        try expect(running, shows: "rendering  [")
        running.type("\u{1A}")
        try expect(running, shows: "stopped 148")
        #expect(!FileManager.default.fileExists(atPath: scratch.file("out.flac")))
        try expect(running, shows: "status 0")
        #expect(running.process.wait() == 0)
        #expect(try Fixture.decode(scratch.file("out.flac"))[0].count == 4 * 44_100)
    }

    @Test("SIGTERM and SIGHUP put the terminal back", arguments: [SIGTERM, SIGHUP])
    func ended(signal: Int32) throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 60)
        let line =
            "sh -c 'echo pid $$; exec \"$0\" play --plain --output null \"$1\"' '\(Syrinx.path)' '\(scratch.file("a.wav"))'"
        let running = try start(line: line, in: scratch)
        try expect(running, shows: "playing")
        let text = try #require(running.output.firstMatch(of: /pid ([0-9]+)/)).output.1
        kill(try #require(pid_t(text)), signal)
        try expect(running, shows: "status \(128 + signal)")
        #expect(running.process.wait() == 0)
        expectRestored(running)
    }

    @Test("An input that cannot be played puts the terminal back, and the message stays")
    func failure() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 1)
        let running = try start("play --plain --output null '\(scratch.file("a.wav"))' /nonexistent.mp3", in: scratch)
        try expect(running, shows: "status 66")
        #expect(running.process.wait() == 0)
        #expect(running.output.contains("syrinx: /nonexistent.mp3: "))
        expectRestored(running)
    }

    @Test("Ctrl-Z where no shell could resume it stops nothing")
    func orphanedStop() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 300, sampleRate: 8_000)
        let running = try start("play --plain --output null '\(scratch.file("a.wav"))'", in: scratch)
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
        let running = try start("play --plain --output null '\(scratch.file("a.wav"))'", in: scratch)
        try expect(running, shows: "playing")
        running.type("\u{3}")
        try expect(running, shows: "status 130")
        #expect(running.process.wait() == 0)
        expectRestored(running)
    }
}
