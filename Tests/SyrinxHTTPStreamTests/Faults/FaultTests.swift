import Foundation
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

@Suite("HTTP faults") struct FaultTests {
    let server: ScriptedHTTPServer
    let bytes = patternedBytes(400_000)

    init() throws { server = try ScriptedHTTPServer() }

    func stream(_ path: String, _ change: (inout HTTPByteStream.Options) -> Void = { _ in }) throws -> HTTPByteStream {
        try HTTPByteStream(url: server.url(path), options: quickOptions(change))
    }

    func code(_ stream: HTTPByteStream) -> SyrinxError.Code? {
        failureCode { () throws(SyrinxError) in _ = try readAll(stream) }
    }

    @Test(
        "A transient error status is retried until success or the fifth request",
        arguments: [408, 425, 429, 500, 502, 503]
    ) func busyServersAreAskedAgain(status: Int) throws {
        server.route("/a", .status(status), .status(status), .file(bytes))
        let stream = try stream("/a")
        let events = EventLog(stream)
        #expect(try isSame(readAll(stream), bytes))
        #expect(server.requests.count == 3)
        #expect(events.retries == 2)
        server.route("/never", .status(status))
        #expect(code(try self.stream("/never")) == .httpStatus(status))
        #expect(server.requests("/never").count == 5)
    }

    @Test("A retry waits for the time in the Retry-After header")
    func retryAfterIsHonoured() throws {
        server.route("/a", .status(503).header("Retry-After", "1"), .file(bytes))
        #expect(try isSame(readAll(try stream("/a")), bytes))
        let times = server.requests.map(\.time)
        #expect(times.count == 2 && times[1] - times[0] >= 0.99)
    }

    @Test("A cut transfer without range support is restarted from the first byte")
    func cutsOfAServerWithoutRangesAreHealedFromTheStart() throws {
        server.route("/a", .file(bytes).withoutRanges().cut(after: 100_000), .file(bytes).withoutRanges())
        let stream = try stream("/a")
        #expect(try isSame(readAll(stream), bytes))
        #expect(!stream.isSeekable)
        #expect(server.requests.map(\.range) == ["bytes=0-", nil])
    }

    @Test("A resumption answered with the whole resource succeeds unless the length changed")
    func aServerThatForgetsRangesIsReadFromTheStart() throws {
        let good = ScriptedResponse.file(bytes)
        server.route("/a", good.cut(after: 100_000), good.withoutRanges())
        let stream = try stream("/a")
        #expect(try isSame(readAll(stream, blockSize: 10_000), bytes))
        #expect(!stream.isSeekable)
        #expect(server.requests.count == 2)
        // One byte more than before, which nothing but the length gives away.
        let more = ScriptedResponse.file(bytes + [1]).withoutHeader("ETag").withoutRanges()
        server.route("/b", good.withoutHeader("ETag").cut(after: 100_000), more)
        #expect(code(try self.stream("/b")) == .resourceChanged)
    }

    @Test("A transfer that always ends early fails after five requests")
    func aFileThatIsAlwaysTooShortFailsAfterAll() throws {
        server.route("/a", .file(bytes).contentLength(400_000).cut(after: 0), .file(bytes).cut(after: 0))
        #expect(code(try stream("/a")) == .connectionLost)
        #expect(server.requests.count == 5)
    }

    @Test("A stalled transfer is retried, and a request without any response times out")
    func silenceIsNoticed() throws {
        server.route("/a", .file(bytes).cut(after: 100_000, .hang), .file(bytes))
        let stream = try stream("/a") { $0.stallTimeout = 2 }
        let events = EventLog(stream)
        #expect(try isSame(readAll(stream), bytes))
        #expect(events.retries == 1)
        server.route("/never", .hang)
        let never = try self.stream("/never") {
            $0.stallTimeout = 0.5
            $0.connectTimeout = 2
        }
        #expect(code(never) == .timedOut)
        #expect(server.requests("/never").count == 3)
    }

