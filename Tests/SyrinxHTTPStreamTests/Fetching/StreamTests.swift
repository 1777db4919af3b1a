import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

/// Options under which a failure is final soon.
func quickOptions(_ change: (inout HTTPByteStream.Options) -> Void = { _ in }) -> HTTPByteStream.Options {
    var options = HTTPByteStream.Options()
    options.initialRetryDelay = 0.01
    options.maximumRetryDelay = 0.05
    options.environment = [:]
    change(&options)
    return options
}

/// The code that `body` throws; `nil` if it throws nothing.
func failureCode(_ body: () throws(SyrinxError) -> Void) -> SyrinxError.Code? {
    do throws(SyrinxError) {
        try body()
        return nil
    } catch { return error.code }
}

/// Gathers the events of a stream.
final class EventLog: Sendable {
    private let events = Mutex<[HTTPStreamEvent]>([])

    init(_ stream: HTTPByteStream) {
        stream.onEvent = { [self] event in events.withLock { $0.append(event) } }
    }

    var all: [HTTPStreamEvent] { events.withLock { $0 } }

    /// Waits until the events so far meet `condition`; false if they do not within ten seconds.
    func wait(until condition: ([HTTPStreamEvent]) -> Bool) -> Bool {
        for _ in 0..<10_000 {
            if condition(all) { return true }
            usleep(1_000)
        }
        return false
    }

    var retries: Int { all.count { if case .retry = $0 { true } else { false } } }
}

@Suite("HTTPByteStream") struct StreamTests {
    let server: ScriptedHTTPServer

    init() throws { server = try ScriptedHTTPServer() }

    func stream(_ path: String, _ change: (inout HTTPByteStream.Options) -> Void = { _ in }) throws -> HTTPByteStream {
        try HTTPByteStream(url: server.url(path), options: quickOptions(change))
    }

    @Test("Resources of a server that are read one after the other come over one connection")
    func connectionsAreReused() throws {
        for index in 0..<6 {
            let bytes = patternedBytes(20_000 + index)
            server.route("/\(index)", .file(bytes, type: "audio/aac"))
            #expect(try readAll(stream("/\(index)")) == bytes)
        }
        #expect(server.acceptedCount == 1)
    }

    @Test("An HTTP stream keeps the contract of streams", arguments: [1, 5_000, 1_500_000]) func keepsTheContract(
        count: Int
    ) throws {
        let bytes = patternedBytes(count)
        server.route("/ranges", .file(bytes))
        server.route("/whole", .file(bytes).withoutRanges())
        server.route("/endless", .file(bytes).withoutRanges().withoutLength())
        server.route("/chunked", .file(bytes).withoutRanges().chunked())
        for path in ["/ranges", "/whole", "/endless", "/chunked"] {
            try checkByteStream(bytes) { try stream(path) }
        }
    }

    @Test("Length, type and validator come from the server")
    func tellsWhatTheServerTells() throws {
        let bytes = patternedBytes(100_000)
        server.route("/a", .file(bytes, type: "Audio/MPEG; charset=x"))
        let first = try stream("/a")
        let events = EventLog(first)
        try first.waitForResponse()
        #expect(first.length == 100_000)
        #expect(first.mimeType == "audio/mpeg")
        #expect(first.isSeekable)
        #expect(try isSame(readAll(first), bytes))
        #expect(first.heldRanges == [0..<100_000])
        #expect(first.receivedByteCount == 100_000)
        let request = try #require(server.requests("/a").first)
        #expect(server.requests.count == 1)
        #expect(request.range == "bytes=0-")
        #expect(request.headers["accept-encoding"] == "identity")
        #expect(request.headers["user-agent"] == "Syrinx/0.1")
        guard case .response(206, 100_000, "audio/mpeg", true) = events.all.first else {
            Issue.record("\(events.all)")
            return
        }
        // The reader has its bytes before the network thread reports the end.
        #expect(events.wait { if case .completed = $0.last { true } else { false } })
    }

    @Test("A file with its index at the end takes at most three requests")
    func anIndexAtTheEndTakesThreeRequests() throws {
        let bytes = patternedBytes(20_000_000)
        server.route("/a.m4a", .file(bytes).paced(bytesPerSecond: 4_000_000))
        let stream = try stream("/a.m4a")
        #expect(try !read(stream, at: 0, 4_096).isEmpty)
        let tail = bytes.count - 200_000
        #expect(try isSame(readAll(stream, from: Int64(tail)), Array(bytes[tail...])))
        var position = 48
        while position < 3_000_000 {
            let some = try read(stream, at: Int64(position), 32_768)
            #expect(isSame(some[...], bytes[position..<(position + some.count)]))
            position += some.count
        }
        #expect(server.requests.count <= 3)
        #expect(server.requests.dropFirst().allSatisfy { $0.headers["if-range"] == "\"file-20000000\"" })
    }

