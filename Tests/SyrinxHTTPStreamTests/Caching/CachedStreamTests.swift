import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxByteStream
@testable import SyrinxHTTPStream

/// Case 40 of the faults, and what a cache on disk is for.
@Suite("Cached streams") struct CachedStreamTests {
    private let server: ScriptedHTTPServer
    private let scratch: ScratchDirectory
    private let bytes = patternedBytes(1_000_000)

    init() throws {
        server = try ScriptedHTTPServer()
        scratch = try ScratchDirectory()
    }

    private func cache() -> DiskCache { DiskCache(directory: scratch.file("cache")) }

    private func stream(_ cache: DiskCache, _ path: String = "/a") throws -> HTTPByteStream {
        try HTTPByteStream(url: server.url(path), options: quickOptions { $0.cache = cache })
    }

    private func check(_ stream: HTTPByteStream, from start: Int = 0) throws {
        let isRight = try isSame(readAll(stream, from: Int64(start)), bytes[start...])
        #expect(isRight)
        stream.cancel()
    }

    @Test("Cached bytes are read without a request")
    func whatIsKeptIsReadWithoutARequest() throws {
        server.route("/a", .file(bytes, type: "audio/mpeg"))
        let first = cache()
        try check(try stream(first))
        first.flush()
        #expect(server.requests.count == 1)
        let second = try stream(cache())
        try second.waitForResponse()
        #expect(second.length == 1_000_000)
        #expect(second.isSeekable)
        #expect(second.mimeType == "audio/mpeg")
        #expect(second.heldRanges == [0..<1_000_000])
        try check(second, from: 700_000)
        try check(try stream(cache()))
        server.stop()
        try check(try stream(cache()))
        #expect(server.requests.count == 1)
    }

    /// The head, the index at the end, and the rest, from a fetch that left in the middle of a piece and one that began there.
    @Test("A resource that is read in parts is cached whole")
    func whatWasReadInPartsIsKeptWhole() throws {
        let head = 98_304
        let tail = 900_000
        server.route("/a") { [bytes] _, index in
            let answer = ScriptedResponse.file(bytes, type: "audio/mp4")
            return index == 0 ? answer.cut(after: Int64(head), .hang) : answer
        }
        let first = cache()
        let options = quickOptions {
            $0.cache = first
            // Less than there is between the head and the end, so that the end is asked for.
            $0.windowAhead = 100_000
        }
        let stream = try HTTPByteStream(url: server.url("/a"), options: options)
        var got = try read(stream, at: 0, head)
        while got.count < head { got += try read(stream, at: Int64(got.count), head - got.count) }
        let end = try isSame(readAll(stream, from: Int64(tail)), bytes[tail...])
        #expect(end)
        try check(stream)
        #expect(server.requests.map(\.range) == ["bytes=0-", "bytes=900000-", "bytes=98304-"])
        first.flush()
        server.stop()
        let second = try self.stream(cache())
        // Else what is missing would be waited for.
        try #require(second.heldRanges == [0..<1_000_000])
        try check(second)
    }

    @Test("Only missing ranges are requested")
    func onlyWhatIsMissingIsAskedFor() throws {
        server.route("/a", .file(bytes))
        let first = cache()
        let options = quickOptions {
            $0.cache = first
            $0.windowAhead = 300_000
        }
        let stream = try HTTPByteStream(url: server.url("/a"), options: options)
        #expect(try read(stream, at: 0, 100).count == 100)
        #expect(waitUntil { stream.receivedByteCount >= 300_000 })
        stream.cancel()
        first.flush()
        try check(try self.stream(cache()))
        // Whole pieces are kept. How many have come when the window is full, the network decides.
        let range = try #require(server.requests[1].range)
        let start = try #require(Int64(range.dropFirst("bytes=".count).dropLast()))
        #expect(start % 65_536 == 0 && start >= 4 * 65_536 && start <= stream.receivedByteCount)
        #expect(server.requests[1].headers["if-range"] == "\"file-1000000\"")
        #expect(server.requests.count == 2)
    }

    /// Has at least 400,000 bytes kept.
    private func keepAPart() throws {
        let cache = cache()
        let stream = try stream(cache)
        #expect(try read(stream, at: 0, 100).count == 100)
        #expect(waitUntil { stream.receivedByteCount >= 400_000 })
        stream.cancel()
        cache.flush()
    }

    @Test("A changed ETag fails the stream and discards the cached bytes")
    func anotherVersionIsNeverMixedIn() throws {
        server.route("/a", .file(bytes).etag("\"one\"").cut(after: 500_000), .file(bytes).etag("\"one\""))
        try keepAPart()
        let other = patternedBytes(1_000_000, seed: 2)
        server.route("/a", .file(other).etag("\"two\""))
        let second = try self.stream(cache())
        #expect(failureCode { () throws(SyrinxError) in _ = try readAll(second) } == .resourceChanged)
        // What was kept of the first is gone.
        let isOther = try isSame(readAll(try self.stream(cache())), other)
        #expect(isOther)
    }

