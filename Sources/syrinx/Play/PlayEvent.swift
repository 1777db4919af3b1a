import SyrinxListening
import SyrinxMediaCodec
import SyrinxTerminal

/// An event that the thread of a player handles.
enum PlayEvent: Sendable {
    /// An event that the session decides about.
    case session(SessionEvent)
    /// A key beside the line.
    case key(Key)
    /// An event of the terminal that the full screen reads.
    case terminal(TerminalEvent)
    /// The full screen has something new to show.
    case screenChanged
    /// Another process asks for the queue.
    case queueAsked(@Sendable ([RemoteQueueEntry]) -> Void)
    /// Work for the full screen has been done, or has failed.
    case report(String, isFailure: Bool)
    /// An episode of a podcast that was chosen on the full screen.
    case episode(EpisodeItem, isNow: Bool)
    /// The picture of an episode has been found.
    case artwork(MediaPicture, of: ListeningInput)
}
