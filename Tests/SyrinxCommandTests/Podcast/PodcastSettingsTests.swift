import Foundation
import SyrinxTestSupport
import Testing

@testable import syrinx

@Suite("Settings, downloads and pictures of podcasts") struct PodcastSettingsTests {
    private let options = ["--json", "--control", "--output", "null", "--no-cache"]

    private func time(_ event: [String: Any]) -> Double { event["time"] as? Double ?? -1 }

    @Test("What is set for a podcast applies when it plays, and what is changed meanwhile is kept")
    func settings() throws {
        let show = try Show(seconds: 60)
        _ = try show.podcast("add", show.server.url("/feed.xml"))
        let set = try show.podcast("set", "--json", "The Show", "--rate", "2", "--skip-intro", "20", "--mono", "on")
        let report = try #require(set.objects.first)
        #expect(
            report["rate"] as? Double == 2 && report["skipIntro"] as? Double == 20 && report["mono"] as? Bool == true
        )
        #expect(report["volume"] is NSNull && report["downloads"] as? String == "off")
        #expect(try show.podcast("set", "The Show", "--rate", "9").status == 64)

        let playing = try RunningSyrinx(
            arguments: ["podcast", "play", "The Show"] + options,
            environment: show.environment
        )
        let settings = try playing.event("settings")
        #expect(settings["rate"] as? Double == 2 && settings["mono"] as? Bool == true)
        #expect(time(try playing.event("position") { time($0) > 15 }) >= 19.9)
        playing.send(#"{"command":"rate","value":1.25}"#)
        playing.send(#"{"command":"equalizer","preset":"speech"}"#)
        _ = try playing.event("settings") { $0["equalizer"] as? String == "speech" }
        playing.send(#"{"command":"stop"}"#)
        #expect(playing.process.wait() == 0)
        let kept = try #require(try show.podcast("set", "--json", "The Show", "--reset", "mono").objects.first)
        #expect(kept["rate"] as? Double == 1.25 && kept["equalizer"] as? String == "speech")
        #expect(kept["skipIntro"] as? Double == 20 && kept["mono"] is NSNull)

        // An option counts before, and is not kept.
        let again = try RunningSyrinx(
            arguments: ["podcast", "play", "The Show", "--rate", "1.5", "--start", "5"] + options,
            environment: show.environment
        )
        #expect(time(try again.event("position") { time($0) > 4 }) < 15)
        again.send(#"{"command":"pitch","value":100}"#)
        #expect(try again.event("settings") { $0["pitch"] as? Double == 100 }["rate"] as? Double == 1.5)
        again.send(#"{"command":"stop"}"#)
        #expect(again.process.wait() == 0)
        let last = try #require(try show.podcast("set", "--json", "The Show").objects.first)
        #expect(last["rate"] as? Double == 1.25)
    }

    @Test("The episodes that follow are set for a podcast, and reset")
    func autoplay() throws {
        let show = try Show()
        _ = try show.podcast("add", show.server.url("/feed.xml"))
        let set = try show.podcast("set", "--json", "The Show", "--autoplay", "newer")
        #expect(set.objects.first?["autoplay"] as? String == "newer", "\(set.errors)")
        #expect(try show.podcast("set", "The Show").output.contains("autoplay newer"))
        let reset = try show.podcast("set", "--json", "The Show", "--reset", "autoplay")
        #expect(reset.objects.first?["autoplay"] is NSNull)
        #expect(try show.podcast("set", "The Show", "--autoplay", "random").status == 64)
    }

    @Test("An episode ends at its outro, and has been listened to then")
    func outro() throws {
        let show = try Show(seconds: 60)
        _ = try show.podcast("add", show.server.url("/feed.xml"))
        _ = try show.podcast("set", "The Show", "--skip-outro", "30")
        let id = try #require(try show.episodes()["First steps"]?["id"] as? Int)
        let played = try RunningSyrinx(
            arguments: ["podcast", "play", "\(id)", "--start", "27"] + options,
            environment: show.environment
        )
        #expect(played.process.wait() == 0)
        let times = played.events.filter { $0["event"] as? String == "position" }.map(time)
        #expect((times.max() ?? 0) > 29 && (times.max() ?? 100) < 33, "\(times)")
        #expect(try show.episodes()["First steps"]?["played"] as? Bool == true)
    }

    @Test("The newest episodes of a new podcast are new, as many as config.toml says")
    func newEpisodes() throws {
        for (setting, count) in [("", 3), ("new-episodes = 1", 1), ("new-episodes = \"all\"", 5)] {
            let show = try Show()
            show.publish(["One", "Two", "Three", "Four", "Five"])
            let folder = show.scratch.url("config/syrinx")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(setting.utf8).write(to: folder.appending(path: "config.toml"))
            let environment = show.environment.merging(["XDG_CONFIG_HOME": show.scratch.file("config")]) { $1 }
            let arguments = ["podcast", "add", "--json", show.server.url("/feed.xml")]
            let added = try runProcess(Syrinx.path, arguments, environment: environment)
            #expect(added.objects.first?["unplayed"] as? Int == count, "\(setting) \(added.errors)")
            #expect(try show.episodes()["Five"]?["played"] as? Bool == false)
        }
    }

    @Test("A refresh downloads what the rule says, and removes what it does not keep any more")
    func downloads() throws {
        let show = try Show()
        _ = try show.podcast("add", show.server.url("/feed.xml"))
        let none = try show.podcast("refresh", "--download")
        #expect(none.status == 0 && none.errors.contains("podcast set"), "\(none.errors)")
        _ = try show.podcast("set", "The Show", "--downloads", "1")
        let done = try show.podcast("refresh", "--json", "--download")
        #expect(done.status == 0, "\(done.errors)")
        #expect(done.objects.contains { $0["title"] as? String == "Second wind" && $0["downloaded"] as? Bool == true })
        show.publish(["First steps", "Second wind", "Third man"])
        #expect(try show.podcast("refresh", "--download").status == 0)
        let episodes = try show.episodes()
        #expect(episodes["Third man"]?["downloaded"] as? Bool == true)
        #expect(episodes["Second wind"]?["downloaded"] as? Bool == false)
    }

    @Test("The picture of a podcast is kept, and shown to the desktop while an episode plays")
    func artwork() throws {
        let show = try Show(seconds: 30)
        let picture = show.scratch.file("cover.png")
        try FFmpeg.run(["-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1", picture])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: picture)))
        show.server.route("/cover.png", .file(bytes, type: "image/png"))
        show.publish(["First steps"], image: show.server.url("/cover.png"))
        #expect(try show.podcast("add", show.server.url("/feed.xml")).status == 0)
        let folder = show.scratch.file("data/syrinx/Artwork")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files.count == 1)
        #expect(FileManager.default.contentsEqual(atPath: "\(folder)/\(files.first ?? "")", andPath: picture))
        // It is not fetched again, and goes with the podcast.
        let requests = show.server.requests.count { $0.path == "/cover.png" }
        #expect(try show.podcast("refresh").status == 0)
        #expect(show.server.requests.count { $0.path == "/cover.png" } == requests)
        #expect(try show.podcast("remove", "The Show").status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
}