    /// As long, and without anything to tell it by, or by something else: no sign that it is the same.
    @Test(
        "Cached bytes are never joined with a response that lacks their validator",
        arguments: [("ETag", ""), ("ETag", "Last-Modified"), ("Last-Modified", ""), ("Last-Modified", "ETag")]
    )
    func aVersionThatIsNotNamedIsNotMixedIn(before: String, after: String) throws {
        let values = ["ETag": "\"one\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"]
        @Sendable func answer(_ bytes: [UInt8], _ name: String) -> ScriptedResponse {
            let answer = ScriptedResponse.file(bytes).withoutHeader("ETag")
            return values[name].map { answer.header(name, $0) } ?? answer
        }
        server.route("/a", answer(bytes, before).cut(after: 500_000), answer(bytes, before))
        try keepAPart()
        let other = patternedBytes(1_000_000, seed: 2)
        server.route("/a") { request, _ in
            let answer = answer(other, after)
            let isSame = request.headers["if-range"].map { $0 == values[after] } ?? true
            return isSame ? answer : answer.withoutRanges()
        }
        let second = try self.stream(cache())
        #expect(failureCode { () throws(SyrinxError) in _ = try readAll(second) } == .resourceChanged)
        let isOther = try isSame(readAll(try self.stream(cache())), other)
        #expect(isOther)
    }

    /// The ones that differ least: the folders of similar URLs, and of one with and without a password.
    @Test("Similar URLs, or URLs with different credentials, have distinct cache names")
    func eachUrlHasAFolderOfItsOwn() throws {
        let names = try ["a.org/a", "a.org/b", "u:p@a.org/a", "u:q@a.org/a"].map { url throws(SyrinxError) in
            try HTTPByteStream.cacheName(for: "http://" + url)
        }
        #expect(Set(names).count == 4 && names.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{64}/) != nil })
        // Two that a sum of their words took for one.
        let pair = try ["p", "0"].map { letter throws(SyrinxError) in
            try HTTPByteStream.cacheName(for: "http://h/ebfeafbefabcdefg\(letter)arc\(letter)kst\(letter).wav")
        }
        #expect(pair[0] != pair[1])
    }

    /// A stream of which the disk takes nothing until its queue is resumed.
    private func behind(patience: Double) throws -> (HTTPByteStream, DiskCache) {
        server.route("/a", .file(patternedBytes(24_000_000)))
        let cache = cache()
        cache.writer.suspend()
        let options = quickOptions {
            $0.cache = cache
            $0.windowAhead = 32 << 20
            $0.diskPatience = patience
        }
        let stream = try HTTPByteStream(url: server.url("/a"), options: options)
        stream.open()
        return (stream, cache)
    }

    /// Bytes that arrive faster than the disk takes them are held back: a replay has all of them.
    @Test("A slow cache applies back-pressure and still stores every byte")
    func aDiskThatIsBehindLosesNothing() throws {
        let (stream, cache) = try behind(patience: 600)
        #expect(waitUntil { cache.isBehind })
        // Longer than all the rest would take.
        usleep(300_000)
        #expect(stream.receivedByteCount < 8 << 20)
        cache.writer.resume()
        #expect(waitUntil { stream.receivedByteCount == 24_000_000 })
        stream.cancel()
        cache.flush()
        let again = try self.stream(self.cache())
        let isRight = try isSame(readAll(again), patternedBytes(24_000_000))
        #expect(isRight)
        #expect(server.requests.count == 1)
    }

    /// Sound does not wait for a disk that has come to a stand.
    @Test("A stalled cache neither blocks the stream nor corrupts later reads")
    func aDiskThatStandsStillStopsNothing() throws {
        let (stream, cache) = try behind(patience: 0.05)
        let isRight = try isSame(readAll(stream), patternedBytes(24_000_000))
        #expect(isRight)
        cache.writer.resume()
        stream.cancel()
        cache.flush()
        // What it could not take is not there, and what it has is right.
        let again = try self.stream(self.cache())
        let isRightAgain = try isSame(readAll(again), patternedBytes(24_000_000))
        #expect(isRightAgain)
    }

