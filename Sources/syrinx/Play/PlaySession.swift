import AudioStreaming
import MediaCodec
import PlayerUI

/// The decisions of `play`: events, keys, commands and time in, actions out.
///
/// Pure.
///
/// It plays one input after the other, and goes on after one that failed; the exit code is that of the first failure.
struct PlaySession {
    /// The time that the last events of an input are awaited once its end is known or requested, in seconds.
    private static let patience = 0.3

    /// The inputs, and the one whose turn it is.
    var queue: PlayQueue
    /// The settings of the listener.
    var settings: PlaybackSettings
    /// The ways in which the sound adapted at first.
    let initialAdaptive: AdaptiveSound
    /// The progress of the current input.
    private(set) var progress = PlaybackProgress()
    /// The seconds that shortened pauses have saved in the current input; `nil` where none are shortened.
    var timeSaved: Double?
    private(set) var chapters = ChapterTracker()
    /// The chapters in the file of the current input.
    private var ownChapters: [MediaChapter] = []
    /// The chapters that a feed has for an input.
    var feedChapters: FeedChapters?
    /// The end that the listener has asked for.
    var sleep = SleepWatch()
    private var tags: [String: String] = [:]
    /// The text that was announced last.
    private var announcedItem = ""
    /// Whether the current playlist is being read.
    private var isExpanding = false
    /// The failure of an input that may be a playlist.
    private var refusal: Failure?
    /// Whether `opening` has been told of what turned out to be a playlist, and so of the first that it names.
    private var hasToldOpening = false
    /// The number of inputs that have been opened.
    private(set) var openingCount = 0
    /// Whether events before the new input's `opening` belong to the previous one.
    private var awaitsOpening = true
    private var hasFailed = false
    private var hasLastState = false
    private var hasEnded = false
    private(set) var ending: Ending?
    /// The turn that the streamer goes over to by itself.
    private var advancesTo: PlayQueue.Turn.ID?
    /// The turns that the streamer was told to play after the current one.
    private var followed: [PlayQueue.Turn] = []
    private var followedBasis: UpcomingBasis?

    /// The state that decides which turns come next.
    private struct UpcomingBasis: Equatable {
        var revision: Int
        var turn: PlayQueue.Turn.ID
        var openingCount: Int
        var loop: LoopMode
        var hasSounded: [Bool]
    }

    /// Brings what playlists name into an order by chance; `nil` keeps theirs.
    private var shuffling: (any RandomNumberGenerator & Sendable)?
    /// Whether the input that plays, or one since the queue began anew, could be heard: what cannot is not played for ever.
    private var hasSounded = false
    private var roundHasSounded = false
    private var suspension = Suspension()
    private(set) var waiting = DeferredTransport()
    private var giveUpAt: Double?
    private var status = ExitStatus.success
    private var isFinished = false
    private var pendingWarning: Failure?

    /// Whether the input that plays has been told to stop.
    var isEnding: Bool { ending != nil }

    /// The terminal's description of the current input.
    var nowPlaying: NowPlaying { NowPlaying(queue, tags: tags, chapters: chapters) }

    /// The contents of the terminal's status.
    var view: TerminalView {
        TerminalView(nowPlaying: nowPlaying, line: TerminalLine(progress: progress, settings: settings))
    }

    /// A session that plays `inputs` in turn, and warns of `deviceWarning` once something can be heard.
    /// - Parameter shuffling: Brings the inputs into an order by chance, each of them once; `nil` keeps theirs.
    init(
        inputs: [InputArgument],
        settings: PlaybackSettings = PlaybackSettings(),
        shuffling: (any RandomNumberGenerator & Sendable)? = nil,
        deviceWarning: Failure? = nil
    ) {
        queue = PlayQueue(inputs)
        self.settings = settings
        initialAdaptive = settings.adaptive
        self.shuffling = shuffling
        if var generator = shuffling {
            queue.shuffle(using: &generator)
            self.shuffling = generator
        }
        pendingWarning = deviceWarning
    }

