import Foundation
import GRDB
import Synchronization
import SyrinxTestSupport
import Testing

@testable import SyrinxPodcastLibrary

@Suite("Lists of many episodes") struct InboxTests {
    private typealias Filter = PodcastLibrary.EpisodeFilter

    /// A library with two podcasts of five episodes each; the episodes of the second are newer.
    private func rig() throws -> (LibraryRig, ids: [Episode.ID]) {
        let rig = try LibraryRig()
        _ = try fill(rig.library, episodes: 5)
        try rig.library.database.write { database in
            let (id, _) = try rig.library.insert("https://host.example/b", title: "B show", now: 1, database)
            let episodes = (10..<15).map { number in
                var episode = feedEpisode(number)
                episode.title = "Rain in part \(number)"
                return episode
            }
            _ = try EpisodeWriter(podcastID: id, now: 1).write(episodes, database)
        }
        return (rig, try rig.library.episodes().map(\.id))
    }

    @Test("New episodes of all podcasts are one list, which filters, words and an order restrict")
    func filters() throws {
        let (rig, ids) = try rig()
        func found(_ change: (inout Filter) -> Void) throws -> [Int] {
            var filter = Filter()
            change(&filter)
            let all = try rig.library.episodes(filter).map { ids.firstIndex(of: $0.id) ?? -1 }
            let lists = try rig.library.lists(.filtered(filter), limit: filter.limit)
            #expect(lists.episodes.map { ids.firstIndex(of: $0.id) ?? -1 } == all)
            return all
        }
        try rig.library.setPlayed(true, ids[0])
        try rig.library.setPosition(9, of: ids[6])
        try rig.library.setPosition(9, of: ids[2])
        #expect(try found { $0.isUnplayedOnly = true } == Array(1...9))
        #expect(try found { $0.isInProgressOnly = true } == [2, 6])
        #expect(try found { ($0.isInProgressOnly, $0.isOldestFirst) = (true, true) } == [6, 2])
        #expect(try found { $0.text = "RAIN pa" } == [0, 1, 2, 3, 4])
        #expect(try found { ($0.text, $0.isUnplayedOnly) = ("rain", true) } == [1, 2, 3, 4])
        #expect(try found { ($0.text, $0.isOldestFirst) = ("rain", true) } == [4, 3, 2, 1, 0])
        #expect(try found { ($0.text, $0.limit, $0.offset) = ("notes", 3, 4) } == [4, 5, 6])
        #expect(try found { $0.text = " … " } == Array(0...9))
        #expect(try found { $0.text = "snow" }.isEmpty)
        #expect(try found { $0.isDownloadedOnly = true }.isEmpty)
        try rig.library.database.write { database in
            for index in [3, 8] {
                try database.execute(
                    sql: "INSERT INTO download (episodeID, state, path) VALUES (?, 'completed', '/none')",
                    arguments: [ids[index]]
                )
            }
        }
        #expect(try found { $0.isDownloadedOnly = true } == [3, 8])
        #expect(try found { ($0.isDownloadedOnly, $0.text) = (true, "rain") } == [3])
        #expect(try found { ($0.isDownloadedOnly, $0.isUnplayedOnly, $0.offset) = (true, true, 1) } == [8])
        let podcast = try rig.library.episode(ids[9]).podcastID
        #expect(try found { ($0.podcastID, $0.text) = (podcast, "number") } == [5, 6, 7, 8, 9])
        #expect(try rig.library.lists(.filtered(Filter()), limit: 9).hasMore)
    }

    /// A library with 5,100 episodes that have the word "common" in their notes, and every 50th in its title too.
    private func large() throws -> LibraryRig {
        let rig = try LibraryRig()
        try rig.library.database.write { database in
            let (id, _) = try rig.library.insert("https://host.example/a", title: "A show", now: 1, database)
            let episodes = (0..<5_100).map { number in
                var episode = feedEpisode(number)
                episode.summary = "A common text"
                if number % 50 == 0 { episode.title = "Common \(number)" }
                return episode
            }
            _ = try EpisodeWriter(podcastID: id, now: 1).write(episodes, database)
        }
        return rig
    }

    @Test("A search that finds very many episodes has those with the words in their titles first, then the newest")
    func broadSearch() throws {
        let rig = try large()
        func titles(_ text: String, limit: Int) throws -> [String] {
            try rig.library.search(text, limit: limit).map(\.title)
        }
        #expect(try titles("common", limit: 2) == ["Common 5050", "Common 5000"])
        let all = try titles("com", limit: 104)
        #expect(all[101] == "Common 0" && all[102...] == ["Episode 5099", "Episode 5098"])
        #expect(try rig.library.search("c", limit: .max).count == 5_100)
        #expect(Set(try rig.library.search("c", limit: .max).map(\.id)).count == 5_100)
        // Few matches are ranked.
        #expect(try titles("common 50", limit: 500).first == "Common 5050")
        var filter = PodcastLibrary.EpisodeFilter()
        (filter.text, filter.limit, filter.offset, filter.isOldestFirst) = ("common", 2, 5_098, true)
        #expect(try rig.library.episodes(filter).map(\.title) == ["Episode 5098", "Episode 5099"])
    }

    @Test("Lists of new and of begun episodes are read from an index, in either order, without sorting")
    func indexes() throws {
        let directory = try ScratchDirectory()
        let statements = Mutex<[String]>([])
        let path = FilePath(directory.file("library.sqlite"))
        let database = try LibraryDatabase(path: path) { database in
            database.trace { event in statements.withLock { $0.append("\(event)") } }
        }
        let library = PodcastLibrary(database, path: path, options: quickOptions())
        _ = try fill(library, episodes: 3)
        func plan(_ change: (inout Filter) -> Void) throws -> String {
            var filter = Filter()
            change(&filter)
            statements.withLock { $0 = [] }
            _ = try library.episodes(filter)
            let select = try #require(statements.withLock { $0 }.last { $0.contains("FROM \"episode\"") })
            return try database.read { database in
                try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(select)").map { "\($0["detail"] ?? "")" }
                    .joined(separator: "; ")
            }
        }
        #expect(try plan { $0.isUnplayedOnly = true } == "SCAN episode USING INDEX episodeUnplayed")
        #expect(
            try plan { ($0.isUnplayedOnly, $0.isOldestFirst) = (true, true) }
                == "SCAN episode USING INDEX episodeUnplayed"
        )
        #expect(try plan { $0.isInProgressOnly = true } == "SCAN episode USING INDEX episodeBegun")
        #expect(try plan { _ in } == "SCAN episode USING INDEX episodeByTime")
    }
}
