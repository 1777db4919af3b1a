import SyrinxByteStream

/// Converts HTML to plain text.
enum HTMLText {
    /// The elements that start a new line.
    private static let lineElements: Set<String> = ["br", "li", "tr", "div", "dt", "dd"]
    /// The elements that start a paragraph, after an empty line.
    private static let blockElements: Set<String> = [
        "p", "ul", "ol", "table", "blockquote", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
    ]

    /// The elements whose contents are ignored.
    private static let silentElements: Set<String> = ["script", "style", "template"]
    /// The names of all HTML elements, including obsolete ones, and of the roots of SVG and MathML.
    private static let elements: Set<String> = Set(
        """
        a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br \
        button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed \
        fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img \
        input ins isindex kbd label layer legend li link main map mark marquee math menu meta meter nav nobr noembed noframes \
        noscript object ol optgroup option output p param picture plaintext pre progress q rp rt ruby s samp script search \
        section select slot small source span strike strong style sub summary sup svg table tbody td template textarea tfoot \
        th thead time title tr track tt u ul var video wbr xmp
        """.split(separator: " ").map(String.init)
    )

    /// Whether a name in lower case is an HTML element.
    static func isElement(_ name: String) -> Bool { elements.contains(name) }

    /// Returns the plain text of the first nonempty text, in the order of `FeedField.notes`.
    static func notes(_ texts: [FeedField: String]) -> String {
        FeedField.notes.lazy.compactMap { texts[$0].map { plain($0, keepsLinks: true) } }.first { !$0.isEmpty } ?? ""
    }

    /// Returns the text without tags and character references, with a line per block, in linear time.
    ///
    /// Text without HTML keeps its line breaks.
    /// - Parameters:
    ///   - keepsUnknownTags: Whether unknown tags are kept as text, such as `<Tea>` in a title.
    ///   - keepsLinks: Whether web links are kept, in the format of `NoteLink`.
    static func plain(_ html: String, keepsUnknownTags: Bool = false, keepsLinks: Bool = false) -> String {
        let isMarkedUp = html.utf8.contains(UInt8(ascii: "<"))
        guard isMarkedUp || html.utf8.contains(UInt8(ascii: "&")) else { return tidied(html, keepsLines: true) }
        var text = ""
        text.reserveCapacity(html.utf8.count)
        var rest = html[...]
        var ends = TagEnds(html)
        var link: NoteLink?
        while let place = rest.utf8.firstIndex(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) {
            text += rest[..<place]
            rest = rest[place...]
            if rest.utf8.first == UInt8(ascii: "&") {
                reference(&rest, &text)
            } else {
                let start = rest
                if let name = tag(&rest, &text, &ends, keepsUnknownTags), keepsLinks, name == "a" || name == "/a" {
                    link?.end(&text)
                    link = NoteLink(tag: start[..<rest.startIndex], at: text)
                }
            }
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

    /// Processes a tag, a comment, or a `<` that starts neither.
    /// - Returns: The name of the tag in lower case, with the slash of an end tag.
    private static func tag(
        _ rest: inout Substring,
        _ text: inout String,
        _ ends: inout TagEnds,
        _ keepsUnknownTags: Bool
    ) -> String? {
        let bytes = rest.utf8
        if bytes.starts(with: "<!--".utf8) {
            rest = TagEnds.rest(of: rest.dropFirst(4), from: "-->").dropFirst(3)
            return nil
        }
        let second = bytes.dropFirst().first
        let isTag = second.map { "/!?".utf8.contains($0) || isLetter($0) } ?? false
        guard isTag, let end = ends.end(of: bytes.startIndex) else {
            text += "<"
            rest = rest[bytes.index(after: bytes.startIndex)...]
            return nil
        }
        let name = bytes[..<end].dropFirst().drop { $0 == UInt8(ascii: "/") }.prefix { isLetter($0) || 48...57 ~= $0 }
        let lower = String(decoding: name, as: UTF8.self).lowercased()
        if keepsUnknownTags, !lower.isEmpty, !isElement(lower) {
            text += "<"
            rest = rest[bytes.index(after: bytes.startIndex)...]
            return nil
        }
        // Line breaks of the source count as spaces, so mark real ones with a line separator.
        if lineElements.contains(lower) { text += "\u{2028}" }
        if blockElements.contains(lower) { text += "\u{2028}\u{2028}" }
        let isStart = second != UInt8(ascii: "/")
        if lower == "li", isStart { text += "• " }
        let isClosed = bytes[..<end].last == UInt8(ascii: "/")
        rest = rest[bytes.index(after: end)...]
        if isStart, !isClosed, silentElements.contains(lower) { rest = TagEnds.rest(of: rest, from: "</\(lower)") }
        return isStart ? lower : "/" + lower
    }

    /// Finds the ends of tags in linear time, for ascending positions.
    private struct TagEnds {
        /// The maximum length of a tag, in bytes.
        private static let longestTag = 8_192

        private let bytes: String.UTF8View
        private var next: String.Index

        /// Returns the text starting at the first occurrence of `end`, ignoring case; empty if there is none.
        static func rest(of text: Substring, from end: String) -> Substring {
            let bytes = text.utf8
            var place = bytes.startIndex
            while let start = bytes[place...].firstIndex(of: end.utf8.first ?? 0) {
                let found = bytes[start...].prefix(end.utf8.count)
                if found.lazy.map({ 65...90 ~= $0 ? $0 | 0x20 : $0 }).elementsEqual(end.utf8) {
                    return text[start...]
                }
                place = bytes.index(after: start)
            }
            return text[text.endIndex...]
        }

        init(_ text: String) {
            bytes = text.utf8
            next = bytes.startIndex
        }

        /// Returns the index of the `>` that ends the tag at `place`; `nil` if the `<` does not start a tag.
        mutating func end(of place: String.Index) -> String.Index? {
            next = max(next, place)
            while next < bytes.endIndex, bytes[next] != UInt8(ascii: ">") { bytes.formIndex(after: &next) }
            let isEnd = next < bytes.endIndex && bytes.distance(from: place, to: next) < Self.longestTag
            return isEnd ? next : nil
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { 65...90 ~= byte & 0xDF }

    /// Joins adjacent spaces, removes those at line ends, and keeps at most one empty line in a row.
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