    /// A pause of any length; `StallLimitTests` moves the clock by hand.
    @Test("A transfer with a full window continues on the same request without a retry")
    func aReaderThatRestsIsNoStall() throws {
        server.route("/a", .file(patternedBytes(4_000_000)))
        let stream = try stream("/a") { $0.windowAhead = 100_000 }
        let events = EventLog(stream)
        #expect(try read(stream, at: 0, 100).count == 100)
        #expect(waitUntil { stream.receivedByteCount >= 100_000 })
        let held = stream.receivedByteCount
        #expect(try isSame(readAll(stream), patternedBytes(4_000_000)))
        #expect(held < 4_000_000 && events.retries == 0)
        #expect(server.requests.count == 1)
    }

    @Test("A refused connection fails after two retries")
    func refusedConnectionsFailSoon() throws {
        let url = try ScriptedHTTPServer.refusedURL()
        let stream = try HTTPByteStream(url: url, options: quickOptions())
        let events = EventLog(stream)
        #expect(code(stream) == .connectionRefused)
        #expect(events.retries == 2)
    }

    @Test("An unknown host name fails after two retries")
    func unknownHostsFailSoon() throws {
        let stream = try HTTPByteStream(url: "http://nowhere.invalid/a.mp3", options: quickOptions())
        let events = EventLog(stream)
        #expect(code(stream) == .hostNotFound)
        #expect(events.retries == 2)
    }

    @Test("An empty body is an error")
    func emptyBodies() throws {
        server.route("/204", .status(204))
        server.route("/zero", .status(200))
        server.route("/close", .status(200).withoutLength())
        server.route("/chunked", .status(200).chunked())
        server.route("/range", .file([]))
        for path in ["/204", "/zero", "/close", "/chunked", "/range"] {
            #expect(code(try stream(path)) == .emptyBody, "\(path)")
        }
    }

    @Test("Bytes of a changed resource are never appended after a cut")
    func changedResourcesAreNeverJoined() throws {
        let other = patternedBytes(400_000, seed: 2)
        server.route("/tag", .file(bytes).cut(after: 100_000), .file(other).etag("\"other\""))
        server.route("/size", .file(bytes).cut(after: 100_000), .file(other + [1]).withoutHeader("ETag"))
        let dated = ScriptedResponse.file(bytes).withoutHeader("ETag").lastModified("Sun, 06 Nov 1994 08:49:37 GMT")
        server.route(
            "/date",
            dated.cut(after: 100_000),
            .file(other).withoutHeader("ETag").lastModified("Mon, 07 Nov 1994 08:49:37 GMT")
        )
        for path in ["/tag", "/size", "/date"] {
            let stream = try stream(path)
            var got: [UInt8] = []
            let code = failureCode { () throws(SyrinxError) in
                var some = [UInt8(0)]
                while !some.isEmpty {
                    some = try read(stream, at: Int64(got.count), 10_000)
                    got += some
                }
            }
            #expect(code == .resourceChanged, "\(path)")
            #expect(isSame(got, bytes[..<100_000]), "\(path)")
        }
    }

    @Test("A weak ETag is compared on resumption but never sent in If-Range")
    func weakTagsAreNotSentButCompared() throws {
        let weak = ScriptedResponse.file(bytes).etag("W/\"a\"")
        server.route("/a", weak.cut(after: 100_000), weak)
        #expect(try isSame(readAll(try stream("/a")), bytes))
        #expect(server.requests[1].headers["if-range"] == nil)
        server.route("/b", weak.cut(after: 100_000), .file(bytes).etag("W/\"b\""))
        #expect(code(try stream("/b")) == .resourceChanged)
    }

    @Test("Redirects are followed, and a resumption goes to the final URL")
    func redirectsAreFollowed() throws {
        server.route("/a", .redirect(to: "/dir/b"))
        server.route("/dir/b", .redirect(to: "c?x=1#part", status: 301))
        server.route("/dir/c", .redirect(to: server.url("/file"), status: 307))
        server.route("/file", .file(bytes).cut(after: 100_000), .file(bytes))
        let stream = try stream("/a")
        #expect(try isSame(readAll(stream), bytes))
        // The second part is asked of where the redirects led.
        #expect(server.requests.map(\.path) == ["/a", "/dir/b", "/dir/c?x=1", "/file", "/file"])
        #expect(stream.name == server.url("/a"))
    }

