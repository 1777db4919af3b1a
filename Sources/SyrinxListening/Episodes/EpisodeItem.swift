import Foundation
import SyrinxByteStream
package import SyrinxPlayback
package import SyrinxPodcastLibrary

/// An episode of the library as something to play.
package struct EpisodeItem: Sendable {
    /// The episode.
    package let episode: Episode
    /// The library that it belongs to.
    package let library: PodcastLibrary
    /// The input that plays it: its download, or its recording on the web.
    package let input: ListeningInput
    /// The chapters that the feed has.
    package var chapters: FeedChapters
    /// The settings of its podcast.
    package let settings: ShowSettings
    /// The title of its podcast.
    package let show: String
    /// The position that the listener has chosen, in seconds; `nil` continues at the stored position.
    package var chosenStart: Double?

    /// Reads an episode from its library; may wait for the disk.
    ///
    /// - Parameters:
    ///   - episode: The episode.
    ///   - library: Its library.
    /// - Throws: `PodcastError`: `usage.noRecording` if the episode has none, or an error of the library.
    package init(_ episode: Episode, of library: PodcastLibrary) throws(PodcastError) {
        let input = try Self.input(of: episode, in: library)
        settings = try library.settings(of: episode.podcastID)
        show = try library.podcast(episode.podcastID).title
        chapters = FeedChapters(input, try library.details(of: episode.id))
        (self.episode, self.library, self.input) = (episode, library, input)
    }

    /// Reads an episode and those that follow it, at most 200; may wait for the disk.
    ///
    /// The episodes of the library's queue follow, and behind them those that the settings of the podcast let follow
    /// (``ShowSettings/autoplay``). Episodes without a recording are left out.
    package static func list(from id: Episode.ID, in library: PodcastLibrary) throws(PodcastError) -> [EpisodeItem] {
        var items = [try EpisodeItem(library.episode(id), of: library)]
        for episode in try library.following(id) {
            do throws(PodcastError) {
                items.append(try EpisodeItem(episode, of: library))
            } catch {
                guard error.code == .noRecording else { throw error }
            }
        }
        return items
    }

    /// Returns the input that plays an episode: its download, or its recording on the web.
    private static func input(of episode: Episode, in library: PodcastLibrary) throws(PodcastError) -> ListeningInput {
        if let download = try library.download(of: episode.id), download.state == .completed,
            let path = FilePath(download.file), path.status != nil
        {
            return ListeningInput(path: path).titled(episode.title, duration: episode.duration)
        }
        // A feed may not name files of this machine.
        guard let url = try library.recordingURL(of: episode), let input = ListeningInput(argument: url), input.isWeb
        else {
            throw PodcastError(.noRecording, "this episode has no recording", name: episode.title)
        }
        return input.titled(episode.title, duration: episode.duration)
    }

    /// The position at which the episode begins, in seconds; `nil` for its start.
    package var startTime: Double? {
        if let chosenStart { return chosenStart }
        guard episode.position > 0 else { return nil }
        let pause = episode.playedAt.map { -$0.timeIntervalSinceNow } ?? 0
        return ResumeRule().position(resuming: episode.position, afterPause: pause)
    }

    /// The facts that a session decides by.
    package var facts: EpisodeFacts {
        EpisodeFacts(
            id: episode.id,
            podcast: episode.podcastID,
            title: show,
            settings: settings,
            chapters: chapters.lists
        )
    }
}

extension Failure {
    /// Creates a failure of the library.
    package init(_ error: PodcastError) { self.init(code: error.code, message: error.message, name: error.name) }
}
