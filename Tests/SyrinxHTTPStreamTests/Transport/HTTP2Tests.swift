import Foundation
import NIOHTTP2
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

/// Creates a stream with the protocol that most servers on the internet negotiate.
@Suite("HTTP/2", .enabled(if: OwnCertificate.isAvailable)) struct HTTP2Tests {
    private func stream(
        _ server: SecureHTTP2Server,
        _ change: (inout HTTPByteStream.Options) -> Void = { _ in }
    ) throws -> HTTPByteStream {
        try HTTPByteStream(
            url: server.url,
            options: quickOptions {
                $0.environment = server.environment
                change(&$0)
            }
        )
    }

    /// Reads `range`, in pieces, and says whether it is what it should be.
    private func isRight(_ stream: HTTPByteStream, _ range: Range<Int64>) throws -> Bool {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let some = try read(stream, at: offset, Int(min(65_536, range.upperBound - offset)))
            guard !some.isEmpty, GeneratedBytes.match(some, at: offset) else { return false }
            offset += Int64(some.count)
        }
        return true
    }

    /// More than two of the windows that flow control knows by default, and no multiple of any.
    private let length: Int64 = 3_000_001

    @Test("A resource is read whole over HTTP/2")
    func theWholeIsRead() throws {
        let server = try SecureHTTP2Server(length: length)
        let stream = try stream(server)
        #expect(try isRight(stream, 0..<length))
        #expect(try read(stream, at: length, 1).isEmpty)
        #expect(stream.length == length)
        #expect(stream.mimeType == "audio/mpeg")
        #expect(stream.isSeekable)
        #expect(stream.receivedByteCount == length)
        #expect(server.protocols == ["h2"])
        #expect(server.requests.map(\.streamID) == [1])
        #expect(server.requests.map(\.range) == ["bytes=0-"])
    }

    @Test("A seek resets the HTTP/2 stream with CANCEL and keeps the connection")
    func seekingEndsTheStreamAndKeepsTheConnection() throws {
        let server = try SecureHTTP2Server(length: 1 << 30)
        let stream = try stream(server) { $0.windowAhead = 1 << 20 }
        #expect(try isRight(stream, 0..<100))
        let place: Int64 = 500_000_007
        #expect(try isRight(stream, place..<place + 100_000))
        #expect(server.requests.map(\.range) == ["bytes=0-", "bytes=\(place)-"])
        #expect(server.requests[1].ifRange == "\"one\"")
        #expect(server.requests.map(\.connection) == [0, 0])
        #expect(server.requests.map(\.streamID) == [1, 3])
        #expect(server.protocols == ["h2"])
        #expect(waitUntil { server.requests[0].isOver })
        let first = server.requests[0]
        #expect(first.resetCode == .cancel)
        // The other goes on, and the first has got no more than the windows of a connection that is not read.
        #expect(try isRight(stream, place + 100_000..<place + 30_000_000))
        #expect(server.requests[0].bytesSent <= 100 + Self.most(1 << 20))
        #expect(server.requests.count == 2)
        stream.cancel()
        #expect(waitUntil { server.requests[1].resetCode == .cancel })
    }

    /// Bytes that come at most behind the reader's own, if so many are to be fetched ahead.
    ///
    /// The client's own window for a stream is 8 MiB, whatever ours is (`targetWindowSize` in its `HTTP2Connection`): it takes all
    /// that has come at once as soon as it asks for more, and lets as much come after it. Both lie on top of our window.
    private static func most(_ window: Int64) -> Int64 { window + 2 * (8 << 20) + 65_536 }

    /// A reader that does not read stops the sender, by the window of the stream.
    @Test("A reader that stops reading stops the sender")
    func whoDoesNotReadStopsTheSender() throws {
        let server = try SecureHTTP2Server(length: 1 << 33)
        let window: Int64 = 1 << 20
        let stream = try stream(server) {
            $0.windowAhead = Int(window)
            $0.windowBehind = 1 << 19
        }
        let most = Self.most(window)
        stream.open()
        #expect(waitUntil { stream.receivedByteCount >= window })
        // It comes to rest, wherever that is.
        var sent: Int64 = -1
        let rests = waitUntil {
            let before = sent
            sent = server.requests[0].bytesSent
            if sent == before { return true }
            usleep(200_000)
            return false
        }
        #expect(rests)
        #expect(server.requests[0].bytesSent <= most)
        #expect(stream.receivedByteCount <= window + 65_536)
        var position: Int64 = 0
        while position < 20 << 20 {
            #expect(try isRight(stream, position..<position + 65_536))
            position += 65_536
            #expect(server.requests[0].bytesSent <= position + most)
        }
        #expect(server.requests[0].bytesSent > sent)
        #expect(server.requests.count == 1)
        #expect(server.requests[0].resetCode == nil)
    }

    /// The interruption in the middle.
    enum Break: CaseIterable { case reset, goAway, goAwayFromOther, closed, silence }

    @Test("A broken stream continues where it broke", arguments: Break.allCases) func whatBreaksIsTakenUpWhereItBroke(
        _ kind: Break
    ) throws {
        let half: Int64 = 1_000_003
        let server = try SecureHTTP2Server(length: length) { $0 == 0 ? .until(half) : .whole }
        let stream = try stream(server) {
            $0.stallTimeout = kind == .silence ? 2 : 60
            // A client that asks the same way again and again is to fail, not to wait for an hour.
            $0.maximumOutage = 6
        }
        let log = EventLog(stream)
        #expect(try isRight(stream, 0..<half))
        switch kind {
        case .reset: server.reset(0)
        case .goAway, .goAwayFromOther: server.goAway(0, last: kind == .goAway ? 0 : 1)
        case .closed: server.close(0)
        case .silence: server.freeze(0)
        }
        if kind == .goAwayFromOther {
            // What is being answered goes on there, and comes after the word; only what is asked for from now on does not.
            server.goOn(0, until: half + 100_000)
            #expect(try isRight(stream, half..<half + 100_000))
            #expect(try isRight(stream, 2_000_000..<length))
            #expect(log.retries == 0)
            #expect(server.requests.map(\.range) == ["bytes=0-", "bytes=2000000-"])
        } else {
            #expect(try isRight(stream, half..<length))
            #expect(stream.receivedByteCount == length)
            #expect(log.retries == 1)
            #expect(server.requests.map(\.range) == ["bytes=0-", "bytes=\(half)-"])
        }
        #expect(server.requests[1].ifRange == "\"one\"")
        // A stream that is reset says nothing against its connection.
        #expect(server.requests.map(\.connection) == (kind == .reset ? [0, 0] : [0, 1]))
        #expect(server.protocols == (kind == .reset ? ["h2"] : ["h2", "h2"]))
        stream.cancel()
    }

    /// An answer that breaks the rules of the protocol; the client would end the process over many of them.
    struct BadAnswer: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: ByteStreamError.Code
        let frames: [SecureHTTP2Server.Frame]
        /// Whether it says how long the resource is: then a longer one is another version.
        let tellsLength: Bool

        init(
            _ name: String,
            _ code: ByteStreamError.Code,
            tellsLength: Bool = false,
            _ frames: SecureHTTP2Server.Frame...
        ) {
            testDescription = name
            self.code = code
            self.frames = frames
            self.tellsLength = tellsLength
        }
    }

    private static func head(_ status: String, ends: Bool = false) -> SecureHTTP2Server.Frame {
        .headers([(":status", status)], ends: ends)
    }

    private static let body = SecureHTTP2Server.Frame.data([1, 2, 3], ends: true)
    private static let trailers = SecureHTTP2Server.Frame.headers([("x", "y")])

    static let badAnswers: [BadAnswer] = [
        BadAnswer("a status below 100", .badResponse, head("099")),
        BadAnswer("a status of two digits", .badResponse, head("20"), body),
        BadAnswer("a status below nought", .badResponse, head("-1"), body),
        BadAnswer("a status of four digits", .badResponse, head("1000"), head("200"), body),
        BadAnswer("a nought before the status", .badResponse, head("0200"), body),
        BadAnswer("a status that no number holds", .badResponse, head("99999999999999999999"), body),
        BadAnswer("a status that is no number", .badResponse, head("ok!"), body),
        BadAnswer("an empty status", .badResponse, head(""), body),
        BadAnswer("two statuses", .connectionLost, .headers([(":status", "200"), (":status", "200")]), body),
        BadAnswer("no status", .connectionLost, trailers, body),
        BadAnswer("another protocol", .badResponse, head("101"), head("200"), body),
        BadAnswer("another protocol at once", .badResponse, head("101"), body),
        BadAnswer("an announcement with a body", .connectionLost, head("100"), body),
        BadAnswer("an announcement with an end", .connectionLost, head("100"), .data([], ends: true)),
        BadAnswer("an announcement that is the end", .badResponse, head("100", ends: true)),
        BadAnswer("a body without a head", .connectionLost, body),
        BadAnswer("two heads", .connectionLost, head("200"), head("200"), body),
        BadAnswer("trailers in the middle", .connectionLost, head("200"), trailers, body),
        BadAnswer("a head for trailers", .connectionLost, head("200"), head("200", ends: true)),
        BadAnswer("a head after the end", .emptyBody, tellsLength: true, head("200", ends: true), head("200"), body),
        BadAnswer("a body after the end", .emptyBody, tellsLength: true, head("200", ends: true), body),
        BadAnswer(
            "fewer bytes than said",
            .connectionLost,
            tellsLength: true,
            .headers([(":status", "200"), ("content-length", "9")]),
            body
        ),
    ]

    /// And all is read if the server thinks better of it.
    @Test("An invalid HTTP/2 response is refused, and a valid retry is read whole", arguments: badAnswers)
    func answersThatBreakTheRulesAreRefused(_ answer: BadAnswer) throws {
        let bad = try SecureHTTP2Server(length: length) { _ in .frames(answer.frames) }
        let refused = try stream(bad) { $0.maximumAttempts = 2 }
        #expect(failureCode { () throws(ByteStreamError) in _ = try readAll(refused) } == answer.code)
        #expect(bad.protocols.allSatisfy { $0 == "h2" })
        guard !answer.tellsLength else { return }
        let better = try SecureHTTP2Server(length: length) { $0 == 0 ? .frames(answer.frames) : .whole }
        let stream = try stream(better)
        #expect(try isRight(stream, 0..<length))
        #expect(stream.length == length)
    }

    @Test("Informational responses and trailers do not alter the body")
    func announcementsAndTrailersArePassedOver() throws {
        let trailers = SecureHTTP2Server.Frame.headers([("x", "y")], ends: true)
        let server = try SecureHTTP2Server(length: length) { _ in
            .frames([Self.head("100"), Self.head("103"), Self.head("200"), .data([1, 2, 3]), trailers])
        }
        #expect(try readAll(stream(server)) == [1, 2, 3])
        #expect(server.requests.count == 1)
    }
}
