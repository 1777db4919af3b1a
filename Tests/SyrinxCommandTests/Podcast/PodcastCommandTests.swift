import Foundation
import SyrinxPlayback
import SyrinxTestSupport
import Testing

@testable import syrinx

/// A podcast on a server of this machine, and the library of a listener.
final class Show {
    let scratch: ScratchDirectory
    let server: ScriptedHTTPServer
    private let recording: [UInt8]

    init(seconds: Double = 3) throws {
        scratch = try ScratchDirectory()
        server = try ScriptedHTTPServer()
        try Fixture.make(scratch.file("a.mp3"), seconds: seconds, ["-c:a", "libmp3lame"])
        recording = [UInt8](try Data(contentsOf: URL(fileURLWithPath: scratch.file("a.mp3"))))
        server.route("/page", .file(Array("<html><body>No feed</body></html>".utf8), type: "text/html"))
        publish(["First steps", "Second wind"])
    }

    /// Has the feed list these episodes, the oldest first, each with `extra` elements.
    /// - Parameter image: The URL of the podcast's picture.
    func publish(_ titles: [String], extra: String = "", image: String? = nil) {
        var items = ""
        for (index, title) in titles.enumerated() {
            let path = "/\(index + 1).mp3"
            server.route(path, .file(recording, type: "audio/mpeg"))
            items += """
                <item><title>\(title)</title><guid>\(index + 1)</guid>
                <pubDate>Mon, 0\(index + 1) Jun 2026 08:00:00 GMT</pubDate><description>About \(title) and rain</description>
                <enclosure url="\(server.url(path))" type="audio/mpeg" length="\(recording.count)"/>\(extra)</item>
                """
        }
        let feed = """
            <?xml version="1.0"?><rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>The Show</title><link>http://localhost/</link>\(image.map { "<image><url>\($0)</url></image>" } ?? "")\(items)</channel></rss>
            """
        server.route("/feed.xml", .file(Array(feed.utf8), type: "application/rss+xml"))
    }

    var environment: [String: String] {
        Syrinx.environment.merging(["XDG_DATA_HOME": scratch.file("data")]) { $1 }
    }

    func podcast(_ arguments: String..., stdin: Data = Data()) throws -> ProcessResult {
        try runProcess(Syrinx.path, ["podcast"] + arguments, environment: environment, stdin: stdin)
    }

    /// Returns the episodes by their titles.
    func episodes() throws -> [String: [String: Any]] {
        let found = try podcast("show", "--json", "The Show").objects
        return Dictionary(
            found.compactMap { object in (object["title"] as? String).map { ($0, object) } }
        ) { $1 }
    }
}

@Suite("syrinx podcast") struct PodcastCommandTests {
    @Test("Notes of an episode are shown with their links, and the description of a podcast")
    func notes() throws {
        let show = try Show()
        let html = "&lt;p&gt;0:01 Start&lt;/p&gt;See &lt;a href='https://a.example/'&gt;Anna&lt;/a&gt;\u{1B}"
        show.publish(["One"], extra: "<summary>\(html.dropLast())</summary>")
        #expect(try show.podcast("add", show.server.url("/feed.xml")).status == 0)
        let episode = try #require(show.episodes()["One"]?["id"] as? Int)
        let text = try show.podcast("show", "--notes", "\(episode)")
        #expect(text.status == 0 && text.output == "One\n\n0:01 Start\n\nSee Anna <https://a.example/>\n")
        let object = try #require(show.podcast("show", "--notes", "--json", "\(episode)").objects.first)
        #expect(object["id"] as? Int == episode && object["title"] as? String == "One")
        #expect(object["notes"] as? String == "0:01 Start\n\nSee Anna <https://a.example/>")
        #expect(try show.podcast("show", "--notes", "The Show").output == "The Show\n\nThere are no notes.\n")
        #expect(try show.podcast("show", "--notes", "999999").status == 66)
    }

