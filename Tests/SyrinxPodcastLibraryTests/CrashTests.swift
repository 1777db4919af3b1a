import Foundation
import GRDB
import SyrinxTestSupport
import Testing

@testable import SyrinxPodcastLibrary

@Suite("Crashes, full disks and several processes") struct CrashTests {
    /// A child counts up in position, marks, queue and episodes, and notes each number once its transaction has been committed.
    private static func work(_ path: String, journal: Int32, killAt: Int, killAfter: UInt32) throws {
        let counter = Counter(killAt)
        if killAfter > 0 {
            Thread.detachNewThread {
                usleep(killAfter)
                kill(getpid(), SIGKILL)
            }
        }
        let database = try LibraryDatabase(path: FilePath(path)) { database in
            database.trace { _ in counter.step() }
        }
        let library = PodcastLibrary(database, path: FilePath(path), options: quickOptions())
        let podcast = try library.podcasts()[0].id
        let id = try library.episode(mediaURL: "https://host.example/0.mp3")?.id ?? 0
        for number in 1...10_000 {
            try library.setPosition(Double(number), of: id, at: Date(timeIntervalSince1970: 1e9 + Double(number)))
            note("p\(number)\n", journal)
            _ = try library.database.write {
                try EpisodeWriter(podcastID: podcast, now: 2).write([feedEpisode(100 + number)], $0)
            }
            note("e\(number)\n", journal)
            try library.enqueue(
                [library.episode(mediaURL: "https://host.example/\(100 + number).mp3")?.id ?? 0],
                at: .first
            )
            note("q\(number)\n", journal)
        }
    }

    private static func note(_ text: String, _ descriptor: Int32) {
        var text = text
        text.withUTF8 { _ = write(descriptor, $0.baseAddress, $0.count) }
    }

    /// Ends the process at a statement, as `kill -9` does.
    private final class Counter: @unchecked Sendable {
        // Unchecked: only the writer's thread steps.
        private var left: Int
        init(_ count: Int) { left = count }
        func step() {
            left -= 1
            if left == 0 { kill(getpid(), SIGKILL) }
        }
    }

