/// Elements of feeds that end at the start of other elements if their end tags are missing.
enum ImpliedEnds {
    /// Elements of feeds that cannot occur inside an element of text, because HTML has no element of this name.
    private static let ending: Set<String> = [
        "item", "atom.entry", "guid", "pubdate", "enclosure", "description", "content.encoded", "itunes.title",
        "itunes.author", "itunes.summary", "itunes.duration", "itunes.image", "podcast.transcript", "podcast.chapters",
    ]
    private static let textElements: Set<String> = [
        "title", "link", "guid", "pubdate", "author", "category", "itunes.title", "itunes.author", "itunes.subtitle",
        "itunes.duration",
    ]

    /// Returns the number of elements that stay open at the start of an element with this name.
    static func depth(before name: String, _ open: some BidirectionalCollection<String>) -> Int {
        guard ending.contains(name) else { return open.count }
        if name == "item" || name == "atom.entry" {
            let outside = open.prefix { $0 != name }.count
            if outside < open.count { return outside }
        }
        return open.last.map { textElements.contains($0) } == true ? open.count - 1 : open.count
    }
}
