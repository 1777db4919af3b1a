import Foundation

/// An episode, as parsed from a feed.
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

    /// The identifier of the episode across refreshes; `nil` if the feed states neither an identifier nor a URL.
    var identity: String? {
        if !guid.isEmpty { return guid }
        if let url = content.mediaURL ?? content.link { return url }
        return content.title.isEmpty ? nil : content.title
    }
}

/// A podcast, as parsed from its feed.
///
/// The library stores each property, except lists, in a column of the same name.
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
    /// The URL of the page with older episodes (RFC 5005).
    var nextPage: String?

    private enum CodingKeys: CodingKey { case title, author, summary, link, artworkURL, language, fundingURL }
}

/// Limits on the data that are read from a feed; the rest is ignored.
struct FeedLimits: Sendable {
    /// The maximum number of bytes of all pages of a feed, after decompression.
    var byteCount: Int64 = 128 << 20
    /// The maximum number of episodes of all pages of a feed.
    var episodes = 50_000
    /// The maximum number of pages of a feed.
    var pages = 500
    /// The maximum number of kept episodes that are no longer in the feed, except for played, queued or downloaded
    /// ones.
    var unlisted = 1_000
    /// The number of episodes per batch.
    var batch = 100
    /// The maximum length of a title or name, in bytes.
    var title = 1 << 10
    /// The maximum length of notes including HTML, in bytes.
    var summary = 64 << 10
    /// The maximum length of a URL or identifier, in bytes.
    var url = 4 << 10
    /// The maximum number of chapters, transcripts, soundbites, people and categories, each per episode or podcast.
    var parts = 500
}
