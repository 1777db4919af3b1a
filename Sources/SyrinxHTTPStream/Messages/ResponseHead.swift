/// The parts of a response head that fetching depends on.
struct ResponseHead: Sendable {
    /// Parses a length or an offset; returns `nil` if it is invalid or exceeds 256 TiB.
    private static func size(_ text: some StringProtocol) -> Int64? {
        Int64(text).flatMap { 0..<1 << 48 ~= $0 ? $0 : nil }
    }

    /// A `Content-Range` header: `bytes first-last/size`, or `bytes */size`.
    struct ContentRange: Equatable {
        /// The range; `nil` in the form `bytes */size`.
        let range: ClosedRange<Int64>?
        /// The size; `nil` if it is `*`.
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
    /// Whether the connection carries several responses, as in HTTP/2.
    let isMultiplexed: Bool
    private let fields: [(name: String, value: String)]

    /// Creates a head with header fields, whose names may be in any case.
    init(status: Int, fields: [(name: String, value: String)], isMultiplexed: Bool = false) {
        self.status = status
        self.isMultiplexed = isMultiplexed
        self.fields = fields.map { ($0.name.lowercased(), $0.value) }
    }

    /// Returns the first value of a header; `name` is in lower case.
    func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Returns all values of a header; `name` is in lower case.
    func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    var contentRange: ContentRange? { value("content-range").flatMap(ContentRange.init) }

    var contentLength: Int64? {
        if isChunked { return nil }
        return value("content-length")?.split(separator: ",").first.flatMap {
            Self.size($0[...].trimming(\.isWhitespace))
        }
    }

    /// The URL of a redirect, as stated.
    var location: String? {
        let location = value("location")?[...].trimming(\.isWhitespace) ?? ""
        return location.isEmpty ? nil : String(location)
    }

    /// The MIME type without parameters, in lower case.
    var mimeType: String? {
        guard let text = value("content-type") else { return nil }
        let type = text.prefix { $0 != ";" && $0 != "," }.filter { !$0.isWhitespace }.lowercased()
        return type.isEmpty ? nil : type
    }

    /// Whether the body is compressed with a method that libcurl can decode.
    ///
    /// Servers also state names that are not compression methods, such as `none`, `utf-8` or `aws-chunked`: such bodies
    /// are not decoded.
    var isCompressed: Bool {
        values("content-encoding").flatMap { $0.lowercased().split(separator: ",") }.contains { coding in
            ["gzip", "x-gzip", "deflate", "br", "zstd"].contains(coding.trimming(\.isWhitespace))
        }
    }

    /// Whether the server requests Digest authentication (RFC 7616).
    var asksForDigest: Bool {
        values("www-authenticate").flatMap { $0.lowercased().split(separator: ",") }.contains { challenge in
            challenge.drop(while: \.isWhitespace).hasPrefix("digest")
        }
    }

    /// Whether the head states a single valid body length, or none; libcurl accepts leading digits of any value.
    ///
    /// A negative length means an unknown length. Repeated equal lengths are valid (RFC 9110, 8.6).
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

    /// Whether the body uses chunked encoding, so that the stated length is ignored (RFC 9112, 6.3).
    private var isChunked: Bool { value("transfer-encoding")?.lowercased().contains("chunked") == true }

    var acceptsRanges: Bool? {
        switch value("accept-ranges")?.lowercased() {
        case "bytes": true
        case "none": false
        default: nil
        }
    }

    /// The number of audio bytes between two metadata blocks; `nil` if there is no metadata.
    var metadataInterval: Int? {
        guard let text = value("icy-metaint"), let interval = Int(text), interval > 0, interval <= 1 << 24 else {
            return nil
        }
        return interval
    }

    /// Whether this is a broadcast: it has station headers and no length.
    var isBroadcast: Bool {
        guard contentLength == nil, contentRange == nil else { return false }
        return fields.contains { $0.name.hasPrefix("icy-") || $0.name == "ice-audio-info" }
    }

    /// The description of the station.
    var station: [String: String] {
        var station: [String: String] = [:]
        let names = [
            ("icy-name", "station"), ("icy-genre", "genre"), ("icy-url", "stationURL"), ("icy-logo", "stationPicture"),
        ]
        for (name, field) in names {
            if let value = value(name), !value.isEmpty { station[field] = value }
        }
        return station
    }

    /// Returns the delay in seconds that `Retry-After` requests, as a number or a date.
    func retryAfter(now: Double) -> Double? {
        guard let text = value("retry-after") else { return nil }
        if let seconds = Double(text) { return seconds.isFinite ? max(0, seconds) : nil }
        return HTTPDate.seconds(text).map { max(0, $0 - now) }
    }
}
