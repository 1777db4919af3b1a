public import Foundation

/// A podcast in a list.
public struct PodcastShow: Sendable, Equatable, Identifiable {
    /// The identifier in the library.
    public var id: Int64
    /// The title.
    public var title: String
    /// The author; `nil` if the feed names none.
    public var author: String?
    /// The URL of the artwork.
    public var artwork: String?
    /// The number of episodes.
    public var episodeCount: Int
    /// The number of unplayed episodes.
    public var unplayedCount: Int
    /// The error message of the last refresh, if it failed.
    public var failure: String?

    /// Creates a podcast from its properties.
    public init(
        id: Int64,
        title: String,
        author: String? = nil,
        artwork: String? = nil,
        episodeCount: Int = 0,
        unplayedCount: Int = 0,
        failure: String? = nil
    ) {
        (self.id, self.title, self.author, self.artwork) = (id, title, author, artwork)
        (self.episodeCount, self.unplayedCount, self.failure) = (episodeCount, unplayedCount, failure)
    }
}

/// An episode in a list.
public struct PodcastEpisode: Sendable, Equatable, Identifiable {
    /// The state of the episode's download.
    public enum Download: Sendable, Equatable {
        /// There is no download.
        case none
        /// It was started, but is not running in this process.
        case waiting
        /// It is running; the value is the downloaded fraction 0…1, if it is known.
        case running(Double?)
        /// It is complete.
        case done
        /// It failed, with an error message.
        case failed(String)
    }

    /// The identifier in the library.
    public var id: Int64
    /// The identifier of the podcast.
    public var show: Int64
    /// The title.
    public var title: String
    /// The title of the podcast, in lists of several podcasts.
    public var showTitle: String?
    /// The date of publication.
    public var published: Date?
    /// The duration in seconds that the feed states.
    public var duration: Double?
    /// The playback position, in seconds.
    public var position: Double
    /// Whether the episode has been played.
    public var isPlayed: Bool
    /// Whether the episode has a recording.
    public var hasRecording: Bool
    /// Whether the episode is in the queue.
    public var isQueued: Bool
    /// The state of the download.
    public var download: Download

    /// Creates an episode from its properties.
    public init(
        id: Int64,
        show: Int64,
        title: String,
        showTitle: String? = nil,
        published: Date? = nil,
        duration: Double? = nil,
        position: Double = 0,
        isPlayed: Bool = false,
        hasRecording: Bool = true,
        isQueued: Bool = false,
        download: Download = .none
    ) {
        (self.id, self.show, self.title, self.showTitle) = (id, show, title, showTitle)
        (self.published, self.duration, self.position, self.isPlayed) = (published, duration, position, isPlayed)
        (self.hasRecording, self.isQueued, self.download) = (hasRecording, isQueued, download)
    }

    /// The played fraction, 0…1; `nil` if the episode has not been started or its duration is unknown.
    public var share: Double? {
        guard !isPlayed, position.isFinite, position > 0, let duration, duration.isFinite, duration > 0 else {
            return nil
        }
        return (position / duration).clamped(to: 0...1)
    }
}
