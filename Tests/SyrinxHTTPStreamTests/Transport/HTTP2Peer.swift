import Foundation
import SyrinxTestSupport
import Testing

/// A server for HTTP/2 and HTTP/1.1 over TLS on the loopback interface: the program `Tests/Peers/h2-peer`.
///
/// It gives the answers that its routes describe, valid or not, and logs what arrives. The program ends with this object.
final class HTTP2Peer {
    /// A step of an answer. HTTP/1.1 supports `answer` only.
    enum Step: Sendable {
        /// A valid head, and the first `count` bytes of the peer's file; all of them by default.
        ///
        /// The stream ends with the file, and stays open if `count` is less. `coding` may be `gzip`.
        case answer(
            status: String = "200",
            fields: [(String, String)] = [],
            count: Int? = nil,
            coding: String? = nil
        )
        /// A HEADERS frame, which may be invalid.
        case headers([(String, String)], ends: Bool = false)
        /// A DATA frame, which may be invalid.
        case data([UInt8], ends: Bool = false)
        /// RST_STREAM, with a code of RFC 9113, section 7.
        case reset(code: Int)
        /// GOAWAY, with the last stream that the server answers.
        case goAway(last: Int)
        /// Waits until `goOn()` is called.
        case wait
        /// Closes the connection, without a closing message of TLS.
        case close
        /// Neither reads nor writes on the connection from now on, and keeps it open.
        case freeze

        static let whole = Step.answer()
    }

    /// A request that has arrived whole.
    struct Request: Decodable, Sendable {
        /// The number of the connection, in the order in which connections were made.
        let connection: Int
        let stream: Int
        let method: String
        let path: String
        let headers: [String: String]
        /// Bytes of the request's body.
        let length: Int
    }

    private struct Connection: Decodable {
        let connection: Int
        let `protocol`: String?
    }

    private let own: OwnCertificate
    private let process = Process()
    /// The program ends when this pipe is closed, even by a crash of the test process.
    private let input = Pipe()
    private let port: Int

    fileprivate static let file = "file"
    private static let log = "log"

    /// Whether the program can run here: it needs the package python3-h2.
    static let isAvailable =
        OwnCertificate.isAvailable && (try? runProcess("/usr/bin/python3", ["-c", "import h2"]))?.status == 0

    /// Starts the program.
    /// - Parameters:
    ///   - bytes: The content of the peer's file.
    ///   - routes: The answers for each path. The last answer is repeated.
    init(_ bytes: [UInt8], routes: [String: [[Step]]] = ["/a": [[.whole]]]) throws {
        let own = try OwnCertificate()
        self.own = own
        let folder = URL(fileURLWithPath: own.directory)
        try Data(bytes).write(to: folder.appendingPathComponent(Self.file))
        let log = folder.appendingPathComponent(Self.log)
        try Data().write(to: log)
        process.executableURL = repositoryRoot.appendingPathComponent("Tests/Peers/h2-peer")
        process.currentDirectoryURL = folder
        process.arguments = [
            own.certificate, own.key, String(decoding: try JSONEncoder().encode(routes), as: UTF8.self),
        ]
        process.standardInput = input
        process.standardOutput = try FileHandle(forWritingTo: log)
        try process.run()
        let process = process
        waitUntil { !Self.lines(of: own).isEmpty || !process.isRunning }
        port = try #require(Self.lines(of: own).first.flatMap { Int($0) }, "h2-peer ended")
    }

    deinit {
        // A child inherits the blocked signals of the dispatch worker that starts it: SIGTERM would stay pending.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// The URL of a path.
    func url(_ path: String = "/a") -> String { "https://localhost:\(port)\(path)" }

    /// The environment that makes a client trust the peer.
    var environment: [String: String] { ["SSL_CERT_FILE": own.certificate] }

    /// Ends one step `wait`, now or when it begins.
    func goOn() { input.fileHandleForWriting.write(Data([0])) }

    /// The requests so far, in order.
    var requests: [Request] { events("request") }

    /// The requests of one path so far, in order.
    func requests(_ path: String) -> [Request] { requests.filter { $0.path == path } }

    /// The protocol of each connection so far, in order: `h2` or `http/1.1`.
    var protocols: [String?] { (events("connection") as [Connection]).map(\.protocol) }

    /// The numbers of the connections that the client has closed.
    var closedConnections: [Int] { (events("closed") as [Connection]).map(\.connection) }

    private func events<Event: Decodable>(_ name: String) -> [Event] {
        let lines = Self.lines(of: own).filter { $0.hasPrefix(#"{"event": "\#(name)""#) }
        return lines.compactMap { try? JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
    }

    /// The whole lines of the log.
    private static func lines(of own: OwnCertificate) -> [String] {
        let data = FileManager.default.contents(atPath: own.directory + "/" + log) ?? Data()
        return String(decoding: data, as: UTF8.self).components(separatedBy: "\n").dropLast()
    }
}

extension HTTP2Peer.Step: Encodable {
    /// Writes the array that `h2-peer` expects.
    func encode(to encoder: any Encoder) throws {
        var step = encoder.unkeyedContainer()
        switch self {
        case .answer(let status, let fields, let count, let coding):
            try step.encode("answer")
            try step.encode(Self.pairs([(":status", status)] + fields))
            try step.encode(HTTP2Peer.file)
            try step.encode(count)
            try step.encode(coding)
        case .headers(let fields, let ends):
            try step.encode("headers")
            try step.encode(Self.pairs(fields))
            try step.encode(ends)
        case .data(let bytes, let ends):
            try step.encode("data")
            try step.encode(bytes)
            try step.encode(ends)
        case .reset(let code):
            try step.encode("reset")
            try step.encode(code)
        case .goAway(let last):
            try step.encode("goaway")
            try step.encode(last)
        case .wait: try step.encode("wait")
        case .close: try step.encode("close")
        case .freeze: try step.encode("freeze")
        }
    }

    private static func pairs(_ fields: [(String, String)]) -> [[String]] { fields.map { [$0.0, $0.1] } }
}