    @Test(
        "A process that is killed at any statement, or at any time, loses nothing that was committed",
        arguments: 0..<8
    )
    func killedAtAnyStatement(round: Int) async throws {
        var generator = SplitMix64(seed: UInt64(round))
        let directory = try ScratchDirectory()
        let path = directory.file("library.sqlite")
        do {
            let library = try PodcastLibrary(path: FilePath(path))
            _ = try fill(library, episodes: 2)
        }
        // Statements for the round: the first ones belong to opening the file.
        let killAt = round % 2 == 0 ? 30 + generator.next(below: 300) : 0
        let killAfter = round % 2 == 0 ? 0 : 10_000 + generator.next(below: 200_000)
        let journalPath = directory.file("journal")
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [
                path = path as String, journalPath = journalPath as String, killAt = killAt as Int,
                killAfter = killAfter as Int
            ] in
            let journal = open(journalPath, O_WRONLY | O_CREAT | O_APPEND, 0o600)
            try CrashTests.work(path, journal: journal, killAt: killAt, killAfter: UInt32(killAfter))
        }
        let notes = (try? String(contentsOfFile: journalPath, encoding: .utf8))?.split(separator: "\n") ?? []
        func last(_ kind: Character) -> Int { notes.last { $0.first == kind }.flatMap { Int($0.dropFirst()) } ?? 0 }
        let library = try PodcastLibrary(path: FilePath(path))
        let episodes = try library.episodes()
        let position = try #require(episodes.first { $0.title == "Episode 0" }).position
        // One more may have been committed and not noted.
        #expect((last("p")...last("p") + 1).contains(Int(position)))
        #expect((last("e")...last("e") + 1).contains(episodes.count - 2))
        let queue = try library.queue().map(\.title)
        #expect((last("q")...last("q") + 1).contains(queue.count))
        #expect(queue == (0..<queue.count).reversed().map { "Episode \(101 + $0)" })
        let check = try library.database.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
        #expect(check == ["ok"])
        try library.database.withoutTransaction {
            try $0.execute(sql: "INSERT INTO episodeSearch(episodeSearch, rank) VALUES ('integrity-check', 1)")
        }
    }

    @Test("Processes that write at once wait for each other, and no change is lost")
    func severalProcesses() async throws {
        let directory = try ScratchDirectory()
        let path = directory.file("library.sqlite")
        async let first: Void = Self.child(path, 1)
        async let second: Void = Self.child(path, 2)
        async let third: Void = Self.child(path, 3)
        _ = try await (first, second, third)
        let library = try PodcastLibrary(path: FilePath(path))
        #expect(try library.podcasts().count == 3)
        #expect(try library.episodes().count == 3 * 40)
        #expect(try library.queue().count == 3 * 40)
        #expect(try library.episodes().allSatisfy { $0.position == 9 })
    }

    /// Opens the file, which none of them has made, and works.
    private static func child(_ path: String, _ number: Int) async throws {
        await #expect(processExitsWith: .success) { [path, number] in
            let library = try PodcastLibrary(path: FilePath(path))
            let id = try fill(library, podcast: "https://host.example/\(number)", episodes: 0)
            for step in 0..<40 {
                _ = try library.database.write {
                    try EpisodeWriter(podcastID: id, now: 1).write([feedEpisode(step)], $0)
                }
                let episode = try library.episodes(of: id)[0].id
                try library.enqueue([episode], at: step % 2 == 0 ? .first : .last)
                try library.setPosition(9, of: episode)
            }
        }
    }

    @Test("A full disk is an error that says so; what was saved stays, and saving goes on when there is space")
    func fullDisk() throws {
        let directory = try ScratchDirectory()
        let path = directory.file("library.sqlite")
        let database = try LibraryDatabase(path: FilePath(path))
        let library = PodcastLibrary(database, path: FilePath(path), options: quickOptions())
        let podcast = try fill(library, episodes: 10)
        let saved = try library.episodes().map(\.id)
        try database.withoutTransaction { database in
            let count = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(count + 4)")
        }
        let error = #expect(throws: PodcastError.self) {
            _ = try database.write {
                try EpisodeWriter(podcastID: podcast, now: 1).write((20..<2_000).map(feedEpisode), $0)
            }
        }
        #expect(error?.code == .diskFull)
        #expect(try library.episodes().map(\.id) == saved)
        try database.withoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
        _ = try database.write {
            try EpisodeWriter(podcastID: podcast, now: 1).write((20..<2_000).map(feedEpisode), $0)
        }
        #expect(try library.podcast(podcast).episodeCount == 10 + 1_980)
    }

    @Test("A file that may not grow is an error, and damages nothing")
    func limitedFile() async throws {
        let directory = try ScratchDirectory()
        let path = directory.file("library.sqlite")
        await #expect(processExitsWith: .exitCode(42)) { [path = path as String] in
            let library = try PodcastLibrary(path: FilePath(path))
            let podcast = try fill(library, episodes: 10)
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 300_000, rlim_max: 300_000)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            do {
                _ = try library.database.write {
                    try EpisodeWriter(podcastID: podcast, now: 1).write((20..<9_000).map(feedEpisode), $0)
                }
            } catch let error as PodcastError {
                exit(error.code == .libraryFailed || error.code == .diskFull ? 42 : 1)
            }
        }
        let library = try PodcastLibrary(path: FilePath(path))
        #expect(try library.episodes().count == 10)
        #expect(try library.database.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
    }

    @Test("A process that keeps the library busy for too long is an error that says so")
    func busyLibrary() throws {
        let rig = try LibraryRig { $0.busyTimeout = 0.05 }
        let podcast = try fill(rig.library, episodes: 1)
        let other = try rig.second()
        try other.database.write { database in
            try database.execute(sql: "UPDATE podcast SET title = 'x'")
            let error = #expect(throws: PodcastError.self) { try rig.library.setDownloadRule(nil, for: podcast) }
            #expect(error?.code == .libraryBusy)
            // Readers do not wait.
            #expect(try rig.library.podcasts().map(\.title) == ["A show"])
        }
    }

    @Test("What is saved is on the disk: every commit is synchronised")
    func commitsAreSynchronised() throws {
        let rig = try LibraryRig()
        let settings = try rig.library.database.withoutTransaction { database in
            try ["synchronous", "journal_mode"].map { try String.fetchOne(database, sql: "PRAGMA \($0)") }
        }
        #expect(settings == ["2", "wal"])
    }
}
