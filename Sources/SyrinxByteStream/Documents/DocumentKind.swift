/// The kinds of documents that are opened by mistake instead of a recording, a playlist or a feed.
package enum DocumentKind {
    /// Returns the kind of a text document, such as `a web page`; `nil` for other bytes.
    /// - Parameter head: The first bytes; a few hundred are enough.
    package static func text(of head: some Collection<UInt8>) -> String? {
        var rest = Array(head)[...]
        guard !rest.isEmpty else { return nil }
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let start = String(decoding: rest.prefix(64), as: UTF8.self).lowercased()
        let page = ["<!doctype html", "<html", "<head", "<body", "<!--", "<script", "<title"]
        if page.contains(where: start.hasPrefix) { return "a web page" }
        if start.hasPrefix("<svg") { return "an image" }
        if start.hasPrefix("<?xml") || start.hasPrefix("<rss") { return "an XML document" }
        if start.hasPrefix("#extm3u") || start.hasPrefix("[playlist]") { return "a playlist" }
        if start.hasPrefix("%pdf-") { return "a PDF document" }
        guard head.allSatisfy({ $0 >= 0x20 || (0x09...0x0D).contains($0) || $0 == 0x1B }) else { return nil }
        // The last character may be incomplete.
        guard String(validating: head.dropLast(4), as: UTF8.self) != nil else { return nil }
        switch start.first {
        case "{", "[": return "a JSON document"
        case "<": return "an XML document"
        default: return "a text file"
        }
    }

    /// Returns the kind of a text or binary document, such as `an image`; `nil` for other bytes.
    /// - Parameter head: The first bytes; a few hundred are enough.
    package static func name(of head: some Collection<UInt8>) -> String? {
        let bytes = Array(head.prefix(512))
        return binary.first { $0.marks.contains(where: bytes.starts(with:)) }?.name ?? later(bytes) ?? text(of: head)
    }

    /// The signatures at the start of binary files.
    private static let binary: [(name: String, marks: [[UInt8]])] = [
        (
            "an image",
            [
                [0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47], Array("GIF8".utf8), [0x49, 0x49, 0x2A, 0],
                [0x4D, 0x4D, 0, 0x2A],
            ]
        ),
        (
            "an archive",
            [
                [0x50, 0x4B, 3, 4], [0x50, 0x4B, 5, 6], [0x1F, 0x8B], [0x37, 0x7A, 0xBC, 0xAF],
                [0xFD, 0x37, 0x7A, 0x58, 0x5A], Array("Rar!".utf8), Array("BZh".utf8), [0x28, 0xB5, 0x2F, 0xFD],
            ]
        ),
        ("a program", [[0x7F, 0x45, 0x4C, 0x46]]),
    ]

    /// Returns the kind of a file whose signature is not at the start.
    private static func later(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) { return "an image" }
        // A BMP has four zero bytes between its size and its pixel offset.
        if bytes.starts(with: "BM".utf8), bytes.dropFirst(6).starts(with: [0, 0, 0, 0]) { return "an image" }
        let brand = String(decoding: bytes.dropFirst(4).prefix(8), as: UTF8.self)
        if ["ftypavif", "ftypavis", "ftypheic", "ftypheix", "ftypmif1"].contains(brand) { return "an image" }
        return bytes.dropFirst(257).starts(with: "ustar".utf8) ? "an archive" : nil
    }
}
