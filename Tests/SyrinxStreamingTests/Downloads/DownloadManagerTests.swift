import Foundation
import SyrinxByteStream
import SyrinxDevice
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

@Suite("DownloadManager") struct DownloadManagerTests {
    private let server: ScriptedHTTPServer
    private let scratch: ScratchDirectory
    private let bytes = patternedBytes(600_000)
    private let block = 65_536

    init() throws {
        server = try ScriptedHTTPServer()
        scratch = try ScratchDirectory()
    }

    private func cache(limit: Int64 = 1 << 30) -> DiskCache {
        DiskCache(directory: scratch.file("cache"), limit: limit)
    }

    private func manager(
        _ cache: DiskCache,
        _ change: (inout DownloadManager.Options) -> Void = { _ in }
    ) throws -> DownloadManager {
        var options = DownloadManager.Options()
        options.settleTime = 0.01
        options.network = quickNetwork
        change(&options)
        return try DownloadManager(cache: cache, options: options)
    }

    private func url(_ path: String) throws -> URL { try #require(URL(string: server.url(path))) }

    private func wait(_ manager: DownloadManager, _ id: Download.ID, for state: Download.State) -> Bool {
        waitUntil { manager.download(id)?.state == state }
    }

    /// Checks the bytes that a stream reads from a URL.
    private func check(_ path: String, _ cache: DiskCache, is expected: [UInt8]) throws {
        var options = quickNetwork
        options.cache = cache
        let stream = try HTTPByteStream(url: server.url(path), options: options)
        let isRight = try isSame(readAll(stream), expected)
        #expect(isRight)
        stream.cancel()
    }

    /// The first so many bytes, and then silence.
    private func stuck(_ count: Int) -> ScriptedResponse { .file(bytes).cut(after: Int64(count), .hang) }

    @Test("A finished download plays without a server")
    func whatIsDownloadedIsThereWithoutAServer() throws {
        server.route("/a", .file(bytes))
        let cache = cache()
        let manager = try manager(cache)
        let added = try manager.add(try url("/a"))
        #expect(wait(manager, added.id, for: .completed))
        let whole = try #require(manager.download(for: try url("/a")))
        #expect(whole.receivedByteCount == 600_000 && whole.length == 600_000 && whole.fraction == 1)
        #expect(server.requests.count == 1)
        server.stop()
        try check("/a", cache, is: bytes)
        try check("/a", self.cache(), is: bytes)
        manager.close()
        #expect(try self.manager(self.cache()).downloads.map(\.state) == [.completed])
    }

    @Test("Events report the states and the progress of a download")
    func eventsTellStatesAndProgress() async throws {
        server.route("/a", .file(bytes))
        let manager = try manager(cache())
        let events = manager.events
        let added = try manager.add(try url("/a"))
        var states: [Download.State] = []
        var last: Int64 = 0
        for await event in events {
            guard case .changed(let download) = event else { continue }
            #expect(download.id == added.id && download.receivedByteCount >= last)
            last = download.receivedByteCount
            if states.last != download.state { states.append(download.state) }
            if download.state == .completed { break }
        }
        #expect(states == [.queued, .downloading, .verifying, .completed])
        #expect(last == 600_000)
        let later = manager.events
        try manager.remove(added.id)
        for await case .removed(let id) in later {
            #expect(id == added.id)
            break
        }
        #expect(manager.downloads.isEmpty)
    }

    @Test("At most the allowed number of downloads run at a time")
    func soManyAtOnceAndTheOthersWaitTheirTurn() throws {
        for path in ["/a", "/b", "/c"] { server.route(path, stuck(100_000), .file(bytes)) }
        let manager = try manager(cache())
        let ids = try ["/a", "/b", "/c"].map { try manager.add(try url($0)).id }
        #expect(server.wait { $0.count { $0.bytesSent == 100_000 } == 2 })
        #expect(manager.downloads.map(\.state) == [.downloading, .downloading, .queued])
        #expect(server.requests("/c").isEmpty)
        try manager.pause(ids[0])
        #expect(manager.download(ids[0])?.state == .paused)
        #expect(server.wait { $0.contains { $0.path == "/c" } })
        try manager.pause(ids[1])
        try manager.pause(ids[2])
        for id in ids { try manager.resume(id) }
        for id in ids { #expect(wait(manager, id, for: .completed)) }
    }

    @Test("A new manager resumes a download at the first missing byte")
    func aNewRunGoesOnWhereTheOldOneEnded() throws {
        server.route("/a", stuck(400_000), .file(bytes))
        let first = try manager(cache())
        let id = try first.add(try url("/a")).id
        #expect(waitUntil { first.download(id)?.receivedByteCount ?? 0 >= 5 * 65_536 })
        first.close()
        #expect(server.waitUntilAllClosed())
        #expect(throws: SyrinxError.self) { try first.add(try url("/b")) }

        let second = try manager(cache())
        #expect(wait(second, id, for: .completed))
        let range = try #require(server.requests[1].range)
        let start = try #require(Int(range.dropFirst("bytes=".count).dropLast()))
        #expect(start % block == 0 && start >= 5 * block)
        #expect(server.requests[1].headers["if-range"] == "\"file-600000\"")
        #expect(server.requests.count == 2)
        try check("/a", second.cache, is: bytes)
    }

    @Test("A paused download stays paused in the next run")
    func whatIsPausedStaysSoInTheNextRun() throws {
        server.route("/a", stuck(100_000), .file(bytes))
        let first = try manager(cache())
        let id = try first.add(try url("/a")).id
        #expect(server.wait { $0.count == 1 })
        try first.pause(id)
        first.close()
        let second = try manager(cache())
        #expect(second.download(id)?.state == .paused)
        #expect(server.requests.count == 1)
        try second.resume(id)
        #expect(wait(second, id, for: .completed))
    }

    @Test("Bytes of two versions are never joined in a download")
    func twoVersionsAreNeverJoined() throws {
        let other = patternedBytes(600_000, seed: 2)
        server.route("/a", stuck(400_000), .file(other).etag("\"other\""))
        let first = try manager(cache())
        let id = try first.add(try url("/a")).id
        #expect(waitUntil { first.download(id)?.receivedByteCount ?? 0 >= 5 * 65_536 })
        first.close()
        let second = try manager(cache())
        #expect(wait(second, id, for: .completed))
        server.stop()
        try check("/a", second.cache, is: other)
    }

    @Test("A damaged block on disk is fetched again")
    func whatIsDamagedOnDiskIsFetchedAgain() throws {
        server.route("/a", stuck(400_000), .file(bytes))
        let first = try manager(cache())
        let id = try first.add(try url("/a")).id
        #expect(waitUntil { first.download(id)?.receivedByteCount ?? 0 >= 5 * 65_536 })
        first.close()
        let file = URL(fileURLWithPath: "\(scratch.file("cache"))/\(id)/3")
        var damaged = try Data(contentsOf: file)
        damaged[5_000] ^= 1
        try damaged.write(to: file)
        let second = try manager(cache())
        #expect(wait(second, id, for: .completed))
        #expect(server.requests.last?.range == "bytes=196608-")
        server.stop()
        try check("/a", second.cache, is: bytes)
    }

    @Test("A download with a wrong checksum fails")
    func theWholeHasToBeWhatItShouldBe() throws {
        let file = scratch.file("in")
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        let right = try String(runProcess("sha256sum", [file]).output.prefix(64))
        server.route("/a", .file(bytes))
        server.route("/b", .file(bytes))
        let manager = try manager(cache())
        let good = try manager.add(try url("/a"), sha256: right.uppercased())
        let bad = try manager.add(try url("/b"), sha256: String(right.dropLast()) + (right.hasSuffix("0") ? "1" : "0"))
        #expect(wait(manager, good.id, for: .completed))
        #expect(wait(manager, bad.id, for: .failed))
        #expect(manager.download(bad.id)?.error?.code == .checksumMismatch)
        #expect(!FileManager.default.fileExists(atPath: "\(scratch.file("cache"))/\(bad.id)/0"))
        #expect(throws: SyrinxError.self) { try manager.add(try url("/c"), sha256: "1234") }
    }

    @Test("A download stops while a stream needs the network")
    func streamsHaveTheRightOfWay() throws {
        server.route("/a", stuck(100_000), .file(bytes))
        server.route("/stream", .hang)
        let cache = cache()
        let manager = try manager(cache)
        let id = try manager.add(try url("/a")).id
        #expect(server.wait { $0.first?.bytesSent == 100_000 })
        var options = quickNetwork
        options.cache = cache
        let stream = try HTTPByteStream(url: server.url("/stream"), options: options)
        stream.open()
        #expect(wait(manager, id, for: .givingWay))
        #expect(waitUntil { server.requests[0].isOver })
        #expect(server.requests("/a").count == 1)
        stream.cancel()
        #expect(wait(manager, id, for: .completed))
        #expect(server.requests("/a").count == 2)
    }

    /// The stream takes what is there, and the download what the stream has fetched: each byte comes once.
    @Test("An incomplete download plays, and no byte is fetched twice")
    func whatIsIncompleteIsPlayedAndNotFetchedTwice() async throws {
        let path = try Inputs.make("in.wav", in: scratch, seconds: 8)
        let file = try Inputs.bytes(path)
        let first = 10 * block
        server.route("/in.wav", .file(file).cut(after: Int64(first), .hang), .file(file))
        let cache = cache()
        let manager = try manager(cache)
        let id = try manager.add(try url("/in.wav")).id
        let isHeld = waitUntil {
            cache.flush()
            return manager.cache.entry(named: id) { _ in }.heldRanges == [0..<Int64(first)]
        }
        #expect(isHeld)
        let streamer = PlainStreamer(device: WAVFileOutput(path: scratch.file("out.wav")))
        streamer.cache = cache
        let events = streamer.events
        streamer.open(.url(try url("/in.wav")), andPlay: true)
        for await case .status(let status, _) in events where status == .ended || status == .failed {
            #expect(status == .ended)
            break
        }
        streamer.stop()
        #expect(wait(manager, id, for: .completed), "\(String(describing: manager.download(id)))")
        let ranges = server.requests.map(\.range)
        #expect(ranges.prefix(2) == ["bytes=0-", "bytes=\(first)-"])
        // The download may ask once more for the last block if that is not whole on disk when the stream waits no more.
        let lastBlock = (file.count - 1) / block * block
        #expect(ranges.dropFirst(2).allSatisfy { $0 == "bytes=\(lastBlock)-" } && ranges.count <= 3, "\(ranges)")
        #expect(try readWAV(scratch.file("out.wav")).channels == Inputs.decoded(path))
    }

    @Test("A download is not evicted from the cache")
    func whatIsDownloadedIsNotEvicted() throws {
        for path in ["/a", "/b", "/c"] { server.route(path, .file(bytes)) }
        let cache = cache(limit: 300_000)
        let manager = try manager(cache)
        let id = try manager.add(try url("/a")).id
        #expect(wait(manager, id, for: .completed))
        for path in ["/b", "/c"] { try check(path, cache, is: bytes) }
        cache.flush()
        cache.sweep()
        let asked = server.requests("/a").count
        try check("/a", cache, is: bytes)
        #expect(server.requests("/a").count == asked)
        // As soon as no owner keeps it, it is too much.
        try manager.cancel(id)
        cache.sweep()
        try check("/a", self.cache(), is: bytes)
        #expect(server.requests("/a").count == asked + 1)
    }

    @Test("A removed download leaves no file")
    func removingLeavesNothing() throws {
        server.route("/a", .file(bytes))
        let manager = try manager(cache())
        let id = try manager.add(try url("/a")).id
        #expect(wait(manager, id, for: .completed))
        try manager.remove(id)
        #expect(!FileManager.default.fileExists(atPath: "\(scratch.file("cache"))/\(id)"))
        #expect(manager.download(id) == nil)
        for refused in [manager.pause, manager.resume, manager.cancel, manager.remove] {
            #expect(code { () throws(SyrinxError) in try refused(id) } == "usage.noSuchDownload")
        }
    }

    private func code(_ body: () throws(SyrinxError) -> Void) -> String? {
        do throws(SyrinxError) {
            try body()
            return nil
        } catch {
            return error.code.rawValue
        }
    }

    @Test("A folder that cannot be written fails with a typed error")
    func aDiskThatTakesNothingIsAnError() throws {
        try Data().write(to: scratch.url("file"))
        let refusing = DiskCache(directory: scratch.file("file/cache"))
        #expect(code { () throws(SyrinxError) in _ = try DownloadManager(cache: refusing) } == "file.cacheFailed")

        // A folder in the place of a piece: the disk that fails in the middle.
        server.route("/a", stuck(100_000), .file(bytes))
        let manager = try manager(cache())
        let id = try manager.add(try url("/a")).id
        #expect(waitUntil { manager.download(id)?.receivedByteCount ?? 0 >= block })
        let piece = "\(scratch.file("cache"))/\(id)/5"
        try FileManager.default.createDirectory(atPath: piece + "/in the way", withIntermediateDirectories: true)
        try manager.pause(id)
        try manager.resume(id)
        #expect(waitUntil { [.failed, .completed].contains(manager.download(id)?.state) })
        #expect(manager.download(id)?.state == .failed)
        #expect(manager.download(id)?.error?.code == .cannotBeKept)
        // With room again, it goes on.
        try FileManager.default.removeItem(atPath: piece)
        try manager.resume(id)
        #expect(wait(manager, id, for: .completed))
        try check("/a", manager.cache, is: bytes)
    }

    @Test("Failures of downloads have typed errors")
    func failuresAreTyped() throws {
        server.route("/secret", .file(bytes).header("Cache-Control", "no-store"))
        server.route("/nameless", .file(bytes).withoutHeader("ETag"))
        server.route("/endless", .file(bytes).withoutRanges().withoutLength())
        let manager = try manager(cache()) { $0.maximumConcurrentDownloads = 9 }
        let codes = [
            "/nothing": "http.404", "/secret": "http.notStorable", "/nameless": "http.notStorable",
            "/endless": "http.notStorable",
        ]
        for (path, code) in codes {
            let id = try manager.add(try url(path)).id
            #expect(wait(manager, id, for: .failed))
            #expect(manager.download(id)?.error?.code.rawValue == code, "\(path)")
        }
        let bad = try #require(URL(string: "ftp://example.org/a"))
        #expect(code { () throws(SyrinxError) in try manager.add(bad) } == "usage.badURL")
        #expect(code { () throws(SyrinxError) in _ = try DownloadManager(cache: cache()) } == "file.inUse")
        manager.close()
        // The server's word is final, and is remembered.
        let next = try self.manager(cache())
        #expect(next.downloads.allSatisfy { $0.state == .failed })
        #expect(Set(next.downloads.compactMap { $0.error?.code.rawValue }) == ["http.404", "http.notStorable"])
    }

    @Test("Passwords of URLs are not written to disk")
    func passwordsAreNotWrittenDown() throws {
        server.route("/a", stuck(100_000), .file(bytes))
        let secret = try #require(URL(string: "http://user:sesame@127.0.0.1:\(server.port)/a"))
        let first = try manager(cache())
        let id = try first.add(secret).id
        #expect(server.wait { $0.first?.headers["authorization"] != nil })
        #expect(first.download(id)?.url == (try url("/a")))
        first.close()
        let files = try #require(FileManager.default.enumerator(atPath: scratch.path)).compactMap { $0 as? String }
        for file in files {
            #expect(!file.contains("sesame"))
            let content = FileManager.default.contents(atPath: scratch.file(file)) ?? Data()
            #expect(content.range(of: Data("sesame".utf8)) == nil)
        }
        let second = try manager(cache())
        #expect(wait(second, id, for: .failed))
        #expect(second.download(id)?.error?.code == .credentialsNeeded)
        #expect(try second.add(secret).id == id)
        #expect(wait(second, id, for: .completed))
    }

    @Test("Closing the manager is prompt in every state")
    func closingIsPromptInEveryState() throws {
        server.route("/hang", .hang)
        server.route("/slow", .file(bytes).paced(bytesPerSecond: 20_000))
        let manager = try manager(cache())
        for path in ["/hang", "/slow", "/queued"] { try manager.add(try url(path)) }
        #expect(server.wait { $0.count == 2 })
        #expect(isPrompt { manager.close() })
        #expect(server.waitUntilAllClosed())
    }
}
