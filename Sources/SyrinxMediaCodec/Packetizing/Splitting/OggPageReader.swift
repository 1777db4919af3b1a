/// The header of a stream of a chain: the pages before its sound.
package struct OggStreamHead: Equatable, Sendable {
    /// The title of the stream, with its artist if it states one; `nil` if it states none.
    package var title: String?
    /// The ending of a file of this stream, such as `opus`.
    package var pathExtension: String
    /// The bytes of the pages.
    package var bytes: [UInt8]
}

/// Reads the pages of a chain of Ogg streams: their headers, titles and lengths.
struct OggPageReader: Sendable {
    /// A codec whose header is known.
    struct Codec: Equatable, Sendable {
        let pathExtension: String
        /// The unit of granule positions, per second.
        let rate: Int
    }

    /// Headers of more bytes are passed on in parts, without their title.
    static let largestHead = 1 << 20

    private(set) var codec: Codec?
    /// The number of bytes of a header that is not complete.
    var heldByteCount: Int { head?.count ?? 0 }
    private var head: [UInt8]?
    private var position: Int64?

    /// Returns the units that a page completes.
    mutating func read(_ page: OggPage, _ bytes: [UInt8]) -> [StreamSplitter.Unit] {
        if page.isBeginning, head == nil {
            (head, position) = ([], 0)
            codec = Self.codec(bytes)
        }
        if var head {
            // The pages of a header have the position 0, or none within a long packet.
            guard page.position ?? 0 > 0 || head.count > Self.largestHead else {
                head += bytes
                self.head = head
                return []
            }
            self.head = nil
            let unit = StreamSplitter.Unit(
                bytes: head,
                head: OggStreamHead(
                    title: OggComments.title(inPages: head),
                    pathExtension: codec?.pathExtension ?? "ogg",
                    bytes: head
                )
            )
            return [unit] + [sound(page, bytes)]
        }
        return [sound(page, bytes)]
    }

    private mutating func sound(_ page: OggPage, _ bytes: [UInt8]) -> StreamSplitter.Unit {
        var duration = 0.0
        if let new = page.position {
            if let position, new > position, let codec {
                // A page of sound is no longer than some seconds; more is a jump of the position.
                let seconds = Double(new - position) / Double(codec.rate)
                duration = seconds < 60 ? seconds : 0
            }
            position = new
        }
        return StreamSplitter.Unit(bytes: bytes, duration: duration)
    }

    /// Returns the codec of the first page of a stream.
    private static func codec(_ bytes: [UInt8]) -> Codec? {
        guard let packet = OggPage.wholePackets(bytes).first.map(Array.init) else { return nil }
        if packet.starts(with: Array("OpusHead".utf8)) { return Codec(pathExtension: "opus", rate: 48_000) }
        if packet.starts(with: [1] + Array("vorbis".utf8)), packet.count >= 16 {
            let rate = packet[12..<16].reversed().reduce(0) { $0 << 8 | Int($1) }
            return rate > 0 ? Codec(pathExtension: "ogg", rate: rate) : nil
        }
        if packet.starts(with: [0x7F] + Array("FLAC".utf8)), packet.count >= 30 {
            // The rate has 20 bits, behind 10 bytes of the STREAMINFO block, whose data begins at byte 17.
            let rate = Int(packet[27]) << 12 | Int(packet[28]) << 4 | Int(packet[29]) >> 4
            return rate > 0 ? Codec(pathExtension: "oga", rate: rate) : nil
        }
        return nil
    }
}

/// The comments of an Ogg stream.
enum OggComments {
    /// Comments of a stream that are read.
    private static let mostComments = 200
    private static let longest = 4_096

    /// Returns the title of a stream, with the artist before it; `nil` if there is none.
    /// - Parameter bytes: The pages of the header.
    static func title(inPages bytes: [UInt8]) -> String? {
        let payload = payload(bytes)
        for mark in [Array("OpusTags".utf8), [3] + Array("vorbis".utf8)] {
            if let place = payload.firstRange(of: mark) { return title(payload[place.upperBound...]) }
        }
        // FLAC: the second packet is a metadata block of type 4, with a header of four bytes.
        guard let first = OggPage(bytes) else { return nil }
        let second = Self.payload(Array(bytes[min(first.end, bytes.count)...]))
        guard second.count > 4, second[second.startIndex] & 0x7F == 4 else { return nil }
        return title(second.dropFirst(4))
    }

    /// Returns the content of pages without their headers.
    private static func payload(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        var (content, place): ([UInt8], Int) = ([], 0)
        while let page = OggPage(bytes, at: place), page.end <= bytes.count {
            content += bytes[min(place + 27 + Int(bytes[place + 26]), page.end)..<page.end]
            place = page.end
        }
        return content[...]
    }

    private static func title(_ bytes: ArraySlice<UInt8>) -> String? {
        var rest = bytes
        func number() -> Int? {
            guard rest.count >= 4 else { return nil }
            defer { rest = rest.dropFirst(4) }
            return rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        guard let vendor = number(), vendor <= rest.count else { return nil }
        rest = rest.dropFirst(vendor)
        guard let count = number() else { return nil }
        var found: [String: String] = [:]
        for _ in 0..<min(count, mostComments) {
            guard let length = number(), length <= rest.count else { break }
            let text = String(decoding: rest.prefix(min(length, longest)), as: UTF8.self)
            rest = rest.dropFirst(length)
            guard let sign = text.firstIndex(of: "=") else { continue }
            let (name, value) = (text[..<sign].uppercased(), String(text[text.index(after: sign)...]))
            if found[name] == nil, !value.isEmpty { found[name] = value }
        }
        guard let title = found["TITLE"] else { return nil }
        return found["ARTIST"].map { "\($0) - \(title)" } ?? title
    }
}
