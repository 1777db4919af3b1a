import Foundation
import GRDB
import SyrinxTestSupport
import Testing

@testable import SyrinxPodcastLibrary

@Suite("Lists of a library") struct ListTests {
    @Test("Each list has its episodes, and says whether there are more")
    func lists() throws {
        let rig = try LibraryRig()
        let podcast = try fill(rig.library, episodes: 5)
        let ids = try rig.library.episodes(of: podcast).map(\.id)
        try rig.library.setPlayed(true, ids[0])
        try rig.library.enqueue([ids[3], ids[1]])
        func found(_ list: EpisodeList, limit: Int = 500) throws -> [Episode.ID] {
            try rig.library.lists(list, limit: limit).episodes.map(\.id)
        }
        #expect(try found(.latest) == Array(ids[1...]) && found(.podcast(podcast)) == ids)
        #expect(try found(.queue) == [ids[3], ids[1]] && found(.downloads).isEmpty && found(.none).isEmpty)
        #expect(try found(.search("number 3")) == [ids[1]])
        let some = try rig.library.lists(.podcast(podcast), limit: 4)
        #expect(some.episodes.map(\.id) == Array(ids[..<4]) && some.hasMore && some.queue == [ids[1], ids[3]])
        #expect(some.podcasts.map(\.unplayedCount) == [4] && some.titles == [podcast: "A show"])
        #expect(try !rig.library.lists(.podcast(podcast), limit: 5).hasMore)
        #expect(try rig.library.lists(.latest, limit: .max).episodes.count == 4)
        #expect(try rig.library.lists(.latest, limit: -1).episodes.isEmpty)
    }

    @Test("A list is given again after each change that concerns it", .timeLimit(.minutes(1)))
    func changes() async throws {
        let rig = try LibraryRig()
        let podcast = try fill(rig.library, episodes: 2)
        let ids = try rig.library.episodes(of: podcast).map(\.id)
        var lists = rig.library.changes(of: .podcast(podcast)).makeAsyncIterator()
        #expect(try await lists.next()?.episodes.map(\.isPlayed) == [false, false])
        try rig.library.setPlayed(true, ids[1])
        #expect(try await lists.next()?.episodes.map(\.isPlayed) == [false, true])
        try rig.library.enqueue([ids[0]])
        #expect(try await lists.next()?.queue == [ids[0]])
        try rig.library.unsubscribe(podcast)
        let last = try await lists.next()
        #expect(last?.podcasts.isEmpty == true && last?.episodes.isEmpty == true)
    }

    @Test("A refresh that brings what is known changes nothing, whatever the fraction of a date")
    func sameContent() throws {
        let rig = try LibraryRig()
        try rig.library.database.write { database in
            let (id, _) = try rig.library.insert("https://host.example/a", title: "A show", now: 1, database)
            let episodes = (0..<200).map { number in
                var episode = feedEpisode(number)
                episode.published = 1_700_000_000 + Double(number) / 7
                episode.details.persons = [.init(name: "A", role: "host", artworkURL: nil, link: nil)]
                return episode
            }
            let writer = EpisodeWriter(podcastID: id, now: 1)
            #expect(try writer.write(episodes, database).added == 200)
            try writer.finish(isComplete: true, database)
            let again = EpisodeWriter(podcastID: id, now: 2)
            let before = database.totalChangesCount
            let counts = try again.write(episodes, database)
            // Only the list of those that were seen.
            #expect(counts.added == 0 && counts.changed == 0 && database.totalChangesCount == before + 200)
            try again.finish(isComplete: true, database)
            var changed = episodes
            (changed[3].title, changed[4].details.persons) = ("Other", [])
            #expect(try EpisodeWriter(podcastID: id, now: 3).write(changed, database).changed == 2)
        }
    }
}
