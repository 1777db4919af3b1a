/// An episode as a feed states it.
struct FeedEpisode: Equatable, Sendable {
    var guid = ""
    var title = ""
    var summary = ""
    var link: String?
    var published: Double?
    var duration: Double?
    var mediaURL: String?
    var mediaType: String?
    var mediaLength: Int64?
    var artworkURL: String?
    var season: Int?
    var number: Int?
    var kind: String?
    var isExplicit = false
    var details = Episode.Details()

    /// The name of the episode across refreshes; `nil` if there is nothing to know it by.
    var identity: String? {
        if !guid.isEmpty { return guid }
        if let mediaURL { return mediaURL }
        if let link { return link }
        return title.isEmpty ? nil : title
    }
}

/// A podcast as its feed states it.
struct FeedHeader: Equatable, Sendable {
    var title = ""
    var author: String?
    var summary = ""
    var link: String?
    var artworkURL: String?
    var language: String?
    var categories: [String] = []
    var fundingURL: String?
    var persons: [Episode.Person] = []
}

/// The largest numbers that are taken from a feed; what goes beyond is left out.
struct FeedLimits: Sendable {
    /// Bytes of a feed, after decompression.
    var byteCount: Int64 = 128 << 20
    /// Episodes of a feed.
    var episodes = 50_000
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

/// The fields of text that elements of feeds fill.
enum FeedField: Sendable {
    case title, author, link, language, summary, content, subtitle, category
    case guid, published, updated, duration, season, number, kind, isExplicit, image
    case funding, soundbite, person

    /// The order in which texts are preferred as notes: the fullest first.
    static let notes: [FeedField] = [.content, .summary, .subtitle]
}
