package import SyrinxByteStream
package import SyrinxPlayback
import SyrinxStreaming

/// The decisions of a player: takes requests of the listener, events of the streamer and ticks, and returns actions.
///
/// It has no side effects. It plays inputs one after another and skips those that fail; the first failure is the outcome.
package struct ListeningSession: Sendable {
    var course: PlayCourse
    /// The recording in progress; `nil` without a recording.
    package private(set) var recording: RecordingStatus?

    /// Creates a session that plays inputs one after another.
    ///
    /// - Parameters:
    ///   - inputs: The inputs.
    ///   - first: The index of the input that plays first, also in shuffled order. `nil` is the start of the queue.
    ///   - settings: The settings of the sound.
    ///   - repeatedPart: The section of every input that repeats until the listener leaves the input; `nil` for none.
    ///   - shuffling: The generator that shuffles the inputs; `nil` keeps their order.
    ///   - deviceWarning: A warning to report when the first sound plays.
    ///   - lifetime: The event that ends the session.
    package init(
        inputs: [ListeningInput],
        from first: Int? = nil,
        settings: SoundSettings = SoundSettings(),
        repeatedPart: RepeatedPart? = nil,
        shuffling: (any RandomNumberGenerator & Sendable)? = nil,
        deviceWarning: Failure? = nil,
        lifetime: SessionLifetime = .queue
    ) {
        course = PlayCourse(
            inputs,
            from: first,
            settings,
            repeatedPart: repeatedPart,
            shuffling: shuffling,
            warning: deviceWarning,
            lifetime: lifetime
        )
    }

    /// Sets the options of the listener, before the first input is opened.
    ///
    /// - Parameters:
    ///   - sleep: The moment at which playback fades out and ends.
    ///   - isPlaced: Whether the listener gave the start position of the inputs.
    ///   - given: The settings that count before those of a podcast, a folder or a recording.
    ///   - givenLoop: The repetition that counts before that of a folder or a recording.
    ///   - general: The settings where nothing else is set.
    ///   - kept: The settings of folders and recordings, by the keys of their places; `nil` keeps none.
    package mutating func prepare(
        sleep: SleepGoal? = nil,
        isPlaced: Bool = false,
        given: ShowSettings = ShowSettings(),
        givenLoop: LoopMode? = nil,
        general: ShowSettings = ShowSettings(),
        kept: [String: KeptSettings]? = nil
    ) {
        course.sleep = SleepWatch(sleep?.timerGoal)
        course.isPlaced = isPlaced
        course.sound.begin(given: given, loop: givenLoop, general: general, kept: kept)
    }

    /// Adds facts about an input that is an episode.
    package mutating func note(_ facts: EpisodeFacts, of input: ListeningInput) {
        course.sound.shows.add(facts, of: input)
        restAnew()
    }

    /// Returns the first actions.
    package mutating func begin() -> [SessionAction] { isIdle ? [] : course.openCurrent() }

    /// Returns the actions for an event at `now` seconds.
    package mutating func handle(_ event: SessionEvent, at now: Double) -> [SessionAction] {
        guard course.life != .finished else { return [] }
        var actions = react(to: event, at: now)
        if course.life != .finished { actions += sleepActions(after: event, at: now) }
        if case .tick = event, actions.isEmpty { return [] }
        return actions + course.follow()
    }

    private mutating func react(to event: SessionEvent, at now: Double) -> [SessionAction] {
        let isBetween = course.life.isBetween
        switch event {
        case .streaming(let event, let opening):
            return opening == openingCount && !isIdle ? course.handle(event, at: now) : []
        case .request(let request): return route(carryOut(request, at: now))
        case .badCommand(let malformed): return [.refusal(malformed.message)]
        case .activity: return []
        case .episode(let input, let facts):
            note(facts, of: input)
            return []
        case .showSettings(let settings, let podcast):
            course.sound.shows.set(settings, of: podcast)
            return episode?.podcast == podcast ? course.adoptSettings() : []
        case .interrupt: return course.end(.interrupted, at: now)
        case .suspend: return course.suspension.suspend(item.progress.state, isBetween: isBetween)
        case .resume: return course.suspension.resume()
        case .outputClosed: return course.end(.all, at: now)
        case .expanded(let input, let result):
            return course.life.isReading && input == queue.current ? course.expand(result, at: now) : []
        case .chapters(let found, let source, let input):
            course.sound.shows.set(found, from: source, of: input)
            guard input == queue.current else { return [] }
            course.item.takeChapters(course.episode)
            // Before that the opening tells it, or the next position.
            return item.progress.state == .playing && !isBetween ? course.item.noteChapter() : []
        case .tags(let tags):
            course.order.queue.take(tags)
            restAnew()
            return []
        case .favorite(let isFavorite, let input):
            if input == queue.current { course.item.isFavorite = isFavorite }
            return []
        case .recording(let progress): return noteRecording(progress)
        case .warning(let failure): return [.emit(.warning(failure))]
        case .tick:
            guard let deadline = course.life.deadline, now >= deadline else { return [] }
            return course.conclude()
        }
    }

    /// Defers actions for the next input until it is open: the previous input would take them and restart.
    private mutating func route(_ actions: [SessionAction]) -> [SessionAction] {
        if isIdle { return course.wakeUp(by: actions) }
        if course.life.isBetween { return course.waiting.keep(actions) }
        course.skips.note(actions, at: item.progress.time)
        course.waiting.note(actions, isPaused: item.progress.state == .paused)
        return actions
    }

    private mutating func sleepActions(after event: SessionEvent, at now: Double) -> [SessionAction] {
        guard sleep.isOn, !isIdle else { return [] }
        if event.isActivity { return fades(course.sleep.activity()) }
        guard !course.life.isBetween else { return [] }
        let wishes = course.sleep.heard(item, rate: settings.rate, at: now)
        guard wishes.contains(.pause) else { return fades(wishes) }
        return course.lifetime == .window ? [.pause] + fades(wishes) : course.end(.all, at: now)
    }

    private mutating func noteRecording(_ progress: RecordingProgress) -> [SessionAction] {
        let status = RecordingStatus(progress)
        recording = progress.isOver ? nil : status
        guard progress.isOver else { return [] }
        let failure = progress.failure.map { SessionAction.emit(.warning(Failure($0, name: $0.name))) }
        return [.answer(status.summary)] + [failure].compactMap(\.self)
    }

    /// Shows facts about the input that the session would open, which it has just learned.
    private mutating func restAnew() {
        if [.waiting, .offered].contains(course.life.rest) { rest(at: item.progress.time) }
    }

    func fades(_ wishes: [SleepTimer.Action]) -> [SessionAction] {
        wishes.compactMap { wish in
            if case .setFade(let factor) = wish { .setVolume(settings.gain * factor) } else { nil }
        }
    }
}

