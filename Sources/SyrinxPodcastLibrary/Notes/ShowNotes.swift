/// The notes of an episode or the description of a podcast, divided into lines, links and times.
///
/// Notes are untrusted. A user interface must display texts literally, and follow links only when the user selects
/// them.
package struct ShowNotes: Sendable, Equatable {
    /// The action for a selected part.
    package enum Target: Sendable, Equatable {
        /// Opens a web page, given by an absolute `http:` or `https:` URL.
        case link(String)
        /// Goes to a time of the episode, in seconds.
        case time(Double)
    }

    /// A part of a line.
    package struct Part: Sendable, Equatable {
        /// The visible text.
        package var text: String
        /// The action when the user selects the part; `nil` for plain text.
        package var target: Target?
    }

    /// A line, which may be a list item.
    package struct Line: Sendable, Equatable {
        /// The parts; plain parts are never adjacent.
        package var parts: [Part]
        /// Whether the line is a list item.
        package var isItem: Bool
        /// Whether an empty line precedes it.
        package var beginsParagraph: Bool

        /// The line as text for a terminal, in which each link is followed by its address in angle brackets.
        package var text: String {
            let texts = parts.map { part in
                guard case .link(let address) = part.target, address != part.text else { return part.text }
                return "\(part.text) <\(address)>"
            }
            return (isItem ? "• " : "") + texts.joined()
        }
    }

    /// The lines, all of which have text.
    package private(set) var lines: [Line] = []

    /// Parses notes, in linear time.
    /// - Parameters:
    ///   - text: The notes from ``Episode/Content-swift.struct/summary`` or ``Podcast/summary``.
    ///   - duration: The duration of the episode in seconds, if it is known; later times are not recognized.
    ///   - hasTimes: Whether times are recognized.
    package init(_ text: String, duration: Double? = nil, hasTimes: Bool = true) {
        var isAfterGap = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let isItem = line.hasPrefix("• ")
            var reader = NoteReader(isItem ? line.dropFirst(2) : line, end: hasTimes ? duration ?? .infinity : -1)
            let parts = reader.parts()
            guard !parts.isEmpty else {
                isAfterGap = !lines.isEmpty
                continue
            }
            // List items stay together, even if empty lines separate them.
            let isNextItem = isItem && lines.last?.isItem == true
            lines.append(Line(parts: parts, isItem: isItem, beginsParagraph: isAfterGap && !isNextItem))
            isAfterGap = false
        }
    }

    /// The notes as text for a terminal.
    package var text: String {
        lines.map { ($0.beginsParagraph ? "\n" : "") + $0.text }.joined(separator: "\n")
    }
}

/// Parses one line of notes.
private struct NoteReader {
    private var rest: Substring
    /// The latest time that is recognized, in seconds.
    private let end: Double
    private var plain = ""
    private var result: [ShowNotes.Part] = []
    /// The next bracket that may end the text of a link, cached so that parsing stays linear.
    private var bracket: Substring.Index
    /// The maximum length of an address, in bytes.
    private static let longestAddress = 4_096

    init(_ line: Substring, end: Double) {
        (rest, self.end, bracket) = (line, end, line.startIndex)
    }

    mutating func parts() -> [ShowNotes.Part] {
        var former: Character = " "
        while let character = rest.first {
            let isWordStart = !former.isLetter && !former.isNumber
            let found =
                switch character {
                case "[": link()
                case "h" where isWordStart: address()
                case "0"..."9" where isWordStart && former != ":" && former != ".": time()
                default: nil as (text: Substring, target: ShowNotes.Target, after: Substring)?
                }
            guard let found else {
                plain.append(character)
                rest.removeFirst()
                former = character
                continue
            }
            endPlain()
            result.append(ShowNotes.Part(text: String(found.text), target: found.target))
            (former, rest) = (found.text.last ?? " ", found.after)
        }
        endPlain()
        return result
    }

    private mutating func endPlain() {
        if !plain.isEmpty { result.append(ShowNotes.Part(text: plain, target: nil)) }
        plain = ""
    }

    /// Parses a link in the format of `NoteLink`.
    private mutating func link() -> (text: Substring, target: ShowNotes.Target, after: Substring)? {
        if bracket < rest.startIndex { bracket = rest.startIndex }
        bracket = rest[bracket...].firstIndex(of: "]") ?? rest.endIndex
        let (text, behind) = (rest[..<bracket].dropFirst(), rest[bracket...].dropFirst())
        guard behind.first == "(", !text.isEmpty, !text.contains("[") else { return nil }
        let bytes = behind.utf8.dropFirst().prefix(Self.longestAddress).prefix { $0 != UInt8(ascii: ")") && $0 > 0x20 }
        let after = behind[bytes.endIndex...]
        guard after.first == ")",
            let url = FeedURL.resolve(String(behind[bytes.startIndex..<bytes.endIndex]), relativeTo: nil)
        else { return nil }
        return (text, .link(url), after.dropFirst())
    }

    /// Parses a web address in the text.
    private mutating func address() -> (text: Substring, target: ShowNotes.Target, after: Substring)? {
        guard rest.hasPrefix("https://") || rest.hasPrefix("http://") else { return nil }
        let bytes = rest.utf8.prefix(Self.longestAddress).prefix { $0 > 0x20 && !"<>\"".utf8.contains($0) }
        var text = String(decoding: bytes, as: UTF8.self)[...]
        // Punctuation at the end belongs to the sentence, not to the address.
        while let last = text.last, ".,;:!?'”…".contains(last) || (last == ")" && !text.contains("(")) {
            text.removeLast()
        }
        guard rest.hasPrefix(text) else { return nil }
        let found = rest.prefix(text.count)
        if let url = FeedURL.resolve(String(text), relativeTo: nil) {
            return (found, .link(url), rest[found.endIndex...])
        }
        // Skip the address, so that it is not parsed again from its middle.
        plain += found.dropLast()
        rest = rest[rest.index(before: found.endIndex)...]
        return nil
    }

    /// Parses a time such as `1:05` or `01:02:03`.
    private func time() -> (text: Substring, target: ShowNotes.Target, after: Substring)? {
        let text = rest.prefix(10).prefix { $0.isASCII && ($0.isNumber || $0 == ":") }
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard 2...3 ~= fields.count, 1...3 ~= fields[0].count, fields.dropFirst().allSatisfy({ $0.count == 2 }),
            fields.dropFirst().allSatisfy({ $0 < "60" }), let seconds = FeedDates.duration(String(text)), seconds <= end
        else { return nil }
        // A time of day does not refer to the episode.
        let after = rest[text.endIndex...]
        let next = after.drop { $0 == " " }.prefix { $0.isLetter }.lowercased()
        guard !["am", "pm", "uhr", "utc", "gmt"].contains(next), after.first?.isNumber != true else { return nil }
        return (text, .time(seconds), after)
    }
}