    @Test("A feed is added, listed, shown, refreshed, searched and removed")
    func lifeOfASubscription() throws {
        let show = try Show()
        let added = try show.podcast("add", "--json", show.server.url("/feed.xml"))
        #expect(added.status == 0, "\(added.errors)")
        let feed = try #require(added.objects.first)
        #expect(
            feed["title"] as? String == "The Show"
                && feed["url"] as? String == show.server.url("/feed.xml")
        )
        #expect(feed["episodes"] as? Int == 2 && feed["unplayed"] as? Int == 2 && feed["id"] is Int)
        #expect(try show.podcast("list").output == "1  The Show  (2 episodes, 2 unplayed)\n")

        let second = try #require(try show.episodes()["Second wind"])
        #expect(
            second["published"] as? String == "2026-06-02T08:00:00Z"
                && second["feed"] as? Int == feed["id"] as? Int
        )
        #expect(second["played"] as? Bool == false && second["position"] as? Double == 0)
        #expect(
            second["downloaded"] as? Bool == false
                && second["url"] as? String == show.server.url("/2.mp3")
        )

        show.publish(["First steps", "Second wind", "Third man"])
        let refreshed = try show.podcast("refresh", "--json")
        #expect(
            refreshed.objects.first?["added"] as? Int == 1
                && refreshed.objects.first?["episodes"] as? Int == 3
        )
        let found = try show.podcast("search", "--json", "third", "rai").objects.map {
            $0["title"] as? String
        }
        #expect(found == ["Third man"])

        #expect(try show.podcast("remove", "the sh").status == 0)
        #expect(try show.podcast("list", "--json").output.isEmpty)
    }

    @Test("Episodes are marked one by one, those of a podcast together or before a date, and the marks are taken back")
    func marks() throws {
        let show = try Show()
        show.publish(["First steps", "Second wind", "Third man"])
        _ = try show.podcast("add", show.server.url("/feed.xml"))
        func played() throws -> [String] {
            try show.episodes().filter { $0.value["played"] as? Bool == true }.keys.sorted()
        }
        let id = try #require(try show.episodes()["Second wind"]?["id"] as? Int)
        let one = try show.podcast("mark", "--json", "--played", "\(id)")
        #expect(one.status == 0 && one.objects.first?["played"] as? Bool == true, "\(one.errors)")
        #expect(try played() == ["Second wind"])

        let old = try show.podcast("mark", "--json", "the show", "--played", "--before", "2026-06-02T08:00:00Z")
        #expect(
            old.objects.first?["marked"] as? Int == 1 && old.objects.first?["unplayed"] as? Int == 1,
            "\(old.errors)"
        )
        #expect(try played() == ["First steps", "Second wind"])

        #expect(try show.podcast("mark", "The Show", "--played").output.contains("0 unplayed, 1 marked"))
        #expect(try show.podcast("mark", "The Show", "--unplayed").output.contains("3 unplayed, 3 marked"))
        #expect(try played().isEmpty)

        #expect(try show.podcast("mark", "The Show").status == 64)
        #expect(try show.podcast("mark", "The Show", "--played", "--unplayed").status == 64)
        #expect(try show.podcast("mark", "\(id)", "--played", "--before", "2026-06-02").status == 64)
        #expect(try show.podcast("mark", "The Show", "--played", "--before", "soon").status == 64)
        let missing = try show.podcast("mark", "--json", "--played", "77", "\(id)")
        #expect(missing.status == 66 && missing.objects.count == 2)
        #expect(try played() == ["Second wind"])
    }

    @Test("The address of a page subscribes to its first feed, and the others are named")
    func pages() throws {
        let show = try Show()
        let links = ["/feed.xml", "/other.xml"].map {
            "<link rel='alternate' type='application/rss+xml' title='Talk \($0)' href='\($0)'>"
        }
        let html = "<!DOCTYPE html><html><head>\(links.joined())</head><body>A show</body></html>"
        show.server.route("/home", .file(Array(html.utf8), type: "text/html"))
        let added = try show.podcast("add", "--json", show.server.url("/home"))
        #expect(added.status == 0 && added.objects.map { $0["title"] as? String } == ["The Show"], "\(added.errors)")
        #expect(added.objects.first?["url"] as? String == show.server.url("/feed.xml"))
        #expect(added.errors.contains("the page also names \(show.server.url("/other.xml")) (Talk /other.xml)"))
    }

    @Test("What is no feed, no podcast and no episode is refused with its exit code")
    func refusals() throws {
        let show = try Show()
        let page = try show.podcast("add", "--json", show.server.url("/page"))
        #expect(page.status == 65 && page.objects.first?["code"] as? String == "media.feedIsWebPage")
        let missing = try show.podcast("add", show.server.url("/nothing"))
        #expect(missing.status == 66 && missing.errorLines.count == 1)
        #expect(try show.podcast("show", "Elsewhere").status == 66)
        #expect(try show.podcast("play", "--output", "null", "7").status == 66)
        #expect(try show.podcast("remove").status == 64)
        #expect(try show.podcast().status == 64)
    }

    @Test("An episode is downloaded, and then played from the disk to its end, which marks it")
    func downloadsAndPlays() throws {
        let show = try Show()
        _ = try show.podcast("add", show.server.url("/feed.xml"))
        let id = try #require(try show.episodes()["First steps"]?["id"] as? Int)
        let done = try show.podcast("download", "--json", "\(id)")
        #expect(
            done.status == 0 && done.objects.first?["downloaded"] as? Bool == true,
            "\(done.errors)"
        )
        let requests = show.server.requests.count
        let played = try show.podcast(
            "play",
            "--output",
            "file:\(show.scratch.file("out.wav"))",
            "\(id)"
        )
        #expect(played.status == 0, "\(played.errors)")
        #expect(show.server.requests.count == requests)
        let episode = try #require(try show.episodes()["First steps"])
        #expect(episode["played"] as? Bool == true && episode["position"] as? Double == 0)
    }

    @Test("An episode that is stopped goes on there the next time, and is what its podcast plays")
    func resumes() throws {
        let show = try Show(seconds: 60)
        _ = try show.podcast("add", show.server.url("/feed.xml"))
        let id = try #require(try show.episodes()["First steps"]?["id"] as? Int)
        let options = ["--json", "--control", "--output", "null", "--no-cache"]
        let first = try RunningSyrinx(
            arguments: ["podcast", "play"] + options + ["\(id)"],
            environment: show.environment
        )
        _ = try first.state("playing")
        first.send(#"{"command":"seek","time":31}"#)
        _ = try first.event("position") { ($0["time"] as? Double ?? 0) >= 31 }
        first.send(#"{"command":"stop"}"#)
        #expect(first.process.wait() == 0)
        let position = try #require(try show.episodes()["First steps"]?["position"] as? Double)
        #expect(position >= 31)

        let second = try RunningSyrinx(
            arguments: ["podcast", "play"] + options + ["The Show"],
            environment: show.environment
        )
        let heard = try second.event("position")["time"] as? Double ?? 0
        #expect(heard >= position - 0.05 && heard < position + 10)
        second.send(#"{"command":"stop"}"#)
        #expect(second.process.wait() == 0)
    }

    @Test(
        "Chapters of the feed's document are told while an episode plays, and --chapter begins at one"
    )
    func chapters() throws {
        let show = try Show(seconds: 8)
        let document =
            #"{"version":"1.2.0","chapters":[{"startTime":0,"title":"One"},{"startTime":2.5,"title":"Two"}]}"#
        show.server.route("/c.json", .file(Array(document.utf8), type: "application/json+chapters"))
        show.publish(
            ["First steps"],
            extra: "<podcast:chapters url='\(show.server.url("/c.json"))' type='application/json'/>"
        )
        _ = try show.podcast("add", show.server.url("/feed.xml"))
        let options = ["play", "--json", "--rate", "4", "--output", "null", "The Show"]
        let played = try runProcess(Syrinx.path, ["podcast"] + options, environment: show.environment)
        let told = played.objects.filter { $0["event"] as? String == "chapter" }
        #expect(told.map { $0["title"] as? String } == ["One", "Two"], "\(played.errors)")
        #expect(told.last?["start"] as? Double == 2.5)
        let chapter = [
            "play", "--json", "--chapter", "2", "--output", "file:\(show.scratch.file("out.wav"))", "1",
        ]
        let second = try runProcess(Syrinx.path, ["podcast"] + chapter, environment: show.environment)
        #expect(
            second.status == 0 && second.objects.first?["time"] as? Double == 2.5,
            "\(second.errors)"
        )
    }

    @Test(
        "A synchronisation sends subscriptions with the password of the environment, and tells what it did"
    )
    func synchronises() throws {
        let show = try Show()
        _ = try show.podcast("add", show.server.url("/feed.xml"))
        func json(_ text: String) -> ScriptedResponse {
            .file([UInt8](text.utf8), type: "application/json").withoutRanges()
        }
        let app = "/index.php/apps/gpoddersync/"
        show.server.route(
            app + "subscriptions",
            json(#"{"add":["https://host.example/new"],"remove":[],"timestamp":77}"#)
        )
        show.server.route(app + "subscription_change/create", json("{}"))
        show.server.route(app + "episode_action", json(#"{"actions":[],"timestamp":88}"#))
        show.server.route(app + "episode_action/create", json("{}"))
        let arguments = ["podcast", "sync", "--json", "--server", show.server.url(""), "--user", "ann"]
        let environment = show.environment.merging(["SYRINX_SYNC_PASSWORD": "secret"]) { $1 }
        let result = try runProcess(Syrinx.path, arguments, environment: environment)
        #expect(result.status == 0, "\(result.errors)")
        #expect(
            result.objects.first?["subscribed"] as? Int == 1 && result.objects.first?["sent"] as? Int == 1
        )
        let header = show.server.requests.first { $0.path.hasPrefix(app + "subscriptions") }?.headers[
            "authorization"
        ]
        #expect(header == "Basic \(Data("ann:secret".utf8).base64EncodedString())")
        #expect(try runProcess(Syrinx.path, arguments, environment: show.environment).status == 64)
        let unsafe = ["podcast", "sync", "--server", "https://ann:secret@example.org", "--user", "ann"]
        let refused = try runProcess(Syrinx.path, unsafe, environment: environment)
        #expect(refused.status == 64 && !refused.errors.contains("secret"))
    }

    @Test("Subscriptions survive an export and an import")
    func exportsAndImports() throws {
        let show = try Show()
        _ = try show.podcast("add", show.server.url("/feed.xml"))
        let exported = try show.podcast("export")
        #expect(
            exported.status == 0 && exported.output.contains("xmlUrl=\"\(show.server.url("/feed.xml"))\"")
        )
        let other = try Show()
        let imported = try other.podcast("import", "--json", "-", stdin: exported.stdout)
        #expect(imported.status == 0, "\(imported.errors)")
        #expect(imported.objects.first?["url"] as? String == show.server.url("/feed.xml"))
        #expect(try other.podcast("import", "/no/such/file").status == 66)
        #expect(try other.podcast("import", "-", stdin: Data("no list".utf8)).status == 65)
        let cut = try other.podcast("import", "--json", "-", stdin: exported.stdout.dropLast(20))
        #expect(cut.status == 65 && cut.objects.first?["code"] as? String == "media.opmlTruncated")
    }

    @Test("All episodes are listed with --json, and without it a list that is cut says so")
    func longLists() throws {
        let show = try Show()
        show.publish((1...503).map { "Part \($0)" })
        _ = try show.podcast("add", show.server.url("/feed.xml"))
        for list in [["show", "The Show"], ["search", "part"]] {
            func run(_ options: String...) throws -> ProcessResult {
                try runProcess(Syrinx.path, ["podcast"] + list + options, environment: show.environment)
            }
            #expect(try run("--json").objects.count == 503)
            let people = try run()
            let count = people.output.split(separator: "\n").filter { $0.contains("Part ") }.count
            #expect(
                people.status == 0 && count == 500 && people.errors.contains("more than 500 episodes")
            )
            let few = try run("--json", "--limit", "2")
            #expect(few.objects.count == 2 && few.errors.contains("--limit"))
            #expect(try run("--limit", "503").errors.isEmpty && run("--limit", "0").status == 64)
        }
    }
}
