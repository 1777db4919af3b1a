/// The parts of a response's head that fetching depends on.
struct ResponseHead: Sendable {
    /// A length or an offset from outside; `nil` if it is none, or one beyond all that is stored anywhere, of 256 TiB.
    private static func size(_ text: some StringProtocol) -> Int64? {
        Int64(text).flatMap { 0..<1 << 48 ~= $0 ? $0 : nil }
    }

    /// A `Content-Range` header: `bytes first-last/size`, or `bytes */size`.
    struct ContentRange: Equatable {
        /// `nil` in the form that names no range.
        let range: ClosedRange<Int64>?
        /// `nil` for `*`.
        let size: Int64?

        init?(_ text: String) {
            let parts = text.split(separator: " ", omittingEmptySubsequences: true)
            guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
            let halves = parts[1].split(separator: "/", omittingEmptySubsequences: false)
            guard halves.count == 2 else { return nil }
            if halves[1] == "*" {
                size = nil
            } else {
                guard let value = ResponseHead.size(halves[1]) else { return nil }
                size = value
            }
            if halves[0] == "*" {
                range = nil
                return
            }
            let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false).map { ResponseHead.size($0) }
            guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last else {
                return nil
            }
            if let size, last >= size { return nil }
            range = first...last
        }
    }

    let status: Int
    /// Whether the connection carries other answers too, as in HTTP/2.
    let isMultiplexed: Bool
    private let fields: [(name: String, value: String)]

    /// A head with these header fields; names in any case.
    init(status: Int, fields: [(name: String, value: String)], isMultiplexed: Bool = false) {
        self.status = status
        self.isMultiplexed = isMultiplexed
        self.fields = fields.map { ($0.name.lowercased(), $0.value) }
    }

    /// The first value of a header, by its name in lower case.
    func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The values of a header that may be there more than once.
    func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    var contentRange: ContentRange? { value("content-range").flatMap(ContentRange.init) }

    var contentLength: Int64? {
        if isChunked { return nil }
        return value("content-length")?.split(separator: ",").first.flatMap {
            Self.size($0[...].trimming(\.isWhitespace))
        }
    }

    /// The URL of a redirect.
    var location: String? {
        let location = value("location")?[...].trimming(\.isWhitespace) ?? ""
        return location.isEmpty ? nil : String(location)
    }

    /// The type without its parameters, in lower case.
    var mimeType: String? {
        guard let text = value("content-type") else { return nil }
        let type = text.prefix { $0 != ";" && $0 != "," }.filter { !$0.isWhitespace }.lowercased()
        return type.isEmpty ? nil : type
    }

    /// Whether the body is compressed in a way that libcurl decodes.
    ///
    /// Servers also send names that are no coding, such as `none`, `utf-8` or `aws-chunked`: then the bytes are as they are.
    var isCompressed: Bool {
        values("content-encoding").flatMap { $0.lowercased().split(separator: ",") }.contains { coding in
            ["gzip", "x-gzip", "deflate", "br", "zstd"].contains(coding.trimming(\.isWhitespace))
        }
    }

    /// Whether the server asks for a user and password by Digest (RFC 7616).
    var asksForDigest: Bool {
        values("www-authenticate").flatMap { $0.lowercased().split(separator: ",") }.contains { challenge in
            challenge.drop(while: \.isWhitespace).hasPrefix("digest")
        }
    }

    /// Whether the head states one length of the body, or none: libcurl takes the digits at the start of any value.
    ///
    /// A negative length means that the length is unknown. A length may be repeated if the values are equal (RFC 9110, 8.6).
    var hasValidLength: Bool {
        guard !isChunked else { return true }
        let lengths = values("content-length").flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
            .map { $0.trimming(\.isWhitespace) }
        return Set(lengths).count <= 1
            && lengths.allSatisfy { length in
                let digits = length.hasPrefix("-") ? length.dropFirst() : length
                return !digits.isEmpty && digits.utf8.allSatisfy { 48...57 ~= $0 }
            }
    }

    /// Whether the body is sent in chunks: then no length counts (RFC 9112, 6.3).
    private var isChunked: Bool { value("transfer-encoding")?.lowercased().contains("chunked") == true }

    var acceptsRanges: Bool? {
        switch value("accept-ranges")?.lowercased() {
        case "bytes": true
        case "none": false
        default: nil
        }
    }

    /// The number of bytes of audio between two blocks of metadata, if there are any.
    var metadataInterval: Int? {
        guard let text = value("icy-metaint"), let interval = Int(text), interval > 0, interval <= 1 << 24 else {
            return nil
        }
        return interval
    }

    /// Whether this is a broadcast and not a file: the server calls it a station, and knows no length.
    var isBroadcast: Bool {
        guard contentLength == nil, contentRange == nil else { return false }
        return fields.contains { $0.name.hasPrefix("icy-") || $0.name == "ice-audio-info" }
    }

    /// The description of the station.
    var station: [String: String] {
        var station: [String: String] = [:]
        for (name, field) in [("icy-name", "station"), ("icy-genre", "genre"), ("icy-url", "stationURL")] {
            if let value = value(name), !value.isEmpty { station[field] = value }
        }
        return station
    }

    /// Seconds that `Retry-After` asks for, in either of its forms.
    func retryAfter(now: Double) -> Double? {
        guard let text = value("retry-after") else { return nil }
        if let seconds = Double(text) { return seconds.isFinite ? max(0, seconds) : nil }
        return HTTPDate.seconds(text).map { max(0, $0 - now) }
    }
}
