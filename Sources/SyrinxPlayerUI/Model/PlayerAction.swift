package import SyrinxListening

/// A wish of the listener that the player carries out.
///
/// Places in lists are those of the view that was handed to `PlayerScreen.handle`.
package enum PlayerAction: Equatable, Sendable {
    /// A command of the player.
    case command(ListeningCommand)
    /// Goes back to before the last seek.
    case undoSeek
    /// Sets the sleep timer; `nil` turns it off.
    case setSleep(SoundView.Sleep?)
    case setEffectEnabled(effect: Int, Bool)
    /// Sets a parameter to a number of its range, or to the place of a choice.
    case setParameter(effect: Int, parameter: Int, Double)

    // MARK: Lists

    case addBookmark
    /// Goes to a bookmark, of another item too.
    case goToBookmark(Int64)
    case removeBookmark(Int64)
    case openFolder(Int)
    case leaveFolder
    /// Plays a file now.
    case playFile(Int)
    case enqueueFile(Int)
    /// Plays a typed or pasted URL or path.
    case playInput(String)

    // MARK: Podcasts

    case subscribe(String)
    case unsubscribe(Int64)
    /// Refreshes a podcast; `nil` for all.
    case refresh(Int64?)
    /// Fills `PodcastsView.episodes` with those of a podcast.
    case openShow(Int64)
    /// Fills it with the episodes in which the words occur.
    case searchEpisodes(String)
    case playEpisode(Int64)
    case enqueueEpisode(Int64)
    case downloadEpisode(Int64)
    case removeDownload(Int64)
    case setEpisodePlayed(Int64, Bool)
    /// Fills `PlayerView.notes`.
    case readNotes(NotesView.Subject)
    /// Plays an episode from a time on, in seconds.
    case playEpisodeAt(Int64, Double)

    // MARK: The program

    case suspend
    case quit
    /// The terminal is to be cleared and drawn whole.
    case redraw
}
