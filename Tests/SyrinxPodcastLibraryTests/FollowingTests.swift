import Foundation
import GRDB
import SyrinxPlayback
import SyrinxTestSupport
import Testing

@testable import SyrinxPodcastLibrary

@Suite("Episodes that follow") struct FollowingTests {
    private func set(_ autoplay: Autoplay?, of podcast: Podcast.ID, in library: PodcastLibrary) throws {
        var settings = try library.settings(of: podcast)
        settings.autoplay = autoplay
        try library.setSettings(settings, of: podcast)
    }

    private func titles(_ episodes: [Episode]) -> [String] { episodes.map { $0.title.replacing("Episode ", with: "") } }

    @Test("Newer or older episodes of the podcast follow, as its settings have it, or none")
    func settings() throws {
        let rig = try LibraryRig()
        let podcast = try fill(rig.library, episodes: 6)
        _ = try fill(rig.library, podcast: "https://host.example/b", episodes: 6)
        let ids = try rig.library.episodes(of: podcast).map(\.id)
        func following(_ id: Episode.ID, limit: Int = 200) throws -> [String] {
            titles(try rig.library.following(id, limit: limit))
        }
        #expect(try following(ids[3]).isEmpty)
        try set(.off, of: podcast, in: rig.library)
        #expect(try following(ids[3]).isEmpty)
        try set(.newer, of: podcast, in: rig.library)
        #expect(try following(ids[3]) == ["3", "4", "5"] && following(ids[0]).isEmpty)
        #expect(try following(ids[3], limit: 1) == ["3"] && following(ids[3], limit: -1).isEmpty)
        try set(.older, of: podcast, in: rig.library)
        #expect(try following(ids[3]) == ["1", "0"] && following(ids[5]).isEmpty)
        let error = #expect(throws: PodcastError.self) { try rig.library.following(999) }
        #expect(error?.code == .noSuchEpisode)
    }

    @Test("Heard episodes and those without a recording do not follow, and those of before the subscription do")
    func heard() throws {
        let rig = try LibraryRig()
        let podcast = try fill(rig.library, episodes: 6)
        let ids = try rig.library.episodes(of: podcast).map(\.id)
        try set(.older, of: podcast, in: rig.library)
        try rig.library.setPlayed(true, ids[1])
        try rig.library.database.write { database in
            try database.execute(sql: "UPDATE episode SET isPlayed = 1 WHERE id = ?", arguments: [ids[2]])
            try database.execute(sql: "UPDATE episode SET mediaURL = NULL WHERE id = ?", arguments: [ids[3]])
            try database.execute(sql: "UPDATE episode SET published = NULL WHERE id = ?", arguments: [ids[4]])
        }
        #expect(titles(try rig.library.following(ids[0])) == ["3", "0", "1"])
        // Episodes without a date come last, and before them the dated ones are newer.
        try set(.newer, of: podcast, in: rig.library)
        #expect(titles(try rig.library.following(ids[4])) == ["0", "3", "5"])
    }

    @Test("The queue comes first, and then the podcast of its last episode counts")
    func queue() throws {
        let rig = try LibraryRig()
        let podcast = try fill(rig.library, episodes: 3)
        let other = try fill(rig.library, podcast: "https://host.example/b", episodes: 4)
        let ids = try rig.library.episodes(of: podcast).map(\.id)
        let others = try rig.library.episodes(of: other).map(\.id)
        try set(.newer, of: podcast, in: rig.library)
        try set(.older, of: other, in: rig.library)
        try rig.library.enqueue([ids[2], others[2], others[1]])
        #expect(try rig.library.following(ids[2]).map(\.id) == [others[2], others[1], others[3]])
        #expect(try rig.library.following(ids[2], limit: 2).map(\.id) == [others[2], others[1]])
        try rig.library.clearQueue()
        #expect(try rig.library.following(ids[2]).map(\.id) == [ids[1], ids[0]])
    }
}
