import Foundation
import SyrinxPodcastLibrary

// snippet: tutorial-podcasts
/// The podcasts of the listener, which are kept in a file.
struct Podcasts: Sendable {
    let library: PodcastLibrary

    /// Opens a library, creating the file if it does not exist.
    init(file: URL) throws { library = try PodcastLibrary(file: file) }

    /// Subscribes to a feed, fetches its changes, and returns its newest episodes.
    func episodes(of feed: String) async throws -> [Episode] {
        let podcast = try await library.subscribe(to: feed)
        _ = try await library.refresh(podcast.id)
        return try library.episodes(of: podcast.id)
    }

    /// Prints numbered episodes with the position at which each of them resumes.
    func list(_ episodes: [Episode]) {
        for (number, episode) in zip(1..., episodes) {
            let state = episode.isPlayed ? "played" : episode.position > 0 ? "at \(clock(episode.position))" : "new"
            print("\(number). \(episode.title) (\(state))")
        }
    }
}

/// Saves the position of an episode after each three seconds of playback.
struct Progress {
    let library: PodcastLibrary
    let episode: Episode
    private var saved: Double

    init(of episode: Episode, in library: PodcastLibrary) {
        (self.library, self.episode, saved) = (library, episode, episode.position)
    }

    mutating func reached(_ seconds: Double) throws {
        guard abs(seconds - saved) >= 3 else { return }
        try library.setPosition(seconds, of: episode.id)
        saved = seconds
    }

    /// Marks the episode as played, so that it starts from the beginning next time.
    func end() throws { try library.setPlayed(true, episode.id) }
}
// end
