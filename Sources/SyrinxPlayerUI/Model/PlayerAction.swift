/// A wish of the listener that the player carries out.
///
/// Places in lists are those of the view that was handed to `PlayerScreen.handle`.
package enum PlayerAction: Equatable, Sendable {
    // MARK: Playback

    case togglePause
    /// Goes to a time, in seconds.
    case seek(Double)
    /// Goes this many seconds on, or back.
    case skip(Double)
    /// Goes on, or back, by the interval that is set.
    case skipForward, skipBack
    /// Goes back to before the last seek.
    case undoSeek
    case nextItem, previousItem, firstItem, lastItem
    case nextChapter, previousChapter
    case goToChapter(Int)
    /// Sets the start of the part that is repeated, then its end, then neither.
    case cycleABLoop
    case cycleLoop
    case toggleShuffle
    /// Sets the sleep timer; `nil` turns it off.
    case setSleep(SoundView.Sleep?)
    /// Opens the item anew at its position.
    case reload

    // MARK: Sound

    case setRate(Double)
    case addRate(Double)
    case multiplyRate(Double)
    /// In cents, as `addPitch`.
    case setPitch(Double)
    case addPitch(Double)
    /// Adds to the volume, which is 0…1.
    case addVolume(Double)
    case toggleMute
    case toggleSmartSpeed, toggleVoiceBoost, toggleNormalization
    case toggleMono
    /// Adds to the balance, which is −1…1.
    case addBalance(Double)
    /// Goes on to the next preset of the equaliser.
    case cycleEqualizer
    case setEffectEnabled(effect: Int, Bool)
    /// Sets a parameter to a number of its range, or to the place of a choice.
    case setParameter(effect: Int, parameter: Int, Double)

    // MARK: Lists

    case playQueueItem(Int)
    case removeQueueItem(Int)
    /// Moves an item to another place, counted in the queue without it.
    case moveQueueItem(from: Int, to: Int)
    case clearQueue
    case addBookmark
    /// Goes to a bookmark, of another item too.
    case goToBookmark(Int64)
    case removeBookmark(Int64)
    case openFolder(Int)
    case leaveFolder
    /// Plays a file now.
    case playFile(Int)
    case enqueueFile(Int)
    /// Appends a typed or pasted URL or path to the queue.
    case enqueueInput(String)
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

    // MARK: The program

    case suspend
    case quit
    /// The terminal is to be cleared and drawn whole.
    case redraw
}
