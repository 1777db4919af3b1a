import Foundation
import SyrinxTestSupport
import Testing

@Suite("play under control")
struct PlayControlTests {
    @Test("Commands change playback, and what is no command is a warning")
    func commands() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 60)
        let running = try RunningSyrinx("play", "--json", "--control", "--output", "null", scratch.file("a.wav"))
        _ = try running.state("playing")

        running.send(#"{"command":"pause"}"#)
        _ = try running.state("paused")
        var mark = running.events.count
        running.send(#"{"command":"resume"}"#)
        _ = try running.state("playing", after: mark)

        mark = running.events.count
        running.send(#"{"command":"seek","time":30.5}"#)
        let position = try running.event("position", after: mark) { ($0["time"] as? Double ?? 0) > 20 }
        let time = try #require(position["time"] as? Double)
        #expect((30.4...33).contains(time))

        mark = running.events.count
        running.send(#"{"command":"skip","by":-10}"#)
        _ = try running.event("position", after: mark) { (20...25).contains($0["time"] as? Double ?? 0) }

        mark = running.events.count
        running.send(#"{"command":"dance"}"#)
        running.send("nonsense")
        _ = try running.event("warning", after: mark) { ($0["message"] as? String)?.contains("dance") == true }
        let warning = try running.event("warning", after: mark) {
            ($0["message"] as? String)?.contains("nonsense") == true
        }
        #expect((warning["code"] as? String)?.hasPrefix("usage.") == true)

        running.send(#"{"command":"volume","value":0.5}"#)
        running.send(#"{"command":"pitch","value":300}"#)
        mark = running.events.count
        running.send(#"{"command":"rate","value":32}"#)
        _ = try running.state("ended", after: mark)
        #expect(running.process.wait() == 0)
        #expect(running.events.last { $0["event"] as? String == "state" }?["state"] as? String == "ended")
    }

    @Test("stop ends all, next goes on, and the end of standard input changes nothing")
    func stopAndNext() throws {
        let scratch = try ScratchDirectory()
        for name in ["a.wav", "b.wav"] { try Fixture.make(scratch.file(name), seconds: 60) }
        let running = try RunningSyrinx(
            "play",
            "--json",
            "--control",
            "--output",
            "null",
            scratch.file("a.wav"),
            scratch.file("b.wav")
        )
        _ = try running.state("playing")
        let mark = running.events.count
        running.send(#"{"command":"next"}"#)
        let opened = try running.event("opened", after: mark)
        #expect(opened["url"] as? String == scratch.file("b.wav"))
        _ = try running.event("position", after: mark) { $0["time"] as? Double ?? 0 > 0.1 }
        running.send(#"{"command":"stop"}"#)
        #expect(running.process.wait() == 0)
        #expect(running.events.last { $0["event"] as? String == "state" }?["state"] as? String == "stopped")

        try Fixture.make(scratch.file("short.wav"), seconds: 0.5)
        let other = try RunningSyrinx("play", "--json", "--control", "--output", "null", scratch.file("short.wav"))
        other.closeInput()
        #expect(other.process.wait() == 0)
        #expect(other.events.last { $0["event"] as? String == "state" }?["state"] as? String == "ended")
    }

    @Test("A command right after next applies to the next input", arguments: ["resume", "pause", "seek", "next"])
    func nextAndMore(command: String) throws {
        let scratch = try ScratchDirectory()
        let files = ["a.wav", "b.wav", "c.wav"].map(scratch.file)
        for file in files { try Fixture.make(file, seconds: 60) }
        let running = try RunningSyrinx(arguments: ["play", "--json", "--control", "--output", "null"] + files)
        _ = try running.state("playing")
        let mark = running.events.count
        running.type("{\"command\":\"next\"}\n{\"command\":\"\(command)\",\"time\":30}\n")
        let opened = try running.event("opened", after: mark)
        #expect(opened["url"] as? String == (command == "next" ? files[2] : files[1]))
        switch command {
        case "pause": _ = try running.state("paused", after: mark)
        case "seek": _ = try running.event("position", after: mark) { (30...40).contains($0["time"] as? Double ?? 0) }
        default: _ = try running.event("position", after: mark)
        }
        running.send(#"{"command":"stop"}"#)
        #expect(running.process.wait() == 0)
        #expect(running.events.count { $0["event"] as? String == "opened" } == 2)
        #expect(running.events.last { $0["event"] as? String == "state" }?["state"] as? String == "stopped")
    }

    @Test("previous, goto and enqueue lead through the queue, and what it does not have is a warning")
    func queue() throws {
        let scratch = try ScratchDirectory()
        let files = ["a.wav", "b.wav", "c.wav"].map(scratch.file)
        for file in files { try Fixture.make(file, seconds: 60) }
        let running = try RunningSyrinx(
            arguments: ["play", "--json", "--control", "--output", "null"] + files.dropLast()
        )
        _ = try running.state("playing")
        let enqueue = #"{"command":"enqueue","url":"\#(files[2])"}"#
        for (command, file) in [
            (#"{"command":"goto","index":1}"#, 1), (#"{"command":"previous"}"#, 0),
            (enqueue + "\n" + #"{"command":"goto","index":2}"#, 2), (#"{"command":"goto","index":0}"#, 0),
        ] {
            let mark = running.events.count
            running.send(command)
            let opened = try running.event("opened", after: mark)
            #expect(opened["url"] as? String == files[file])
            _ = try running.state("playing", after: mark)
        }
        for command in [
            #"{"command":"previous"}"#, #"{"command":"goto","index":3}"#, #"{"command":"enqueue","url":"ftp://h/a"}"#,
            #"{"command":"chapter","index":0}"#, #"{"command":"goto"}"#,
        ] {
            let mark = running.events.count
            running.send(command)
            let warning = try running.event("warning", after: mark)
            #expect(warning["code"] as? String == "usage.badCommand")
        }
        #expect(running.events.count { $0["event"] as? String == "opened" } == 5)
        running.send(#"{"command":"stop"}"#)
        #expect(running.process.wait() == 0)
    }

    @Test("Commands that change a setting are answered with all of them")
    func settings() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 60)
        let running = try RunningSyrinx("play", "--json", "--control", "--output", "null", scratch.file("a.wav"))
        _ = try running.state("playing")
        var expected = [1.0, 0, 1]
        for (place, name, value) in [(0, "rate", 1.5), (1, "pitch", -250), (2, "volume", 0.25)] {
            let mark = running.events.count
            running.send(#"{"command":"\#(name)","value":\#(value)}"#)
            let event = try running.event("settings", after: mark)
            expected[place] = value
            #expect(["rate", "pitch", "volume"].map { event[$0] as? Double } == expected)
        }
        let mark = running.events.count
        running.send(#"{"command":"rate","value":33}"#)
        _ = try running.event("warning", after: mark)
        #expect(!running.events.dropFirst(mark).contains { $0["event"] as? String == "settings" })
        running.send(#"{"command":"stop"}"#)
        #expect(running.process.wait() == 0)
    }

    @Test(
        "Chapter events come when chapters begin to be heard, and chapters can be selected",
        arguments: [
            ("a.m4b", ["-c:a", "aac", "-f", "mp4"]), ("a.mp3", ["-c:a", "libmp3lame"]),
            ("a.ogg", ["-c:a", "libvorbis"] + comments),
        ]
    )
    func chapters(name: String, options: [String]) throws {
        let scratch = try ScratchDirectory()
        try Fixture.makeChaptered(scratch.file(name), options)
        let running = try RunningSyrinx("play", "--json", "--control", "--output", "null", scratch.file(name))
        let first = try running.event("chapter")
        #expect(first["index"] as? Int == 0 && first["title"] as? String == "Alpha")
        #expect(first["start"] as? Double == 0 && first["end"] as? Double == 20)
        running.send(#"{"command":"chapter","index":2}"#)
        let third = try running.event("chapter") { $0["index"] as? Int == 2 }
        #expect(third["title"] as? String == "Gamma" && third["start"] as? Double == 40)
        let mark = running.events.count
        running.send(#"{"command":"seek","time":10}"#)
        running.send(#"{"command":"rate","value":32}"#)
        _ = try running.state("ended")
        let heard = running.events.dropFirst(mark).filter { $0["event"] as? String == "chapter" }
        #expect(heard.map { $0["index"] as? Int } == [0, 1, 2])
        #expect(running.process.wait() == 0)
    }

    /// Chapters in Ogg are comments, which ffmpeg writes only if they are given as such.
    private static let comments = [("00", "Alpha"), ("20", "Beta"), ("40", "Gamma")].flatMap { second, title in
        ["-metadata", "CHAPTER0\(second)=00:00:\(second).000", "-metadata", "CHAPTER0\(second)NAME=\(title)"]
    }

    @Test("An input is played again as long as it is asked for, and a WAV file holds all of it")
    func loop() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 0.5)
        let output = ["--output", "null", "--record", scratch.file("out.wav")]
        let running = try RunningSyrinx(
            arguments: ["play", "--json", "--control", "--loop", "one"] + output + [scratch.file("a.wav")]
        )
        waitUntil { running.events.count { $0["event"] as? String == "ended" } >= 3 }
        running.send(#"{"command":"stop"}"#)
        #expect(running.process.wait() == 0)
        #expect(try readWAV(scratch.file("out.wav")).channels[0].count > Int(1.5 * 44_100))
    }

    /// The state in which the signal comes.
    enum Moment: String, CaseIterable { case opening, buffering, playing, paused, seeking, toFile }

    @Test("Ctrl-C ends it at once in every state, and what was written can be read", arguments: Moment.allCases)
    func interruption(moment: Moment) throws {
        let scratch = try ScratchDirectory()
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        try Fixture.make(scratch.file("a.wav"), seconds: 20)
        let bytes = Array(try #require(FileManager.default.contents(atPath: scratch.file("a.wav"))))
        server.route("/hang", .hang)
        server.route("/a.wav", .file(bytes, type: "audio/wav"))
        server.route("/slow.wav", .file(bytes, type: "audio/wav").paced(bytesPerSecond: 88_200))
        let record = scratch.file("record.wav")
        let path = moment == .opening ? "/hang" : moment == .buffering || moment == .toFile ? "/slow.wav" : "/a.wav"
        let output = moment == .toFile ? ["--output", "file:\(record)"] : ["--output", "null", "--record", record]
        let running = try RunningSyrinx(arguments: ["play", "--json", "--control"] + output + [server.url(path)])
        switch moment {
        case .opening:
            _ = try running.state("opening")
        case .buffering:
            _ = try running.state("playing")
            _ = try running.state("buffering", after: try #require(running.firstIndex(ofState: "playing")))
        case .playing:
            _ = try running.event("position") { $0["time"] as? Double ?? 0 > 0.5 }
        case .toFile:
            #expect(server.wait { $0.contains { $0.bytesSent > 88_200 } })
        case .paused:
            _ = try running.event("position") { $0["time"] as? Double ?? 0 > 0.5 }
            running.send(#"{"command":"pause"}"#)
            _ = try running.state("paused")
        case .seeking:
            _ = try running.state("playing")
            running.send(#"{"command":"seek","time":15}"#)
        }
        running.process.signal(SIGINT)
        #expect(running.process.wait(timeout: promptly) == 130)
        #expect(running.errors.isEmpty)
        #expect(running.events.last { $0["event"] as? String == "state" }?["state"] as? String == "stopped")
        guard moment != .opening else { return }
        let (_, samples) = try readWAV(record)
        #expect(samples.count == 2)
        #expect(!samples[0].isEmpty)
        // A clean prefix: the file says how long it is, and is.
        #expect(try Fixture.decode(record).map(\.count) == samples.map(\.count))
    }

    @Test("SIGQUIT ends it as Ctrl-C does")
    func quitting() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 60)
        let running = try RunningSyrinx("play", "--json", "--output", "null", scratch.file("a.wav"))
        _ = try running.state("playing")
        running.process.signal(SIGQUIT)
        #expect(running.process.wait(timeout: promptly) == 130)
        #expect(running.errors.isEmpty)
    }

    @Test("A reader that goes away ends it quietly")
    func brokenPipe() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 60)
        let script = "'\(Syrinx.path)' play --json --output null '\(scratch.file("a.wav"))' | head -n 1"
        let result = try runProcess("/bin/sh", ["-c", script], environment: Syrinx.environment, timeout: 60)
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
    }
}
