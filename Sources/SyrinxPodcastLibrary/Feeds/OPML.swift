import Foundation

/// Reads and writes subscription lists in OPML.
struct OPML {
    /// A feed in a list.
    struct Entry: Hashable, Sendable {
        let url: String
        let title: String
    }

    /// The maximum size in bytes, and the maximum number of feeds.
    private static let maximumSize: Int64 = 32 << 20
    private static let maximumCount = 20_000

    private var entries: [Entry] = []
    private var known: Set<String> = []
    private var hasRoot = false
    /// Whether the list has more feeds than the maximum.
    private var isCut = false

    /// Returns the feeds of a list, in order and without duplicates, from all folders.
    /// - Throws: `media.notOPML` for another format, `media.opmlTruncated` if the end is missing, and
    ///   `media.opmlTooLarge` if the list has too many bytes or feeds.
    static func entries(in data: Data, name: String) throws(PodcastError) -> [Entry] {
        var place = data.startIndex
        var list = OPML()
        var input = FeedInput(charset: nil, byteCount: maximumSize)
        input.read {
            let end = min(place + 65_536, data.endIndex)
            defer { place = end }
            return Array(data[place..<end])
        } _: {
            list.take($0)
        }
        guard list.hasRoot else {
            throw PodcastError(.notOPML, "this is not an OPML list of podcasts", name: name)
        }
        guard !input.isCut, !list.isCut else {
            let limit = "more than \(maximumSize >> 20) MiB or \(maximumCount) feeds"
            throw PodcastError(.opmlTooLarge, "the list has \(limit); nothing was imported", name: name)
        }
        guard !input.isTruncated else {
            throw PodcastError(.opmlTruncated, "the list is truncated; nothing was imported", name: name)
        }
        return list.entries
    }

    /// Processes a parser event; returns false to stop.
    private mutating func take(_ event: XMLEvent) -> Bool {
        guard case .start(let name, let attributes) = event else { return true }
        if !hasRoot { hasRoot = name == "opml" }
        guard name == "outline", let url = (attributes["xmlurl"] ?? attributes["url"]).flatMap(FeedURL.typed),
            attributes["xmlurl"] != nil || ["rss", "atom"].contains(attributes["type"]?.lowercased()),
            known.insert(url).inserted
        else { return hasRoot }
        isCut = entries.count == Self.maximumCount
        if isCut { return false }
        let title = HTMLText.plain(FeedTexts.cut(attributes["title"] ?? attributes["text"] ?? "", to: 1_024))
        entries.append(Entry(url: url, title: title))
        return hasRoot
    }

    /// Returns an OPML document that lists these feeds.
    static func text(_ entries: [Entry], date: Date) -> String {
        let formatter = ISO8601DateFormatter()
        let lines = entries.map { entry in
            let title = escaped(entry.title.isEmpty ? entry.url : entry.title)
            return "    <outline type=\"rss\" text=\"\(title)\" title=\"\(title)\" xmlUrl=\"\(escaped(entry.url))\"/>\n"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <opml version="2.0">
              <head>
                <title>Podcasts</title>
                <dateCreated>\(formatter.string(from: date))</dateCreated>
              </head>
              <body>
            \(lines.joined())  </body>
            </opml>

            """
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "&": result += "&amp;"
            case "\"": result += "&quot;"
            case "\t", "\n", "\r": result += " "
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": break
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
