import SyrinxListening
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxPlayerUI
import SyrinxStreaming

/// The decisions of `play`: events, keys, commands and time in, actions out.
///
/// Pure.
///
/// It plays one input after the other, and goes on after one that failed; the exit code is that of the first failure.
struct PlaySession {
    /// The time that the last events of an input are awaited once its end is known or requested, in seconds.
    static let patience = 0.3

    /// The inputs, and the one whose turn it is.
    var queue: PlayQueue
    /// The settings of the listener.
    var settings: PlaybackSettings
    /// The ways in which the sound adapted at first.
    let initialAdaptive: AdaptiveSound
    /// The progress of the current input.
    var progress = PlaybackProgress()
    /// The seconds that shortened pauses have saved in the current input; `nil` where none are shortened.
    var timeSaved: Double?
    var chapters = ChapterTracker()
    /// The chapters in the file of the current input.
    var ownChapters: [MediaChapter] = []
    /// The facts about the inputs that are episodes, by their names.
    var episodes: [String: EpisodeFacts] = [:]
    /// The settings of listening, by their source.
    var book = ShowBook()
    /// The intro and the outro of the current input.
    var skips = ItemSkips()
    /// The part that is repeated.
    var repetition: PartRepetition
    /// Whether inputs begin at a place that was asked for, so that an intro there is wanted.
    var isPlaced = false
    /// The end that the listener has asked for.
    var sleep = SleepWatch()
    var tags: [String: String] = [:]
    /// The text that was announced last.
    var announcedItem = ""
    /// Whether the current playlist is being read.
    var isExpanding = false
    /// The failure of an input that may be a playlist.
    var refusal: Failure?
    /// Whether `opening` has been told of what turned out to be a playlist, and so of the first that it names.
    var hasToldOpening = false
    /// The number of inputs that have been opened.
    private(set) var openingCount = 0
    /// Whether events before the new input's `opening` belong to the previous one.
    var awaitsOpening = true
    var hasFailed = false
    /// The failure that was reported last.
    var lastFailure: Failure?
    var hasLastState = false
    var hasEnded = false
    var ending: Ending?
    /// The turn that the streamer goes over to by itself.
    var advancesTo: PlayQueue.Turn.ID?
    /// The turns that the streamer was told to play after the current one.
    private var followed: [PlayQueue.Turn] = []
    private var followedBasis: UpcomingBasis?

    /// The state that decides which turns come next.
    private struct UpcomingBasis: Equatable {
        var revision: Int
        var turn: PlayQueue.Turn.ID
        var openingCount: Int
        var loop: LoopMode
        var part: RepeatedPart?
        var hasSounded: Bool
        var roundHasSounded: Bool
    }

    /// Brings what playlists name into an order by chance; `nil` keeps theirs.
    var shuffling: (any RandomNumberGenerator & Sendable)?
    /// Whether the input that plays, or one since the queue began anew, could be heard: what cannot is not played for ever.
    var hasSounded = false
    var roundHasSounded = false
    var suspension = Suspension()
    var waiting = DeferredTransport()
    var giveUpAt: Double?
    var status = ExitStatus.success
    var isFinished = false
    var pendingWarning: Failure?
    /// Whether it waits for the listener at the end of the queue, in place of ending.
    let staysOpen: Bool
    /// Whether nothing is open, and the listener is waited for.
    var isIdle: Bool
    /// Whether the queue is one of an earlier session, of which nothing has been opened.
    var isOffered: Bool

    /// Whether the input that plays has been told to stop.
    var isEnding: Bool { ending != nil }

    /// The terminal's description of the current input.
    var nowPlaying: NowPlaying { NowPlaying(queue, tags: tags, chapters: chapters) }

    /// The line at the bottom of a terminal.
    var line: TerminalLine { TerminalLine(progress: progress, settings: settings) }

    /// A session that plays `inputs` in turn, and warns of `deviceWarning` once something can be heard.
    /// - Parameters:
    ///   - first: The place of the input at which it begins; the order by chance begins with it. `nil` is the start of the queue.
    ///   - repeatedPart: The part of every input that is repeated until the input is left; `nil` for none.
    ///   - shuffling: Brings the inputs into an order by chance, each of them once; `nil` keeps theirs.
    ///   - staysOpen: Whether it opens nothing by itself, and waits for the listener at the end of the queue.
    init(
        inputs: [ListeningInput],
        from first: Int? = nil,
        settings: PlaybackSettings = PlaybackSettings(),
        repeatedPart: RepeatedPart? = nil,
        shuffling: (any RandomNumberGenerator & Sendable)? = nil,
        deviceWarning: Failure? = nil,
        staysOpen: Bool = false
    ) {
        queue = PlayQueue(inputs)
        self.staysOpen = staysOpen
        isIdle = staysOpen
        isOffered = staysOpen && !inputs.isEmpty
        self.settings = settings
        initialAdaptive = settings.adaptive
        repetition = PartRepetition(repeatedPart)
        book = ShowBook(general: settings.shared)
        self.shuffling = shuffling
        pendingWarning = deviceWarning
        if let first, queue.canOpen(first) { queue.move(to: first) }
        if isIdle { rest() }
        guard var generator = shuffling else { return }
        if first == nil { queue.shuffle(using: &generator) } else { queue.setShuffled(true, using: &generator) }
        self.shuffling = generator
    }

    /// The first actions.
    mutating func begin() -> [Action] { isIdle ? [] : openCurrent() }

