import AVFAudio
import Foundation
import MediaPlayer
import SyrinxByteStream
import SyrinxHTTPStream
package import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxPodcastLibrary
package import SyrinxStreaming

/// A player without a face: performs the actions of a ``ListeningSession`` on a streamer, on the positions on disk and on the library.
///
/// The thread that creates a player calls all of its methods. Other threads report their results as an ``Event`` by `post`, which the owner
/// passes to ``handle(_:)-(Event)`` on its own thread:
///
///     let player = ListeningPlayer(setup, on: streamer) { event in mailbox.post(event) }
///     player.onNotice = { show($0) }
///     player.begin()
///     while let event = mailbox.next() { player.handle(event) }
package final class ListeningPlayer {
    /// An event from another thread, for the player.
    package enum Event: Sendable {
        /// An event that the session decides about.
        case session(SessionEvent)
        /// Episodes that the listener has chosen, and their place in the queue.
        case episodes([EpisodeItem], QueuePlacement)
        /// Another output is in use, or could not be opened.
        case output(String, Failure?)
        /// The answer to a command that ran in the background.
        case answer(String)
        /// The picture of an episode has been found.
        case artwork(MediaPicture, of: ListeningInput)
    }

    /// A notification for the user interface.
    package enum Notice: Sendable {
        /// An event, as `--json` writes it.
        case event(ListeningEvent)
        /// An input failed. Tracks of one file that fail alike are reported once.
        case failure(Failure)
        /// The answer to a command of the listener.
        case answer(String)
        /// A message that is no failure.
        case note(String)
        /// The current input begins at its stored position, in seconds.
        case resumed(at: Double)
        /// The sound has faded out, and the process may be suspended.
        case suspended
        /// The player has ended.
        case finished(SessionOutcome)
    }

    /// The streamer that plays.
    package let streamer: TimePitchStreamer
    /// The decisions, and the state that a face shows.
    package private(set) var session: ListeningSession
    /// The episodes among the inputs.
    package let episodes: EpisodeShelf
    /// The units of mono, balance and the equalizer; `nil` if no setting uses them and no command can change that.
    package let tone: ToneUnits?
    /// Receives news, on the thread that owns the player.
    package var onNotice: (Notice) -> Void = { _ in }
    /// Whether the listener drags the position, during which the sound is held.
    package private(set) var isScrubbing = false
    /// Whether positions are urgent, because an event is written for each.
    package var reportsPositionsAtOnce = true
    /// The settings that the player was made with.
    package let setup: Setup
    let expansion: PlaylistExpansion
    let post: @Sendable (Event, _ isUrgent: Bool) -> Void
    var places: StartPlaces
    private(set) var output: OutputSwitch
    let effects: EffectChain
    var tracks = AudioTrackChoice()
    private var follower = EpisodeFollower()
    private var record: PlaceRecord
    private(set) var lists: PlayerLists
    let station: StationControl
    private var tags: QueueTagReader

    /// Creates a player that has not begun.
    ///
    /// - Parameters:
    ///   - setup: The inputs and the settings.
    ///   - streamer: The streamer, which the player alone uses from now on.
    ///   - findsPictures: Whether the pictures of episodes are fetched.
    ///   - post: Receives events on any thread. `isUrgent` is `false` for an event that may wait until the owner looks by itself.
    package init(
        _ setup: Setup,
        on streamer: TimePitchStreamer,
        findsPictures: Bool = true,
        post: @escaping @Sendable (Event, _ isUrgent: Bool) -> Void
    ) {
        (self.setup, self.streamer, self.post) = (setup, streamer, post)
        output = OutputSwitch(setup.output, of: streamer)
        lists = PlayerLists(setup.keeper.lists, setup.access, post: post)
        station = StationControl(streamer, setup.keeper.lists?.settings, post: post)
        places = StartPlaces(setup)
        let postNow: @Sendable (Event) -> Void = { post($0, true) }
        expansion = PlaylistExpansion(listsRecursively: setup.listsRecursively, network: setup.network) {
            postNow(.session($0))
        }
        tags = QueueTagReader { postNow(.session(.tags($0))) }
        episodes = EpisodeShelf(network: setup.network, findsPictures: findsPictures, postNow)
        record = PlaceRecord(setup.keeper, keepsRecordings: setup.keepsRecordings, key: setup.access.key)
        session = setup.makeSession()
        tone = setup.mayChangeSound || session.mayHaveTone ? ToneUnits(setup.sound.tone) : nil
        effects = EffectChain(session.settings.effects, before: setup.units + (tone?.units ?? []), on: streamer)
        if let episode = setup.episode {
            episodes.add(episode)
            places.set(setup.startTime, of: episode.input)
        }
        setup.prepare(streamer, session.settings)
    }

    /// Opens the first input, unless the session waits for the listener.
    package func begin() { perform(session.begin()) }

    /// Handles an event that another thread posted.
    package func handle(_ event: Event) {
        switch event {
        case .session(let event): handle(event)
        case .episodes(let items, let placement):
            for item in items { note(item) }
            request(.add(items.map(\.input), placement))
        case .output(_, let failure?): handle(.warning(failure))
        case .output(let name, nil):
            setup.keeper.keep(output: name)
            onNotice(.answer(output.note(name)))
        case .answer(let text): onNotice(.answer(text))
        case .artwork(let picture, let input): episodes.take(picture, of: input)
        }
    }

    /// Handles an event of the session.
    package func handle(_ event: SessionEvent) {
        if case .streaming(let event, let opening) = event, opening == session.openingCount {
            if isScrubbing, event.isOfPause { return }
            if case .ended = event, session.settings.adaptive.smartSpeed != .off {
                session.update(time: nil, timeSaved: streamer.timeSaved(in: session.queue.currentTurnID))
            }
        }
        perform(session.handle(event, at: setup.clock()))
    }

    /// Performs a request of the listener.
    package func request(_ request: ListeningRequest) { handle(.request(request)) }

    /// Performs a command of the listener.
    package func carryOut(_ command: ListeningCommand) { handle(.request(.command(command))) }

    /// Adds inputs to the queue or replaces the queue by them.
    /// - Parameter start: The position at which the first of them begins, in seconds; `nil` for its stored position, or its start.
    package func add(_ inputs: [ListeningInput], _ placement: QueuePlacement, startingAt start: Double? = nil) {
        var first = inputs.first
        if case .replacing(let index, _) = placement, inputs.indices.contains(index) { first = inputs[index] }
        if let first, let start { places.set(start, of: first) }
        request(.add(inputs, placement))
    }

    /// Adds an episode to the queue, to play now or later.
    func note(_ item: EpisodeItem) {
        places.set(item.startTime, of: item.input)
        episodes.add(item)
        perform(session.handle(.episode(item.input, item.facts), at: setup.clock()))
    }

    /// The name of the output, as `OutputDevices.make` takes it.
    package var outputName: String { output.name }

    /// The state that a face shows.
    package var state: ListeningState {
        let format = streamer.info.map(ListeningState.Format.init)
        var state = ListeningState(session, time: time, format: format, output: outputName)
        state.behind = streamer.liveDistance?.behind.rounded()
        return state
    }

    /// Sends the state of the player to the desktop's panels and to `syrinx control`.
    /// - Parameter position: The position that a face shows, in seconds; default: the one that is heard.
    package func report(to desktop: DesktopPresence, position: Double? = nil) {
        let (state, languages) = (state, session.item.isOpen ? streamer.languages : nil)
        let shown = DesktopPlayerState(state)
        let status = RemoteStatus(state, shown.track, languages: languages)
        desktop.update(shown, status, position: position ?? time, picture: picture)
    }

    // MARK: The position

    /// The current time of the sound output, in seconds.
    package var time: Double { streamer.currentTime ?? session.item.progress.time }

    /// The picture of the current input: that in the file, else the picture of the episode.
    package var picture: MediaPicture? { streamer.artwork ?? episodes.picture(of: session.queue.current) }

    /// Brings the time and the seconds that shortened pauses save up to date, for a face that draws now.
    package func updateTime() {
        guard [.playing, .paused, .buffering].contains(session.item.progress.state) else { return }
        session.update(time: streamer.currentTime)
    }

    /// Holds the sound while the listener drags the position, or continues it.
    package func setScrubbing(_ isOn: Bool) {
        guard isOn != isScrubbing else { return }
        isScrubbing = isOn
        if session.wantsPlayback {
            if isOn { streamer.pause() } else { streamer.play() }
        } else if !isOn, session.item.isOpen, session.item.progress.state != .paused, !session.isIdle {
            // The listener has paused meanwhile, and the event of that was dropped.
            handle(.streaming(.status(.paused, time: time), of: session.openingCount))
        }
    }

    /// Keeps the position in the current input now: its window closes, or another player may open the input.
    /// - Parameter isLeaving: Whether the listener leaves the input, which counts as heard near its end.
    package func keepPlace(isLeaving: Bool = false) {
        record.keepPlace(in: session, at: time, isLeaving: isLeaving)
    }

    /// Shows, while nothing is open, the position at which the current input would continue.
    package func showRestingPlace() {
        session.rest(at: places.resting(session.queue.current))
    }

    // MARK: Tags

    /// Stores the lengths that the streamer determined, and reads the tags of the other files in the queue.
    /// - Parameter shown: The places of the rows that are shown, whose tags are read first.
    package func readTags(shown: [Int]) {
        guard session.queue.count > 1 || session.isIdle else { return }
        for (turn, length) in streamer.lengthsAhead { session.setDuration(length, of: turn) }
        tags.read(&session, shown: shown)
    }

    // MARK: Events

    /// Keeps the position if an event of the session changes it, and passes the event to the face.
    func emit(_ event: ListeningEvent) {
        record.handle(event, of: session, episodes.item(of: session.queue.current))
        lists.note(event, of: session)
        if case .opened = event {
            places.noteOpening(of: session.queue.current)
            if setup.followsEpisodes {
                follower.opened(in: session, episodes) { [post] in post(.episodes([$0], .last), true) }
            }
        }
        onNotice(.event(event))
    }

    /// Ends the repetition of a section that the streamer refused.
    func dropPart() { session.dropPart() }

    /// Stops the sound and all work of the player, after the session has finished or its window has closed.
    package func stop() {
        expansion.cancel()
        tags.stop()
        streamer.stop()
    }
}

extension StreamingEvent {
    /// Whether the event reports a pause or its end.
    fileprivate var isOfPause: Bool {
        switch self {
        case .status(.paused, _), .status(.playing, _), .status(.buffering, _): true
        default: false
        }
    }
}
