import Foundation

@testable import SyrinxPodcastLibrary

/// The contents of a feed.
struct ParsedFeed {
    var header = FeedHeader()
    var episodes: [FeedEpisode] = []
    var isTruncated = false
    var isCut = false
}

/// Parses a document that arrives in pieces.
func parse(
    _ bytes: [UInt8],
    charset: String? = nil,
    pieces: Int = 1 << 16,
    limits: FeedLimits = FeedLimits()
) throws -> ParsedFeed {
    var place = 0
    var feed = ParsedFeed()
    let outcome = try FeedParser.parse(
        {
            let end = min(place + pieces, bytes.count)
            defer { place = end }
            return Array(bytes[place..<end])
        },
        charset: charset,
        base: URL(string: "https://host.example/show/feed.xml"),
        limits: limits
    ) { feed.episodes += $0 }
    (feed.header, feed.isTruncated, feed.isCut) = (outcome.header, outcome.isTruncated, outcome.isCut)
    return feed
}

func parse(_ text: String, charset: String? = nil, pieces: Int = 1 << 16) throws -> ParsedFeed {
    try parse([UInt8](text.utf8), charset: charset, pieces: pieces)
}

/// An RSS feed around items.
func rss(_ items: String, channel: String = "<title>A show</title>") -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
        xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
        xmlns:psc="http://podlove.org/simple-chapters">
    <channel>\(channel)\(items)</channel></rss>
    """
}

/// An item of a feed.
func item(_ number: Int, more: String = "") -> String {
    """
    <item><title>Episode \(number)</title><guid isPermaLink="false">guid-\(number)</guid>
    <enclosure url="https://host.example/\(number).mp3" length="\(1000 + number)" type="audio/mpeg"/>
    <pubDate>\(date(number))</pubDate>\(more)</item>
    """
}

/// The date of an item: a day after that of the one before.
func date(_ number: Int) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "UTC")
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss Z"
    return formatter.string(from: Date(timeIntervalSince1970: 1_700_000_000 + Double(number) * 86_400))
}
