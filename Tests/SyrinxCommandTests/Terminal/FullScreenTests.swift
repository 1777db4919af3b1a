import Foundation
import SyrinxTestSupport
import Testing

/// `play` on all of a terminal, which `script` makes for it.
@Suite("play on the full screen")
struct FullScreenTests {
    private func start(_ arguments: String, in scratch: ScratchDirectory) throws -> RunningSyrinx {
        let line = "'\(Syrinx.path)' \(arguments)"
        let command = "trap : INT; stty cols 90 rows 24; stty -g; \(line); echo status $?; stty -g"
        return try RunningSyrinx(
            program: "script",
            arguments: ["-qfec", command, scratch.file("typescript")],
            environment: ["TERM": "xterm-256color", "SHELL": "/bin/sh", "XDG_CONFIG_HOME": scratch.file("config")]
        )
    }

    private func expect(_ running: RunningSyrinx, shows text: String, after mark: Int = 0) throws {
        waitUntil { running.output.dropFirst(mark).contains(text) || running.process.exitStatus != nil }
        try #require(running.output.dropFirst(mark).contains(text), "\(text) in \(running.output.suffix(800))")
    }

    /// The settings of the terminal, its screen, cursor, mouse and paste have to be as before.
    private func expectRestored(_ running: RunningSyrinx) {
        let settings = running.output.split(whereSeparator: \.isNewline).filter {
            $0.count > 40 && $0.allSatisfy { $0.isHexDigit || $0 == ":" }
        }
        #expect(settings.count == 2 && Set(settings).count == 1, "\(running.output.suffix(400))")
        for mode in ["1049", "1002", "1006", "2004"] {
            let last = { (suffix: String) in
                running.output.range(of: "\u{1B}[?\(mode)\(suffix)", options: .backwards)?.lowerBound
            }
            if let set = last("h"), let reset = last("l") { #expect(set < reset) } else { Issue.record("\(mode)") }
        }
    }

    @Test("Keys play, turn pages and end, and the terminal is as before")
    func keys() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 300, sampleRate: 8_000)
        try Fixture.make(scratch.file("second.wav"), seconds: 300, sampleRate: 8_000)
        let running = try start("play --output null '\(scratch.file("a.wav"))'", in: scratch)
        try expect(running, shows: "a.wav")
        try expect(running, shows: "playing")
        running.type(" ")
        try expect(running, shows: "paused")
        running.type("]")
        try expect(running, shows: "1.1×")
        running.type("2")
        try expect(running, shows: "remove")
        // Pasted, as a link from a browser, and appended.
        running.type("\u{1B}[200~\(scratch.file("second.wav"))\u{1B}[201~")
        try expect(running, shows: "second.wav")
        let mark = running.output.count
        running.type("\u{1B}\r")
        try expect(running, shows: "second.wav", after: mark)
        running.type("q")
        try expect(running, shows: "status 0")
        #expect(running.process.wait() == 0)
        expectRestored(running)
    }

    @Test("The queue tells the lengths of files that have not been opened")
    func lengths() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 300, sampleRate: 8_000)
        for name in ["b", "c"] { try Fixture.make(scratch.file("\(name).wav"), seconds: 83, sampleRate: 8_000) }
        try Data("no sound".utf8).write(to: URL(fileURLWithPath: scratch.file("d.wav")))
        let inputs = ["a", "b", "c", "d"].map { "'\(scratch.file("\($0).wav"))'" }.joined(separator: " ")
        let running = try start("play --output null \(inputs)", in: scratch)
        try expect(running, shows: "playing")
        running.type("2")
        try expect(running, shows: "1:23")
        running.type("q")
        try expect(running, shows: "status 0")
    }

    @Test("The folders in a folder are played too, and the queue tells titles and performers before they are opened")
    func tags() throws {
        let scratch = try ScratchDirectory()
        try FileManager.default.createDirectory(
            atPath: scratch.file("Artist/A%20Disc é"),
            withIntermediateDirectories: true
        )
        try Fixture.make(scratch.file("Artist/A%20Disc é/1.flac"), seconds: 60, sampleRate: 8_000)
        let tags = ["-metadata", "title=Low Water", "-metadata", "artist=Nobody", "-metadata", "album=Shores"]
        try Fixture.make(scratch.file("Artist/A%20Disc é/2.flac"), seconds: 83, tags, sampleRate: 8_000)
        let running = try start("play --output null '\(scratch.file("Artist"))'", in: scratch)
        try expect(running, shows: "playing")
        running.type("2")
        try expect(running, shows: "Low Water")
        try expect(running, shows: "Nobody · Shores")
        running.type("q")
        try expect(running, shows: "status 0")
    }

    @Test("A click on the waveform goes to its place")
    func mouse() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 600, sampleRate: 8_000)
        let running = try start("play --output null '\(scratch.file("a.wav"))'", in: scratch)
        try expect(running, shows: "playing")
        running.type(" ")
        try expect(running, shows: "paused")
        // The bar stands above the line of the times; its middle is minute five.
        for row in stride(from: 22, through: 8, by: -1) {
            running.type("\u{1B}[<0;46;\(row)M\u{1B}[<0;46;\(row)m")
        }
        // Drawn whole, since only what changes is written.
        waitUntil {
            running.type("\u{0C}")
            return running.output.contains("5:0") || running.output.contains("4:5") || running.process.exitStatus != nil
        }
        #expect(running.output.contains("5:0") || running.output.contains("4:5"))
        running.type("q")
        try expect(running, shows: "status 0")
    }

    @Test("Signals put the terminal back, and so does a crash", arguments: [SIGTERM, SIGHUP, SIGINT, SIGSEGV])
    func ended(signal: Int32) throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 60)
        let command =
            "sh -c 'ulimit -c 0; echo pid $$; exec \"$0\" play --output null \"$1\"' '\(Syrinx.path)' '\(scratch.file("a.wav"))'"
        let running = try RunningSyrinx(
            program: "script",
            arguments: [
                "-qfec", "trap : INT; stty cols 90 rows 24; stty -g; \(command); echo status $?; stty -g",
                scratch.file("typescript"),
            ],
            environment: ["TERM": "xterm-256color", "SHELL": "/bin/sh"]
        )
        try expect(running, shows: "playing")
        let text = try #require(running.output.firstMatch(of: /pid ([0-9]+)/)).output.1
        kill(try #require(pid_t(text)), signal)
        try expect(running, shows: "status \(128 + signal)")
        #expect(running.process.wait() == 0)
        expectRestored(running)
    }

    @Test("A failure is shown, and printed when the screen is left")
    func failure() throws {
        let scratch = try ScratchDirectory()
        let running = try start("play --output null /nonexistent.mp3", in: scratch)
        try expect(running, shows: "status 66")
        #expect(running.process.wait() == 0)
        #expect(running.output.contains("syrinx: /nonexistent.mp3: "))
        expectRestored(running)
    }

    @Test("Keys and colours come from config.toml, and its errors are told")
    func config() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 60)
        let folder = scratch.file("config/syrinx")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "[keys]\nx = \"pause\"\n".write(toFile: folder + "/config.toml", atomically: true, encoding: .utf8)
        let running = try start("play --output null '\(scratch.file("a.wav"))'", in: scratch)
        try expect(running, shows: "playing")
        running.type("x")
        try expect(running, shows: "paused")
        running.type("q")
        try expect(running, shows: "status 0")
        try "[keys]\nx = \"dance\"\n".write(toFile: folder + "/config.toml", atomically: true, encoding: .utf8)
        let broken = try start("play --output null '\(scratch.file("a.wav"))'", in: scratch)
        try expect(broken, shows: "config.toml")
        broken.type("q")
        try expect(broken, shows: "status 0")
    }
}
