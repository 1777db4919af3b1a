import SyrinxByteStream

/// Parses the header lines of a response that libcurl reports.
///
/// Interim responses (1xx) and trailers are skipped.
struct ResponseHeadParser {
    private enum Place { case status, fields(status: Int, isMultiplexed: Bool), body }

    private var place = Place.status
    private var fields: [[UInt8]] = []
    private var byteCount = 0
    /// Whether a response has set a cookie.
    private(set) var setsCookies = false

    /// The maximum size in bytes of all heads of a transfer, including interim responses: below libcurl's own limit of
    /// 300 KiB.
    private static let mostBytes = 256 << 10

    /// Adds a line, and returns the head if the line completes it.
    /// - Throws: `.badResponse` if the status line is invalid or the head is larger than 256 KiB.
    mutating func push(_ bytes: UnsafeRawBufferPointer) throws(FetchFailure) -> ResponseHead? {
        var line = Array(bytes)
        while let last = line.last, last == 10 || last == 13 { line.removeLast() }
        byteCount += bytes.count
        guard byteCount <= Self.mostBytes else {
            throw FetchFailure(.badResponse, "the server's headers are longer than \(Self.mostBytes >> 10) KiB", .none)
        }
        if case .fields(let status, let isMultiplexed) = place {
            guard line.isEmpty else {
                add(line)
                return nil
            }
            return try end(status, isMultiplexed)
        }
        // Any other line is a trailer.
        let start = String(decoding: line.prefix(5), as: UTF8.self).uppercased()
        guard start == "HTTP/" || start.hasPrefix("ICY ") else { return nil }
        place = .fields(status: try Self.status(line), isMultiplexed: line.starts(with: "HTTP/2".utf8))
        return nil
    }

    private mutating func end(_ status: Int, _ isMultiplexed: Bool) throws(FetchFailure) -> ResponseHead? {
        defer { fields = [] }
        if status < 200 {
            guard status != 101 else {
                throw FetchFailure(.badResponse, "the server changes to another protocol than HTTP", .retry)
            }
            place = .status
            return nil
        }
        place = .body
        let head = ResponseHead(status: status, fields: fields.compactMap(Self.field), isMultiplexed: isMultiplexed)
        guard head.hasValidLength else {
            throw FetchFailure(.badResponse, "the server states no valid length of its answer", .retry)
        }
        if !head.values("set-cookie").isEmpty { setsCookies = true }
        return head
    }

    private mutating func add(_ line: [UInt8]) {
        // A line that starts with white space continues the previous one (RFC 9112, 5.2).
        if let first = line.first, first == 0x20 || first == 0x09 {
            if !fields.isEmpty { fields[fields.count - 1] += line }
        } else {
            fields.append(line)
        }
    }

    /// Returns the status that the server sent: libcurl reports 200 for every response of a Shoutcast server.
    private static func status(_ line: [UInt8]) throws(FetchFailure) -> Int {
        let word = line.split(separator: 0x20).dropFirst().first ?? []
        guard word.count == 3, let status = Int(String(decoding: word, as: UTF8.self)), status >= 100 else {
            throw FetchFailure(.badResponse, "the server's answer has no valid status", .retry)
        }
        return status
    }

    private static func field(_ line: [UInt8]) -> (name: String, value: String)? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = String(decoding: line[..<colon], as: UTF8.self)[...].trimming(\.isWhitespace)
        let bytes = line[(colon + 1)...]
        let value = name.lowercased() == "location" ? address(bytes) : String(utf8OrWindows1252: Array(bytes))
        return (String(name), String(value[...].trimming(\.isWhitespace)))
    }

    /// Returns an address in UTF-8 unchanged, and otherwise percent-encodes its non-ASCII bytes.
    ///
    /// The server expects its own bytes: the same name in UTF-8 may be another resource.
    private static func address(_ bytes: ArraySlice<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return bytes.map { byte in
            byte < 0x80 ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
