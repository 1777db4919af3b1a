import Foundation

/// Converts a feed's texts and attributes to values within the limits.
struct FeedTexts {
    /// The active `xml:base` URLs with the depths of their elements; depth 0 is the document.
    private var bases: [(depth: Int, url: URL?)]
    let limits: FeedLimits

    private var base: URL? { bases.last.flatMap { $0.url } }

    init(base: URL?, limits: FeedLimits) {
        bases = [(0, base)]
        self.limits = limits
    }

    /// Processes the start of an element with an `xml:base`.
    mutating func begin(base text: String, depth: Int) {
        guard let url = url(text) else { return }
        bases.append((depth, URL(string: url)))
    }

    /// Processes the end of an element.
    mutating func end(depth: Int) {
        if bases.count > 1, bases.last?.depth == depth { bases.removeLast() }
    }

    /// Returns one line of plain text; only known HTML elements are treated as markup.
    func title(_ value: String) -> String {
        let plain = HTMLText.plain(Self.cut(value, to: limits.title), keepsUnknownTags: true)
        return plain.contains("\n") ? plain.split(whereSeparator: \.isNewline).joined(separator: " ") : plain
    }

    /// Returns the name in `mail@host (Name)`, `Name <mail@host>` or `Name (mail@host)`; `nil` for an empty text.
    func author(_ value: String) -> String? {
        let text = title(value)
        guard text.contains("@"), let last = text.last, last == ")" || last == ">",
            let open = text.lastIndex(of: last == ")" ? "(" : "<")
        else { return nonempty(text) }
        let outside = text[..<open].trimmingCharacters(in: .whitespaces)
        let inside = String(text[text.index(after: open)...].dropLast())
        return nonempty(inside.contains("@") ? outside : inside) ?? text
    }

    /// Returns the text; `nil` if it is empty.
    func nonempty(_ text: String) -> String? { text.isEmpty ? nil : text }

    /// Returns the number of a season or an episode; `nil` if the text is not a number.
    func number(_ text: String) -> Int? {
        let digits = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return Int(digits).flatMap { 0...1_000_000 ~= $0 ? $0 : nil }
    }

    /// Returns the absolute `http:` or `https:` URL of a reference; `nil` for any other.
    func url(_ text: String) -> String? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty, text.utf8.count <= limits.url else { return nil }
        if text.hasPrefix("https://") || text.hasPrefix("http://"), text.utf8.allSatisfy({ 33...126 ~= $0 }) {
            return text
        }
        guard let url = FeedURL.resolve(text, relativeTo: base) else { return nil }
        return url.utf8.count <= limits.url ? url : nil
    }

    /// Returns the person that an element describes.
    func person(_ value: String, _ attributes: [String: String]) -> Episode.Person? {
        let name = title(value)
        guard !name.isEmpty else { return nil }
        return Episode.Person(
            name: name,
            role: attributes["role"].flatMap { nonempty(title($0).lowercased()) },
            artworkURL: url(attributes["img"] ?? ""),
            link: url(attributes["href"] ?? "")
        )
    }

    /// Returns the file that an element links to.
    func resource(_ attributes: [String: String]) -> Episode.Resource? {
        guard let url = url(attributes["url"] ?? "") else { return nil }
        return Episode.Resource(
            url: url,
            type: attributes["type"].map { title($0) },
            language: attributes["language"].map { title($0) }
        )
    }

    /// Returns the chapter that an element describes (Podlove Simple Chapters).
    func chapter(_ attributes: [String: String]) -> Episode.Chapter? {
        guard let start = attributes["start"].flatMap(FeedDates.duration) else { return nil }
        return Episode.Chapter(
            start: start,
            title: title(attributes["title"] ?? ""),
            link: url(attributes["href"] ?? ""),
            artworkURL: url(attributes["image"] ?? "")
        )
    }

    /// Truncates a text to at most `count` bytes, at a character boundary.
    static func cut(_ text: String, to count: Int) -> String {
        guard text.utf8.count > count else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: count)
        while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
            end = text.utf8.index(before: end)
        }
        return String(text[..<end])
    }
}
