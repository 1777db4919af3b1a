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
    private let fields: [(name: String, value: String)]

    /// A head with these header fields; names in any case.
    init(status: Int, fields: [(name: String, value: String)]) {
        self.status = status
        self.fields = fields.map { ($0.name.lowercased(), $0.value) }
    }

    /// The first value of a header, by its name in lower case.
    func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The values of a header that may be there more than once.
    func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    var contentRange: ContentRange? { value("content-range").flatMap(ContentRange.init) }

    var contentLength: Int64? {
        value("content-length").flatMap { Self.size($0) }
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

    /// The coding of the body, if it is not sent as it is.
    var contentEncoding: String? {
        guard let coding = value("content-encoding")?.lowercased()[...].trimming(\.isWhitespace) else { return nil }
        // `none` is not one of the registered names, and yet is sent.
        return ["", "identity", "none"].contains(coding) ? nil : String(coding)
    }

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

/// The identity of a version of a resource.
struct ResourceVersion: Equatable, Sendable {
    var length: Int64?
    let etag: String?
    let lastModified: String?

    init(length: Int64?, etag: String?, lastModified: String?) {
        self.length = length
        self.etag = etag
        self.lastModified = lastModified
    }

    init(_ head: ResponseHead, length: Int64?) {
        self.length = length
        etag = head.value("etag")
        lastModified = head.value("last-modified")
    }

    /// The value for `If-Range`: never a weak tag, which does not vouch for bytes.
    var rangeValidator: String? {
        guard let etag else { return lastModified }
        return etag.hasPrefix("W/") ? nil : etag
    }

    /// A value that distinguishes this version from others, for caches of derived data; `nil` if the server provides none.
    var validator: String? {
        guard let mark = etag ?? lastModified else { return nil }
        return "\(length.map { "\($0)" } ?? "-") \(mark)"
    }

    /// Whether two versions could be distinguished.
    var canBeRecognised: Bool { length != nil || etag != nil || lastModified != nil }

    /// Whether `other` is another version, or nothing says that it is this one.
    ///
    /// - Parameter isVouchedFor: The answer is a part that was asked for on the condition that nothing has changed (`If-Range`),
    ///   which has to name its tag again, and need not name its date (RFC 9110 section 15.3.7).
    func differs(from other: ResourceVersion, isVouchedFor: Bool) -> Bool {
        if let length, let otherLength = other.length, length != otherLength { return true }
        if let etag, let otherTag = other.etag { return Self.opaque(etag) != Self.opaque(otherTag) }
        if let lastModified, let otherDate = other.lastModified, lastModified != otherDate { return true }
        let hasSameDate = lastModified != nil && other.lastModified != nil
        // A date alone does not make up for a strong tag that is missing, which has vouched for every byte (section 8.8.1).
        if let etag { return !hasSameDate || !(isVouchedFor || etag.hasPrefix("W/")) }
        return lastModified != nil && !hasSameDate && !(isVouchedFor && other.etag == nil)
    }

    private static func opaque(_ etag: String) -> Substring { etag.hasPrefix("W/") ? etag.dropFirst(2) : etag[...] }
}

/// Dates as RFC 9110 (5.6.7) prefers them: `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// Seconds since 1970.
    static func seconds(_ text: String) -> Double? {
        let parts = text.split { " ,:".contains($0) }
        guard parts.count >= 7, let day = Int(parts[1]), let year = Int(parts[3]),
            let month = months.firstIndex(of: parts[2].lowercased()),
            let hour = Int(parts[4]), let minute = Int(parts[5]), let second = Int(parts[6].prefix(2)),
            (1...31).contains(day), (1_970...9_999).contains(year),
            // A minute may end with a leap second.
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        // Days from the civil date, with years that begin in March.
        // Bounded: every part of the date is in its range.
        let shifted = month < 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 10) % 12) + 2) / 5 + day - 1
        // Bounded: every part of the date is in its range.
        let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
        return Double(days * 86_400 + hour * 3_600 + minute * 60 + second)
    }
}
