import Foundation

/// Values of a feed's texts and attributes, within its limits.
struct FeedTexts {
    /// The URLs of `xml:base` that are in force, with the depths of their elements; the document's own is at depth 0.
    private var bases: [(depth: Int, url: URL?)]
    let limits: FeedLimits

    private var base: URL? { bases.last.flatMap { $0.url } }

    init(base: URL?, limits: FeedLimits) {
        bases = [(0, base)]
        self.limits = limits
    }

    /// An element with an `xml:base` begins.
    mutating func begin(base text: String, depth: Int) {
        guard let url = url(text) else { return }
        bases.append((depth, URL(string: url)))
    }

    /// An element at a depth ends.
    mutating func end(depth: Int) {
        if bases.count > 1, bases.last?.depth == depth { bases.removeLast() }
    }

    /// One line of plain text, in which only elements of HTML are markup.
    func title(_ value: String) -> String {
        let plain = HTMLText.plain(Self.cut(value, to: limits.title), keepsUnknownTags: true)
        return plain.contains("\n") ? plain.split(whereSeparator: \.isNewline).joined(separator: " ") : plain
    }

    /// The name in `mail@host (Name)`, `Name <mail@host>` or `Name (mail@host)`; `nil` if the text is empty.
    func author(_ value: String) -> String? {
        let text = title(value)
        guard text.contains("@"), let last = text.last, last == ")" || last == ">",
            let open = text.lastIndex(of: last == ")" ? "(" : "<")
        else { return nonempty(text) }
        let outside = text[..<open].trimmingCharacters(in: .whitespaces)
        let inside = String(text[text.index(after: open)...].dropLast())
        return nonempty(inside.contains("@") ? outside : inside) ?? text
    }

    /// The text; `nil` if it is empty.
    func nonempty(_ text: String) -> String? { text.isEmpty ? nil : text }

    /// The number of a season or an episode; `nil` if it is none.
    func number(_ text: String) -> Int? {
        let digits = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return Int(digits).flatMap { 0...1_000_000 ~= $0 ? $0 : nil }
    }

    /// The absolute `http:` or `https:` URL of a reference; `nil` for any other.
    func url(_ text: String) -> String? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty, text.utf8.count <= limits.url else { return nil }
        if text.hasPrefix("https://") || text.hasPrefix("http://"), text.utf8.allSatisfy({ 33...126 ~= $0 }) {
            return text
        }
        guard let url = FeedURL.resolve(text, relativeTo: base) else { return nil }
        return url.utf8.count <= limits.url ? url : nil
    }

    /// The person that an element names.
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

    /// The file that an element names.
    func resource(_ attributes: [String: String]) -> Episode.Resource? {
        guard let url = url(attributes["url"] ?? "") else { return nil }
        return Episode.Resource(
            url: url,
            type: attributes["type"].map { title($0) },
            language: attributes["language"].map { title($0) }
        )
    }

    /// The chapter that an element names (Podlove Simple Chapters).
    func chapter(_ attributes: [String: String]) -> Episode.Chapter? {
        guard let start = attributes["start"].flatMap(FeedDates.duration) else { return nil }
        return Episode.Chapter(
            start: start,
            title: title(attributes["title"] ?? ""),
            link: url(attributes["href"] ?? ""),
            artworkURL: url(attributes["image"] ?? "")
        )
    }

    /// The text of at most so many bytes, without half a character at its end.
    static func cut(_ text: String, to count: Int) -> String {
        guard text.utf8.count > count else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: count)
        while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
            end = text.utf8.index(before: end)
        }
        return String(text[..<end])
    }
}
