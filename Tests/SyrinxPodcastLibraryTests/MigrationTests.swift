import Foundation
import GRDB
import SyrinxPlayback
import SyrinxTestSupport
import Testing

@testable import SyrinxPodcastLibrary

@Suite("Versions of the library") struct MigrationTests {
    /// Every version so far, as its file was, with a row in each table: never changed once the version is released.
    static let fixtures = ["v1", "v2", "v3", "v4", "v5", "v6", "v7"]

    private func open(_ version: String, in directory: ScratchDirectory) throws -> PodcastLibrary {
        let sql = try String(
            contentsOfFile: "\(repositoryRoot.path)/Tests/Goldens/PodcastLibrary/\(version).sql",
            encoding: .utf8
        )
        let path = directory.file("library.sqlite")
        try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
        return try PodcastLibrary(path: FilePath(path))
    }

    @Test(
        "A library of every version opens with its podcasts, positions and queue, and can be searched",
        arguments: fixtures
    )
    func everyVersionOpens(version: String) throws {
        let directory = try ScratchDirectory()
        let library = try open(version, in: directory)
        let podcast = try #require(try library.podcasts().first)
        #expect(podcast.title == "Old show" && podcast.episodeCount == 2 && podcast.unplayedCount == 1)
        let queue = try library.queue()
        #expect(queue.map(\.title) == ["Second", "First"] && queue[1].position == 61.5 && queue[0].isPlayed)
        #expect(try library.search("zebra").map(\.title) == ["First"])
        #expect(try library.details(of: queue[1].id).transcripts.map(\.url) == ["https://host.example/1.vtt"])
        try library.setDownloadRule(DownloadRule(), for: podcast.id)
        var settings = try library.settings(of: podcast.id)
        #expect(settings.rate == (version >= "v4" ? 1.5 : nil))
        settings.volume = 0.5
        try library.setSettings(settings, of: podcast.id)
        #expect(try library.settings(of: podcast.id) == settings)
        try library.setPosition(3, of: queue[0].id)
        try library.unsubscribe(podcast.id)
        #expect(try library.search("zebra").isEmpty)
    }

    @Test("The migrated library has the same tables as a new one", arguments: fixtures)
    func migrationsAgree(version: String) throws {
        func schema(_ library: PodcastLibrary) throws -> [String] {
            try library.database.read { database in
                try String.fetchAll(database, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
            }.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        }
        let old = try ScratchDirectory()
        let new = try ScratchDirectory()
        let fresh = try PodcastLibrary(path: FilePath(new.file("library.sqlite")))
        #expect(try schema(open(version, in: old)) == schema(fresh))
    }

    @Test("A library of a newer version, a damaged one and another file are refused with a sentence")
    func otherFilesAreRefused() throws {
        let directory = try ScratchDirectory()
        let path = FilePath(directory.file("library.sqlite"))
        do {
            let library = try PodcastLibrary(path: path)
            try library.database.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('v99')") }
        }
        #expect(#expect(throws: PodcastError.self) { try PodcastLibrary(path: path) }?.code == .libraryTooNew)
        try Data(repeating: 7, count: 10_000).write(to: directory.url("noise"))
        let noise = #expect(throws: PodcastError.self) { try PodcastLibrary(path: FilePath(directory.file("noise"))) }
        #expect(noise?.code == .libraryDamaged)
        let folder = #expect(throws: PodcastError.self) { try PodcastLibrary(path: FilePath(directory.path)) }
        #expect(folder?.code.rawValue == "file.libraryFailed")
    }

    @Test(
        "A value of another kind than its column's is read as zero or as text, and ends nothing",
        arguments: [
            "season = 'spring'", "isPlayed = 'no'", "title = x'FF00'", "position = 'far'", "published = 'then'",
            "mediaLength = 1e300", "details = x'00'", "playedAt = 1e300", "duration = 9e999", "link = 7",
        ]
    )
    func foreignValues(assignment: String) throws {
        let rig = try LibraryRig()
        let podcast = try fill(rig.library, episodes: 2)
        let id = try rig.library.episodes(of: podcast)[0].id
        try rig.library.database.write {
            try $0.execute(sql: "UPDATE episode SET \(assignment) WHERE id = ?", arguments: [id])
        }
        #expect(try rig.library.episodes(of: podcast).map(\.id).contains(id))
        #expect(try rig.library.episode(id).id == id && rig.library.details(of: id) == Episode.Details())
        #expect(try rig.library.podcasts()[0].episodeCount == 2)
        // A refresh mends what is the feed's.
        _ = try fill(rig.library, episodes: 2)
        let mended = try rig.library.episode(id)
        #expect(mended.title == "Episode 1" && mended.season == nil && mended.duration == 600 && mended.link == nil)
    }

    @Test("Details that cannot be understood are none, and stay until the feed has others")
    func foreignDetails() throws {
        let rig = try LibraryRig()
        let podcast = try fill(rig.library, episodes: 1)
        let id = try rig.library.episodes(of: podcast)[0].id
        try rig.library.database.write { try $0.execute(sql: "UPDATE episode SET details = '{\"chapters\":7}'") }
        #expect(try rig.library.details(of: id) == Episode.Details())
        _ = try fill(rig.library, episodes: 1)
        let text = try rig.library.database.read { try String.fetchOne($0, sql: "SELECT details FROM episode") }
        #expect(text == "{\"chapters\":7}")
    }

    @Test(
        "A podcast with values of another kind than its columns' is listed, and a refresh mends it",
        arguments: [
            "categories = '{'", "persons = x'00'", "title = x'FF'", "refreshedAt = 'then'", "state = 7",
            "settings = 'x'",
        ]
    )
    func foreignPodcast(assignment: String) async throws {
        let rig = try LibraryRig()
        let podcast = try await rig.subscribe(episodes: 2)
        try rig.library.database.write { try $0.execute(sql: "UPDATE podcast SET \(assignment)") }
        #expect(
            try rig.library.podcasts().map(\.id) == [podcast.id] && rig.library.podcast(podcast.id).id == podcast.id
        )
        #expect(try rig.library.lists(.latest).episodes.count == 2 && rig.library.exportOPML().count > 0)
        try await rig.library.refresh(podcast.id)
        let mended = try rig.library.podcast(podcast.id)
        #expect(mended.title == podcast.title && mended.categories == podcast.categories && mended.state == .active)
        #expect(mended.refreshedAt.map { abs($0.timeIntervalSinceNow) < 3_600 } == true)
    }
}
