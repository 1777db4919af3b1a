import AudioStreaming
import MediaCodec

/// What `play` decides: events, keys, commands and the passing of time in, actions out.
///
/// Pure.
///
/// It plays one input after the other, and goes on after one that failed; the exit code is that of the first failure.
struct PlaySession {
    /// What can happen.
    enum Happening: Sendable {
        /// What the streamer tells of the opening of that number: `openingCount` when it was asked for.
        case streaming(StreamingEvent, of: Int)
        case control(Result<ControlCommand, ControlCommand.Malformed>)
        case key(Key)
        /// Ctrl-C, or somebody's `kill`.
        case interrupt
        /// Nobody reads standard output any more.
        case outputClosed
        /// The playlist that this input is names these, or cannot be read.
        case expanded(InputArgument, Result<[InputArgument], Failure>)
        /// Something that playback goes on without.
        case warning(Failure)
        /// Time has passed.
        case tick
    }

    /// What is to be done.
    enum Action: Equatable {
        /// Write an event, if events are wanted.
        case emit(CommandEvent)
        /// Write the line of a failure.
        case say(Failure)
        /// Write a line that warns.
        case warn(Failure)
        /// Open this input, which is `currentEntry`, and play it, and what comes after it.
        case open(InputArgument)
        /// Play these after the input that plays.
        case follow([PlayQueue.Entry])
        /// Read the playlist that this input is, and say what it names.
        case expand(InputArgument)
        case play
        case pause
        case stop
        case seek(Double)
        case skip(Double)
        case setRate(Double)
        case setPitch(Double)
        case setVolume(Double)
        /// End the process.
        case finish(ExitStatus)
    }

    /// Why the input that plays is being ended early.
    private enum Ending { case next, all, interrupted }

    /// How long the last events of an input are waited for once its end is known or asked for, in seconds.
    private static let patience = 0.3

    private var queue: PlayQueue
    /// Whether the playlist whose turn it is is being read.
    private var isExpanding = false
    /// Why the input is no recording, while it is found out whether it is a playlist.
    private var refusal: Failure?
    /// Whether `opening` has been told of what turned out to be a playlist, and so of the first that it names.
    private var hasToldOpening = false
    /// How often an input has been opened.
    private(set) var openingCount = 0
    /// What is told before the new input's `opening` is about one that is over.
    private var awaitsOpening = true
    private var hasFailed = false
    private var hasLastState = false
    private var hasEnded = false
    private var ending: Ending?
    /// The entry that the streamer plays next by itself.
    private var advancesTo: PlayQueue.Entry.ID?
    private var waiting = WaitingTransport()
    private var giveUpAt: Double?
    private var status = ExitStatus.success
    private var isFinished = false
    private var pendingWarning: Failure?

    /// Whether the input that plays has been told to stop.
    var isEnding: Bool { ending != nil }

    /// What is shown.
    private(set) var line: TerminalLine

    /// A session that plays `inputs` in turn, and warns of `deviceWarning` once something can be heard.
    init(inputs: [InputArgument], rate: Double, pitch: Double, volume: Double, deviceWarning: Failure? = nil) {
        queue = PlayQueue(inputs)
        line = TerminalLine(rate: rate, pitch: pitch, volume: volume)
        pendingWarning = deviceWarning
    }

    /// The first actions.
    mutating func begin() -> [Action] { openCurrent() }

    /// What to do after `happening` at `now` seconds.
    mutating func handle(_ happening: Happening, at now: Double) -> [Action] {
        if isFinished { return [] }
        switch happening {
        case .streaming(let event, let opening): return opening == openingCount ? handle(event, at: now) : []
        case .control(.success(let command)): return route(handle(command, at: now))
        case .control(.failure(let malformed)): return warn("usage.badCommand", malformed.message, name: "--control")
        case .key(let key): return route(handle(key, at: now))
        case .interrupt: return end(.interrupted, at: now)
        case .outputClosed: return end(.all, at: now)
        case .expanded(let input, let result):
            return isExpanding && input == queue.current ? expand(result, at: now) : []
        case .warning(let failure): return warn(failure)
        case .tick:
            guard let giveUpAt, now >= giveUpAt else { return [] }
            return conclude()
        }
    }

