import Foundation
import MediaPlayer
import SyrinxTestSupport
import Testing

@testable import syrinx

/// A session bus, `play` on it, and `playerctl` as a desktop would use it.
private final class Desktop {
    let scratch: ScratchDirectory
    private let bus: SessionBus

    init() throws {
        scratch = try ScratchDirectory()
        bus = try SessionBus()
    }

    var environment: [String: String] { bus.environment.merging(["XDG_CACHE_HOME": scratch.file("cache")]) { $1 } }

    func play(_ arguments: String...) throws -> RunningSyrinx {
        let running = try RunningSyrinx(
            arguments: ["play", "--json", "--control", "--output", "null"] + arguments,
            environment: environment
        )
        _ = try running.state("playing")
        try #require(waitUntil { (try? self.ask("status")) == "Playing" }, "no player on the bus: \(running.errors)")
        return running
    }

    /// Returns the answer of `playerctl`.
    @discardableResult
    func ask(_ arguments: String...) throws -> String {
        let result = try runProcess("playerctl", ["--player=syrinx"] + arguments, environment: environment, timeout: 20)
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func position() throws -> Double { Double(try ask("position")) ?? -1 }
}

@Suite("play on the desktop", .serialized) struct DesktopTests {
    private func makeAlbum(_ desktop: Desktop) throws -> [String] {
        try (1...3).map { number in
            let path = desktop.scratch.file("\(number).flac")
            let tags = ["title=Song \(number)", "artist=Someone", "album=The Album", "track=\(number)/3"]
            try Fixture.make(path, seconds: 60, tags.flatMap { ["-metadata", $0] })
            return path
        }
    }

    @Test("playerctl sees what plays, and pauses, seeks, changes and leaves it")
    func controls() throws {
        let desktop = try Desktop()
        let paths = try makeAlbum(desktop)
        let running = try desktop.play(paths[0], paths[1], paths[2])
        #expect(try desktop.ask("metadata", "title") == "Song 1")
        #expect(try desktop.ask("metadata", "artist") == "Someone")
        #expect(try desktop.ask("metadata", "album") == "The Album")
        #expect(try desktop.ask("metadata", "xesam:trackNumber") == "1")
        #expect(try desktop.ask("metadata", "mpris:length") == "60000000")
        #expect(try desktop.ask("metadata", "xesam:url") == URL(fileURLWithPath: paths[0]).absoluteString)

        try desktop.ask("pause")
        let paused = try running.state("paused")
        #expect(waitUntil { (try? desktop.ask("status")) == "Paused" })
        let time = try #require(paused["time"] as? Double)
        #expect(abs(try desktop.position() - time) < 0.05)
        try desktop.ask("position", "30.5")
        #expect(waitUntil { abs(((try? desktop.position()) ?? 0) - 30.5) < 0.05 })
        try desktop.ask("position", "10-")
        #expect(waitUntil { abs(((try? desktop.position()) ?? 0) - 20.5) < 0.05 })

        try desktop.ask("volume", "0.25")
        _ = try running.event("settings") { $0["volume"] as? Double == 0.25 }
        #expect(waitUntil { (try? desktop.ask("volume")) == "0.250000" })
        try desktop.ask("loop", "Track")
        #expect(waitUntil { (try? desktop.ask("loop")) == "Track" })
        try desktop.ask("loop", "None")
        try desktop.ask("shuffle", "On")
        #expect(waitUntil { (try? desktop.ask("shuffle")) == "On" })
        try desktop.ask("shuffle", "Off")

        try desktop.ask("play-pause")
        #expect(waitUntil { (try? desktop.ask("status")) == "Playing" })
        try desktop.ask("next")
        #expect(waitUntil { (try? desktop.ask("metadata", "title")) == "Song 2" })
        try desktop.ask("previous")
        #expect(waitUntil { (try? desktop.ask("metadata", "title")) == "Song 1" })
        try desktop.ask("open", URL(fileURLWithPath: paths[2]).absoluteString)
        #expect(waitUntil { (try? desktop.ask("metadata", "title")) == "Song 3" })
        try desktop.ask("stop")
        #expect(running.process.wait() == 0)
        #expect(running.errors.isEmpty)
    }

