import Foundation
import SyrinxByteStream
import SyrinxListening
import SyrinxPlayback
import SyrinxPodcastLibrary

/// The last played episode or queue, if it can be resumed.
enum LastListening {
    /// An episode of the library.
    case episode(EpisodeItem)
    /// The inputs of a queue, and the index of the input to resume.
    case queue([ListeningInput], index: Int)

    /// Finds the last played episode of the library, or the last queue; returns `nil` if there is neither.
    ///
    /// - Parameter state: The user's positions.
    /// - Throws: `Failure` if the library cannot be read.
    init?(_ state: ListeningStore) throws(Failure) {
        let session = state.session
        if let (library, episode) = try Self.lastEpisode(),
            session.map({ Self.isLater(episode, than: $0, in: state) }) ?? true
        {
            self = .episode(
                try LibraryOptions.standard.read { () throws(PodcastError) in try EpisodeItem(episode, of: library) }
            )
        } else if let session, let queue = Self(session, in: state) {
            self = queue
        } else {
            return nil
        }
    }

    /// Creates the queue of a session; returns `nil` if its last input was played to its end.
    init?(_ session: ListeningStore.Session, in state: ListeningStore) {
        guard let (inputs, index) = session.rest(state.positions.position) else { return nil }
        self = .queue(inputs, index: index)
    }

    /// Returns the last played episode and its library; `nil` if there is none.
    private static func lastEpisode() throws(Failure) -> (PodcastLibrary, Episode)? {
        guard let path = LibraryOptions.path, FilePath(path).status != nil else { return nil }
        let access = LibraryOptions.standard
        let library = try access.open()
        return try access.read { () throws(PodcastError) in try library.lastPlayed() }.map { (library, $0) }
    }

    private static func isLater(
        _ episode: Episode,
        than session: ListeningStore.Session,
        in state: ListeningStore
    ) -> Bool {
        let heard = state.positions.position(of: session.items[session.index])?.date ?? 0
        return (episode.playedAt?.timeIntervalSince1970 ?? 0) > max(session.date, heard)
    }
}

extension ErrorCode {
    /// Nothing was played, or everything was played to its end.
    static let nothingToResume = ErrorCode(rawValue: "usage.nothingToResume")
}