    /// Whether something is waited for that only a tick can bring: the end of patience.
    var awaitsTick: Bool { giveUpAt != nil }

    /// Where playback is, as the streamer just said.
    mutating func update(time: Double?) {
        if let time { line.time = time }
    }

    private var name: String { queue.current.name }

    /// The input whose turn it is, and those that come next as far as they are known.
    var currentEntry: PlayQueue.Entry { queue.currentEntry }
    var upcoming: [PlayQueue.Entry] { queue.upcoming }

    /// Forgets the input before.
    private mutating func beginInput() {
        awaitsOpening = true
        hasFailed = false
        hasLastState = false
        hasEnded = false
        advancesTo = nil
        giveUpAt = nil
        line = TerminalLine(rate: line.rate, pitch: line.pitch, volume: line.volume)
    }

    private mutating func openCurrent() -> [Action] {
        beginInput()
        isExpanding = queue.current.isPlaylist
        if isExpanding { return [.expand(queue.current)] }
        openingCount += 1
        return [.open(queue.current)] + waiting.take()
    }

    /// Whether the streamer still has an input that is over, or is being ended.
    private var isBetween: Bool { isExpanding || ending != nil }

    /// Has what concerns the next input wait for it: done to the one before, it would begin that again.
    private mutating func route(_ actions: [Action]) -> [Action] {
        if isBetween { return waiting.keep(actions) }
        waiting.note(actions, isPaused: line.state == .paused)
        return actions
    }

    /// Goes on with the first that a playlist names, or tells why it names none.
    private mutating func expand(_ result: Result<[InputArgument], Failure>, at now: Double) -> [Action] {
        isExpanding = false
        // Ended meanwhile: what it names is not wanted any more.
        if ending != nil { return conclude() }
        do throws(Failure) {
            try queue.replaceCurrent(with: try result.get())
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
        failure.code == "media.notAudio" && ending == nil && !queue.current.isPlaylist && !queue.current.isStandardInput
    }

    private mutating func readAsPlaylist(_ failure: Failure) -> [Action] {
        refusal = failure
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
            line.duration = info.duration
            line.durationIsEstimate = !info.durationIsExact
            if let size = info.size, size > 0, line.received.isEmpty { line.received = [0..<1] }
            defer { pendingWarning = nil }
            let warning = pendingWarning.map { [Action.emit(.warning($0)), .warn($0)] } ?? []
            // What has tags of its own tells them itself.
            let title = info.tags.isEmpty ? titled([:]) : [:]
            let metadata = title.isEmpty ? [] : [Action.emit(.metadata(title))]
            return warning + [.emit(.opened(OpenedFields(info, url: name)))] + metadata
        case .status(let status, let time):
            return handle(PlayState(status), time: time, at: now)
        case .position(let time):
            line.time = time
            return [.emit(.position(time: time))]
        case .duration(let seconds, let isExact):
            line.duration = seconds
            line.durationIsEstimate = !isExact
            return [.emit(.duration(seconds: seconds, isExact: isExact))]
        case .download(let received, let total, let ranges):
            line.received = Self.fractions(of: ranges, total: total)
            return [.emit(.download(received: received, total: total, ranges: ranges))]
        case .metadata(let tags):
            return [.emit(.metadata(titled(tags)))]
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
            let event = Action.emit(.ended(frames: frames, underruns: underruns, bytesReceived: bytes))
            return [event] + concludeIfComplete(at: now)
        }
    }

    private mutating func handle(_ state: PlayState, time: Double, at now: Double) -> [Action] {
        if hasLastState { return [] }
        line.state = state
        line.time = time
        if state == .paused { waiting.settlePause() }
        guard state.isLast else { return [.emit(.state(state, time: time))] }
        hasLastState = true
        if state == .failed { hasFailed = true }
        return [.emit(.state(state, time: time))] + concludeIfComplete(at: now)
    }

