/// The answer of a `ScriptedHTTPServer` to one request, and its faults.
///
/// Begin with a static member and chain what should be different:
/// `.file(bytes, type: "audio/mpeg").paced(bytesPerSecond: 32_000).cut(after: 10_000)`.
public struct ScriptedResponse: Sendable {
    /// Writes the body's bytes from an offset on into a buffer.
    public typealias Fill = @Sendable (_ offset: Int64, _ buffer: UnsafeMutableRawBufferPointer) -> Void

    /// The early end of a body.
    public enum Cut: Sendable {
        /// The connection is closed in order.
        case close
        /// The connection is reset.
        case reset
        /// The connection stays open and silent.
        case hang
    }

    var status = 200
    var statusLine: String?
    var headers: [(name: String, value: String)] = []
    var length: Int64 = 0
    var fill: Fill = { _, _ in }
    var hasRanges = true
    var announcesLength = true
    var isChunked = false
    var pace: Double?
    var cut: (after: Int64, how: Cut)?
    var headDelay: Double = 0
    var contentRange: String?
    var rangeShift: Int64 = 0
    var contentLength: Int64?
    var announcesRanges = true
    var pieceSize: Int64?
    var raw: [UInt8]?
    var tunnelPort: UInt16?

    /// A file in memory, with ranges, an ETag and a length.
    public static func file(_ bytes: [UInt8], type: String = "application/octet-stream") -> ScriptedResponse {
        generated(length: Int64(bytes.count), type: type) { offset, buffer in
            bytes.withUnsafeBytes { source in
                let piece = source[Int(offset)..<(Int(offset) + buffer.count)]
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: piece))
            }
        }.etag("\"file-\(bytes.count)\"")
    }

    /// A file of any size that `fill` makes as it is sent.
    public static func generated(length: Int64, type: String, fill: @escaping Fill) -> ScriptedResponse {
        var response = ScriptedResponse()
        response.length = length
        response.fill = fill
        return response.header("Content-Type", type)
    }

    /// A status with a short text, without ranges.
    public static func status(_ status: Int, body: String = "") -> ScriptedResponse {
        var response = file([UInt8](body.utf8), type: "text/plain").withoutRanges().withoutHeader("ETag")
        response.status = status
        return response
    }

    /// A redirect to `location`, as it stands.
    public static func redirect(to location: String, status: Int = 302) -> ScriptedResponse {
        ScriptedResponse.status(status).header("Location", location)
    }

    /// Takes the request and says nothing, for as long as the client waits.
    public static var hang: ScriptedResponse { ScriptedResponse.status(200).cut(after: -1, .hang) }

    /// Takes the request and closes the connection without an answer.
    public static var drop: ScriptedResponse { ScriptedResponse.status(200).cut(after: -1, .close) }

    /// Sends these bytes, head and all, as they stand, and closes the connection.
    public static func raw(_ head: String, _ body: some Sequence<UInt8> = []) -> ScriptedResponse {
        var response = ScriptedResponse.status(200)
        response.raw = Array(head.utf8) + body
        return response
    }

    /// Gives a way to a port of this host, as proxies do that are asked to CONNECT.
    public static func tunnel(to port: Int) -> ScriptedResponse {
        ScriptedResponse.status(200).changed { $0.tunnelPort = UInt16(port) }
    }

    /// Gives ranges without saying so.
    public func withoutAcceptRanges() -> ScriptedResponse { changed { $0.announcesRanges = false } }

    /// Sends so many bytes at a time, each as soon as it may.
    public func inPieces(of count: Int64) -> ScriptedResponse { changed { $0.pieceSize = count } }

    /// With one more header.
    public func header(_ name: String, _ value: String) -> ScriptedResponse {
        changed { $0.headers.append((name, value)) }
    }

    /// Without the headers of that name.
    public func withoutHeader(_ name: String) -> ScriptedResponse {
        changed { $0.headers.removeAll { $0.name.lowercased() == name.lowercased() } }
    }

    /// With this ETag, quotes included, in place of the one there is.
    public func etag(_ value: String) -> ScriptedResponse { withoutHeader("ETag").header("ETag", value) }

    /// With this Last-Modified.
    public func lastModified(_ value: String) -> ScriptedResponse {
        withoutHeader("Last-Modified").header("Last-Modified", value)
    }

    /// Answers every request with the whole and 200.
    public func withoutRanges() -> ScriptedResponse { changed { $0.hasRanges = false } }

    /// Without Content-Length: the end of the connection is the end.
    public func withoutLength() -> ScriptedResponse { changed { $0.announcesLength = false } }

    /// In chunks.
    public func chunked() -> ScriptedResponse { changed { $0.isChunked = true } }

    /// No faster than this.
    public func paced(bytesPerSecond: Double) -> ScriptedResponse { changed { $0.pace = bytesPerSecond } }

    /// Ends after that many bytes of the body, or before the head if negative.
    public func cut(after count: Int64, _ how: Cut = .close) -> ScriptedResponse { changed { $0.cut = (count, how) } }

    /// Waits before it answers.
    public func delayed(seconds: Double) -> ScriptedResponse { changed { $0.headDelay = seconds } }

    /// With this Content-Range on partial answers, right or wrong; an empty one leaves it out.
    public func contentRange(_ value: String) -> ScriptedResponse { changed { $0.contentRange = value } }

    /// Partial answers begin that many bytes later than asked, or earlier, and say so.
    public func shiftingRanges(by count: Int64) -> ScriptedResponse { changed { $0.rangeShift = count } }

    /// Announces another length than it has.
    public func contentLength(_ value: Int64) -> ScriptedResponse { changed { $0.contentLength = value } }

    /// With this status line in place of the usual one.
    public func statusLine(_ line: String) -> ScriptedResponse { changed { $0.statusLine = line } }

    private func changed(_ change: (inout ScriptedResponse) -> Void) -> ScriptedResponse {
        var copy = self
        change(&copy)
        return copy
    }
}

/// A request that a `ScriptedHTTPServer` got.
public struct ScriptedRequest: Sendable {
    /// `GET` and the like.
    public let method: String
    /// The target as it was sent, query included.
    public let path: String
    /// By name in lower case; the last of a name counts.
    public let headers: [String: String]
    /// Seconds since the server began.
    public let time: Double
    /// The body.
    public internal(set) var body: [UInt8] = []
    /// Bytes of the body sent so far.
    public internal(set) var bytesSent: Int64 = 0
    /// The status answered.
    public internal(set) var status = 0
    /// Whether the answer is over.
    public internal(set) var isOver = false

    /// The `Range` header.
    public var range: String? { headers["range"] }
}