    @Test("syrinx control has another process pause, seek, change and leave what plays, and learns its state")
    func remoteControl() throws {
        let desktop = try Desktop()
        let paths = try makeAlbum(desktop)
        let control = { (words: [String]) in
            try runProcess(
                Syrinx.path,
                ["control"] + words,
                environment: Syrinx.environment.merging(desktop.environment) { $1 }
            )
        }
        let alone = try control(["status"])
        #expect(alone.status == 69)
        let advice = "you have no running player on this session bus. Start one with syrinx play"
        #expect(alone.errors == "syrinx: control: \(advice)\n")

        let running = try desktop.play("--effect", "reverb", paths[0], paths[1])
        let status = { () throws -> [String: Any] in
            let result = try control(["status", "--json"])
            return try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any] ?? [:]
        }
        #expect(try control(["pause"]).status == 0)
        _ = try running.state("paused")
        #expect(waitUntil { (try? status()["state"]) as? String == "paused" })
        #expect(try control(["seek", "0:30.5"]).status == 0)
        #expect(waitUntil { abs(((try? status()["time"]) as? Double ?? 0) - 30.5) < 0.05 })
        #expect(try control(["seek", "-10"]).status == 0)
        #expect(waitUntil { abs(((try? status()["time"]) as? Double ?? 0) - 20.5) < 0.05 })
        #expect(try control(["pitch", "-300"]).status == 0)
        #expect(try control(["rate", "+0.1"]).status == 0)
        #expect(try control(["volume", "50"]).status == 0)
        #expect(try control(["volume", "-5"]).status == 0)
        #expect(try control(["effect", "1", "wetDryMix=40"]).status == 0)
        _ = try running.event("settings") { ($0["effects"] as? [[String: Any]])?.first?["wetDryMix"] as? Double == 40 }
        #expect(try control(["enqueue", paths[2]]).status == 0)
        #expect(waitUntil { (try? status()["count"]) as? Int == 3 })
        try checkQueue(desktop, paths)
        #expect(try control(["goto", "2"]).status == 0)
        #expect(waitUntil { (try? status()["title"]) as? String == "Song 2" })
        let found = try status()
        #expect(found["artist"] as? String == "Someone")
        #expect(found["pitch"] as? Double == -300 && found["index"] as? Int == 1 && found["duration"] as? Double == 60)
        #expect(found["url"] as? String == paths[1])
        #expect(found["rate"] as? Double == 1.1 && found["volume"] as? Double == 0.45)

        let refused = try control(["goto", "7"])
        #expect(refused.status == 64)
        #expect(refused.errors == "syrinx: control: there is no input at position 7: the queue has 3\n")
        #expect(try control(["stop"]).status == 0)
        #expect(running.process.wait() == 0)
    }

    /// Lists and changes a queue of three songs, the first of which plays, and leaves it as it was.
    private func checkQueue(_ desktop: Desktop, _ paths: [String]) throws {
        let queue = { (words: [String]) in
            try runProcess(
                Syrinx.path,
                ["queue"] + words,
                environment: Syrinx.environment.merging(desktop.environment) { $1 }
            )
        }
        let listed = { (try? queue(["--json"]).objects.compactMap { $0["url"] as? String }) ?? [] }
        #expect(listed() == paths)
        #expect(try queue([]).output.hasPrefix("*   1  "))
        #expect(try queue(["move", "3", "1"]).status == 0)
        #expect(waitUntil { listed() == [paths[2], paths[0], paths[1]] })
        #expect(try queue(["--json"]).objects.map { $0["current"] as? Bool } == [false, true, false])
        #expect(try queue(["remove", "1"]).status == 0)
        #expect(waitUntil { listed() == [paths[0], paths[1]] })
        #expect(try queue(["add", paths[2], paths[2]]).status == 0)
        #expect(waitUntil { listed() == paths + [paths[2]] })
        #expect(try queue(["remove", "4"]).status == 0)
        #expect(waitUntil { listed() == paths })
        try checkSaving(queue, paths)
        for words in [
            ["remove", "4"], ["remove", "0"], ["move", "1", "4"], ["dance"], ["add"], ["move", "1"], ["save"],
        ] {
            let refused = try queue(words)
            #expect(refused.status == 64 && refused.errors.hasPrefix("syrinx: queue: "), "\(words): \(refused.errors)")
        }
    }

