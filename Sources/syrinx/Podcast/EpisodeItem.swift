import Foundation
import SyrinxListening
import SyrinxPlayback
import SyrinxPodcastLibrary

/// An episode of the library as something to play.
struct EpisodeItem: Sendable {
    /// The episode.
    let episode: Episode
    /// The library that it belongs to.
    let library: PodcastLibrary
    /// The input that plays it: its download, or its recording on the web.
    let input: ListeningInput
    /// The chapters that the feed has.
    var chapters: FeedChapters
    /// The settings of its podcast.
    let settings: ShowSettings
    /// The title of its podcast.
    let show: String
    /// The place that the listener has chosen, in seconds; `nil` goes on where it was left.
    var chosenStart: Double?

    /// Reads what is known of an episode; may wait for the disk.
    ///
    /// - Parameters:
    ///   - episode: The episode.
    ///   - library: Its library.
    /// - Throws: `Failure` if it has no recording, or the library cannot be read.
    init(_ episode: Episode, of library: PodcastLibrary) throws(Failure) {
        let access = LibraryOptions.standard
        let input = try access.input(of: episode, in: library)
        let details = try access.read { () throws(PodcastError) in try library.details(of: episode.id) }
        settings = try access.read { () throws(PodcastError) in try library.settings(of: episode.podcastID) }
        show = try access.read { () throws(PodcastError) in try library.podcast(episode.podcastID).title }
        chapters = FeedChapters(input, details)
        (self.episode, self.library, self.input) = (episode, library, input)
    }

    /// The place at which it goes on, in seconds; `nil` for its start.
    var startTime: Double? {
        if let chosenStart { return chosenStart }
        guard episode.position > 0 else { return nil }
        let pause = episode.playedAt.map { -$0.timeIntervalSinceNow } ?? 0
        return ResumeRule().position(resuming: episode.position, afterPause: pause)
    }

    /// The facts that a session decides by.
    var facts: EpisodeFacts {
        EpisodeFacts(
            id: episode.id,
            podcast: episode.podcastID,
            title: show,
            settings: settings,
            chapters: chapters.lists
        )
    }
}