    /// Returns the actions for `happening` at `now` seconds.
    mutating func handle(_ happening: Event, at now: Double) -> [Action] {
        var actions = react(to: happening, at: now)
        if !isFinished { actions += sleepActions(after: happening, at: now) }
        if case .tick = happening, actions.isEmpty { return [] }
        return withFollowing(actions)
    }

    /// Adds the order to follow on with other inputs, if they have changed.
    private mutating func withFollowing(_ actions: [Action]) -> [Action] {
        guard !isFinished, !isBetween, !isIdle else { return actions }
        // The list takes time to make, and nothing else changes it.
        let basis = UpcomingBasis(
            revision: queue.revision,
            turn: queue.currentTurnID,
            openingCount: openingCount,
            loop: settings.loop,
            part: repetition.part,
            hasSounded: hasSounded,
            roundHasSounded: roundHasSounded
        )
        guard basis != followedBasis else { return actions }
        followedBasis = basis
        let upcoming = upcoming
        guard upcoming != followed else { return actions }
        followed = upcoming
        return actions + [.follow(upcoming)]
    }

    /// Returns the actions for a wish of the full screen at `now` seconds; `nil` for one that does not concern the session.
    mutating func handle(_ wish: PlayerAction, at now: Double) -> [Action]? {
        guard !isFinished else { return [] }
        guard let actions = carryOut(wish, at: now) else { return nil }
        let awake = sleep.isOn && wish != .quit ? wake() : []
        return withFollowing(route(actions) + awake)
    }

    private mutating func react(to happening: Event, at now: Double) -> [Action] {
        if isFinished { return [] }
        switch happening {
        case .streaming(let event, let opening): return opening == openingCount && !isIdle ? handle(event, at: now) : []
        case .control(.success(let command)): return route(carryOut(command, at: now))
        case .control(.failure(let malformed)): return warn(.badCommand, malformed.message, name: Failure.control)
        case .key(let key): return route(press(key, at: now))
        case .episode(let item, let isNow):
            note(item.facts, of: item.input)
            return route(isNow ? play([item.input], at: now) : enqueue(item.input))
        // Those are for the runner's screen.
        case .terminal, .screenChanged, .report, .artwork: return []
        case .tags(let tags):
            queue.take(tags)
            if isIdle { rest(at: progress.time) }
            return []
        case .queueAsked(let answer):
            answer(remoteQueue)
            return []
        case .desktop(let command): return route(carryOut(command, at: now))
        case .interrupt: return end(.interrupted, at: now)
        case .suspend: return suspension.suspend(progress.state, isBetween: isBetween)
        case .resume: return suspension.resume()
        case .outputClosed: return end(.all, at: now)
        case .expanded(let input, let result):
            return isExpanding && input == queue.current ? expand(result, at: now) : []
        case .warning(let failure): return warn(failure)
        case .chapters(let found, let source, let input):
            episodes[input.name]?.chapters.lists[source] = found
            guard input == queue.current else { return [] }
            let merged = chapters(ofFile: ownChapters)
            if merged != chapters.chapters { chapters = ChapterTracker(merged) }
            // Before that the opening tells it, or the next position.
            return progress.state == .playing && !isBetween ? noteChapter() : []
        case .tick:
            guard let giveUpAt, now >= giveUpAt else { return [] }
            return conclude()
        }
    }

    /// Whether something is waited for that only a tick can bring: the end of patience.
    var awaitsTick: Bool { giveUpAt != nil }

    /// Takes the streamer's current time.
    mutating func update(time: Double?) {
        if let time { progress.time = time }
    }

    var name: String { queue.opened.name }

    /// The turn of the current input.
    var currentTurn: PlayQueue.Turn { queue.currentTurn }

    /// The turns that the streamer is to play after the current one by itself.
    var upcoming: [PlayQueue.Turn] {
        // The streamer would be in the next input already when playback is to end with this one.
        if sleep.endsWithItem { return [] }
        let loop = repetition.part == nil ? settings.loop : .one
        return queue.upcoming(loop, repeats: loop == .one ? hasSounded : roundHasSounded)
    }

    /// Forgets the input before.
    /// - Parameter isRepetition: Whether the same input, or a part of it, begins once more.
    mutating func beginInput(isRepetition: Bool = false) {
        queue.forgetLeft()
        if !isRepetition { repetition.beginInput() }
        awaitsOpening = true
        hasFailed = false
        hasLastState = false
        hasEnded = false
        advancesTo = nil
        giveUpAt = nil
        progress = PlaybackProgress()
        timeSaved = nil
        ownChapters = []
        chapters = ChapterTracker()
        sleep.beginItem()
        tags = titled([:])
        hasSounded = false
    }

    mutating func openCurrent() -> [Action] {
        guard !queue.isEmpty else { return [] }
        (isIdle, isOffered) = (false, false)
        beginInput()
        isExpanding = queue.current.isList
        if isExpanding { return [.expand(queue.current)] }
        openingCount += 1
        queue.noteOpening()
        followed = upcoming
        let transport = waiting.take()
        let settings = applySettings()
        noteSeeks(transport)
        return settings + [.open(queue.current)] + transport
    }

    /// Whether the streamer still has an input that is over, or is being ended.
    var isBetween: Bool { isExpanding || ending != nil }

    /// Has what concerns the next input wait for it: done to the one before, it would begin that again.
    private mutating func route(_ actions: [Action]) -> [Action] {
        if isIdle { return wakeUp(by: actions) }
        if isBetween { return waiting.keep(actions) }
        noteSeeks(actions)
        waiting.note(actions, isPaused: progress.state == .paused)
        return actions
    }
}
