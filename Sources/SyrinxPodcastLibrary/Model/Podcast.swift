public import Foundation
public import SyrinxByteStream

/// A subscribed podcast.
public struct Podcast: Identifiable, Hashable, Sendable {
    /// The state of a subscription.
    public enum State: String, Sendable {
        /// The podcast is refreshed.
        case active
        /// The server reported that the feed is permanently gone (HTTP 410), so the podcast is no longer refreshed.
        case ended
    }

    /// The failure of the last refresh.
    public struct Failure: Hashable, Sendable {
        /// The code of the error.
        public let code: ErrorCode
        /// A message for the user.
        public let message: String
    }

    /// The identifier of the podcast in this library.
    public let id: Int64
    /// The URL of the feed, without user name and password.
    public let feedURL: String
    /// The title, or the URL until the feed has been read.
    public let title: String
    /// The author.
    public let author: String?
    /// The description as plain text; empty if there is none.
    ///
    /// A link is written as `[text](address)`.
    public let summary: String
    /// The URL of the podcast's web page.
    public let link: String?
    /// The URL of the podcast's picture.
    public let artworkURL: String?
    /// The language, as a BCP 47 tag.
    public let language: String?
    /// The categories, each before its subcategories.
    public let categories: [String]
    /// The URL of a web page for donations.
    public let fundingURL: String?
    /// The state of the subscription.
    public let state: State
    /// The time at which the subscription was added.
    public let addedAt: Date
    /// The time of the last successful refresh, even if nothing had changed.
    public let refreshedAt: Date?
    /// The failure of the last refresh; `nil` if it succeeded.
    public let failure: Failure?
    /// The number of episodes.
    public let episodeCount: Int
    /// The number of unplayed episodes.
    public let unplayedCount: Int
}
