import Foundation

/// An episode as a feed states it.
@dynamicMemberLookup
struct FeedEpisode: Equatable, Sendable {
    var guid = ""
    var content = Episode.Content()
    var details = Episode.Details()

    subscript<Value>(dynamicMember property: WritableKeyPath<Episode.Content, Value>) -> Value {
        get { content[keyPath: property] }
        set { content[keyPath: property] = newValue }
    }

    /// The date of publication in seconds since 1970.
    var published: Double? {
        get { content.published?.timeIntervalSince1970 }
        set { content.published = newValue.map(Date.init(timeIntervalSince1970:)) }
    }

    /// The name of the episode across refreshes; `nil` if there is nothing to know it by.
    var identity: String? {
        if !guid.isEmpty { return guid }
        if let url = content.mediaURL ?? content.link { return url }
        return content.title.isEmpty ? nil : content.title
    }
}

/// A podcast as its feed states it.
///
/// The library keeps each property that is no list in a column of that name.
struct FeedHeader: Equatable, Sendable, Codable {
    var title = ""
    var author: String?
    var summary = ""
    var link: String?
    var artworkURL: String?
    var language: String?
    var categories: [String] = []
    var fundingURL: String?
    var persons: [Episode.Person] = []
    /// The page of the feed with older episodes (RFC 5005).
    var nextPage: String?

    private enum CodingKeys: CodingKey { case title, author, summary, link, artworkURL, language, fundingURL }
}

/// The largest numbers that are taken from a feed; what goes beyond is left out.
struct FeedLimits: Sendable {
    /// Bytes of all pages of a feed, after decompression.
    var byteCount: Int64 = 128 << 20
    /// Episodes of all pages of a feed.
    var episodes = 50_000
    /// Pages of a feed.
    var pages = 500
    /// The largest number of episodes that are kept though the feed has dropped them, beside those that were played, queued or downloaded.
    var unlisted = 1_000
    /// Episodes passed on at a time.
    var batch = 100
    /// Bytes of titles and names.
    var title = 1 << 10
    /// Bytes of notes, before HTML is taken out of them.
    var summary = 64 << 10
    /// Bytes of a URL or identity.
    var url = 4 << 10
    /// Chapters, transcripts, passages, people and categories of an episode or podcast, each.
    var parts = 500
}
