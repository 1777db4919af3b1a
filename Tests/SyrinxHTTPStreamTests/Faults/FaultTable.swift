import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

/// One thing that a server does wrong, and what comes of it.
///
/// To add a case, add an entry to `FaultCase.all`: the runner below serves it and holds it against all that is said here. The
/// numbers are those of the project's list of faults; one number may have several entries.
struct FaultCase: Sendable, CustomTestStringConvertible {
    /// The result for the reader.
    enum Outcome: Sendable {
        /// All the bytes.
        case whole
        /// The first so many bytes, and then this failure.
        case prefix(Int, SyrinxError.Code)
    }

    let number: Int
    let name: String
    let outcome: Outcome
    /// The `Range` of each request in order; `nil` in place of the list: whatever it takes.
    var ranges: [String?]?
    /// Retries, warnings and other events, in order; `nil` for any.
    var events: [String]?
    var options: @Sendable (inout HTTPByteStream.Options) -> Void = { _ in }
    /// The answers in turn, the last one ever after, to requests for `bytes`.
    let answers: @Sendable (_ bytes: [UInt8]) -> [ScriptedResponse]

    var testDescription: String { "\(number): \(name)" }

    init(
        _ number: Int,
        _ name: String,
        _ outcome: Outcome = .whole,
        ranges: [String?]? = nil,
        events: [String]? = nil,
        options: @escaping @Sendable (inout HTTPByteStream.Options) -> Void = { _ in },
        _ answers: @escaping @Sendable (_ bytes: [UInt8]) -> [ScriptedResponse]
    ) {
        self.number = number
        self.name = name
        self.outcome = outcome
        self.ranges = ranges
        self.events = events
        self.options = options
        self.answers = answers
    }

    static let all: [FaultCase] = [
        framing, ranges, interruptions, finalStatuses, busyStatuses, statuses, heads, broadcasts,
    ].flatMap { $0 }
}

private let size = 200_000
private let half = 100_000
private let halfRange = "bytes=100000-"

private func whole(_ bytes: [UInt8]) -> ScriptedResponse { .file(bytes) }

/// Without anything to recognise it by, but perhaps its length.
private func bare(_ bytes: [UInt8]) -> ScriptedResponse { .file(bytes).withoutRanges().withoutHeader("ETag") }

private func chunks(_ bytes: [UInt8], of count: Int = 10_000) -> [UInt8] {
    stride(from: 0, to: bytes.count, by: count).flatMap { start -> [UInt8] in
        let piece = bytes[start..<min(bytes.count, start + count)]
        return Array("\(String(piece.count, radix: 16));name=value\r\n".utf8) + piece + [13, 10]
    }
}

extension FaultCase {
    static let framing: [FaultCase] = [
        FaultCase(1, "no length, the end of the connection is the end", ranges: ["bytes=0-"], events: ["completed"]) {
            [bare($0).withoutLength()]
        },
        FaultCase(2, "chunks, with extensions and trailers", ranges: ["bytes=0-"], events: ["completed"]) {
            [
                .raw(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                    chunks($0) + Array("0\r\nX: y\r\n\r\n".utf8)
                )
            ]
        },
        FaultCase(2, "a chunk size that is none", events: ["retry http.badResponse", "completed"]) {
            let head = "HTTP/1.1 200 OK\r\nETag: \"file-200000\"\r\nTransfer-Encoding: chunked\r\n\r\n"
            return [.raw(head, chunks(Array($0[..<half])) + Array("zz\r\n".utf8)), whole($0)]
        },
        FaultCase(2, "no last chunk is no end", .prefix(half, .connectionLost), ranges: ["bytes=0-"]) {
            [bare($0).chunked().cut(after: Int64(half))]
        },
        FaultCase(14, "a body that ends early, again and again") { [whole($0).cut(after: 30_000)] },
        FaultCase(
            9,
            "more announced than there is, without ranges",
            ranges: ["bytes=0-", nil],
            events: ["retry network.lost", "warning http.truncated", "completed"]
        ) { [whole($0).withoutRanges().contentLength(Int64(size + 5_000))] },
        FaultCase(
            9,
            "more announced than there is, in parts",
            ranges: ["bytes=0-", "bytes=200000-"],
            events: ["retry network.lost", "warning http.truncated", "completed"]
        ) { bytes in
            let parts = ["0-\(size + 99)", "\(size)-\(size + 99)"].map { range in
                "HTTP/1.1 206 Part\r\nContent-Range: bytes \(range)/\(size + 100)\r\n\r\n"
            }
            // Without a Content-Length the connection's end is that of the part.
            return [.raw(parts[0], bytes), .raw(parts[1])]
        },
        FaultCase(
            9,
            "more announced than there is, which 416 admits",
            ranges: ["bytes=0-", "bytes=200000-"],
            events: ["retry network.lost", "warning http.truncated", "completed"]
        ) { bytes in
            let head = "HTTP/1.1 206 Part\r\nContent-Range: bytes 0-\(size + 99)/\(size + 100)\r\n\r\n"
            return [.raw(head, bytes), .raw("HTTP/1.1 416 No\r\nContent-Range: bytes */\(size)\r\n\r\n")]
        },
        FaultCase(15, "a reset, again and again") { [whole($0).cut(after: 30_000, .reset)] },
        FaultCase(15, "a reset after one byte", events: ["retry network.lost", "completed"]) {
            [whole($0).cut(after: 1, .reset), whole($0)]
        },
        FaultCase(25, "more bytes than announced", ranges: ["bytes=0-"]) {
            [.raw("HTTP/1.1 200 OK\r\nContent-Length: \($0.count)\r\n\r\n", $0 + [1, 2, 3])]
        },
        FaultCase(26, "a few bytes at a time") { [whole($0).inPieces(of: 40)] },
        FaultCase(34, "204", .prefix(0, .emptyBody)) { _ in [.status(204)] },
        FaultCase(34, "200 and nothing", .prefix(0, .emptyBody)) { _ in [.status(200)] },
    ]

