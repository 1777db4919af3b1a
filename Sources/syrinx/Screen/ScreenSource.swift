import SyrinxHTTPStream
import SyrinxListening
import SyrinxMediaCodec
import SyrinxPlayerUI
import SyrinxPodcastLibrary

/// The player that a full screen shows: in this process, or behind a socket.
///
/// One thread.
protocol ScreenSource: AnyObject {
    /// The state of the player.
    var state: ListeningState { get }
    /// Whether something plays.
    var isPlaying: Bool { get }
    /// The peak level of each channel in dBFS; empty while nothing plays.
    var levels: [Float] { get }
    /// The peaks of the current input, 0…1; negative where none is known yet.
    var peaks: [Float] { get }
    /// The number of the turn and opening of the current input, which changes when something is opened.
    var followed: Int { get }
    /// The picture of the current input.
    var picture: MediaPicture? { get }
    /// The outputs of the system.
    var outputs: OutputsView { get }
    /// The current input; `nil` if its location is not known.
    var input: ListeningInput? { get }
    /// The documents with transcripts that the feed of the current episode names.
    var transcripts: [Episode.Resource] { get }
    /// The options for documents of the web.
    var network: HTTPByteStream.Options { get }
    /// A number that changes with the rows of the queue.
    var queueRevision: Int { get }

    /// Returns the rows of the queue.
    /// - Parameter failures: The sentences about inputs that failed, by their names.
    func queueEntries(failures: [String: String]) -> [QueueEntry]
    /// Sets the visible rows of the queue.
    func note(shown: [Int])
    /// Shows the waveform of the current input.
    /// - Returns: Whether it is another input, or the same one opened again.
    func follow() -> Bool
    /// Reads the outputs.
    /// - Parameter isQuiet: Whether the list is shown already, so that the reading is not.
    func refreshOutputs(isQuiet: Bool)
    /// Plays an input now, from a position in seconds.
    func play(_ input: ListeningInput, startingAt time: Double)
    /// Plays an episode of the library now or adds it to the queue.
    /// - Parameters:
    ///   - podcasts: The reader of the library.
    ///   - start: The position in seconds; `nil` is the stored one.
    func add(episode: Episode.ID, of podcasts: PodcastBrowser, isNow: Bool, startingAt start: Double?)
    /// Stops what runs for the screen.
    func stop()
}

/// The player of this process, as the full screen shows it.
final class LocalScreenSource: ScreenSource {
    private let player: ListeningPlayer
    private let probe: ScreenProbe
    private let outputList: OutputList
    private let post: @Sendable (PlayEvent) -> Void

    /// Creates a source.
    /// - Parameters:
    ///   - player: The player.
    ///   - post: Takes events; any thread calls it.
    init(_ player: ListeningPlayer, post: @escaping @Sendable (PlayEvent) -> Void) {
        (self.player, self.post) = (player, post)
        probe = ScreenProbe(player) { post(.screenChanged) }
        outputList = OutputList { post(.screenChanged) }
    }

    var state: ListeningState { player.screenState }
    var isPlaying: Bool { player.session.item.progress.state == .playing }
    var levels: [Float] { probe.levels }
    var peaks: [Float] { probe.peaks }
    var followed: Int { probe.followed }
    var picture: MediaPicture? { player.picture }
    var input: ListeningInput? { player.session.queue.current }
    var transcripts: [Episode.Resource] {
        player.episodes.item(of: player.session.queue.current)?.chapters.transcripts ?? []
    }
    var network: HTTPByteStream.Options { player.setup.network }
    var queueRevision: Int { player.session.queue.revision }
    var outputs: OutputsView {
        OutputsView(entries: outputList.entries, current: player.outputName, isReading: outputList.isReading)
    }

    func queueEntries(failures: [String: String]) -> [QueueEntry] {
        QueueEntry.all(of: player.session, failures: failures)
    }

    func note(shown: [Int]) {}
    func follow() -> Bool { probe.follow() }
    func refreshOutputs(isQuiet: Bool) { outputList.refresh(isQuiet: isQuiet) }

    func play(_ input: ListeningInput, startingAt time: Double) { player.add([input], .now, startingAt: time) }

    func add(episode: Episode.ID, of podcasts: PodcastBrowser, isNow: Bool, startingAt start: Double?) {
        podcasts.item(of: episode) { [post] item in
            var item = item
            if let start { item.chosenStart = start }
            post(.player(.episodes([item], isNow ? .now : .last)))
        }
    }

    func stop() { probe.stop() }
}