    @Test("Reading a whole resource opens a single connection")
    func oneRequestMakesOneConnection() throws {
        server.route("/a", .file(patternedBytes(400_000)).paced(bytesPerSecond: 1_000_000))
        let stream = try HTTPByteStream(url: server.url("/a"), options: quickOptions())
        let isWhole = try readAll(stream).count == 400_000
        #expect(isWhole)
        #expect(server.acceptedCount == 1)
        stream.cancel()
    }

    @Test("A far seek makes one range request and keeps the bytes already held")
    func seekingMakesOneRequestAndKeepsWhatIsHeld() throws {
        let bytes = patternedBytes(10_000_000)
        server.route("/a", .file(bytes).paced(bytesPerSecond: 1_000_000))
        let stream = try stream("/a")
        _ = try read(stream, at: 0, 100)
        #expect(try isSame(read(stream, at: 6_000_000, 100)[...], bytes[6_000_000..<6_000_100]))
        #expect(server.requests.map(\.range) == ["bytes=0-", "bytes=6000000-"])
        // A little ahead of the fetch is waited for.
        #expect(try isSame(read(stream, at: 6_100_000, 100)[...], bytes[6_100_000..<6_100_100]))
        #expect(server.requests.count == 2)
        #expect(stream.heldRanges.count == 2)
        #expect(server.wait { $0[0].isOver })
    }

    @Test("A fetch skips byte ranges that are already held")
    func theFetchJumpsOverWhatIsHeld() throws {
        let bytes = patternedBytes(3_000_000)
        server.route("/a", .file(bytes).paced(bytesPerSecond: 5_000_000))
        let stream = try stream("/a")
        // Bytes from 1 MB to at least 2 MB first, then the start: the second fetch meets the first one's bytes.
        _ = try read(stream, at: 1_000_000, 100)
        while stream.heldRanges.last?.upperBound ?? 0 < 2_000_000 { usleep(5_000) }
        #expect(try isSame(readAll(stream), bytes))
        #expect(stream.receivedByteCount < 3_400_000)
        #expect(server.requests.count == 3)
    }

    @Test("Held bytes stay within the window when the server is fast")
    func memoryStaysWithinTheWindowWithAFastServer() throws {
        let length: Int64 = 1 << 33
        server.route("/long", .generated(length: length, type: "audio/mpeg") { fillPattern(from: $0, $1) })
        let stream = try stream("/long") {
            $0.windowAhead = 1 << 20
            $0.windowBehind = 1 << 19
        }
        var expected = [UInt8](repeating: 0, count: 65_536)
        var position: Int64 = 0
        while position < 24 << 20 {
            let some = try read(stream, at: position, 65_536)
            expected.withUnsafeMutableBytes { fillPattern(from: position, $0) }
            #expect(isSame(some[...], expected[..<some.count]))
            position += Int64(some.count)
            let held = stream.heldRanges.reduce(0) { $0 + $1.count }
            // Ahead, behind, the pinned head, two segments, and one read of the socket.
            #expect(held <= (1 << 20) + (1 << 19) + (1 << 18) + 3 * 65_536)
        }
        usleep(50_000)
        // What lies beyond the window is the kernel's socket buffers, a few MB on loopback.
        #expect(server.requests[0].bytesSent < position + (12 << 20))
        #expect(server.requests.count == 1)
    }

    @Test("Cancelling an HTTP stream promptly wakes its blocked reader and closes the connection")
    func cancelWakesTheReaderAndClosesTheConnection() throws {
        for path in ["/silent", "/stuck"] {
            server.route("/silent", .hang)
            server.route("/stuck", .file(patternedBytes(1_000)).cut(after: 100, .hang).contentLength(1_000))
            let stream = try stream(path)
            let end = Mutex<SyrinxError.Code??>(nil)
            Thread.detachNewThread {
                let code = failureCode { () throws(SyrinxError) in _ = try readAll(stream) }
                end.withLock { $0 = .some(code) }
            }
            #expect(server.wait { !$0.isEmpty })
            usleep(30_000)
            let isPrompt = isPrompt {
                stream.cancel()
                waitUntil { end.withLock { $0 != nil } }
            }
            #expect(isPrompt)
            #expect(end.withLock { $0 } == .some(.cancelled))
            #expect(server.waitUntilAllClosed())
        }
    }

    @Test("A released HTTP stream closes its connection")
    func lettingGoOfTheStreamClosesTheConnection() throws {
        server.route("/a", .file(patternedBytes(5_000_000)).paced(bytesPerSecond: 100_000))
        do {
            let stream = try stream("/a")
            _ = try read(stream, at: 0, 10)
        }
        #expect(server.waitUntilAllClosed())
    }
}