    @Test("Redirect loops, redirects to file URLs and redirects without a Location fail")
    func redirectsThatAreNotFollowed() throws {
        server.route("/loop", .redirect(to: "/loop"))
        server.route("/file", .redirect(to: "file:///etc/passwd"))
        server.route("/nowhere", .status(302))
        #expect(code(try stream("/loop")) == .tooManyRedirects)
        #expect(server.requests.count == 21)
        #expect(code(try stream("/file")) == .redirectRefused)
        #expect(code(try stream("/nowhere")) == .badResponse)
    }

    @Test("A redirect target that answers 403 is resolved again from the original URL")
    func anExpiredRedirectIsResolvedAnew() throws {
        let server = server
        let bytes = bytes
        server.route("/a") { _, index in .redirect(to: "/signed\(index)") }
        server.route("/signed0", .file(bytes).cut(after: 100_000), .status(403))
        server.route("/signed1", .file(bytes))
        #expect(try isSame(readAll(try stream("/a")), bytes))
    }

    @Test("Wrong Content-Range headers never corrupt the delivered bytes")
    func wrongRangesAreNeverUsed() throws {
        let good = ScriptedResponse.file(bytes)
        server.route("/earlier", good.cut(after: 100_000), good.shiftingRanges(by: -5_000))
        #expect(try isSame(readAll(try stream("/earlier")), bytes))
        server.route("/later", good.cut(after: 100_000), good.shiftingRanges(by: 5_000), good.withoutRanges())
        #expect(try isSame(readAll(try stream("/later")), bytes))
        server.route("/absent", good.contentRange(""), good.withoutRanges())
        #expect(try isSame(readAll(try stream("/absent")), bytes))
        server.route("/nonsense", good.contentRange("bytes 7-3/x"), good.withoutRanges())
        #expect(try isSame(readAll(try stream("/nonsense")), bytes))
        server.route("/starless", good.contentRange("bytes 0-399999/*"))
        #expect(try isSame(readAll(try stream("/starless")), bytes))
        server.route("/always", handler: { _, _ in good.contentRange("bytes 5-9/x") })
        #expect(try isSame(readAll(try stream("/always")), bytes))
        #expect(server.requests("/always").map(\.range) == ["bytes=0-", nil])
    }

    @Test("A read at a far offset succeeds on a server without range support")
    func aWholeInsteadOfAPartIsReadThrough() throws {
        server.route("/a", .file(bytes).withoutRanges())
        let stream = try stream("/a")
        #expect(try isSame(read(stream, at: 350_000, 100)[...], bytes[350_000..<350_100]))
        #expect(!stream.isSeekable)
        #expect(try isSame(readAll(stream), bytes))
    }

    @Test("A malformed URL is refused")
    func badURLs() {
        func code(_ url: String) -> SyrinxError.Code? {
            failureCode { () throws(SyrinxError) in _ = try HTTPByteStream(url: url) }
        }
        for url in ["", "nothing", "http://", "ftp://x/y", "file:///a", "http://x:99999/"] {
            #expect(code(url) == .badURL, "\(url)")
        }
    }

    @Test("URL credentials go to their own origin only and never appear in errors")
    func passwordsAreSentButNeverShown() throws {
        server.route("/a", .redirect(to: "/b"))
        server.route("/b", .status(401))
        let other = try ScriptedHTTPServer()
        other.route("/c", .file(bytes))
        server.route("/out", .redirect(to: other.url("/c")))
        let base = "http://us%40er:se%3Acret@127.0.0.1:\(server.port)"
        do throws(SyrinxError) {
            _ = try readAll(try HTTPByteStream(url: base + "/a", options: quickOptions()))
        } catch {
            #expect(error.code == .httpStatus(401))
            #expect(!"\(error) \(error.name) \(String(describing: error.underlying))".contains("cret"))
        }
        let basic = "Basic " + Data("us@er:se:cret".utf8).base64EncodedString()
        #expect(server.requests.map { $0.headers["authorization"] } == [basic, basic])
        #expect(try isSame(readAll(try HTTPByteStream(url: base + "/out", options: quickOptions())), bytes))
        #expect(other.requests.map { $0.headers["authorization"] } == [nil])
    }
}
