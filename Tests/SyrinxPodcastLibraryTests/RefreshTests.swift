import Foundation
import GRDB
import Synchronization
import SyrinxTestSupport
import Testing

@testable import SyrinxPodcastLibrary

@Suite("Subscriptions and refreshing") struct RefreshTests {
    @Test("A subscription has the feed's podcast and episodes, newest first, and is made once")
    func subscribing() async throws {
        let rig = try LibraryRig()
        let podcast = try await rig.subscribe()
        #expect(podcast.title == "A show" && podcast.episodeCount == 3 && podcast.unplayedCount == 3)
        #expect(podcast.feedURL == rig.server.url("/feed.xml") && podcast.state == .active)
        #expect(try rig.library.episodes(of: podcast.id).map(\.title) == ["Episode 2", "Episode 1", "Episode 0"])
        let again = try await rig.library.subscribe(to: rig.server.url("/feed.xml"))
        #expect(again.id == podcast.id && rig.server.requests.count == 1)
    }

    @Test("Podcasts that have not been refreshed for a time are refreshed by themselves, the oldest first")
    func stalePodcasts() async throws {
        let rig = try LibraryRig()
        let fresh = try await rig.subscribe().id
        let never = try fill(rig.library, episodes: 1)
        let now = Date()
        #expect(try rig.library.stalePodcasts(after: 300, now: now) == [never])
        #expect(try rig.library.stalePodcasts(after: 300, now: now.addingTimeInterval(400)) == [never, fresh])
        // A clock that was wrong.
        #expect(try rig.library.stalePodcasts(after: 300, now: now.addingTimeInterval(-9_000)) == [never, fresh])
        let results = await rig.library.refresh([fresh])
        #expect(results.map(\.podcastID) == [fresh])
        #expect(rig.server.requests("/feed.xml").count == 2)
        try rig.library.database.write { try $0.execute(sql: "UPDATE podcast SET state = 'ended'") }
        #expect(try rig.library.stalePodcasts(after: 0, now: now.addingTimeInterval(400)).isEmpty)
    }

    @Test("A refresh keeps positions and marks, adds what is new and marks what the feed has dropped")
    func refreshKeepsTheListenersState() async throws {
        let rig = try LibraryRig()
        let podcast = try await rig.subscribe()
        let old = try rig.library.episodes(of: podcast.id)
        try rig.library.setPosition(12.5, of: old[0].id)
        try rig.library.setPlayed(true, old[1].id)
        rig.serve(
            "/feed.xml",
            rss(item(1) + item(2).replacingOccurrences(of: "Episode 2", with: "New title") + item(3))
        )
        let result = try await rig.library.refresh(podcast.id)
        #expect(result.addedCount == 1 && result.changedCount == 1 && result.warning == nil)
        let new = try rig.library.episodes(of: podcast.id)
        #expect(new.map(\.title) == ["Episode 3", "New title", "Episode 1", "Episode 0"])
        #expect(new[1].id == old[0].id && new[1].position == 12.5 && new[2].isPlayed)
        #expect(new.map(\.isListed) == [true, true, true, false])
        // Back in the feed, it is listed again.
        rig.serve("/feed.xml", rss(item(0)))
        _ = try await rig.library.refresh(podcast.id)
        #expect(try rig.library.episode(old[2].id).isListed)
    }

    @Test("Two refreshes of a podcast at once leave its episodes as one does")
    func refreshesAtOnce() async throws {
        let rig = try LibraryRig()
        let podcast = try await rig.subscribe(episodes: 250)
        async let first = rig.library.refresh(podcast.id)
        async let second = rig.library.refresh(podcast.id)
        _ = try await (first, second)
        let episodes = try rig.library.episodes(of: podcast.id)
        #expect(episodes.count == 250 && episodes.allSatisfy(\.isListed))
        #expect(
            try rig.library.database.withoutTransaction { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM temp.seen") }
                == 0
        )
    }

    @Test("Episodes whose identity changes are known by their recording; two of one identity stay two")
    func identitiesThatChange() async throws {
        let rig = try LibraryRig()
        let podcast = try await rig.subscribe(episodes: 2)
        let old = try rig.library.episodes(of: podcast.id)
        try rig.library.setPosition(5, of: old[0].id)
        rig.serve("/feed.xml", rss(item(1).replacingOccurrences(of: "guid-1", with: "other") + item(0)))
        #expect(try await rig.library.refresh(podcast.id).addedCount == 0)
        let moved = try rig.library.episode(old[0].id)
        #expect(moved.identity == "other" && moved.position == 5)
        let same = (4...6).map { item($0).replacingOccurrences(of: "guid-\($0)", with: "same") }.joined()
        rig.serve("/feed.xml", rss(same))
        #expect(try await rig.library.refresh(podcast.id).addedCount == 3)
        #expect(try await rig.library.refresh(podcast.id).addedCount == 0)
    }

