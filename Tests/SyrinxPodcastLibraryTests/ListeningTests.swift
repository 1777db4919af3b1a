import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxPodcastLibrary

@Suite("Listening") struct ListeningTests {
    @Test("Of two positions the later one counts, in whichever order they are saved")
    func laterPositionsCount() throws {
        let rig = try LibraryRig()
        _ = try fill(rig.library, episodes: 1)
        let id = try rig.library.episodes()[0].id
        try rig.library.setPosition(20, of: id, at: Date(timeIntervalSince1970: 200))
        try rig.second().setPosition(10, of: id, at: Date(timeIntervalSince1970: 100))
        #expect(try rig.library.episode(id).position == 20)
        #expect(try rig.library.lastPlayed()?.id == id)
        for bad in [Double.nan, .infinity, -1] {
            try rig.library.setPosition(bad, of: id)
            #expect(try rig.library.episode(id).position == 0)
        }
        try rig.library.setPlayed(true, id)
        #expect(try rig.library.episode(id).isPlayed && rig.library.lastPlayed() == nil)
        #expect(#expect(throws: PodcastError.self) { try rig.library.setPosition(1, of: 99) }?.code == .noSuchEpisode)
        #expect(#expect(throws: PodcastError.self) { try rig.library.podcast(99) }?.code == .noSuchPodcast)
    }

    @Test("A saved time that is still to come does not hold up later positions")
    func wrongClock() throws {
        let rig = try LibraryRig()
        _ = try fill(rig.library, episodes: 1)
        let id = try rig.library.episodes()[0].id
        try rig.library.setPosition(20, of: id, at: Date(timeIntervalSinceNow: 1e6))
        try rig.library.setPosition(10, of: id)
        #expect(try rig.library.episode(id).position == 10)
        try rig.library.setPosition(5, of: id, at: Date(timeIntervalSinceNow: -60))
        #expect(try rig.library.episode(id).position == 10)
    }

    @Test("Lists can be restricted, ordered and read in parts")
    func lists() throws {
        let rig = try LibraryRig()
        let podcast = try fill(rig.library, episodes: 6)
        _ = try fill(rig.library, podcast: "https://host.example/b", episodes: 1)
        var filter = PodcastLibrary.EpisodeFilter()
        filter.podcastID = podcast
        filter.isOldestFirst = true
        (filter.limit, filter.offset) = (2, 1)
        let list = try rig.library.episodes(filter)
        #expect(list.map(\.title) == ["Episode 1", "Episode 2"] && list.allSatisfy(\.summary.isEmpty))
        #expect(try rig.library.episode(list[0].id).summary == "Notes of number 1")
        try rig.library.setPlayed(true, list[0].id)
        try rig.library.setPosition(5, of: list[1].id)
        var unplayed = PodcastLibrary.EpisodeFilter()
        unplayed.isUnplayedOnly = true
        #expect(try rig.library.episodes(unplayed).count == 6)
        unplayed.isInProgressOnly = true
        #expect(try rig.library.episodes(unplayed).map(\.id) == [list[1].id])
        (filter.limit, filter.offset) = (-1, -5)
        #expect(try rig.library.episodes(filter).isEmpty)
    }

    @Test("The queue takes, moves and drops episodes, each once, and forgets those that go")
    func queue() throws {
        let rig = try LibraryRig()
        let podcast = try fill(rig.library, episodes: 5)
        let ids = try rig.library.episodes().reversed().map(\.id)
        func titles() throws -> [Int] { try rig.library.queue().compactMap { ids.firstIndex(of: $0.id) } }
        try rig.library.enqueue([ids[0], ids[1], ids[0]])
        try rig.library.enqueue([ids[2]], at: .first)
        #expect(try titles() == [2, 0, 1])
        try rig.library.enqueue([ids[3], ids[4]], at: .index(1))
        #expect(try titles() == [2, 3, 4, 0, 1])
        // The place is that of the episode that is there now, also when what moves comes before it.
        try rig.library.enqueue([ids[2]], at: .index(3))
        #expect(try titles() == [3, 4, 2, 0, 1])
        try rig.library.enqueue([ids[3]], at: .index(99))
        #expect(try titles() == [4, 2, 0, 1, 3])
        #expect(throws: PodcastError.self) { try rig.library.enqueue([ids[4], 999], at: .last) }
        try rig.library.dequeue(ids[0])
        #expect(try titles() == [4, 2, 1, 3])
        try rig.library.unsubscribe(podcast)
        #expect(try rig.library.queue().isEmpty)
    }