    /// The first actions.
    mutating func begin() -> [Action] { openCurrent() }

    /// Returns the actions for `happening` at `now` seconds.
    mutating func handle(_ happening: Event, at now: Double) -> [Action] {
        var actions = react(to: happening, at: now)
        if !isFinished { actions += sleepActions(after: happening, at: now) }
        return withFollowing(actions)
    }

    /// Adds the order to follow on with other inputs, if they have changed.
    private mutating func withFollowing(_ actions: [Action]) -> [Action] {
        guard !isFinished, !isBetween else { return actions }
        // The list takes time to make, and nothing else changes it.
        let basis = UpcomingBasis(
            revision: queue.revision,
            turn: queue.currentTurn.id,
            openingCount: openingCount,
            loop: settings.loop,
            hasSounded: [hasSounded, roundHasSounded]
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
        case .streaming(let event, let opening): return opening == openingCount ? handle(event, at: now) : []
        case .control(.success(let command)): return route(carryOut(command, at: now))
        case .control(.failure(let malformed)): return warn(.badCommand, malformed.message, name: "--control")
        case .key(let key): return route(press(key, at: now))
        case .episode(_, let input, _, let isNow):
            return route(isNow ? play([input], at: now) : carryOut(.enqueue(input), at: now))
        // Those are for the runner's screen.
        case .terminal, .screenChanged, .report: return []
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
        case .chapters(let found, let source):
            feedChapters?.lists[source] = found
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

    private var name: String { queue.current.name }

    /// The turn of the current input.
    var currentTurn: PlayQueue.Turn { queue.currentTurn }

    /// The turns that the streamer is to play after the current one by itself.
    var upcoming: [PlayQueue.Turn] {
        // The streamer would be in the next input already when playback is to end with this one.
        if sleep.endsWithItem { return [] }
        return queue.upcoming(settings.loop, repeats: settings.loop == .one ? hasSounded : roundHasSounded)
    }

    /// Forgets the input before.
    private mutating func beginInput() {
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

    private mutating func openCurrent() -> [Action] {
        beginInput()
        isExpanding = queue.current.isList
        if isExpanding { return [.expand(queue.current)] }
        openingCount += 1
        queue.noteOpening()
        followed = upcoming
        return [.open(queue.current)] + waiting.take()
    }

    /// Whether the streamer still has an input that is over, or is being ended.
    var isBetween: Bool { isExpanding || ending != nil }

    /// Has what concerns the next input wait for it: done to the one before, it would begin that again.
    private mutating func route(_ actions: [Action]) -> [Action] {
        if isBetween { return waiting.keep(actions) }
        waiting.note(actions, isPaused: progress.state == .paused)
        return actions
    }

    /// Goes on with the first that a playlist names, or tells why it names none.
    private mutating func expand(_ result: Result<[InputArgument], Failure>, at now: Double) -> [Action] {
        isExpanding = false
        // Ended meanwhile: what it names is not wanted any more.
        if ending != nil { return conclude() }
        do throws(Failure) {
            try queue.replaceCurrent(with: try result.get(), shuffledBy: shuffling)
            refusal = nil
            return openCurrent()
        } catch {
            waiting.dropSeeks()
            awaitsOpening = false
            let opening: [Action] = hasToldOpening ? [] : [.emit(.state(.opening, time: 0))]
            return opening + fail(refusal ?? error, at: now) + handle(PlayState.failed, time: 0, at: now)
        }
    }

    /// Whether an input that is no recording may be a playlist all the same, though its name does not say so.
    private func mayBePlaylist(_ failure: Failure) -> Bool {
        failure.code == .notAudio && ending == nil && !queue.current.isList && !queue.current.isStandardInput
    }

    private mutating func readAsPlaylist(_ failure: Failure) -> [Action] {
        // Of what is named as a list, the reason why it is none says more.
        refusal = queue.current.mayBeList ? nil : failure
        hasToldOpening = true
        isExpanding = true
        // What else the streamer tells is about what has been refused.
        awaitsOpening = true
        return [.expand(queue.current)]
    }
}

// MARK: - Events

extension PlaySession {
    /// The tags with the title that a playlist gives, if they have none.
    private func titled(_ tags: [String: String]) -> [String: String] {
        // A CUE sheet describes a track where the tags of the file describe the disc.
        let tags = tags.merging(queue.current.tags) { $1 }
        guard tags["title"] == nil, let title = queue.current.title, !title.isEmpty else { return tags }
        return tags.merging(["title": title]) { own, _ in own }
    }

    private mutating func handle(_ event: StreamingEvent, at now: Double) -> [Action] {
        if awaitsOpening {
            guard case .status(.opening, _) = event else { return [] }
            awaitsOpening = false
            if hasToldOpening {
                hasToldOpening = false
                return []
            }
        }
        switch event {
        case .opened(let info):
            progress.duration = info.duration
            progress.durationIsEstimate = !info.durationIsExact
            if let size = info.size, size > 0, progress.received.isEmpty { progress.received = [0..<1] }
            tags = titled(info.tags)
            ownChapters = info.chapters
            chapters = ChapterTracker(chapters(ofFile: ownChapters))
            announcedItem = ""
            defer { pendingWarning = nil }
            let warning = pendingWarning.map { [Action.emit(.warning($0)), .warn($0)] } ?? []
            // What has tags of its own tells them itself.
            let title = info.tags.isEmpty ? titled([:]) : [:]
            let metadata = title.isEmpty ? [] : [Action.emit(.metadata(title))]
            return warning + [.emit(.opened(OpenedFields(info, url: name)))] + metadata + announceItem()
        case .status(let status, let time):
            return handle(PlayState(status), time: time, at: now)
        case .position(let time):
            progress.time = time
            return [.emit(.position(time: time))] + noteChapter()
        case .duration(let seconds, let isExact):
            progress.duration = seconds
            progress.durationIsEstimate = !isExact
            return [.emit(.duration(seconds: seconds, isExact: isExact))]
        case .download(let received, let total, let ranges):
            progress.setReceived(ranges, total: total)
            return [.emit(.download(received: received, total: total, ranges: ranges))]
        case .metadata(let new):
            // The titles of a broadcast come without its name.
            tags = titled(new).merging(tags.filter { $0.key == "station" }) { own, _ in own }
            return [.emit(.metadata(titled(new)))] + announceItem()
        case .retry(let attempt, let delay, let code):
            return [.emit(.retry(attempt: attempt, delay: delay, code: code))]
        case .warning(let error):
            return warn(Failure(error, input: name))
        case .failed(let error):
            let failure = Failure(error, input: name)
            return mayBePlaylist(failure) ? readAsPlaylist(failure) : fail(failure, at: now)
        case .advancing(let item):
            advancesTo = item.id
            return []
        case .ended(let frames, let underruns, let bytes):
            hasEnded = true
            let event = Action.emit(
                .ended(frames: frames, underruns: underruns, bytesReceived: bytes, timeSaved: timeSaved)
            )
            return [event] + concludeIfComplete(at: now)
        }
    }

    private mutating func handle(_ state: PlayState, time: Double, at now: Double) -> [Action] {
        if hasLastState { return [] }
        progress.state = state
        progress.time = time
        if state == .paused { waiting.settlePause() }
        let silence = suspension.note(state)
        if state == .playing {
            hasSounded = true
            roundHasSounded = true
            return [.emit(.state(state, time: time))] + noteChapter()
        }
        guard state.isLast else { return [.emit(.state(state, time: time))] + silence }
        hasLastState = true
        if state == .failed { hasFailed = true }
        return [.emit(.state(state, time: time))] + silence + concludeIfComplete(at: now)
    }

    /// One failure of an input is reported: a second one is a consequence of the first.
    private mutating func fail(_ failure: Failure, at now: Double) -> [Action] {
        if hasEnded || (ending != nil && failure.isCancellation) { return [] }
        hasEnded = true
        hasFailed = true
        if status == .success { status = failure.exitStatus }
        return [.emit(.error(failure)), .say(failure)] + concludeIfComplete(at: now)
    }

    /// Reports the chapter that is being heard, if it is another one than before.
    private mutating func noteChapter() -> [Action] {
        guard let index = chapters.move(to: progress.time) else { return [] }
        let chapter = chapters.chapters[index]
        let event = CommandEvent.chapter(index: index, title: chapter.title, start: chapter.start, end: chapter.end)
        return [.emit(event)] + (nowPlaying.chapterLine.map { [.announce($0)] } ?? [])
    }

    /// Announces the input, if it is not called the same as before.
    private mutating func announceItem() -> [Action] {
        let text = nowPlaying.itemLine
        guard text != announcedItem else { return [] }
        announcedItem = text
        return [.announce(text)]
    }

    func warn(_ code: ErrorCode, _ message: String, name: String) -> [Action] {
        warn(Failure(code: code, message: message, name: name))
    }

    func warn(_ failure: Failure) -> [Action] { [.emit(.warning(failure)), .warn(failure)] }
}

// MARK: - Ends

extension PlaySession {
    /// The place in the queue that is being gone to; `nil` if none is.
    var movingIndex: Int? {
        if case .move(let index) = ending { index } else { nil }
    }

    /// Has the input at another place be the one that is being gone to.
    mutating func setMoving(to index: Int) { ending = .move(to: index) }

    mutating func end(_ ending: Ending, at now: Double) -> [Action] {
        if ending == .interrupted { status = .interrupted }
        if case .move = ending {
            // An end of all playback has been asked for, and comes.
            if self.ending == .all || self.ending == .interrupted { return [] }
            waiting.dropSeeks()
        }
        if self.ending != nil {
            self.ending = ending
            return []
        }
        waiting.settlePause()
        self.ending = ending
        giveUpAt = now + Self.patience
        return [.stop]
    }

    /// Goes on when the input's last state and what comes with it have both been told.
    private mutating func concludeIfComplete(at now: Double) -> [Action] {
        let isComplete = hasLastState && (hasEnded || progress.state == .stopped)
        if isComplete { return conclude() }
        if giveUpAt == nil { giveUpAt = now + Self.patience }
        return []
    }

    private mutating func conclude() -> [Action] {
        var actions: [Action] = []
        if !hasLastState {
            // The contract asks for a last state, whatever became of the streamer.
            let state: PlayState = hasFailed ? .failed : hasEnded && ending == nil ? .ended : .stopped
            if awaitsOpening, !hasToldOpening { actions.append(.emit(.state(.opening, time: 0))) }
            if !hasFailed, !hasEnded { actions.append(.emit(.ended(frames: 0, underruns: 0, bytesReceived: 0))) }
            actions.append(.emit(.state(state, time: progress.time)))
        }
        let followed = ending == nil ? advancesTo : nil
        let (index, next) = (queue.index, nextIndex)
        ending = nil
        isExpanding = false
        refusal = nil
        hasToldOpening = false
        if let followed, queue.advance(to: followed) {
            if queue.index <= index { roundHasSounded = false }
            queue.noteOpening()
            // What was asked of the input before has been asked of the streamer, which plays on.
            _ = waiting.take()
            beginInput()
            return actions
        }
        if let next, next < queue.count {
            if next <= queue.index { roundHasSounded = false }
            queue.move(to: next)
            return actions + openCurrent()
        }
        isFinished = true
        return actions + [.finish(status)]
    }

    /// The place in the queue at which it goes on, `nil` where it ends.
    private var nextIndex: Int? {
        switch ending {
        case .move(let index): return index
        case .all, .interrupted: return nil
        case nil: if progress.state == .ended, sleep.endsWithItem { return nil }
        }
        if settings.loop == .one, hasSounded, queue.canOpen(queue.index) { return queue.index }
        return queue.index(after: queue.index, wraps: settings.loop == .all && roundHasSounded)
    }
}
