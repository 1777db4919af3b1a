import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

/// Whole documents, such as feeds and pictures, may be read over HTTP/2. Media is read over HTTP/1.1.
@Suite("HTTP/2", .enabled(if: HTTP2Peer.isAvailable)) struct HTTP2Tests {
    /// Several times the window of 65,535 bytes with which HTTP/2 begins, and no multiple of a window.
    private static let bytes = patternedBytes(1_000_003)

    private typealias Change = (inout HTTPByteStream.Options) -> Void

    private func exchange(
        _ peer: HTTP2Peer,
        _ path: String = "/a",
        method: String = "GET",
        content: [UInt8]? = nil,
        _ change: Change = { _ in }
    ) throws(SyrinxError) -> HTTPExchange {
        let options = quickOptions {
            $0.environment = peer.environment
            change(&$0)
        }
        return try HTTPExchange(method, url: peer.url(path), content: content, options: options, timeLimit: 60)
    }

    private func document(
        _ peer: HTTP2Peer,
        _ path: String = "/a",
        _ change: Change = { _ in }
    ) throws(SyrinxError) -> [UInt8] { try exchange(peer, path, change).readAll() }

    // MARK: Reading

    @Test("A document is read whole over HTTP/2")
    func theWholeIsRead() throws {
        let peer = try HTTP2Peer(Self.bytes)
        let one = try exchange(peer)
        #expect(try one.response().status == 200)
        #expect(try isSame(one.readAll(), Self.bytes))
        #expect(peer.protocols == ["h2"])
        #expect(peer.requests.map(\.path) == ["/a"])
    }

    @Test("A document that is larger than libcurl's HTTP/2 window is read whole")
    func theWindowIsOpenedAgain() throws {
        var bytes: [UInt8] = []
        // The window is 32 MiB in libcurl 7.88, and 10 MiB in libcurl 8.
        while bytes.count <= 40 << 20 { bytes += Self.bytes }
        let peer = try HTTP2Peer(bytes)
        #expect(try isSame(document(peer), bytes))
        #expect(peer.protocols == ["h2"])
        #expect(peer.requests.count == 1)
    }

    @Test("An empty document is read over HTTP/2")
    func nothingIsRead() throws {
        let peer = try HTTP2Peer([])
        #expect(try document(peer) == [])
        #expect(peer.protocols == ["h2"])
        #expect(peer.requests.count == 1)
    }

    @Test("A gzip body is decoded over HTTP/2")
    func gzipIsDecoded() throws {
        let text = Array(String(repeating: "<title>Überraschung</title>\n", count: 50_000).utf8)
        let peer = try HTTP2Peer(text, routes: ["/a": [[.answer(coding: "gzip")]]])
        #expect(try isSame(document(peer), text))
        #expect(peer.protocols == ["h2"])
        #expect(peer.requests.count == 1)
        #expect(peer.requests.first?.headers["accept-encoding"]?.contains("gzip") == true)
    }

    @Test("A body that is not in the stated coding is read as it is over HTTP/2")
    func falseGzipIsReadAsItIs() throws {
        let head = HTTP2Peer.Step.headers([(":status", "200"), ("content-encoding", "gzip")])
        let peer = try HTTP2Peer([], routes: ["/a": [[head, .data([1, 2, 3], ends: true)]]])
        #expect(try document(peer) == [1, 2, 3])
        #expect(peer.requests.count == 2)
        #expect(peer.requests.last?.headers["accept-encoding"] == "identity")
    }

    @Test("Informational responses and trailers do not alter the body")
    func announcementsAndTrailersArePassedOver() throws {
        let steps = [
            Self.head("100"), Self.head("103"), Self.head("200"), .data([1, 2, 3]), .headers([("x", "y")], ends: true),
        ]
        let peer = try HTTP2Peer([], routes: ["/a": [steps]])
        #expect(try document(peer) == [1, 2, 3])
        #expect(peer.requests.count == 1)
    }

    @Test("A request body is sent over HTTP/2, and not a second time after a reset")
    func aBodyIsSentOnce() throws {
        let peer = try HTTP2Peer([4, 5], routes: ["/a": [[.whole]], "/reset": [[.reset(code: 2)], [.whole]]])
        let sent = try exchange(peer, method: "POST", content: Self.bytes)
        #expect(try sent.readAll() == [4, 5])
        #expect(peer.requests.map(\.method) == ["POST"])
        #expect(peer.requests.first?.length == Self.bytes.count)
        let code = failureCode { () throws(SyrinxError) in
            _ = try exchange(peer, "/reset", method: "POST", content: Self.bytes).readAll()
        }
        #expect(code == .connectionLost)
        #expect(peer.requests("/reset").count == 1)
    }

    // MARK: Connections

    @Test("Documents that are read one after the other, and redirects, share a connection")
    func aConnectionIsUsedAgain() throws {
        let redirect = HTTP2Peer.Step.answer(status: "302", fields: [("location", "/a")], count: 0)
        let peer = try HTTP2Peer(Self.bytes, routes: ["/a": [[.whole]], "/old": [[redirect]]])
        for path in ["/a", "/a", "/old"] { #expect(try isSame(document(peer, path), Self.bytes)) }
        #expect(peer.protocols == ["h2"])
        #expect(peer.requests.map(\.path) == ["/a", "/a", "/old", "/a"])
        #expect(peer.requests.map(\.stream) == [1, 3, 5, 7])
    }

    @Test("Documents that are read at the same time share a connection")
    func aConnectionIsUsedByMany() throws {
        let peer = try HTTP2Peer(Self.bytes)
        _ = try document(peer)
        let some = try (0..<3).map { _ in try exchange(peer) }
        let results = Mutex<[Bool]>([])
        DispatchQueue.concurrentPerform(iterations: some.count) { index in
            let isRight = (try? some[index].readAll()).map { isSame($0, Self.bytes) }
            results.withLock { $0.append(isRight ?? false) }
        }
        #expect(results.withLock { $0 } == [true, true, true])
        #expect(peer.requests.map(\.connection) == [0, 0, 0, 0])
    }

    @Test("Cancelling a document closes its connection, unless another document uses the connection")
    func aCancelledDocumentClosesItsConnection() throws {
        let count = 500_000
        let peer = try HTTP2Peer(Self.bytes, routes: ["/a": [[.whole]], "/part": [[.answer(count: count)]]])
        _ = try document(peer)
        let some = try (0..<2).map { _ in try exchange(peer, "/part") { $0.stallTimeout = 60 } }
        for one in some {
            var rest = count
            while rest > 0 {
                let piece = try one.read()
                try #require(!piece.isEmpty)
                rest -= piece.count
            }
        }
        some[0].cancel()
        #expect(failureCode { () throws(SyrinxError) in _ = try some[0].read() } == .cancelled)
        // The other document still uses the connection, and so does a new one.
        #expect(try isSame(document(peer), Self.bytes))
        #expect(peer.requests.map(\.connection) == [0, 0, 0, 0])
        #expect(peer.closedConnections == [])
        some[1].cancel()
        #expect(waitUntil(timeout: 10) { peer.closedConnections == [0] })
    }

    @Test("Media is read over HTTP/1.1, on a connection of its own")
    func mediaIsReadOverOldHTTP() throws {
        let peer = try HTTP2Peer(Self.bytes)
        #expect(try isSame(document(peer), Self.bytes))
        let stream = try HTTPByteStream(url: peer.url(), options: quickOptions { $0.environment = peer.environment })
        #expect(try isSame(readAll(stream), Self.bytes))
        #expect(stream.length == Int64(Self.bytes.count))
        #expect(stream.isSeekable)
        #expect(peer.protocols == ["h2", "http/1.1"])
        #expect(peer.requests.map(\.connection) == [0, 1])
        #expect(peer.requests.last?.headers["range"] == "bytes=0-")
    }

    // MARK: Interruptions

    /// A way in which a server ends an answer early.
    enum Break: CaseIterable, Sendable {
        /// RST_STREAM with INTERNAL_ERROR.
        case reset
        /// RST_STREAM with REFUSED_STREAM.
        case refused
        /// GOAWAY, which states that no stream is answered.
        case goAway
        case closed
        case frozen

        var step: HTTP2Peer.Step {
            switch self {
            case .reset: .reset(code: 2)
            case .refused: .reset(code: 7)
            case .goAway: .goAway(last: 0)
            case .closed: .close
            case .frozen: .freeze
            }
        }

        /// Sets the time for which a connection may be silent, and leaves time for a handshake on a busy machine.
        func change(_ options: inout HTTPByteStream.Options) {
            if self == .frozen { (options.connectTimeout, options.stallTimeout) = (4, 1) }
        }
    }

    @Test("A request that gets no answer is repeated on another connection", arguments: Break.allCases)
    func whatIsNotAnsweredIsRepeated(_ kind: Break) throws {
        let peer = try HTTP2Peer(Self.bytes, routes: ["/a": [[kind.step], [.whole]]])
        #expect(try isSame(document(peer, "/a", kind.change), Self.bytes))
        #expect(peer.requests.map(\.connection) == [0, 1])
        #expect(peer.protocols == ["h2", "h2"])
    }

    @Test(
        "A document that breaks off after its first bytes fails, and is not requested again",
        arguments: Break.allCases
    )
    func whatBreaksOffFails(_ kind: Break) throws {
        let answer = [.answer(count: 500_000), .wait, kind.step]
        let peer = try HTTP2Peer(Self.bytes, routes: ["/a": [answer, [.whole]]])
        let one = try exchange(peer, "/a", kind.change)
        #expect(try !one.read().isEmpty)
        peer.goOn()
        let code = failureCode { () throws(SyrinxError) in _ = try one.readAll() }
        #expect(code == (kind == .frozen ? .timedOut : .connectionLost))
        #expect(peer.requests.count == 1)
        // It is for the caller to begin again.
        #expect(try isSame(document(peer, "/a", kind.change), Self.bytes))
    }

    @Test("A frozen connection is not used for later documents")
    func aFrozenConnectionIsNotUsedAgain() throws {
        let peer = try HTTP2Peer(Self.bytes, routes: ["/a": [[.whole]], "/frozen": [[.freeze], [.whole]]])
        for path in ["/a", "/frozen", "/a"] {
            #expect(try isSame(document(peer, path, Break.frozen.change), Self.bytes))
        }
        #expect(peer.requests.map(\.connection) == [0, 0, 1, 1])
    }

    @Test("After GOAWAY the running answer is read whole, and the next request uses another connection")
    func aConnectionThatEndsIsNotUsedAgain() throws {
        let peer = try HTTP2Peer(Self.bytes, routes: ["/a": [[.goAway(last: 1), .whole], [.whole]]])
        for _ in 0..<2 { #expect(try isSame(document(peer), Self.bytes)) }
        #expect(peer.requests.map(\.connection) == [0, 1])
    }

    // MARK: Invalid answers

    /// An answer that breaks the rules of the protocol.
    struct BadAnswer: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [HTTP2Peer.Step]
        /// Whether the reader may get a part of the body, depending on libcurl's version: then the request is not repeated.
        let hasBody: Bool

        init(_ name: String, hasBody: Bool = false, _ steps: HTTP2Peer.Step...) {
            testDescription = name
            self.steps = steps
            self.hasBody = hasBody
        }
    }

    /// A head with nothing but a status, and other fields.
    private static func head(
        _ status: String,
        _ fields: (String, String)...,
        ends: Bool = false
    ) -> HTTP2Peer.Step { .headers([(":status", status)] + fields, ends: ends) }

    private static let body = HTTP2Peer.Step.data([1, 2, 3], ends: true)
    /// Trailers that do not end the stream.
    private static let trailers = HTTP2Peer.Step.headers([("x", "y")])

    static let badAnswers: [BadAnswer] = [
        BadAnswer("a status below 100", head("099")),
        BadAnswer("a status below 100, and a body", head("099"), body),
        BadAnswer("a status of two digits", head("20"), body),
        BadAnswer("a negative status", head("-1"), body),
        BadAnswer("a status of four digits", head("1000"), head("200"), body),
        BadAnswer("a zero before the status", head("0200"), body),
        BadAnswer("a status of twenty digits", head("99999999999999999999"), body),
        BadAnswer("a status that is not a number", head("ok!"), body),
        BadAnswer("an empty status", head(""), body),
        BadAnswer("two statuses", head("200", (":status", "200")), body),
        BadAnswer("no status", trailers, body),
        BadAnswer("a status after a field", .headers([("x", "y"), (":status", "200")]), body),
        BadAnswer("another protocol, and then an answer", head("101"), head("200"), body),
        BadAnswer("another protocol", head("101"), body),
        BadAnswer("an informational response with a body", head("100"), body),
        BadAnswer("an informational response with an empty body", head("100"), .data([], ends: true)),
        BadAnswer("an informational response that ends the stream", head("100", ends: true)),
        BadAnswer("a body without a head", body),
        BadAnswer("two lengths", head("200", ("content-length", "3"), ("content-length", "4")), body),
        BadAnswer("a length that is not a number", head("200", ("content-length", "x")), body),
        BadAnswer("a field name in upper case", head("200", ("X-Y", "z")), body),
        BadAnswer("a line break in a field", head("200", ("x", "y\r\nz: w")), body),
        BadAnswer("a field of HTTP/1.1", head("200", ("transfer-encoding", "chunked")), body),
        BadAnswer("two heads", head("200"), head("200"), body),
        BadAnswer("trailers before the body", head("200"), trailers, body),
        BadAnswer("a head in place of trailers", head("200"), head("200", ends: true)),
        BadAnswer("fewer bytes than stated", hasBody: true, head("200", ("content-length", "9")), body),
        BadAnswer("more bytes than stated", head("200", ("content-length", "2")), body),
    ]

    @Test("An invalid HTTP/2 answer is refused, and a valid retry is read whole", arguments: badAnswers)
    func answersThatBreakTheRulesAreRefused(_ answer: BadAnswer) throws {
        let routes = ["/bad": [answer.steps], "/retry": [answer.steps, [.whole]], "/a": [[.whole]]]
        let peer = try HTTP2Peer(Self.bytes, routes: routes)
        let code = failureCode { () throws(SyrinxError) in
            _ = try document(peer, "/bad") { $0.maximumConnectAttempts = 2 }
        }
        #expect(code == .badResponse || code == .connectionLost)
        if !answer.hasBody {
            #expect(peer.requests("/bad").count == 2)
            #expect(try isSame(document(peer, "/retry"), Self.bytes))
            #expect(peer.requests("/retry").count == 2)
        }
        #expect(try isSame(document(peer), Self.bytes))
        #expect(peer.protocols.allSatisfy { $0 == "h2" })
    }

    @Test("Frames after the end of an answer are ignored", arguments: [[head("200"), body], [body]])
    func framesAfterTheEndAreIgnored(_ frames: [HTTP2Peer.Step]) throws {
        let answer = [Self.head("200", ends: true)] + frames
        let peer = try HTTP2Peer(Self.bytes, routes: ["/late": [answer], "/a": [[.whole]]])
        #expect(try document(peer, "/late") == [])
        #expect(try isSame(document(peer), Self.bytes))
        #expect(peer.requests("/late").count == 1)
    }
}