    @Test("A search finds beginnings of words in titles and notes, whatever is typed")
    func search() async throws {
        let rig = try LibraryRig()
        rig.serve(
            "/feed.xml",
            rss(
                "<item><title>Über die Brücke</title><guid>1</guid><description>rivers</description></item>"
                    + "<item><title>Rivers</title><guid>2</guid><description>of the brucke</description></item>"
            )
        )
        _ = try await rig.library.subscribe(to: rig.server.url("/feed.xml"))
        #expect(try rig.library.search("river").map(\.identity) == ["2", "1"])
        #expect(try rig.library.search("uber brü").map(\.identity) == ["1"])
        #expect(try rig.library.search("riv ").isEmpty)
        for text in ["", "\"", "* AND", "NEAR(", "title:", "a OR b", "-x", "\u{0}", "😀"] {
            #expect(throws: Never.self) { try rig.library.search(text) }
        }
        rig.serve("/feed.xml", rss("<item><title>Lakes</title><guid>2</guid></item>"))
        _ = try await rig.library.refreshAll()
        #expect(try rig.library.search("lakes").map(\.identity) == ["2"])
        #expect(try rig.library.search("rivers").map(\.identity) == ["1"])
    }

    @Test("OPML goes out and comes in again, with folders, broken or from others")
    func opml() async throws {
        let rig = try LibraryRig()
        let list = """
            <opml version="1.1"><body><outline text="Folder"><outline text="A &amp; <b>B</b> & C" xmlUrl="https://h.example/a?x=1&y=2"/>
            <outline type="rss" text="D" url="feed://h.example/d"/></outline><outline xmlurl='h.example/e' title=E>
            <outline text="page" type="link" url="https://h.example/"/><outline xmlUrl="javascript:alert(1)"/>
            </body></opml>
            """
        let added = try rig.library.importOPML(Data(list.utf8))
        #expect(added.map(\.title) == ["A & B & C", "D", "E"])
        #expect(added.map(\.feedURL) == ["https://h.example/a?x=1&y=2", "https://h.example/d", "https://h.example/e"])
        #expect(try rig.library.importOPML(Data(list.utf8)).isEmpty)
        let other = try LibraryRig()
        let text = try rig.library.exportOPML()
        #expect(try other.library.importOPML(text).map(\.title) == ["A & B & C", "D", "E"])
    }

    @Test(
        "A list that is no OPML, breaks off or is too large is refused, and nothing of it is imported",
        arguments: [
            ("<rss/>", ErrorCode.notOPML), ("", .notOPML), ("{}", .notOPML),
            ("<html><body>No list</body></html>", .notOPML),
            ("<opml><body><outline xmlUrl='https://h.example/1'/>", .opmlTruncated),
            ("<opml><body><outline xmlUrl='https://h.example/1'/><outline xmlU", .opmlTruncated),
            ("<opml><body>", .opmlTruncated), ("<opml>many</opml>", .opmlTooLarge),
        ]
    )
    func refusedLists(text: String, code: ErrorCode) throws {
        let rig = try LibraryRig()
        let feeds = (0...20_000).map { "<outline xmlUrl='https://h.example/\($0)'/>" }.joined()
        let list = Data(text.replacing("many", with: feeds).utf8)
        #expect(#expect(throws: PodcastError.self) { try rig.library.importOPML(list) }?.code == code)
        #expect(try rig.library.podcasts().isEmpty)
    }
}