/// The state of a session for its player and the user interfaces.
extension ListeningSession {
    /// The inputs, and the current one among them.
    package var queue: ListeningQueue { course.queue }
    /// The facts about the current input.
    package var item: CurrentItem { course.item }
    /// The settings of the sound.
    package var settings: SoundSettings { course.sound.settings }
    /// The repetition of a section.
    package var repetition: PartRepetition { course.repetition }
    /// The sleep timer.
    package var sleep: SleepWatch { course.sleep }
    /// The goal of the sleep timer, with the seconds left; `nil` while it is off.
    package var sleepGoal: SleepGoal? { sleep.goal }
    /// The number of inputs that have been opened.
    package var openingCount: Int { course.order.openingCount }
    /// Whether nothing is open and the session waits for the listener.
    package var isIdle: Bool { course.life.isIdle }
    /// The failure that stopped playback; `nil` if none did.
    package var failure: Failure? { if case .failed(let failure) = course.life.rest { failure } else { nil } }
    /// Whether the current input is to play, even while it waits for data or for an output.
    package var wantsPlayback: Bool {
        switch course.life {
        case .idle, .finished: false
        case .current where course.life.isBetween: !course.waiting.isPaused
        case .current: item.progress.state != .paused && !course.waiting.awaitsPause && !course.waiting.opensPaused
        }
    }
    /// Whether the last input opened followed the previous one automatically, and so begins at its start.
    package var opensByItself: Bool { course.order.opensByItself }
    /// Whether the current input is to repeat at its end.
    package var beginsAgain: Bool {
        let entry = queue.identity(at: queue.index)
        return upcoming.first.map { turn in
            var next = queue
            return next.advance(to: turn.id) && next.identity(at: next.index) == entry
        } ?? false
    }
    /// Whether a change of the queue can be undone.
    package var canUndoQueueChange: Bool { course.order.canUndo }
    /// Whether the current input was asked to stop.
    package var isEnding: Bool { course.life.ending != nil }
    /// Whether a timeout is pending, so that the session needs ticks.
    package var awaitsTick: Bool { course.life.deadline != nil }
    /// Whether the listener gave the start position of the inputs.
    package var isPlaced: Bool { course.isPlaced }
    /// The facts about the current input, if it is an episode.
    package var episode: EpisodeFacts? { course.episode }
    /// Returns the title of the podcast that an input is an episode of.
    package func show(of input: ListeningInput) -> String? { course.sound.shows.facts(of: input)?.title }
    /// The turns that the streamer plays automatically after the current one.
    package var upcoming: [ListeningQueue.Turn] { course.order.upcoming(course.conditions) }
    /// The length of the skipped outro of the current input, in seconds.
    package var outro: Double { course.skips.outro }
    /// The configured skip intervals, in seconds.
    package var skipIntervals: SkipIntervals { course.sound.skipIntervals(of: course.settingsOwner) }
    /// The name of the podcast, folder or recording whose settings are kept; `nil` if none are.
    package var keptFor: String? { course.sound.keptFor(episode, duration: item.progress.duration) }
    /// The settings where a podcast has none of its own.
    package var generalSettings: PlaybackSettings { course.sound.shows.settings(of: nil) }
    /// Whether tone settings are in use, or may come from a podcast.
    package var mayHaveTone: Bool { settings.tone != Tone() || course.sound.shows.hasEpisodes }

