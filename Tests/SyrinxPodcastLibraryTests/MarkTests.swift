import Foundation
import GRDB
import SyrinxTestSupport
import Testing

@testable import SyrinxPodcastLibrary

@Suite("Marks of several episodes") struct MarkTests {
    /// The state of each episode that a mark can change, in the order of the list.
    private func states(_ library: PodcastLibrary) throws -> [String] {
        try library.episodes().map { episode in
            let time = episode.playedAt.map { "\($0.timeIntervalSince1970)" } ?? "never"
            return "\(episode.id) \(episode.isPlayed) \(episode.position) \(time)"
        }
    }

    @Test("Marking a podcast changes its own episodes, and takes them out of the queue")
    func marksOfAPodcast() throws {
        let rig = try LibraryRig()
        let podcast = try fill(rig.library, episodes: 3)
        let other = try fill(rig.library, podcast: "https://host.example/b", episodes: 1)
        let episodes = try rig.library.episodes(of: podcast)
        let foreign = try rig.library.episodes(of: other)[0].id
        try rig.library.setPosition(7, of: episodes[1].id)
        try rig.library.enqueue([episodes[0].id, foreign, episodes[2].id])
        #expect(try rig.library.mark(.podcast(podcast), isPlayed: false).count == 0)
        #expect(try rig.library.episode(episodes[1].id).position == 7)
        let date = try #require(episodes[1].published)
        #expect(try rig.library.mark(.podcast(podcast, before: date), isPlayed: true).count == 1)
        #expect(try rig.library.episode(episodes[2].id).isPlayed)
        #expect(try rig.library.queue().map(\.id) == [episodes[0].id, foreign])
        #expect(try rig.library.mark(.podcast(podcast), isPlayed: true).count == 2)
        #expect(try rig.library.queue().map(\.id) == [foreign])
        #expect(try rig.library.podcast(podcast).unplayedCount == 0)
        #expect(try rig.library.podcast(other).unplayedCount == 1)
        let error = #expect(throws: PodcastError.self) { try rig.library.mark(.podcast(99), isPlayed: true) }
        #expect(error?.code == .noSuchPodcast)
    }

