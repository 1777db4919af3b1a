public import Foundation
public import SyrinxByteStream

/// A podcast that the library knows.
public struct Podcast: Identifiable, Hashable, Sendable {
    /// The state of a subscription.
    public enum State: String, Sendable {
        /// It is refreshed with the others.
        case active
        /// The server says that the feed is gone for good (HTTP status 410): it is not refreshed any more.
        case ended
    }

    /// The failure of the last refresh.
    public struct Failure: Hashable, Sendable {
        /// The kind of the failure.
        public let code: ErrorCode
        /// One sentence that a person can act on.
        public let message: String
    }

    /// Names the podcast in this library, for as long as it is there.
    public let id: Int64
    /// The URL of the feed, without user and password.
    public let feedURL: String
    /// The title; the URL as long as the feed has not been read.
    public let title: String
    /// The author.
    public let author: String?
    /// The description as plain text; empty if there is none.
    ///
    /// A link is written as `[text](address)`.
    public let summary: String
    /// The podcast's page.
    public let link: String?
    /// The URL of its picture.
    public let artworkURL: String?
    /// The language, as a tag of BCP 47.
    public let language: String?
    /// The categories, outer before inner.
    public let categories: [String]
    /// A page where it can be supported.
    public let fundingURL: String?
    /// The state of the subscription.
    public let state: State
    /// The time of the subscription.
    public let addedAt: Date
    /// The time of the last refresh that succeeded, also one that found nothing new.
    public let refreshedAt: Date?
    /// The failure of the last refresh; `nil` if it succeeded.
    public let failure: Failure?
    /// The number of episodes.
    public let episodeCount: Int
    /// The number of episodes that have not been listened to.
    public let unplayedCount: Int
}
