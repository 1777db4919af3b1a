import Foundation
import GRDB
import Synchronization
import SyrinxTestSupport
import Testing

@testable import SyrinxPodcastLibrary

@Suite("Downloads") struct DownloadTests {
    private func plan(_ rule: DownloadRule?, _ change: (inout [DownloadPlan.Candidate]) -> Void = { _ in })
        -> DownloadPlan
    {
        var candidates = (1...5).map { DownloadPlan.Candidate(id: Int64($0), byteCount: 100) }
        change(&candidates)
        return DownloadPlan(candidates, rule: rule)
    }

    @Test("A rule keeps the newest, within its number and size, and leaves out what has been heard")
    func rulesDecide() {
        #expect(plan(nil).fetched == [])
        #expect(plan(DownloadRule(keptCount: 2)).fetched == [1, 2])
        #expect(plan(DownloadRule(keptCount: 2)) { $0[0].isPlayed = true }.fetched == [2, 3])
        #expect(plan(DownloadRule(keptCount: 2, isUnplayedOnly: false)) { $0[0].isPlayed = true }.fetched == [1, 2])
        #expect(plan(DownloadRule(keptCount: nil, byteLimit: 250)).fetched == [1, 2])
        #expect(plan(DownloadRule(keptCount: nil, byteLimit: 250)) { $0[1].byteCount = 200 }.fetched == [1])
        #expect(plan(DownloadRule(keptCount: nil, byteLimit: 250)) { $0[0].byteCount = .max }.fetched == [])
    }

