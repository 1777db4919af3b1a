import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

/// Digest authentication (RFC 7616). libcurl computes the answers; these tests look at who gets them, and how often.
@Suite("Authentication") struct AuthenticationTests {
    private let server: ScriptedHTTPServer
    private let bytes = patternedBytes(100_000)

    init() throws { server = try ScriptedHTTPServer() }

    private static let challenge = ScriptedResponse.status(401, body: "Who are you?")
        .header("WWW-Authenticate", "Digest realm=\"radio\", nonce=\"n1\", qop=\"auth\", algorithm=MD5")

    /// Serves `path` to those that answer the challenge.
    private func protect(_ path: String) {
        let file = ScriptedResponse.file(bytes)
        server.route(path) { request, _ in
            request.headers["authorization"]?.hasPrefix("Digest username=\"anna\"") == true ? file : Self.challenge
        }
    }

    private func url(_ path: String, _ user: String = "anna:secret") -> String {
        "http://\(user)@127.0.0.1:\(server.port)\(path)"
    }

    /// The scheme and the count of each `Authorization`, in order.
    private var answers: [String] {
        server.requests.map { request in
            guard let value = request.headers["authorization"] else { return "none" }
            let count = value.firstRange(of: "nc=").map { value[$0.upperBound...].prefix(8) } ?? ""
            return String(value.prefix { $0 != " " }) + count
        }
    }

    @Test("Digest is negotiated once for an origin, and serves its further requests")
    func digestIsNegotiatedOnce() throws {
        for path in ["/a", "/b", "/c"] { protect(path) }
        for path in ["/a", "/b", "/c"] {
            let stream = try HTTPByteStream(url: url(path), options: quickOptions())
            let log = EventLog(stream)
            #expect(try isSame(readAll(stream), bytes))
            #expect(log.retries == 0)
        }
        #expect(answers == ["Basic", "Digest00000001", "Digest00000002", "Digest00000003"])
        #expect(server.requests.allSatisfy { $0.headers["authorization"]?.contains("secret") != true })
    }

    @Test("A seek in a stream with Digest needs no further negotiation")
    func seeking() throws {
        let large = patternedBytes(2_000_000)
        let file = ScriptedResponse.file(large)
        server.route("/seek") { request, _ in
            request.headers["authorization"]?.hasPrefix("Digest") == true ? file : Self.challenge
        }
        let stream = try HTTPByteStream(
            url: url("/seek", "otto:secret"),
            options: quickOptions { $0.windowAhead = 64 << 10 }
        )
        #expect(try isSame(read(stream, at: 0, 1_000), large[..<1_000]))
        #expect(try isSame(read(stream, at: 1_500_000, 1_000), large[1_500_000..<1_501_000]))
        #expect(answers == ["Basic", "Digest00000001", "Digest00000002"])
    }

    @Test("A wrong password is refused without a retry")
    func aWrongPassword() throws {
        server.route("/a") { _, _ in Self.challenge }
        let stream = try HTTPByteStream(url: url("/a", "anna:wrong"), options: quickOptions())
        let log = EventLog(stream)
        let error = #expect(throws: SyrinxError.self) { _ = try readAll(stream) }
        #expect(error?.code == .httpStatus(401) && log.retries == 0)
        #expect(error?.message == "The server does not accept the user name and password (HTTP status 401).")
        #expect(answers == ["Basic", "Digest00000001"])
    }

    @Test("A document is read with Digest")
    func documents() throws {
        protect("/feed")
        let exchange = try HTTPExchange(url: url("/feed"), options: quickOptions())
        #expect(try isSame(exchange.readAll(), bytes))
    }

    @Test("Another origin gets neither the password nor an answer to its challenge")
    func otherOrigins() throws {
        let other = try ScriptedHTTPServer()
        other.route("/c") { _, _ in Self.challenge }
        server.route("/out", .redirect(to: other.url("/c")))
        let stream = try HTTPByteStream(url: url("/out"), options: quickOptions())
        let error = #expect(throws: SyrinxError.self) { _ = try readAll(stream) }
        #expect(error?.code == .httpStatus(401) && error?.message.contains("asks for a user name") == true)
        #expect(other.requests.map { $0.headers["authorization"] } == [nil])
    }

    @Test("A server that asks for a password says how to give it")
    func noPassword() throws {
        let open = try ScriptedHTTPServer()
        open.route("/a", .status(401))
        let stream = try HTTPByteStream(url: open.url("/a"), options: quickOptions())
        let error = #expect(throws: SyrinxError.self) { _ = try readAll(stream) }
        #expect(error?.message.contains("write them before the host, as NAME:PASSWORD@HOST") == true)
    }
}