    @Test("Episodes are marked by number and in all podcasts before a date; an unknown number changes nothing")
    func selections() throws {
        let rig = try LibraryRig()
        let podcast = try fill(rig.library, episodes: 3)
        _ = try fill(rig.library, podcast: "https://host.example/b", episodes: 3)
        let ids = try rig.library.episodes(of: podcast).map(\.id)
        let error = #expect(throws: PodcastError.self) {
            try rig.library.mark(.episodes([ids[0], 999]), isPlayed: true)
        }
        #expect(error?.code == .noSuchEpisode)
        #expect(try rig.library.episodes().allSatisfy { !$0.isPlayed })
        #expect(try rig.library.mark(.episodes([ids[0], ids[0]]), isPlayed: true).count == 1)
        #expect(try rig.library.mark(.episodes([]), isPlayed: true).count == 0)
        try rig.library.database.write {
            try $0.execute(sql: "UPDATE episode SET published = NULL WHERE id = ?", arguments: [ids[2]])
        }
        // Episode 2 of both is too new, episode 0 of the first has no date.
        let date = Date(timeIntervalSince1970: 1_700_000_002)
        #expect(try rig.library.mark(.all(before: date), isPlayed: true).count == 3)
        #expect(try rig.library.mark(.all(), isPlayed: true).count == 2)
        #expect(try rig.library.mark(.all(), isPlayed: false).count == 6)
    }

    @Test("The episodes of a filter are marked, whatever its range, and those before a date alone")
    func filtered() throws {
        let rig = try LibraryRig()
        let podcast = try fill(rig.library, episodes: 4)
        _ = try fill(rig.library, podcast: "https://host.example/b", episodes: 1)
        let ids = try rig.library.episodes(of: podcast).map(\.id)
        try rig.library.setPosition(7, of: ids[0])
        try rig.library.setPosition(7, of: ids[3])
        var filter = PodcastLibrary.EpisodeFilter()
        (filter.podcastID, filter.isInProgressOnly, filter.limit, filter.offset) = (podcast, true, 1, 1)
        let date = try #require(try rig.library.episode(ids[1]).published)
        let older = try rig.library.mark(.filtered(filter, before: date), isPlayed: true)
        #expect(try older.count == 1 && rig.library.episode(ids[3]).isPlayed)
        #expect(try rig.library.mark(.filtered(filter), isPlayed: true).count == 1)
        #expect(try rig.library.episodes(of: podcast).map(\.isPlayed) == [true, false, false, true])
        (filter.isInProgressOnly, filter.text) = (false, "snow")
        #expect(try rig.library.mark(.filtered(filter), isPlayed: true).count == 0)
        filter.text = "notes"
        #expect(try rig.library.mark(.filtered(filter), isPlayed: true).count == 2)
        #expect(try rig.library.podcast(podcast).unplayedCount == 0)
        filter.podcastID = 99
        let error = #expect(throws: PodcastError.self) { try rig.library.mark(.filtered(filter), isPlayed: true) }
        #expect(error?.code == .noSuchPodcast)
        filter = PodcastLibrary.EpisodeFilter()
        filter.isDownloadedOnly = true
        #expect(try rig.library.mark(.filtered(filter, before: .distantFuture), isPlayed: true).count == 0)
    }

    @Test("Many episodes are marked by their numbers at once")
    func manyNumbers() throws {
        let rig = try LibraryRig()
        let podcast = try fill(rig.library, episodes: 2_500)
        var filter = PodcastLibrary.EpisodeFilter()
        filter.limit = .max
        let marks = try rig.library.mark(.episodes(rig.library.episodes(filter).map(\.id)), isPlayed: true)
        #expect(marks.count == 2_500)
        #expect(try rig.library.undo(marks) == 2_500 && rig.library.podcast(podcast).unplayedCount == 2_500)
    }

    @Test("Undoing a mark gives back marks, positions, times and places in the queue")
    func undo() throws {
        let rig = try LibraryRig()
        let podcast = try fill(rig.library, episodes: 5)
        let ids = try rig.library.episodes(of: podcast).map(\.id)
        try rig.library.setPosition(7, of: ids[1], at: Date(timeIntervalSince1970: 1_650_000_000))
        try rig.library.setPlayed(true, ids[3], at: Date(timeIntervalSince1970: 1_650_000_001))
        try rig.library.enqueue([ids[2], ids[0], ids[1]])
        let before = try states(rig.library)
        let marks = try rig.library.mark(.all(), isPlayed: true)
        #expect(marks.count == 4 && marks.isPlayed)
        #expect(try rig.library.queue().isEmpty)
        #expect(try rig.library.undo(marks) == 4)
        #expect(try states(rig.library) == before)
        #expect(try rig.library.queue().map(\.id) == [ids[2], ids[0], ids[1]])
        // A second time there is nothing to take back.
        #expect(try rig.library.undo(marks) == 0)
        let unplayed = try rig.library.mark(.podcast(podcast), isPlayed: false)
        #expect(unplayed.count == 1)
        #expect(try rig.library.undo(unplayed) == 1 && states(rig.library) == before)
    }

    @Test("Undoing a mark leaves episodes alone that were played, marked or removed since then")
    func undoAfterOtherChanges() throws {
        let rig = try LibraryRig()
        let podcast = try fill(rig.library, episodes: 4)
        let gone = try fill(rig.library, podcast: "https://host.example/b", episodes: 1)
        let ids = try rig.library.episodes(of: podcast).map(\.id)
        let marks = try rig.library.mark(.all(), isPlayed: true)
        let second = try rig.second()
        try second.setPosition(30, of: ids[0])
        try second.setPlayed(true, ids[1])
        try second.unsubscribe(gone)
        #expect(try rig.library.undo(marks) == 2)
        #expect(try rig.library.episode(ids[0]).position == 30 && rig.library.episode(ids[0]).isPlayed)
        #expect(try rig.library.episode(ids[1]).isPlayed)
        #expect(try !rig.library.episode(ids[2]).isPlayed && !rig.library.episode(ids[3]).isPlayed)
    }

    @Test("An undone mark is sent to a server that may know the mark, and to no other")
    func undoAndServers() throws {
        let rig = try LibraryRig()
        let podcast = try fill(rig.library, episodes: 1)
        let id = try rig.library.episodes(of: podcast)[0].id
        try rig.library.undo(rig.library.mark(.all(), isPlayed: true))
        #expect(try rig.library.episode(id).playedAt == nil)
        let marks = try rig.library.mark(.all(), isPlayed: true)
        try rig.library.database.write {
            try $0.execute(
                sql: "INSERT INTO syncState (server, sentAt) VALUES ('s', ?)",
                arguments: [marks.time + 1]
            )
        }
        #expect(try rig.library.undo(marks) == 1)
        let restored = try rig.library.episode(id)
        #expect(!restored.isPlayed && (restored.playedAt?.timeIntervalSince1970 ?? 0) >= marks.time)
    }

    @Test("Marks and positions that two users of a library write at once are all kept", .timeLimit(.minutes(1)))
    func twoUsers() async throws {
        let rig = try LibraryRig()
        let first = try fill(rig.library, episodes: 100)
        let other = try fill(rig.library, podcast: "https://host.example/b", episodes: 100)
        let ids = try rig.library.episodes(of: other).map(\.id)
        let second = try rig.second()
        async let marked = Task.detached { [library = rig.library] in
            for _ in 0..<20 {
                try library.undo(library.mark(.podcast(first), isPlayed: true))
            }
            return try library.mark(.podcast(first), isPlayed: true).count
        }.value
        async let listened: Void = Task.detached {
            for (index, id) in ids.enumerated() { try second.setPosition(Double(index + 1), of: id) }
        }.value
        _ = try await (marked, listened)
        #expect(try await marked == 100)
        #expect(try rig.library.podcast(first).unplayedCount == 0)
        #expect(try rig.library.episodes(of: other).map(\.position) == (1...100).map(Double.init))
    }

    @Test("A process that is killed while it marks has marked all episodes or none", arguments: 0..<4)
    func killed(round: Int) async throws {
        let directory = try ScratchDirectory()
        let path = directory.file("library.sqlite")
        do { _ = try fill(PodcastLibrary(path: FilePath(path)), episodes: 300) }
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, round = round as Int] in
            let library = try PodcastLibrary(path: FilePath(path))
            Thread.detachNewThread {
                usleep(UInt32(3_000 + 7_000 * round))
                kill(getpid(), SIGKILL)
            }
            for _ in 0..<100_000 { try library.undo(library.mark(.all(), isPlayed: true)) }
        }
        let library = try PodcastLibrary(path: FilePath(path))
        #expect(try [0, 300].contains(library.podcasts()[0].unplayedCount))
    }
}