    /// A stale resource is used once the server has confirmed it, and removed if it does not.
    @Test("A stale resource is validated", arguments: ["no-cache", "max-age=0", "must-revalidate"])
    func whatIsStaleIsConfirmed(directive: String) throws {
        // Longer than what is fetched ahead, so that a reader who trusts the disk too early waits for ever.
        let long = patternedBytes(3_000_000)
        func answer(_ bytes: [UInt8], _ tag: String) -> ScriptedResponse {
            .file(bytes).etag(tag).header("Cache-Control", directive)
        }
        func stream(_ cache: DiskCache) throws -> HTTPByteStream {
            let options = quickOptions {
                $0.cache = cache
                $0.windowAhead = 1_000_000
            }
            return try HTTPByteStream(url: server.url("/a"), options: options)
        }
        server.route("/a", answer(long, "\"one\""))
        for count in 1...2 {
            let cache = cache()
            let stream = try stream(cache)
            #expect(stream.heldRanges.isEmpty)
            let isRight = try isSame(readAll(stream), long)
            #expect(isRight)
            // Within a stream it counts: what has been read is there.
            let isThere = try isSame(read(stream, at: 0, 1_000), long[..<1_000])
            #expect(isThere)
            stream.cancel()
            cache.flush()
            #expect(server.requests.count == count)
        }
        let other = patternedBytes(3_000_000, seed: 2)
        server.route("/a", answer(other, "\"two\""))
        let isOther = try isSame(readAll(try stream(cache())), other)
        #expect(isOther)
    }

    @Test("A damaged cache piece is detected and requested again")
    func damagedPiecesAreFetchedAgain() throws {
        server.route("/a", .file(bytes))
        let first = cache()
        try check(try stream(first))
        first.flush()
        let names = try FileManager.default.contentsOfDirectory(atPath: first.directory)
        let folder = try #require(names.first { !$0.hasPrefix(".") })
        let file = URL(fileURLWithPath: "\(first.directory)/\(folder)/3")
        var damaged = try Data(contentsOf: file)
        damaged[5_000] ^= 1
        try damaged.write(to: file)
        try check(try stream(cache()))
        #expect(server.requests.map(\.range) == ["bytes=0-", "bytes=196608-"])
    }

    /// Bytes that are read ahead for minutes take no memory where the disk has them, and those that the disk loses are fetched
    /// again.
    @Test("Bytes on disk are not held in memory")
    func whatIsOnDiskIsNotInMemory() throws {
        let bytes = patternedBytes(12_000_000)
        server.route("/a", .file(bytes))
        let cache = cache()
        let options = quickOptions {
            $0.cache = cache
            $0.windowAhead = 4 << 20
        }
        let stream = try HTTPByteStream(url: server.url("/a"), options: options)
        var got = try read(stream, at: 0, 100)
        let window = 16 << 20
        stream.readAhead(seconds: 1, bytesPerSecond: Double(window), within: window...window)
        #expect(waitUntil { stream.receivedByteCount == 12_000_000 })
        cache.flush()
        // A mebibyte on each side of the reader, the last piece, which is pinned, and what a segment holds.
        #expect(stream.memoryByteCount < 1_300_000)
        #expect(stream.heldRanges == [0..<12_000_000])
        let names = try FileManager.default.contentsOfDirectory(atPath: cache.directory)
        let folder = try #require(names.first { !$0.hasPrefix(".") })
        try FileManager.default.removeItem(atPath: "\(cache.directory)/\(folder)/64")
        var most = 0
        while got.count < bytes.count {
            got += try read(stream, at: Int64(got.count), 50_000)
            most = max(most, stream.memoryByteCount)
        }
        #expect(isSame(got[...], bytes[...]))
        #expect(most < 2_500_000)
        #expect(server.requests.map(\.range) == ["bytes=0-", "bytes=6553600-"])
        stream.cancel()
    }

    @Test("A stream continues when the cache cannot be written")
    func aDiskThatWantsNothingIsDoneWithout() throws {
        server.route("/a", .file(bytes))
        try Data().write(to: URL(fileURLWithPath: scratch.file("file")))
        let refusing = DiskCache(directory: scratch.file("file/cache"))
        let stream = try stream(refusing)
        let log = EventLog(stream)
        try check(stream)
        refusing.flush()
        #expect(log.wait { $0.contains { if case .warning(.cacheFailed, _) = $0 { true } else { false } } })
        #expect(server.requests.count == 1)
    }

    @Test("A response with no-store is not cached")
    func whatMayNotBeKeptIsNot() throws {
        server.route("/secret", .file(bytes).header("Cache-Control", "private, no-store"))
        server.route("/nameless", .file(bytes).withoutHeader("ETag"))
        let first = cache()
        for path in ["/secret", "/nameless"] { try check(try stream(first, path)) }
        first.flush()
        for path in ["/secret", "/nameless"] {
            try check(try stream(cache(), path))
            #expect(server.requests(path).count == 2)
        }
    }

    /// Two that fill the same at once, as two processes would.
    @Test("Two streams share an entry of the cache")
    func twoShareIt() throws {
        server.route("/a", .file(bytes))
        let caches = [cache(), cache()]
        let streams = try caches.map { try stream($0) }
        for offset in stride(from: 0, to: 1_000_000, by: 50_000) {
            for stream in streams {
                let some = try read(stream, at: Int64(offset), 50_000)
                let isRight = isSame(some, bytes[offset..<(offset + some.count)])
                #expect(isRight)
            }
        }
        for stream in streams { stream.cancel() }
        for cache in caches { cache.flush() }
        try check(try stream(cache()))
    }
}
