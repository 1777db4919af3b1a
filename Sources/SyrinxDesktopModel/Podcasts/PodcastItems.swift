public import Foundation

/// A podcast of the library, as a list shows it.
public struct PodcastShow: Sendable, Equatable, Identifiable {
    /// The number in the library.
    public var id: Int64
    /// The title.
    public var title: String
    /// The author, if the feed names one.
    public var author: String?
    /// The address of the artwork.
    public var artwork: String?
    /// The number of episodes.
    public var episodeCount: Int
    /// Those that have not been listened to.
    public var unplayedCount: Int
    /// The sentence about the last refresh, if it failed.
    public var failure: String?

    /// Creates a podcast.
    /// - Parameters:
    ///   - id: The number in the library.
    ///   - title: The title.
    ///   - author: The author, if the feed names one.
    ///   - artwork: The address of the artwork.
    ///   - episodeCount: The number of episodes.
    ///   - unplayedCount: Those that have not been listened to.
    ///   - failure: The sentence about the last refresh, if it failed.
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

/// An episode, as a list shows it.
public struct PodcastEpisode: Sendable, Equatable, Identifiable {
    /// The state of the episode's download.
    public enum Download: Sendable, Equatable {
        /// There is none.
        case none
        /// It was begun, and does not run here.
        case waiting
        /// It runs; the share that is there, 0…1, where it is known.
        case running(Double?)
        /// It is on the disk.
        case done
        /// It failed, with a sentence that says why.
        case failed(String)
    }

    /// The number in the library.
    public var id: Int64
    /// The podcast.
    public var show: Int64
    /// The title.
    public var title: String
    /// The title of the podcast, in lists of several.
    public var showTitle: String?
    /// The date of publication.
    public var published: Date?
    /// The length in seconds, as the feed states it.
    public var duration: Double?
    /// The place at which listening goes on, in seconds.
    public var position: Double
    /// Whether it has been listened to.
    public var isPlayed: Bool
    /// Whether there is a recording.
    public var hasRecording: Bool
    /// Whether it is in the queue.
    public var isQueued: Bool
    /// The download.
    public var download: Download

    /// Creates an episode.
    /// - Parameters:
    ///   - id: The number in the library.
    ///   - show: The podcast.
    ///   - title: The title.
    ///   - showTitle: The title of the podcast, in lists of several.
    ///   - published: The date of publication.
    ///   - duration: The length in seconds, as the feed states it.
    ///   - position: The place at which listening goes on, in seconds.
    ///   - isPlayed: Whether it has been listened to.
    ///   - hasRecording: Whether there is a recording.
    ///   - isQueued: Whether it is in the queue.
    ///   - download: The download.
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

    /// The share that has been listened to, 0…1; `nil` if it has not been begun, or its length is not known.
    public var share: Double? {
        guard !isPlayed, position.isFinite, position > 0, let duration, duration.isFinite, duration > 0 else {
            return nil
        }
        return (position / duration).clamped(to: 0...1)
    }
}
