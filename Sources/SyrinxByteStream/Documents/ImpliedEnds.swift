/// Elements of feeds that end where others begin, because their end tags are missing.
enum ImpliedEnds {
    /// Elements of feeds, none of HTML, that do not stand in an element of text.
    private static let ending: Set<String> = [
        "item", "atom.entry", "guid", "pubdate", "enclosure", "description", "content.encoded", "itunes.title",
        "itunes.author", "itunes.summary", "itunes.duration", "itunes.image", "podcast.transcript", "podcast.chapters",
    ]
    private static let textElements: Set<String> = [
        "title", "link", "guid", "pubdate", "author", "category", "itunes.title", "itunes.author", "itunes.subtitle",
        "itunes.duration",
    ]

    /// Returns the number of the open elements that stay open when an element of this name begins.
    static func depth(before name: String, _ open: some BidirectionalCollection<String>) -> Int {
        guard ending.contains(name) else { return open.count }
        if name == "item" || name == "atom.entry" {
            let outside = open.prefix { $0 != name }.count
            if outside < open.count { return outside }
        }
        return open.last.map { textElements.contains($0) } == true ? open.count - 1 : open.count
    }
}
