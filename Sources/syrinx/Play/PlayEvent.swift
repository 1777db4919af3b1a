import Foundation
import SyrinxListening
import SyrinxTerminal

/// An event that the thread of a player handles.
enum PlayEvent: Sendable {
    /// An event for the player.
    case player(ListeningPlayer.Event)
    /// A key beside the line.
    case key(Key)
    /// An event of the terminal that the full screen reads.
    case terminal(TerminalEvent)
    /// The full screen has something new to show.
    case screenChanged
    /// An event of the socket for faces in other processes.
    case attach(AttachServer.Event)
    /// An episode that a face asked for has been read from the library, or could not be.
    case episodeFound(AttachHost.FoundEpisode)
    /// The process of the detached player that takes over, which is ready, or its failure.
    case handedOver(Result<pid_t, Failure>)
    /// The terminal has closed.
    case hungUp
    /// Another process asks for the queue.
    case queueAsked(@Sendable ([RemoteQueueEntry]) -> Void)
    /// Work for the full screen has been done, or has failed.
    case report(String, isFailure: Bool)
}
