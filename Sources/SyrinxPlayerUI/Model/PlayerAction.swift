package import SyrinxListening

/// A user action that the player must perform.
///
/// Indices refer to the view that was passed to `PlayerScreen.handle`.
package enum PlayerAction: Equatable, Sendable {
    /// A command of the player.
    case command(ListeningCommand)
    /// Seek to the position before the last seek.
    case undoSeek
    /// Restores the queue from before the last removal of items.
    case undoQueueChange
    /// Set the sleep timer; `nil` turns it off.
    case setSleep(SleepGoal?)
    case setEffectEnabled(effect: Int, Bool)
    /// Load the outputs of the system into `PlayerView.outputs`.
    case listOutputs
    /// Set a parameter to a number in its range, or to the index of a choice.
    case setParameter(effect: Int, parameter: Int, Double)

    // MARK: Lists

    case addBookmark
    /// Go to a bookmark, which may belong to another item.
    case goToBookmark(Int64)
    case removeBookmark(Int64)
    /// Rename a bookmark; an empty text removes its name.
    case renameBookmark(Int64, String)
    /// List the bookmarks of all recordings in `PlayerView.allBookmarks`, or only those of the current item.
    case listBookmarks(ofAll: Bool)
    case openFolder(Int)
    case leaveFolder
    /// Play a file now.
    case playFile(Int)
    case enqueueFile(Int)
    /// Load the stations, playlists and titles of the user into `PlayerView.saved`.
    case listSaved
    /// Rename a saved playlist.
    case renamePlaylist(String, to: String)
    /// Delete a saved playlist, or remove a station from the favorites, by its name or its address.
    case deletePlaylist(String)
    case removeStation(String)
    /// Play a typed or pasted URL or path.
    case playInput(String)

    // MARK: Podcasts

    case subscribe(String)
    case unsubscribe(Int64)
    /// Refresh a podcast; `nil` for all.
    case refresh(Int64?)
    /// Load the episodes of a podcast into `PodcastsView.episodes`.
    case openShow(Int64)
    /// Load the new episodes of all podcasts into `PodcastsView.episodes`.
    case openInbox
    /// Show other episodes of the open list, or another order.
    case arrangeEpisodes(EpisodeArrangement)
    /// Mark all episodes of a podcast as played; `nil` for those of the open list, as its filter selects them.
    case markAllPlayed(show: Int64?)
    /// Mark the episodes of the open list as played that were published before an episode.
    case markOlderPlayed(Int64)
    /// Restore the marks before the last change of marks.
    case undoMark
    /// Load the episodes that match a search into `PodcastsView.episodes`.
    case searchEpisodes(String)
    case playEpisode(Int64)
    case enqueueEpisode(Int64)
    case downloadEpisode(Int64)
    case removeDownload(Int64)
    case setEpisodePlayed(Int64, Bool)
    /// Load notes into `PlayerView.notes`.
    case readNotes(NotesView.Subject)
    /// Play an episode from a position, in seconds.
    case playEpisodeAt(Int64, Double)

    // MARK: The program

    case suspend
    case quit
    /// Leave the player running without the terminal.
    case detach
    /// Clear the terminal and redraw everything.
    case redraw
}
