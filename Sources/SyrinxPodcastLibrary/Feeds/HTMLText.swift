import SyrinxPlayback

/// Plain text of HTML.
enum HTMLText {
    /// The elements that begin a line, and those before which a line is left empty.
    private static let lineElements: Set<String> = ["br", "li", "tr", "div", "dt", "dd"]
    private static let blockElements: Set<String> = [
        "p", "ul", "ol", "table", "blockquote", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
    ]

    /// Returns the text without tags and references, with a line for each block, in time proportional to its length.
    ///
    /// Text without HTML keeps its line breaks.
    static func plain(_ html: String) -> String {
        let isMarkedUp = html.utf8.contains(UInt8(ascii: "<"))
        guard isMarkedUp || html.utf8.contains(UInt8(ascii: "&")) else { return tidied(html, keepsLines: true) }
        var text = ""
        text.reserveCapacity(html.utf8.count)
        var rest = html[...]
        var ends = TagEnds(html)
        while let place = rest.utf8.firstIndex(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) {
            text += rest[..<place]
            rest = rest[place...]
            if rest.utf8.first == UInt8(ascii: "&") { reference(&rest, &text) } else { tag(&rest, &text, &ends) }
        }
        text += rest
        return tidied(text, keepsLines: !isMarkedUp || !text.contains("\u{2028}"))
    }

    private static func reference(_ rest: inout Substring, _ text: inout String) {
        let name = rest.dropFirst().prefix(32).prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "#") }
        guard name.endIndex < rest.endIndex, rest[name.endIndex] == ";", let characters = HTMLEntities.characters(name)
        else {
            text += "&"
            rest = rest.dropFirst()
            return
        }
        text += characters
        rest = rest[rest.index(after: name.endIndex)...]
    }

    private static func tag(_ rest: inout Substring, _ text: inout String, _ ends: inout TagEnds) {
        let bytes = rest.utf8
        let second = bytes.dropFirst().first
        let isTag = second.map { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "!") || isLetter($0) } ?? false
        guard isTag, let end = ends.end(of: bytes.startIndex) else {
            text += "<"
            rest = rest[bytes.index(after: bytes.startIndex)...]
            return
        }
        let name = bytes[..<end].dropFirst().drop { $0 == UInt8(ascii: "/") }.prefix { isLetter($0) || 48...57 ~= $0 }
        let lower = String(decoding: name, as: UTF8.self).lowercased()
        // Marks of lines that survive the tidying, which takes the breaks of the source for spaces.
        if lineElements.contains(lower) { text += "\u{2028}" }
        if blockElements.contains(lower) { text += "\u{2028}\u{2028}" }
        if lower == "li", second != UInt8(ascii: "/") { text += "• " }
        rest = rest[bytes.index(after: end)...]
    }

    /// The ends of the tags of a text, each looked for once: the places that are asked about ascend.
    private struct TagEnds {
        /// Bytes of the longest tag.
        private static let longestTag = 8_192

        private let bytes: String.UTF8View
        private var next: String.Index

        init(_ text: String) {
            bytes = text.utf8
            next = bytes.startIndex
        }

        /// Returns the place of the `>` that ends the tag at `place`; `nil` if it is no tag, but a sign.
        mutating func end(of place: String.Index) -> String.Index? {
            next = max(next, place)
            while next < bytes.endIndex, bytes[next] != UInt8(ascii: ">") { bytes.formIndex(after: &next) }
            let isEnd = next < bytes.endIndex && bytes.distance(from: place, to: next) < Self.longestTag
            return isEnd ? next : nil
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { 65...90 ~= byte & 0xDF }

    /// Joins spaces, removes those at the ends of lines, and leaves at most one line empty.
    private static func tidied(_ text: String, keepsLines: Bool) -> String {
        var result = String.UnicodeScalarView()
        var breaks = 0
        var hasSpace = false
        for scalar in text.unicodeScalars {
            if scalar == "\u{2028}" || (scalar == "\n" && keepsLines) {
                breaks += 1
            } else if scalar.properties.isWhitespace {
                hasSpace = true
            } else {
                if !result.isEmpty {
                    if breaks > 0 {
                        result.append(contentsOf: (breaks > 1 ? "\n\n" : "\n").unicodeScalars)
                    } else if hasSpace {
                        result.append(" ")
                    }
                }
                (breaks, hasSpace) = (0, false)
                result.append(scalar)
            }
        }
        return String(result)
    }
}