    static let ranges: [FaultCase] = [
        FaultCase(3, "ranges that nobody announced", ranges: ["bytes=0-", halfRange]) {
            [whole($0).withoutAcceptRanges().cut(after: Int64(half)), whole($0).withoutAcceptRanges()]
        },
        FaultCase(4, "Accept-Ranges: none is never asked for ranges again", ranges: ["bytes=0-", nil]) {
            let answer = whole($0).withoutRanges().header("Accept-Ranges", "none")
            return [answer.cut(after: Int64(half)), answer]
        },
        FaultCase(5, "the whole in answer to a range", ranges: ["bytes=0-", halfRange]) {
            [whole($0).cut(after: Int64(half)), whole($0).withoutRanges()]
        },
        FaultCase(6, "a range that begins earlier", ranges: ["bytes=0-", halfRange]) {
            [whole($0).cut(after: Int64(half)), whole($0).shiftingRanges(by: -5_000)]
        },
        FaultCase(7, "a range that begins later", ranges: ["bytes=0-", halfRange, nil]) {
            [whole($0).cut(after: Int64(half)), whole($0).shiftingRanges(by: 5_000), whole($0).withoutRanges()]
        },
        FaultCase(7, "ranges that are always wrong", .prefix(half, .badResponse)) {
            [
                whole($0).cut(after: Int64(half)), whole($0).contentRange("bytes 7-9/\($0.count)"),
                .raw("HTTP/1.1 206 No\r\n\r\n"),
            ]
        },
        FaultCase(8, "no Content-Range", ranges: ["bytes=0-", nil]) {
            [whole($0).contentRange(""), whole($0).withoutRanges()]
        },
        FaultCase(8, "a Content-Range that is nonsense", ranges: ["bytes=0-", nil]) {
            [whole($0).contentRange("bytes 7-3/x"), whole($0).withoutRanges()]
        },
        FaultCase(8, "a Content-Range of unknown size", ranges: ["bytes=0-"]) {
            [whole($0).contentRange("bytes 0-\($0.count - 1)/*")]
        },
        FaultCase(
            9,
            "a Content-Length that is too large",
            events: ["warning http.lengthMismatch", "retry network.lost", "completed"]
        ) { [whole($0).contentLength(Int64($0.count) + 50), whole($0)] },
        FaultCase(10, "416 at the end is the end", ranges: ["bytes=0-", "bytes=200000-"]) {
            let head =
                "HTTP/1.1 206 Part\r\nContent-Range: bytes 0-\(size - 1)/*\r\nContent-Length: \(size + 9)\r\n\r\n"
            return [.raw(head, $0), whole($0)]
        },
        FaultCase(10, "416 because it has shrunk", .prefix(half, .resourceChanged)) {
            [whole($0).cut(after: Int64(half)), .raw("HTTP/1.1 416 No\r\nContent-Range: bytes */5000\r\n\r\n")]
        },
        FaultCase(12, "gzip that is none", .prefix(0, .badResponse), ranges: ["bytes=0-", nil]) {
            [whole($0).header("Content-Encoding", "gzip")]
        },
        FaultCase(12, "a coding that is none", ranges: ["bytes=0-"]) {
            [whole($0).header("Content-Encoding", "aws-chunked")]
        },
        FaultCase(17, "another tag", .prefix(half, .resourceChanged)) {
            [whole($0).cut(after: Int64(half)), whole($0).etag("\"other\"")]
        },
        FaultCase(17, "another size", .prefix(half, .resourceChanged)) {
            [whole($0).withoutHeader("ETag").cut(after: Int64(half)), whole($0 + [1]).withoutHeader("ETag")]
        },
        FaultCase(17, "a weak tag is compared, not sent", .prefix(half, .resourceChanged)) {
            [whole($0).etag("W/\"a\"").cut(after: Int64(half)), whole($0).etag("W/\"b\"")]
        },
    ]