    @Test("A feed that has not changed is asked for with its ETag, and nothing is written")
    func conditionalRequests() async throws {
        let rig = try LibraryRig()
        rig.serve("/feed.xml", rss(item(1)), etag: "\"v1\"")
        let podcast = try await rig.library.subscribe(to: rig.server.url("/feed.xml"))
        let result = try await rig.library.refresh(podcast.id)
        #expect(result.isUnchanged)
        #expect(rig.server.requests.map { $0.headers["if-none-match"] } == [nil, "\"v1\""])
        rig.server.route(
            "/feed.xml",
            .file([UInt8](rss(item(1)).utf8)).withoutRanges().lastModified("Mon, 01 Jan 2024 00:00:00 GMT")
                .withoutHeader("ETag")
        )
        _ = try await rig.library.refresh(podcast.id)
        _ = try await rig.library.refresh(podcast.id)
        #expect(rig.server.requests.last?.headers["if-modified-since"] == "Mon, 01 Jan 2024 00:00:00 GMT")
    }

    @Test(
        "Permanent redirects move a feed, temporary ones and those behind them do not",
        arguments: [301, 302, 307, 308]
    )
    func redirectsMoveFeeds(status: Int) async throws {
        let rig = try LibraryRig()
        let podcast = try await rig.subscribe()
        rig.serve("/new.xml", rss(item(1)))
        rig.server.route("/feed.xml", .redirect(to: "/new.xml", status: status))
        let result = try await rig.library.refresh(podcast.id)
        let isPermanent = status == 301 || status == 308
        #expect(result.movedURL == (isPermanent ? rig.server.url("/new.xml") : nil))
        #expect(try rig.library.podcast(podcast.id).feedURL == rig.server.url(isPermanent ? "/new.xml" : "/feed.xml"))
        rig.server.route("/feed.xml", .redirect(to: "/between", status: 302))
        rig.server.route("/new.xml", .redirect(to: "/between", status: 302))
        rig.server.route("/between", .redirect(to: "/last.xml", status: 301))
        rig.serve("/last.xml", rss(item(1)))
        #expect(try await rig.library.refresh(podcast.id).movedURL == nil)
    }

    @Test("A feed that is gone for good ends; another failure is noted, and passes")
    func failures() async throws {
        let rig = try LibraryRig()
        let podcast = try await rig.subscribe()
        rig.server.route("/feed.xml", .status(500))
        await #expect(throws: PodcastError.self) { try await rig.library.refresh(podcast.id) }
        #expect(try rig.library.podcast(podcast.id).failure?.code.rawValue == "http.500")
        rig.serve("/feed.xml", rss(item(1)))
        _ = try await rig.library.refresh(podcast.id)
        #expect(try rig.library.podcast(podcast.id).failure == nil)
        rig.server.route("/feed.xml", .status(410))
        let error = await #expect(throws: PodcastError.self) { try await rig.library.refresh(podcast.id) }
        #expect(error?.code == .feedGone)
        #expect(try rig.library.podcast(podcast.id).state == .ended)
        #expect(try await rig.library.refreshAll().isEmpty)
    }

    @Test("A feed that breaks off gives what came, is not taken as unchanged, and drops nothing")
    func truncatedFeeds() async throws {
        let rig = try LibraryRig()
        let podcast = try await rig.subscribe()
        let whole = rss(item(9) + item(8))
        rig.serve("/feed.xml", String(whole.prefix(whole.count - 300)), etag: "\"cut\"")
        #expect(try await rig.library.refresh(podcast.id).warning?.code == .feedTruncated)
        #expect(try rig.library.podcast(podcast.id).failure?.code == .feedTruncated)
        let episodes = try rig.library.episodes(of: podcast.id)
        #expect(episodes.contains { $0.title == "Episode 9" } && episodes.allSatisfy(\.isListed))
        _ = try await rig.library.refresh(podcast.id)
        #expect(rig.server.requests.last?.headers["if-none-match"] == nil)
    }

