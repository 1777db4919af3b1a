import Dispatch
import SyrinxPodcastLibrary

/// Finds the episode that plays after the last one of a queue: the library's queue and the settings of the podcast decide.
///
/// One thread. The search waits for the disk on another one.
struct EpisodeFollower {
    /// The episodes of the library's queue that may be in the player's queue already.
    private static let mostSkipped = 200
    private static let searches = DispatchQueue(label: "syrinx.following", qos: .utility)

    /// The episode for which was searched last.
    private var searched: Episode.ID?

    /// Searches the episode after the current input, if that is an episode and the last input of the queue.
    ///
    /// - Parameters:
    ///   - session: The session of the player.
    ///   - shelf: The episodes among the inputs.
    ///   - found: Gets the episode on another thread.
    mutating func opened(
        in session: ListeningSession,
        _ shelf: EpisodeShelf,
        found: @escaping @Sendable (EpisodeItem) -> Void
    ) {
        let queue = session.queue
        guard let item = shelf.item(of: queue.current), searched != item.episode.id else { return }
        searched = item.episode.id
        guard queue.index == queue.count - 1, session.settings.loop == .none else { return }
        let present = Set(queue.inputs.suffix(Self.mostSkipped).compactMap { shelf.item(of: $0)?.episode.id })
        Self.searches.async {
            guard let next = Self.episode(after: item, except: present) else { return }
            found(next)
        }
    }

    /// Returns the first episode after another one that is not in the queue yet and has a recording.
    static func episode(after item: EpisodeItem, except present: Set<Episode.ID>) -> EpisodeItem? {
        let library = item.library
        // A library that cannot be read lets nothing follow; the player reports it when it keeps a position.
        let following = (try? library.following(item.episode.id, limit: mostSkipped)) ?? []
        for episode in following where !present.contains(episode.id) {
            if let next = try? EpisodeItem(episode, of: library) { return next }
        }
        return nil
    }
}
