package import SyrinxByteStream
package import SyrinxPlayback

/// The decisions of a player: wishes of the listener, events of the streamer and time in, actions out.
///
/// Pure. It plays one input after the other, and goes on after one that failed; the outcome is that of the first failure.
package struct ListeningSession: Sendable {
    var course: PlayCourse

    /// Creates a session that plays inputs in turn.
    ///
    /// - Parameters:
    ///   - inputs: The inputs.
    ///   - first: The place of the input at which it begins; the order by chance begins with it. `nil` is the start of the queue.
    ///   - settings: The settings of the sound.
    ///   - repeatedPart: The part of every input that is repeated until the input is left; `nil` for none.
    ///   - shuffling: Brings the inputs into an order by chance, each of them once; `nil` keeps theirs.
    ///   - deviceWarning: A warning that is given once something can be heard.
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

    /// Takes the wishes of a listener, before the first input is opened.
    ///
    /// - Parameters:
    ///   - sleep: The moment at which playback fades out and ends.
    ///   - isPlaced: Whether inputs begin at a place that was asked for.
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

    /// Takes what is known of an episode among the inputs.
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
        case .warning(let failure): return [.emit(.warning(failure))]
        case .tick:
            guard let deadline = course.life.deadline, now >= deadline else { return [] }
            return course.conclude()
        }
    }

    /// Has what concerns the next input wait for it: done to the one before, it would begin that again.
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

/// The state of a session, as its player and the faces see it.
extension ListeningSession {
    /// The inputs, and the one whose turn it is.
    package var queue: ListeningQueue { course.queue }
    /// The facts about the input whose turn it is.
    package var item: CurrentItem { course.item }
    /// The settings of the sound.
    package var settings: SoundSettings { course.sound.settings }
    /// The part that is repeated.
    package var repetition: PartRepetition { course.repetition }
    /// The end that the listener has asked for.
    package var sleep: SleepWatch { course.sleep }
    /// The moment at which playback ends, with the seconds that are left; `nil` while the sleep timer is off.
    package var sleepGoal: SleepGoal? { sleep.goal }
    /// The number of inputs that have been opened.
    package var openingCount: Int { course.order.openingCount }
    /// Whether nothing is open, and the listener is waited for.
    package var isIdle: Bool { course.life.isIdle }
    /// The failure that stopped playback; `nil` while none did.
    package var failure: Failure? { if case .failed(let failure) = course.life.rest { failure } else { nil } }
    /// Whether the listener wants to hear the current input, even if it waits for data or for an output.
    package var wantsPlayback: Bool {
        switch course.life {
        case .idle, .finished: false
        case .current where course.life.isBetween: !course.waiting.isPaused
        case .current: item.progress.state != .paused && !course.waiting.awaitsPause && !course.waiting.opensPaused
        }
    }
    /// Whether the input that was opened last follows on another by itself, so that it begins at its start.
    package var opensByItself: Bool { course.order.opensByItself }
    /// Whether the current input follows on itself at its end.
    package var beginsAgain: Bool {
        let entry = queue.identity(at: queue.index)
        return upcoming.first.map { turn in
            var next = queue
            return next.advance(to: turn.id) && next.identity(at: next.index) == entry
        } ?? false
    }
    /// Whether a change of the queue can be undone.
    package var canUndoQueueChange: Bool { course.order.canUndo }
    /// Whether the input that plays has been told to stop.
    package var isEnding: Bool { course.life.ending != nil }
    /// Whether something is waited for that only a tick can bring: the end of patience.
    package var awaitsTick: Bool { course.life.deadline != nil }
    /// Whether inputs begin at a place that was asked for.
    package var isPlaced: Bool { course.isPlaced }
    /// The facts about the current input, if it is an episode.
    package var episode: EpisodeFacts? { course.episode }
    /// Returns the title of the podcast that an input is an episode of.
    package func show(of input: ListeningInput) -> String? { course.sound.shows.facts(of: input)?.title }
    /// The turns that the streamer is to play after the current one by itself.
    package var upcoming: [ListeningQueue.Turn] { course.order.upcoming(course.conditions) }
    /// The seconds at the end of the current input that are passed over.
    package var outro: Double { course.skips.outro }
    /// The seconds of a skip by the interval that is set.
    package var skipIntervals: SkipIntervals { course.sound.skipIntervals(of: course.settingsOwner) }
    /// The name of the podcast, folder or recording whose settings are kept; `nil` if none are.
    package var keptFor: String? { course.sound.keptFor(episode, duration: item.progress.duration) }
    /// The settings where a podcast has none of its own.
    package var generalSettings: PlaybackSettings { course.sound.shows.settings(of: nil) }
    /// Whether the sound has another tone than its own, or may get one from a podcast.
    package var mayHaveTone: Bool { settings.tone != Tone() || course.sound.shows.hasEpisodes }

    /// Returns the place at which a turn begins, in seconds, as its intro is passed over; `nil` if it stays where it would begin.
    package func introEnd(of turn: ListeningQueue.Turn, from time: Double) -> Double? {
        course.sound.shows.introEnd(of: turn.input, from: time)
    }

    /// Takes the streamer's current time, and the seconds that shortened pauses have saved.
    package mutating func update(time: Double?, timeSaved: Double? = nil) {
        if let time { course.item.progress.time = time }
        if let timeSaved { course.item.timeSaved = timeSaved }
    }

    /// Takes the length of the input of a turn, in seconds.
    package mutating func setDuration(_ duration: Double?, of turn: ListeningQueue.Turn.ID) {
        course.order.queue.setDuration(duration, of: turn)
    }

    /// Returns the files of the queue whose tags are not known, those that come next first.
    package mutating func filesToRead() -> [FilePath] { course.order.queue.filesToRead() }

    /// Tells what is known of the input whose turn it is, and that nothing is open.
    /// - Parameter time: The place at which it would go on, in seconds.
    package mutating func rest(at time: Double = 0) { course.rest(at: time) }

    /// Ends the repetition of a part, which the input does not allow.
    package mutating func dropPart() { course.repetition.clear() }
}

/// The event that ends a session.
package enum SessionLifetime: Sendable {
    /// The end of the queue, or a command to stop.
    case queue
    /// A command to stop. The session opens nothing by itself, and waits for the listener at the end of the queue.
    case listener
    /// No event: like `listener`, but a command to stop empties the queue, and a sleep timer pauses.
    case window
}