    /// Saves the queue of three songs, and adds it to what was saved.
    private func checkSaving(_ queue: ([String]) throws -> ProcessResult, _ paths: [String]) throws {
        let folder = try ScratchDirectory()
        let file = folder.file("evening.m3u8")
        let urls = {
            try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }.map(
                String.init
            )
        }
        let expected = paths.map { URL(fileURLWithPath: $0).absoluteString }
        #expect(try queue(["save", file]).status == 0)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.hasPrefix("#EXTM3U\n#EXTINF:60,"))
        #expect(try urls() == expected)
        #expect(try queue(["save", file]).status == 64)
        #expect(try queue(["append", file]).status == 0)
        #expect(try urls() == expected + expected)
        #expect(try queue(["save", "--force", file]).status == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        // What is no playlist is refused by its name.
        try Data([0xFF, 0xFB, 0x90, 0]).write(to: folder.url("song.mp3"))
        #expect(try queue(["append", folder.file("song.mp3")]).status == 64)
        #expect(try queue(["save", "--force", paths[1]]).status == 64)
    }

    @Test("The position on the bus is the one that is heard, after seeks and at another rate")
    func positions() throws {
        let desktop = try Desktop()
        let running = try desktop.play(try makeAlbum(desktop)[0])
        for command in [
            #"{"command":"seek","time":40}"#, #"{"command":"rate","value":2}"#, #"{"command":"seek","time":5}"#,
        ] {
            let mark = running.events.count
            running.send(command)
            _ = try running.event("position", after: mark + 4)
            let before = running.events.last { $0["event"] as? String == "position" }?["time"] as? Double ?? -1
            let told = try desktop.position()
            let after = try running.event("position", after: running.events.count)["time"] as? Double ?? -1
            #expect(told > before - 0.05 && told < after + 0.05, "\(before) \(told) \(after)")
        }
        running.send(#"{"command":"stop"}"#)
        #expect(running.process.wait() == 0)
    }

    @Test(
        "The cover of a file or a resource is a picture file, and a player that ends leaves the bus",
        arguments: [false, true]
    )
    func showsArtwork(_ isRemote: Bool) throws {
        let desktop = try Desktop()
        let server = try ScriptedHTTPServer()
        let path = desktop.scratch.file("a.m4a")
        let picture = desktop.scratch.file("cover.png")
        try FFmpeg.run(["-f", "lavfi", "-i", "color=red:s=64x64:d=1", "-frames:v", "1", picture])
        try FFmpeg.run(
            [
                "-f", "lavfi", "-i", "sine=d=60", "-i", picture, "-map", "0", "-map", "1", "-c:v", "copy",
                "-disposition:v", "attached_pic", path,
            ]
        )
        server.route("/a.m4a", .file(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))), type: "audio/mp4"))
        let running = try desktop.play(isRemote ? server.url("/a.m4a") : path)
        #expect(waitUntil { (try? desktop.ask("metadata", "mpris:artUrl"))?.hasPrefix("file:///") == true })
        let url = try #require(URL(string: try desktop.ask("metadata", "mpris:artUrl")))
        #expect(try Data(contentsOf: url) == Data(contentsOf: URL(fileURLWithPath: picture)))
        running.send(#"{"command":"stop"}"#)
        #expect(running.process.wait() == 0)
        #expect(try desktop.ask("status").isEmpty)
    }

    @Test("The picture of a podcast is a picture file, where the episode has none")
    func showsArtworkOfFeed() throws {
        let (desktop, show) = (try Desktop(), try Show(seconds: 60))
        let path = show.scratch.file("cover.png")
        try FFmpeg.run(["-f", "lavfi", "-i", "color=red:s=64x64:d=1", "-frames:v", "1", path])
        let picture = try Data(contentsOf: URL(fileURLWithPath: path))
        show.server.route("/cover.png", .file([UInt8](picture), type: "image/png"))
        show.publish(["First steps"], image: show.server.url("/cover.png"))
        #expect(try show.podcast("add", show.server.url("/feed.xml")).status == 0)
        let running = try RunningSyrinx(
            arguments: ["podcast", "play", "--json", "--control", "--output", "null", "The Show"],
            environment: show.environment.merging(desktop.environment) { $1 }
        )
        _ = try running.state("playing")
        #expect(waitUntil { (try? desktop.ask("metadata", "mpris:artUrl"))?.hasPrefix("file:///") == true })
        let url = try #require(URL(string: try desktop.ask("metadata", "mpris:artUrl")))
        #expect(try Data(contentsOf: url) == picture)
        running.send(#"{"command":"stop"}"#)
        #expect(running.process.wait() == 0)
    }

    @Test("Without a session bus --mpris is a warning, and it plays")
    func withoutBus() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 0.2)
        let running = try RunningSyrinx(
            arguments: ["play", "--json", "--mpris", "--output", "null", scratch.file("a.wav")],
            environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(scratch.file("none"))"]
        )
        #expect(running.process.wait() == 0)
        #expect(running.errors.contains("session bus"))
        #expect(running.events.contains { $0["event"] as? String == "warning" })
    }

    @Test("A session bus that is gone is no warning where --mpris is not given")
    func withoutBusByDefault() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 0.2)
        let running = try RunningSyrinx(
            arguments: ["play", "--json", "--output", "null", scratch.file("a.wav")],
            environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(scratch.file("none"))"]
        )
        #expect(running.process.wait() == 0)
        #expect(running.errors.isEmpty)
        #expect(!running.events.contains { $0["event"] as? String == "warning" })
    }
}
