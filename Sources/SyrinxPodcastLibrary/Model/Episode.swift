public import Foundation
import SyrinxByteStream

/// An episode of a podcast: what the feed says of it, and what the listener has done with it.
///
/// The properties of ``Content-swift.struct`` are the episode's own: `episode.title` is `episode.content.title`.
@dynamicMemberLookup
public struct Episode: Identifiable, Hashable, Sendable {
    /// Names the episode in this library, for as long as it is there.
    public let id: Int64
    /// The podcast that it belongs to.
    public let podcastID: Podcast.ID
    /// The feed's own name for the episode (`guid`); the URL of the recording where the feed has none.
    public let identity: String
    /// The properties that its feed states; URLs are without user and password.
    public let content: Content
    /// Whether it was in the feed at the last complete refresh: feeds drop old episodes, which stay in the library.
    public let isListed: Bool
    /// Seconds at which listening goes on; 0 for the start.
    public let position: Double
    /// Whether it has been listened to.
    public let isPlayed: Bool
    /// The time at which position or mark last changed; `nil` if they never did.
    public let playedAt: Date?

    /// Returns a property of ``content-swift.property``.
    public subscript<Value>(dynamicMember property: KeyPath<Content, Value>) -> Value { content[keyPath: property] }

    /// The properties of an episode that its feed states.
    ///
    /// The library keeps each property in a column of that name.
    public struct Content: Hashable, Sendable, Codable {
        /// The title; never empty.
        public internal(set) var title = ""
        /// The notes as plain text; empty if there are none, and in lists.
        ///
        /// A link is written as `[text](address)`.
        public internal(set) var summary = ""
        /// The page about it.
        public internal(set) var link: String?
        /// The author, if the feed names one for this episode.
        public internal(set) var author: String?
        /// The date of publication.
        public internal(set) var published: Date?
        /// The length in seconds.
        public internal(set) var duration: Double?
        /// The URL of the recording; `nil` for an episode without one.
        ///
        /// ``PodcastLibrary/recordingURL(of:)`` is the one to open.
        public internal(set) var mediaURL: String?
        /// The media type.
        public internal(set) var mediaType: String?
        /// The size in bytes.
        public internal(set) var mediaLength: Int64?
        /// The URL of its own picture; where it is `nil`, the podcast's is meant.
        public internal(set) var artworkURL: String?
        /// The number of the season.
        public internal(set) var season: Int?
        /// The number within the season or the podcast.
        public internal(set) var number: Int?
        /// The kind of episode: `full`, `trailer` or `bonus`.
        public internal(set) var kind: String?
        /// Whether the feed calls it explicit.
        public internal(set) var isExplicit = false

        init() {}

        /// A copy whose URLs have no user and no password.
        var withoutSecrets: Content {
            var content = self
            for url in [\Content.link, \.mediaURL, \.artworkURL] {
                content[keyPath: url] = content[keyPath: url].map { Redaction.redact($0) }
            }
            return content
        }
    }

    /// A chapter that the feed itself states (Podlove Simple Chapters).
    public struct Chapter: Hashable, Sendable, Codable {
        /// Seconds from the start.
        public let start: Double
        /// The title.
        public let title: String
        /// A page about it.
        public let link: String?
        /// The URL of a picture.
        public let artworkURL: String?
    }

    /// A file beside the episode: chapters or a transcript (Podcasting 2.0).
    public struct Resource: Hashable, Sendable, Codable {
        /// The URL of the file.
        public let url: String
        /// The media type: `application/json+chapters`, `text/vtt`, `application/x-subrip` and the like.
        public let type: String?
        /// The language, as a tag of BCP 47.
        public let language: String?

        /// Returns the file with the user and password of `feed` in its URL, if both have the same origin.
        func onOrigin(of feed: String) -> Resource {
            Resource(url: PodcastLibrary.url(url, onOriginOf: feed), type: type, language: language)
        }
    }

    /// A passage that the podcast recommends (Podcasting 2.0).
    public struct Soundbite: Hashable, Sendable, Codable {
        /// Seconds from the start.
        public let start: Double
        /// The length in seconds.
        public let duration: Double
        /// Its title; empty if it has none.
        public let title: String
    }

    /// Somebody who is heard or has worked on it (Podcasting 2.0).
    public struct Person: Hashable, Sendable, Codable {
        /// The name.
        public let name: String
        /// The part, such as `host` or `guest`, in lower case.
        public let role: String?
        /// The URL of a picture.
        public let artworkURL: String?
        /// A page about the person.
        public let link: String?
    }

    /// The parts of an episode that lists do not show.
    public struct Details: Hashable, Sendable, Codable {
        /// The chapters that the feed states, in order.
        public internal(set) var chapters: [Chapter] = []
        /// The file of chapters.
        public internal(set) var chaptersFile: Resource?
        /// The transcripts, in the feed's order.
        public internal(set) var transcripts: [Resource] = []
        /// The recommended passages.
        public internal(set) var soundbites: [Soundbite] = []
        /// The people; those of the podcast where the episode names none.
        public internal(set) var persons: [Person] = []

        init() {}
    }
}