    /// One failure an input is told: a second one is a consequence of the first.
    private mutating func fail(_ failure: Failure, at now: Double) -> [Action] {
        if hasEnded || (ending != nil && failure.isCancellation) { return [] }
        hasEnded = true
        hasFailed = true
        if status == .success { status = failure.exitStatus }
        return [.emit(.error(failure)), .say(failure)] + concludeIfComplete(at: now)
    }

    private static func fractions(of ranges: [Range<Int64>], total: Int64?) -> [Range<Double>] {
        guard let total, total > 0 else { return [] }
        return ranges.map { Double($0.lowerBound) / Double(total)..<Double($0.upperBound) / Double(total) }
    }
}

// MARK: - Commands and keys

extension PlaySession {
    private mutating func handle(_ command: ControlCommand, at now: Double) -> [Action] {
        switch command {
        case .pause: return [.pause]
        case .resume: return [.play]
        case .seek(let time): return [.seek(time)]
        case .skip(let seconds): return [.skip(seconds)]
        case .rate(let rate): return set(rate: rate)
        case .pitch(let cents):
            line.pitch = cents
            return [.setPitch(cents)]
        case .volume(let volume): return set(volume: volume)
        case .stop: return end(.all, at: now)
        case .next: return end(.next, at: now)
        }
    }

    private mutating func handle(_ key: Key, at now: Double) -> [Action] {
        switch key {
        case .togglePause: return [(isBetween ? waiting.isPaused : line.state == .paused) ? .play : .pause]
        case .back: return [.skip(-5)]
        case .forward: return [.skip(5)]
        case .farBack: return [.skip(-60)]
        case .farForward: return [.skip(60)]
        case .slower: return set(rate: line.rate - 0.1)
        case .faster: return set(rate: line.rate + 0.1)
        case .halfRate: return set(rate: line.rate / 2)
        case .doubleRate: return set(rate: line.rate * 2)
        case .normalRate: return set(rate: 1)
        case .quieter: return set(volume: line.volume - 0.05)
        case .louder: return set(volume: line.volume + 0.05)
        case .quit: return end(.all, at: now)
        }
    }

    private mutating func set(rate: Double) -> [Action] {
        // Steps of a tenth add up to what they should: 0.1 is no binary fraction.
        let rounded = (rate * 1e5).rounded() / 1e5
        line.rate = min(max(rounded, SoundLimits.rate.lowerBound), SoundLimits.rate.upperBound)
        return [.setRate(line.rate)]
    }

    private mutating func set(volume: Double) -> [Action] {
        line.volume = min(max((volume * 1e4).rounded() / 1e4, 0), 1)
        return [.setVolume(line.volume)]
    }

    private func warn(_ code: String, _ message: String, name: String) -> [Action] {
        warn(Failure(code: code, message: message, name: name))
    }

    private func warn(_ failure: Failure) -> [Action] { [.emit(.warning(failure)), .warn(failure)] }
}

// MARK: - Ends

extension PlaySession {
    private mutating func end(_ ending: Ending, at now: Double) -> [Action] {
        if ending == .interrupted { status = .interrupted }
        if self.ending != nil {
            if ending != .next { self.ending = ending } else { waiting.pass() }
            return []
        }
        if ending == .next { waiting.dropSeeks() }
        waiting.settlePause()
        self.ending = ending
        giveUpAt = now + Self.patience
        return [.stop]
    }

    /// Goes on when the input's last state and what comes with it have both been told.
    private mutating func concludeIfComplete(at now: Double) -> [Action] {
        let isComplete = hasLastState && (hasEnded || line.state == .stopped)
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
            actions.append(.emit(.state(state, time: line.time)))
        }
        let goesOn = ending == nil || ending == .next
        let isAdvancing = ending == nil && advancesTo.map { queue.advance(to: $0) } ?? false
        ending = nil
        isExpanding = false
        refusal = nil
        hasToldOpening = false
        if isAdvancing {
            // What was asked of the input before has been asked of the streamer, which plays on.
            _ = waiting.take()
            beginInput()
            return actions + [.follow(queue.upcoming)]
        }
        if goesOn, waiting.advance(&queue) {
            return actions + openCurrent()
        }
        isFinished = true
        return actions + [.finish(status)]
    }
}