    static let interruptions: [FaultCase] = [
        FaultCase(18, "silence", events: ["retry network.timeout", "completed"], options: { $0.stallTimeout = 2 }) {
            [whole($0).cut(after: Int64(half), .hang), whole($0)]
        },
        FaultCase(19, "slow is no stall", events: ["completed"], options: { $0.stallTimeout = 2 }) {
            [whole($0).paced(bytesPerSecond: 70_000)]
        },
        FaultCase(21, "a link that is gone for a while", options: { $0.maximumConnectAttempts = 2 }) {
            [whole($0).cut(after: Int64(half), .reset)] + Array(repeating: .drop, count: 12) + [whole($0)]
        },
        FaultCase(
            22,
            "a link that is gone for longer than anybody waits",
            .prefix(half, .timedOut),
            options: { $0.maximumOutage = 1 }
        ) { [whole($0).cut(after: Int64(half), .reset), .drop] },
        FaultCase(24, "no ranges: from the start again", ranges: ["bytes=0-", nil]) {
            [bare($0).cut(after: Int64(half)), bare($0)]
        },
    ]

    static let finalStatuses: [FaultCase] = [400, 401, 403, 404, 407, 410, 451].map { status in
        let number = status == 401 || status == 407 ? 30 : 31
        return FaultCase(number, "\(status)", .prefix(0, .httpStatus(status)), ranges: ["bytes=0-"]) { _ in
            [.status(status)]
        }
    }

    static let busyStatuses: [FaultCase] = [408, 425, 429, 500, 502, 503, 504].map { status in
        let retry = "retry http.\(status)"
        return FaultCase(32, "\(status), twice", events: [retry, retry, "completed"]) {
            [.status(status), .status(status), whole($0)]
        }
    }

    static let statuses: [FaultCase] = [
        FaultCase(32, "503 for good", .prefix(0, .httpStatus(503))) { _ in [.status(503)] },
        FaultCase(32, "a busy server in the middle", options: { $0.maximumAttempts = 2 }) {
            [whole($0).cut(after: Int64(half))] + Array(repeating: .status(503), count: 8) + [whole($0)]
        },
        FaultCase(27, "a redirect to a file", .prefix(0, .redirectRefused), ranges: ["bytes=0-"]) { _ in
            [.redirect(to: "file:///etc/passwd")]
        },
        FaultCase(27, "a redirect that leads to itself", .prefix(0, .tooManyRedirects)) { _ in
            [.redirect(to: "/a", status: 301)]
        },
        FaultCase(27, "a redirect to nowhere", .prefix(0, .badResponse)) { _ in [.status(302)] },
        FaultCase(27, "every kind of redirect", ranges: Array(repeating: "bytes=0-", count: 6)) {
            [301, 302, 303, 307, 308].map { ScriptedResponse.redirect(to: "a?x=1", status: $0) } + [whole($0)]
        },
        FaultCase(
            28,
            "a signed address that runs out leads to a new one",
            ranges: Array(repeating: "bytes=0-", count: 2) + Array(repeating: halfRange, count: 3)
        ) {
            [
                .redirect(to: "a?signed=1"), whole($0).cut(after: Int64(half)), .status(403),
                .redirect(to: "a?signed=2"), whole($0),
            ]
        },
        FaultCase(29, "an address that leads elsewhere each time, to other bytes", .prefix(half, .resourceChanged)) {
            [
                .redirect(to: "a?edge=1"), whole($0).cut(after: Int64(half)), .status(410),
                .redirect(to: "a?edge=2"), whole([1, 2, 3] + $0),
            ]
        },
        FaultCase(29, "to the same bytes under another tag", .prefix(half, .resourceChanged)) {
            [
                .redirect(to: "a?edge=1"), whole($0).cut(after: Int64(half)), .status(410),
                .redirect(to: "a?edge=2"), whole($0).etag("\"other\""),
            ]
        },
        FaultCase(
            29,
            "to the same bytes",
            ranges: Array(repeating: "bytes=0-", count: 2) + Array(repeating: halfRange, count: 3)
        ) {
            [
                .redirect(to: "a?edge=1"), whole($0).cut(after: Int64(half)), .status(404),
                .redirect(to: "a?edge=2"), whole($0),
            ]
        },
        FaultCase(28, "403 in the middle, at the URL itself", .prefix(half, .httpStatus(403))) {
            [whole($0).cut(after: Int64(half)), .status(403)]
        },
    ]