    @Test("A rule removes what it does not keep, except what is asked for, begun or queued")
    func rulesRemove() {
        let plan = plan(DownloadRule(keptCount: 1)) { candidates in
            for index in candidates.indices { candidates[index].isDownloaded = true }
            candidates[2].isWanted = true
            candidates[3].isInUse = true
        }
        #expect(
            plan
                == {
                    var plan = self.plan(nil); plan.removed = [2, 5]; return plan
                }()
        )
        #expect(
            self.plan(nil) {
                $0[0].isDownloaded = true; $0[1].isWanted = true
            }.removed == []
        )
        #expect(
            self.plan(nil) {
                $0[0].isDownloaded = true; $0[1].isWanted = true
            }.fetched == [2]
        )
    }

    private func rig(_ change: (inout PodcastLibrary.Options) -> Void = { _ in }) async throws -> (
        LibraryRig, [UInt8], Episode
    ) {
        let rig = try LibraryRig(change)
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        rig.server.route("/1.mp3", .file(bytes, type: "audio/mpeg"))
        rig.serve(
            "/feed.xml",
            rss(item(1).replacingOccurrences(of: "https://host.example/1.mp3", with: rig.server.url("/1.mp3")))
        )
        let podcast = try await rig.library.subscribe(to: rig.server.url("/feed.xml"))
        return (rig, bytes, try rig.library.episodes(of: podcast.id)[0])
    }

    @Test("An episode is fetched into a file once, and removed with what is known of it")
    func fetching() async throws {
        let (rig, bytes, episode) = try await rig()
        let last = Mutex<Int64>(0)
        let download = try await rig.library.fetch(episode.id) { count, _ in last.withLock { $0 = count } }
        #expect(download.state == .completed && download.byteCount == 300_000 && last.withLock { $0 } == 300_000)
        #expect(try Data(contentsOf: download.file) == Data(bytes) && download.file.pathExtension == "mp3")
        _ = try await rig.library.fetch(episode.id)
        #expect(rig.server.requests("/1.mp3").count == 1)
        // A file that somebody has removed is fetched again.
        try FileManager.default.removeItem(at: download.file)
        _ = try await rig.library.fetch(episode.id)
        try rig.library.removeDownload(episode.id)
        #expect(try rig.library.downloads().isEmpty && !FileManager.default.fileExists(atPath: download.file.path))
    }

    @Test("A download that broke off goes on where it was, and begins anew for another version")
    func resuming() async throws {
        let (rig, bytes, episode) = try await rig { $0.network.maximumAttempts = 1 }
        let whole = ScriptedResponse.file(bytes, type: "audio/mpeg")
        rig.server.route("/1.mp3", whole.cut(after: 150_000, .reset), .status(503), .status(503), .status(503))
        await #expect(throws: PodcastError.self) { try await rig.library.fetch(episode.id) }
        #expect(try rig.library.download(of: episode.id)?.state == .failed)
        rig.server.route("/1.mp3", whole)
        let download = try await rig.library.fetch(episode.id)
        let range = try #require(rig.server.requests("/1.mp3").last?.range)
        #expect(range != "bytes=0-" && download.failure == nil)
        #expect(try Data(contentsOf: download.file) == Data(bytes))
        try rig.library.removeDownload(episode.id)
        rig.server.route("/1.mp3", whole.cut(after: 150_000, .reset), .status(503), .status(503), .status(503))
        await #expect(throws: PodcastError.self) { try await rig.library.fetch(episode.id) }
        rig.server.route("/1.mp3", .file(bytes.reversed(), type: "audio/mpeg").etag("\"new\""))
        #expect(try Data(contentsOf: await rig.library.fetch(episode.id).file) == Data(bytes.reversed()))
    }

    @Test("A download that was under way when a player ended is found at the next start, and goes on where it was")
    func brokenOff() async throws {
        let (rig, bytes, episode) = try await rig { $0.network.maximumAttempts = 1 }
        let (library, id) = (rig.library, episode.id)
        let whole = ScriptedResponse.file(bytes, type: "audio/mpeg")
        rig.server.route("/1.mp3", whole.cut(after: 150_000, .reset), .status(503), .status(503), .status(503))
        let found = Mutex<[Episode.ID]>([])
        await #expect(throws: PodcastError.self) {
            try await library.fetch(id) { _, _ in
                if let ids = try? library.brokenOffDownloads() { found.withLock { $0 = ids } }
            }
        }
        // One that has failed waits for the listener.
        #expect(try library.brokenOffDownloads().isEmpty)
        // As a player leaves it that is killed.
        try library.database.write { try $0.execute(sql: "UPDATE download SET state = 'waiting'") }
        rig.server.route("/1.mp3", whole)
        let next = try rig.second()
        #expect(try next.brokenOffDownloads() == [id])
        try await next.fetch(id, isWanted: false) { _, _ in
            if let ids = try? library.brokenOffDownloads() { found.withLock { $0 = ids } }
        }
        #expect(found.withLock { $0 } == [id] && rig.server.requests("/1.mp3").last?.range != "bytes=0-")
        let done = try #require(try library.download(of: id))
        #expect(done.state == .completed && done.isWanted)
        #expect(try Data(contentsOf: done.file) == Data(bytes))
        #expect(try library.brokenOffDownloads().isEmpty)
    }

    @Test("A part that another process has finished meanwhile is not written to")
    func finishedMeanwhile() throws {
        let folder = FilePath(try ScratchDirectory().file("Downloads"))
        let file = try #require(DownloadFile(path: folder.appending("1.mp3"), below: folder))
        let (first, second) = (file.openPart(), file.openPart())
        defer { for descriptor in [first, second] { close(descriptor) } }
        #expect(first >= 0 && file.isPart(first) && file.isPart(second))
        #expect(file.commitPart() == 0 && !file.isPart(second))
        let third = file.openPart()
        defer { close(third) }
        #expect(file.isPart(third) && !file.isPart(second))
    }

    @Test("Rules fetch and remove files")
    func rulesAct() async throws {
        let (rig, _, episode) = try await rig()
        try rig.library.setDownloadRule(DownloadRule(keptCount: 1), for: episode.podcastID)
        try await rig.library.applyDownloadRules()
        let file = try #require(try rig.library.download(of: episode.id)).file
        #expect(FileManager.default.fileExists(atPath: file.path))
        var filter = PodcastLibrary.EpisodeFilter()
        filter.isDownloadedOnly = true
        #expect(try rig.library.episodes(filter).map(\.id) == [episode.id])
        try rig.library.setPlayed(true, episode.id)
        try await rig.library.applyDownloadRules()
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("A path outside of the folder of downloads is neither removed nor written, whatever the library says")
    func foreignPaths() async throws {
        let (rig, bytes, episode) = try await rig()
        let foreign = rig.directory.file("thesis.txt")
        let inside = rig.directory.file("Downloads")
        for path in [foreign, inside + "/../thesis.txt", inside, "thesis.txt", ""] {
            for name in [foreign, foreign + ".part"] { try Data("mine".utf8).write(to: URL(fileURLWithPath: name)) }
            func point() throws {
                try rig.library.database.write {
                    let sql = "INSERT OR REPLACE INTO download (episodeID, state, path) VALUES (?, 'completed', ?)"
                    try $0.execute(sql: sql, arguments: [episode.id, path])
                }
            }
            try point()
            try rig.library.removeDownload(episode.id)
            try point()
            let download = try await rig.library.fetch(episode.id)
            #expect(download.file.path.hasPrefix(inside + "/") && download.state == .completed)
            #expect(try Data(contentsOf: download.file) == Data(bytes))
            for name in [foreign, foreign + ".part"] {
                #expect(FileManager.default.contents(atPath: name) == Data("mine".utf8), "\(path)")
            }
            try rig.library.removeDownload(episode.id)
        }
        try rig.library.database.write {
            let sql = "INSERT INTO download (episodeID, state, path) VALUES (?, 'completed', ?)"
            try $0.execute(sql: sql, arguments: [episode.id, foreign])
        }
        try rig.library.unsubscribe(episode.podcastID)
        #expect(FileManager.default.contents(atPath: foreign) == Data("mine".utf8))
    }

    @Test("A download follows no link, neither of its part nor of a folder")
    func links() async throws {
        let (rig, bytes, episode) = try await rig()
        let foreign = rig.directory.file("thesis.txt")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: foreign))
        let folder = rig.directory.file("Downloads/\(episode.podcastID)")
        let part = "\(folder)/\(episode.id).mp3.part"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        func isRefused() async throws {
            let error = await #expect(throws: PodcastError.self) { try await rig.library.fetch(episode.id) }
            #expect(error?.code == .filePermissionDenied)
            #expect(FileManager.default.contents(atPath: foreign) == Data("mine".utf8))
        }
        #expect(symlink(foreign, part) == 0)
        try await isRefused()
        #expect(unlink(part) == 0 && link(foreign, part) == 0)
        try await isRefused()
        #expect(unlink(part) == 0 && mkfifo(part, 0o600) == 0)
        try await isRefused()
        #expect(unlink(part) == 0 && rmdir(folder) == 0)
        let other = rig.directory.file("other")
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        #expect(symlink(other, folder) == 0)
        try await isRefused()
        #expect(try FileManager.default.contentsOfDirectory(atPath: other).isEmpty)
        #expect(unlink(folder) == 0)
        #expect(try Data(contentsOf: await rig.library.fetch(episode.id).file) == Data(bytes))
    }

    @Test("A download is cancelled at once with its task")
    func cancelling() async throws {
        let (rig, bytes, episode) = try await rig()
        rig.server.route("/1.mp3", .file(bytes).cut(after: 100_000, .hang))
        let task = Task { try await rig.library.fetch(episode.id) }
        while rig.server.requests("/1.mp3").isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        let error = await #expect(throws: PodcastError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }
}
