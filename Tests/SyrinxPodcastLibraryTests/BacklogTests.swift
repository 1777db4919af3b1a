import Foundation
import GRDB
import SyrinxTestSupport
import Testing

@testable import SyrinxPodcastLibrary

@Suite("New episodes of a new subscription") struct BacklogTests {
    private func unplayed(_ library: PodcastLibrary) throws -> [String] {
        var filter = PodcastLibrary.EpisodeFilter()
        filter.isUnplayedOnly = true
        return try library.episodes(filter).map(\.title)
    }

    @Test("The newest three episodes are new, and the others count as played at no time")
    func newest() async throws {
        let rig = try LibraryRig()
        // The feed has the oldest first.
        let podcast = try await rig.subscribe(episodes: 250)
        #expect(podcast.episodeCount == 250 && podcast.unplayedCount == 3)
        #expect(try unplayed(rig.library) == ["Episode 249", "Episode 248", "Episode 247"])
        let episodes = try rig.library.episodes(of: podcast.id)
        #expect(episodes[3].isPlayed && episodes.allSatisfy { $0.playedAt == nil && $0.position == 0 })
        // Later episodes are new.
        rig.serve("/feed.xml", rss((0..<252).map { item($0) }.joined()))
        #expect(try await rig.library.refresh(podcast.id).addedCount == 2)
        #expect(try rig.library.podcast(podcast.id).unplayedCount == 5)
    }

    @Test("Another number of episodes can be new, or all of them", arguments: [0, 1, 7, 20, nil])
    func numbers(count: Int?) async throws {
        let rig = try LibraryRig { $0.newEpisodeCount = count }
        #expect(try await rig.subscribe(episodes: 10).unplayedCount == min(count ?? 10, 10))
    }

    @Test("A feed without dates has the episodes at its beginning as new")
    func undated() async throws {
        let rig = try LibraryRig()
        let items = (0..<5).map { "<item><title>Part \($0)</title><guid>\($0)</guid></item>" }
        rig.serve("/feed.xml", rss(items.joined()))
        _ = try await rig.library.subscribe(to: rig.server.url("/feed.xml"))
        #expect(try unplayed(rig.library).sorted() == ["Part 0", "Part 1", "Part 2"])
    }

    @Test("An imported subscription has its newest episodes as new after its first refresh, also after one that failed")
    func imported() async throws {
        let rig = try LibraryRig()
        let url = rig.server.url("/feed.xml")
        let list = "<opml version='2.0'><body><outline type='rss' text='A show' xmlUrl='\(url)'/></body></opml>"
        let podcast = try #require(try rig.library.importOPML(Data(list.utf8)).first)
        rig.server.route("/feed.xml", .status(404))
        await #expect(throws: PodcastError.self) { try await rig.library.refresh(podcast.id) }
        rig.serve("/feed.xml", rss((0..<8).map { item($0) }.joined()))
        #expect(try await rig.library.refresh(podcast.id).addedCount == 8)
        #expect(try rig.library.podcast(podcast.id).unplayedCount == 3)
    }

    @Test("Older pages that the first refresh could not read bring nothing new, and a later episode is new")
    func olderPages() async throws {
        let rig = try LibraryRig()
        let link = "<atom:link xmlns:atom='http://www.w3.org/2005/Atom' rel='next' href='/2.xml'/>"
        rig.serve("/feed.xml", rss((10..<15).map { item($0) }.joined(), channel: "<title>A show</title>\(link)"))
        rig.server.route("/2.xml", .status(500))
        let podcast = try await rig.library.subscribe(to: rig.server.url("/feed.xml"))
        #expect(podcast.unplayedCount == 3)
        // Dated after the subscription.
        let later = item(20_000)
        let items = (10..<15).map { item($0) }.joined() + later
        rig.serve("/feed.xml", rss(items, channel: "<title>A show</title>\(link)"))
        rig.serve("/2.xml", rss((0..<10).map { item($0) }.joined()))
        #expect(try await rig.library.refresh(podcast.id).addedCount == 11)
        #expect(try unplayed(rig.library).first == "Episode 20000")
        #expect(try rig.library.podcast(podcast.id).unplayedCount == 4)
    }

    @Test("Episodes that a listener has touched during the first refresh keep their marks")
    func touched() throws {
        let rig = try LibraryRig()
        try rig.library.database.write { database in
            let (id, _) = try rig.library.insert("https://host.example/a", title: "A show", now: 1, database)
            let first = EpisodeWriter(podcastID: id, now: 1, backlog: .allBut(2))
            _ = try first.write((0..<4).map(feedEpisode), database)
            try database.execute(sql: "UPDATE episode SET playedAt = 5 WHERE title IN ('Episode 3', 'Episode 0')")
            try database.execute(sql: "UPDATE episode SET isPlayed = 0 WHERE title = 'Episode 0'")
            try first.finish(isComplete: true, database)
        }
        #expect(try unplayed(rig.library) == ["Episode 2", "Episode 0"])
    }

    @Test("Episodes that count as played from the start go like new ones when the feed has dropped them")
    func dropped() throws {
        let rig = try LibraryRig()
        var limits = FeedLimits()
        limits.unlisted = 2
        try rig.library.database.write { database in
            let (id, _) = try rig.library.insert("https://host.example/a", title: "A show", now: 1, database)
            let first = EpisodeWriter(podcastID: id, now: 1, backlog: .allBut(1))
            _ = try first.write((0..<10).map(feedEpisode), database)
            try first.finish(isComplete: true, limits: limits, database)
            let second = EpisodeWriter(podcastID: id, now: 2)
            _ = try second.write([feedEpisode(10)], database)
            try second.finish(isComplete: true, limits: limits, database)
        }
        #expect(try rig.library.episodes().map(\.title) == ["Episode 10", "Episode 9", "Episode 8"])
    }

    @Test("Synchronization reports no episode that counts as played from the start")
    func synchronization() async throws {
        let rig = try LibraryRig()
        let podcast = try await rig.subscribe(episodes: 6)
        let app = "/index.php/apps/gpoddersync/"
        func json(_ text: String) -> ScriptedResponse {
            .file([UInt8](text.utf8), type: "application/json").withoutRanges()
        }
        rig.server.route(app + "subscriptions", json(#"{"add":[],"remove":[],"timestamp":1}"#))
        rig.server.route(app + "subscription_change/create", json("{}"))
        rig.server.route(app + "episode_action", json(#"{"actions":[],"timestamp":1}"#))
        rig.server.route(app + "episode_action/create", json("{}"))
        let server = SyncServer(.nextcloud, url: rig.server.url("/"), user: "me", password: "pass")
        // The subscription alone.
        #expect(try await rig.library.synchronize(with: server).sentCount == 1)
        #expect(rig.server.requests(app + "episode_action/create").isEmpty)
        // An episode that is marked is reported.
        let oldest = try rig.library.episodes(of: podcast.id)[5]
        #expect(oldest.isPlayed)
        _ = try rig.library.mark(.episodes([oldest.id]), isPlayed: false)
        #expect(try await rig.library.synchronize(with: server).sentCount == 1)
    }
}
