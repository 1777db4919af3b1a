public import Foundation
import SyrinxByteStream

/// An episode of a podcast, with the feed's description and the playback state.
///
/// The properties of ``Content-swift.struct`` are available directly: `episode.title` is `episode.content.title`.
@dynamicMemberLookup
public struct Episode: Identifiable, Hashable, Sendable {
    /// The identifier of the episode in this library.
    public let id: Int64
    /// The podcast of the episode.
    public let podcastID: Podcast.ID
    /// The feed's identifier of the episode (`guid`), or the URL of the recording if the feed has none.
    public let identity: String
    /// The properties that the feed states; URLs contain no user name or password.
    public let content: Content
    /// Whether the episode was in the feed at the last complete refresh.
    ///
    /// Feeds drop old episodes, but the library keeps them.
    public let isListed: Bool
    /// The position at which playback resumes, in seconds; 0 for the start.
    public let position: Double
    /// Whether the episode has been played.
    public let isPlayed: Bool
    /// The time of the last change of the position or the played mark; `nil` if there was none.
    public let playedAt: Date?

    /// Returns a property of ``content-swift.property``.
    public subscript<Value>(dynamicMember property: KeyPath<Content, Value>) -> Value { content[keyPath: property] }

    /// The properties of an episode that the feed states.
    ///
    /// The library stores each property in a column of the same name.
    public struct Content: Hashable, Sendable, Codable {
        /// The title, which is never empty.
        public internal(set) var title = ""
        /// The notes as plain text; empty if there are none, and for episodes in lists.
        ///
        /// A link is written as `[text](address)`.
        public internal(set) var summary = ""
        /// The URL of the episode's web page.
        public internal(set) var link: String?
        /// The author, if the feed names one for this episode.
        public internal(set) var author: String?
        /// The date of publication.
        public internal(set) var published: Date?
        /// The duration, in seconds.
        public internal(set) var duration: Double?
        /// The URL of the recording; `nil` if the episode has none.
        ///
        /// To open the recording, use ``PodcastLibrary/recordingURL(of:)``.
        public internal(set) var mediaURL: String?
        /// The media type, such as `audio/mpeg`.
        public internal(set) var mediaType: String?
        /// The size of the recording, in bytes.
        public internal(set) var mediaLength: Int64?
        /// The URL of the episode's picture; if it is `nil`, use the podcast's.
        public internal(set) var artworkURL: String?
        /// The season number.
        public internal(set) var season: Int?
        /// The episode number within the season or the podcast.
        public internal(set) var number: Int?
        /// The kind of episode: `full`, `trailer` or `bonus`.
        public internal(set) var kind: String?
        /// Whether the feed marks the episode as explicit.
        public internal(set) var isExplicit = false

        init() {}

        /// A copy whose URLs contain no user name or password.
        var withoutSecrets: Content {
            var content = self
            for url in [\Content.link, \.mediaURL, \.artworkURL] {
                content[keyPath: url] = content[keyPath: url].map { Redaction.redact($0) }
            }
            return content
        }
    }

    /// A chapter that the feed states (Podlove Simple Chapters).
    public struct Chapter: Hashable, Sendable, Codable {
        /// The start, in seconds.
        public let start: Double
        /// The title.
        public let title: String
        /// The URL of a web page about the chapter.
        public let link: String?
        /// The URL of a picture.
        public let artworkURL: String?
    }

    /// A file that belongs to an episode: chapters or a transcript (Podcasting 2.0).
    public struct Resource: Hashable, Sendable, Codable {
        /// The URL of the file.
        public let url: String
        /// The media type, such as `application/json+chapters`, `text/vtt` or `application/x-subrip`.
        public let type: String?
        /// The language, as a BCP 47 tag.
        public let language: String?

        /// Returns the file with the user name and password of `feed` in its URL, if both have the same origin.
        func onOrigin(of feed: String) -> Resource {
            Resource(url: PodcastLibrary.url(url, onOriginOf: feed), type: type, language: language)
        }
    }

    /// A passage of an episode that the podcast recommends (Podcasting 2.0).
    public struct Soundbite: Hashable, Sendable, Codable {
        /// The start, in seconds.
        public let start: Double
        /// The duration, in seconds.
        public let duration: Double
        /// The title, which may be empty.
        public let title: String
    }

    /// A person who contributed to an episode (Podcasting 2.0).
    public struct Person: Hashable, Sendable, Codable {
        /// The name.
        public let name: String
        /// The role in lower case, such as `host` or `guest`.
        public let role: String?
        /// The URL of a picture.
        public let artworkURL: String?
        /// The URL of a web page about the person.
        public let link: String?
    }

    /// The properties of an episode that lists do not include.
    public struct Details: Hashable, Sendable, Codable {
        /// The chapters that the feed states, in order.
        public internal(set) var chapters: [Chapter] = []
        /// The file with the chapters.
        public internal(set) var chaptersFile: Resource?
        /// The transcripts, in the order of the feed.
        public internal(set) var transcripts: [Resource] = []
        /// The recommended passages.
        public internal(set) var soundbites: [Soundbite] = []
        /// The contributors of the episode, or those of the podcast if the episode names none.
        public internal(set) var persons: [Person] = []

        init() {}
    }
}