    static let heads: [FaultCase] = [
        FaultCase(35, "HTTP/1.0") { [.raw("HTTP/1.0 200 OK\r\n\r\n", $0)] },
        FaultCase(35, "lower case, twice the same") {
            [
                .raw(
                    "HTTP/1.1 200 OK\r\ncontent-length: \($0.count)\r\ncontent-type: a/b\r\ncontent-type: c/d\r\n\r\n",
                    $0
                )
            ]
        },
        FaultCase(35, "the same length twice") {
            [.raw("HTTP/1.1 200 OK\r\nContent-Length: \($0.count)\r\nContent-Length: \($0.count)\r\n\r\n", $0)]
        },
        FaultCase(35, "the same length twice in one line") {
            [.raw("HTTP/1.1 200 OK\r\nContent-Length: \($0.count), \($0.count)\r\n\r\n", $0)]
        },
        FaultCase(35, "a length, and chunks") {
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 12\r\nTransfer-Encoding: chunked\r\n\r\n"
            return [.raw(head, chunks($0) + Array("0\r\n\r\n".utf8))]
        },
        FaultCase(35, "a status that is none", .prefix(0, .badResponse)) {
            [.raw("HTTP/1.1 099 X\r\nContent-Length: \($0.count)\r\n\r\n", $0)]
        },
        FaultCase(35, "two lengths that differ", .prefix(0, .badResponse)) {
            [.raw("HTTP/1.1 200 OK\r\nContent-Length: \($0.count)\r\nContent-Length: 1000\r\n\r\n", $0)]
        },
        FaultCase(35, "no reason") { [.raw("HTTP/1.1 200\r\nContent-Length: \($0.count)\r\n\r\n", $0)] },
        FaultCase(35, "a reason that is no text") { bytes in
            let rest = "\r\nX-A: b\r\nContent-Length: \(bytes.count)\r\n\r\n"
            return [.raw("HTTP/1.1 200 ", [0xFC, 0xFF] + Array(rest.utf8) + bytes)]
        },
        FaultCase(35, "headers that are no text") { bytes in
            let rest = "\r\nContent-Length: \(bytes.count)\r\n\r\n"
            return [.raw("HTTP/1.1 200 OK\r\nicy-notice: ", [0xFC, 0x80, 0xFF] + Array(rest.utf8) + bytes)]
        },
        // RFC 9112, 5.2, lets a client unfold it.
        FaultCase(35, "a folded header", events: ["completed"]) {
            [.raw("HTTP/1.1 200 OK\r\nX-Long: one\r\n\t two\r\nContent-Length: \($0.count)\r\n\r\n", $0)]
        },
        FaultCase(35, "folded headers without end", .prefix(0, .badResponse)) { _ in
            let head = "HTTP/1.1 200 OK\r\nX-Long: one" + String(repeating: "\r\n two", count: 400_000)
            return [.raw(head).cut(after: 0, .hang)]
        },
        FaultCase(35, "64 KiB of headers") {
            let header = "X-Large: " + String(repeating: "a", count: 60_000)
            return [.raw("HTTP/1.1 200 OK\r\n\(header)\r\nContent-Length: \($0.count)\r\n\r\n", $0)]
        },
        FaultCase(35, "headers without end", .prefix(0, .badResponse)) { _ in
            let header = "X-Large: " + String(repeating: "a", count: 50_000) + "\r\n"
            let head = "HTTP/1.1 200 OK\r\n" + String(repeating: header, count: 40)
            return [.raw(head).cut(after: 0, .hang)]
        },
        FaultCase(35, "no HTTP at all", .prefix(0, .badResponse)) { _ in [.raw("SSH-2.0-OpenSSH_9.9\r\n")] },
    ]
}