    /// Returns the position after the intro of a turn, in seconds; `nil` if the turn does not skip an intro.
    package func introEnd(of turn: ListeningQueue.Turn, from time: Double) -> Double? {
        course.sound.shows.introEnd(of: turn.input, from: time)
    }

    /// Updates the current time and the time saved by shortened silences, in seconds.
    package mutating func update(time: Double?, timeSaved: Double? = nil) {
        if let time { course.item.progress.time = time }
        if let timeSaved { course.item.timeSaved = timeSaved }
    }

    /// Sets the length of the input of a turn, in seconds.
    package mutating func setDuration(_ duration: Double?, of turn: ListeningQueue.Turn.ID) {
        course.order.queue.setDuration(duration, of: turn)
    }

    /// Returns the files of the queue whose tags are still unread, in the order in which they play.
    package mutating func filesToRead() -> [FilePath] { course.order.queue.filesToRead() }

    /// Publishes the facts about the current input while nothing is open.
    /// - Parameter time: The position at which it would resume, in seconds.
    package mutating func rest(at time: Double = 0) { course.rest(at: time) }

    /// Ends the repetition of a section because the input does not support it.
    package mutating func dropPart() { course.repetition.clear() }
}

/// The event that ends a session.
package enum SessionLifetime: Sendable {
    /// The end of the queue, or a command to stop.
    case queue
    /// A command to stop. The session opens nothing on its own; at the end of the queue it waits for the listener.
    case listener
    /// No event: like `listener`, but a command to stop empties the queue, and a sleep timer pauses.
    case window
}