    @Test("What cannot be subscribed to leaves nothing behind")
    func failedSubscriptions() async throws {
        let rig = try LibraryRig()
        let text = rss((0..<500).map { item($0) }.joined())
        rig.server.route("/cut.xml", .file([UInt8](text.utf8)).withoutRanges().cut(after: 60_000))
        rig.server.route("/page", .file([UInt8]("<html></html>".utf8)))
        for (path, code) in [("/page", "media.feedIsWebPage"), ("/none", "http.404"), ("/cut.xml", "network.lost")] {
            let error = await #expect(throws: PodcastError.self) {
                try await rig.library.subscribe(to: rig.server.url(path))
            }
            #expect(error?.code.rawValue == code)
        }
        let error = await #expect(throws: PodcastError.self) {
            try await rig.library.subscribe(to: "ftp://host.example/a")
        }
        #expect(error?.code == .badURL)
        #expect(try rig.library.podcasts().isEmpty && rig.library.episodes().isEmpty)
    }

    @Test("User and password go to the feed's server only, and are shown nowhere")
    func credentials() async throws {
        let rig = try LibraryRig()
        let other = try ScriptedHTTPServer()
        let feed = ScriptedResponse.file([UInt8](rss(item(1)).utf8)).withoutRanges()
        other.route("/feed.xml", feed)
        rig.server.route("/a", .redirect(to: other.url("/feed.xml"), status: 302), feed)
        rig.server.route("/b", .redirect(to: "/a", status: 301))
        let url = rig.server.url("/a").replacingOccurrences(of: "http://", with: "http://me:secret@")
        let podcast = try await rig.library.subscribe(to: url)
        #expect(rig.server.requests[0].headers["authorization"]?.hasPrefix("Basic ") == true)
        #expect(other.requests.allSatisfy { $0.headers["authorization"] == nil })
        #expect(!podcast.feedURL.contains("secret") && !podcast.title.contains("secret"))
        #expect(!String(decoding: try rig.library.exportOPML(), as: UTF8.self).contains("secret"))
        _ = try await rig.library.refresh(podcast.id)
        #expect(rig.server.requests.last?.headers["authorization"]?.hasPrefix("Basic ") == true)
        let mode = try FileManager.default.attributesOfItem(atPath: rig.directory.file("library.sqlite"))[
            .posixPermissions
        ]
        #expect(mode as? Int == 0o600)
    }

    @Test("A compressed feed is read, and one that is made to fill the memory is cut")
    func compressedFeeds() async throws {
        let rig = try LibraryRig()
        let feed = try gzip(rss(item(1)))
        rig.server.route("/feed.xml", .file(feed, type: "text/xml").withoutRanges().header("Content-Encoding", "gzip"))
        #expect(try await rig.library.subscribe(to: rig.server.url("/feed.xml")).episodeCount == 1)
        let bomb = try gzip("<rss><channel><title>" + String(repeating: "a", count: 64 << 20))
        rig.server.route("/bomb.xml", .file(bomb, type: "text/xml").withoutRanges().header("Content-Encoding", "gzip"))
        let podcast = try await rig.library.subscribe(to: rig.server.url("/bomb.xml"))
        #expect(podcast.title.utf8.count == 1 << 10 && podcast.failure?.code == .feedTruncated)
    }

    @Test("Pictures are fetched side by side, and one that is missing holds up no other")
    func pictures() async throws {
        let rig = try LibraryRig()
        let asked = Mutex<Set<Int>>([])
        var ids: [Podcast.ID] = []
        for number in 0..<4 {
            let picture = ScriptedResponse.file([0x89, 0x50, 0x4E, 0x47, UInt8(number)], type: "image/png")
            // No answer before all have been asked for: one after the other, the first would never come.
            rig.server.route("/\(number).png") { _, _ in
                asked.withLock { _ = $0.insert(number) }
                guard waitUntil(timeout: 20, { asked.withLock { $0.count == 4 } }) else { return .status(500) }
                return number == 1 ? .status(404) : picture
            }
            let id = try fill(rig.library, podcast: "https://host.example/\(number)", episodes: 0)
            let url = rig.server.url("/\(number).png")
            try rig.library.database.write { database in
                let sql = "UPDATE podcast SET artworkURL = ? WHERE id = ?"
                try database.execute(sql: sql, arguments: [url, id])
            }
            ids.append(id)
        }
        let (library, wanted) = (rig.library, ids)
        let fetching = Task { await library.fetchArtwork(ofPodcasts: wanted) }
        func all() -> Bool { asked.withLock { $0.count == 4 } }
        for _ in 0..<1_200 where !all() { try await Task.sleep(for: .milliseconds(50)) }
        #expect(all())
        func count() -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: rig.directory.file("Artwork")).count) ?? 0
        }
        await fetching.value
        #expect(count() == 3)
    }

    private func gzip(_ text: String) throws -> [UInt8] {
        let directory = try ScratchDirectory()
        try text.write(toFile: directory.file("a"), atomically: false, encoding: .utf8)
        _ = try runProcess("gzip", ["-9", directory.file("a")])
        return [UInt8](try Data(contentsOf: directory.url("a.gz")))
    }
}
