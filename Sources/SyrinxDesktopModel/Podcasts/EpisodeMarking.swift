package import Foundation
package import SyrinxListening

/// The episodes that the listener marks.
package enum EpisodeMarking: Sendable, Equatable {
    /// One episode.
    case episode(Int64)
    /// The episodes of a podcast, or of all podcasts if it is `nil`, as an arrangement selects them.
    ///
    /// With a date, only those published before it.
    case listed(podcast: Int64?, EpisodeArrangement, before: Date?)
}

extension PodcastsState {
    /// The choice and the order of the displayed episodes; `nil` if the list has none.
    package var arrangement: EpisodeArrangement? { usualArrangement.map { arrangements[scope] ?? $0 } }

    private var usualArrangement: EpisodeArrangement? {
        switch scope {
        case .latest: .inbox
        case .show: EpisodeArrangement()
        case .queue, .downloads, .search: nil
        }
    }

    /// Changes the arrangement of the displayed list, and reads it anew.
    mutating func arrange(_ new: EpisodeArrangement) -> [Action] {
        guard let usual = usualArrangement, new != arrangement else { return [] }
        arrangements[scope] = new == usual ? nil : new
        return restart()
    }
}

/// The effects of events about marks.
extension EpisodeMarking {
    /// Returns the actions of an event.
    /// - Parameter state: The state of the page, whose list is marked.
    static func actions(_ event: PodcastsState.Event, in state: PodcastsState) -> [PodcastsState.Action] {
        switch event {
        case .mark(let id, let isPlayed): return [.mark(.episode(id), isPlayed: isPlayed)]
        case .markAll: return listed(in: state, before: nil)
        case .markOlder(let id):
            guard let episode = state.episodes.first(where: { $0.id == id }) else { return [] }
            guard let date = episode.published else {
                return [.toast("The episode has no date, so none is older.")]
            }
            return listed(in: state, before: date)
        case .marked(let count, let isPlayed):
            let text = EpisodeMarkText.marked(count, isPlayed: isPlayed)
            return [count > 0 ? .undoableToast(text) : .toast(text)]
        case .undoMark: return [.undoMark]
        case .unmarked(let count): return [.toast(count.map(EpisodeMarkText.undone) ?? "There is no mark to undo.")]
        default: return []
        }
    }

    private static func listed(in state: PodcastsState, before date: Date?) -> [PodcastsState.Action] {
        guard let arrangement = state.arrangement else { return [] }
        return [.mark(.listed(podcast: state.show?.id, arrangement, before: date), isPlayed: true)]
    }
}
