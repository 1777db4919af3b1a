import SyrinxListening
import SyrinxPlayback
import SyrinxPodcastLibrary
import SyrinxStreaming

/// The settings of podcasts, skips and the part that is repeated.
extension PlaySession {
    /// Takes the wishes of a listener, before the first input is opened.
    mutating func begin(_ plan: ListeningPlan) {
        sleep = SleepWatch(plan.sleep)
        isPlaced = plan.isPlaced
        book = ShowBook(given: plan.given, general: settings.shared.replaced(by: plan.general).replaced(by: plan.given))
        if let episode = plan.episode { note(episode.facts, of: episode.input) }
        if isIdle { rest() }
    }

    /// The facts about the current input, if it is an episode.
    var episode: EpisodeFacts? { episodes[queue.current.name] }

    /// Takes what is known of an episode among the inputs.
    mutating func note(_ facts: EpisodeFacts, of input: ListeningInput) {
        episodes[input.name] = facts
        book.add(facts.settings, of: facts.podcast)
    }

    /// Brings the sound to the settings of the current input.
    mutating func applySettings() -> [Action] {
        let wanted = book.settings(of: episode?.podcast)
        skips = ItemSkips(wanted)
        var (new, actions) = (settings, [Action]())
        // A rate beyond those of podcasts is one of the command line.
        if let rate = book.merged(episode?.podcast).rate, rate != settings.rate { new.setRate(rate) }
        if wanted.volume != settings.volume { new.setVolume(wanted.volume) }
        new.adaptive.smartSpeed = SmartSpeed(strength: wanted.smartSpeed)
        new.adaptive.boostsVoice = wanted.voiceBoost
        new.tone.isMono = wanted.isMono
        new.tone.setBalance(wanted.balance)
        new.tone.setEqualizer(wanted.equalizer)
        if new.rate != settings.rate { actions.append(.setRate(new.rate)) }
        if new.gain != settings.gain { actions.append(.setVolume(new.gain)) }
        if new.adaptive != settings.adaptive {
            actions.append(.setAdaptive(new.adaptive, replacing: settings.adaptive))
        }
        if new.tone != settings.tone { actions.append(.setTone(new.tone)) }
        guard new != settings else { return [] }
        settings = new
        return actions + [settingsEvent]
    }

    /// Keeps a setting that the listener has changed: for the podcast, or for all that is no episode.
    mutating func keep<Value>(_ field: WritableKeyPath<ShowSettings, Value?>, _ value: Value) -> [Action] {
        let podcast = episode?.podcast
        guard let podcast, let show = book.set(field, to: value, of: podcast) else {
            _ = book.set(field, to: value, of: nil)
            return []
        }
        return [.keepShow(podcast, show)]
    }

    /// Whether the sound has another tone than its own, or may get one from a podcast.
    var mayHaveTone: Bool { settings.tone != Tone() || !episodes.isEmpty }

    /// Returns the place at which a turn begins, in seconds, as its intro is passed over; `nil` if it stays where it would begin.
    func introEnd(of turn: PlayQueue.Turn, from time: Double) -> Double? {
        let settings = book.settings(of: episodes[turn.input.name]?.podcast)
        return ItemSkips(settings).start(of: turn.input.duration, from: time)
    }

    /// Ends the current input as if it had been played to its end.
    mutating func finishItem(at now: Double) -> [Action] {
        if sleep.endsWithItem { return end(.all, at: now) }
        let next = settings.loop == .one ? queue.index : queue.index(after: queue.index, wraps: settings.loop == .all)
        return end(.move(to: next), at: now)
    }

    /// Takes jumps to other places of the current input.
    mutating func noteSeeks(_ actions: [Action]) {
        for action in actions {
            switch action {
            case .seek(let time): skips.seeked(to: time)
            case .skip(let seconds): skips.seeked(to: max(0, progress.time + seconds))
            default: break
            }
        }
    }

    // MARK: The part that is repeated

    /// Sets the start of the part that is repeated at what is heard, then its end, then neither.
    mutating func markPart() -> [Action] {
        guard !isBetween, !isIdle else { return [] }
        guard progress.duration != nil else {
            return warn(.badCommand, "a part of what has no end cannot be repeated", name: "A–B")
        }
        let hadPart = repetition.part != nil
        repetition.mark(at: progress.time)
        if let part = repetition.part { return [.playPart(from: part.start, end: part.end)] }
        return hadPart ? [.playPart(from: nil, end: nil)] : []
    }

    /// Repeats a part of the current input; `nil` ends the repetition.
    mutating func set(part: RepeatedPart?) -> [Action] {
        guard !isBetween, !isIdle, let duration = progress.duration else {
            return warn(.badCommand, "a part of what has no end cannot be repeated", name: "A–B")
        }
        guard let part else {
            let hadPart = repetition.part != nil
            repetition.clear()
            return hadPart ? [.playPart(from: nil, end: nil)] : []
        }
        guard part.start < duration, repetition.set(part) else {
            return warn(.badCommand, "the part lies behind the end, or is too short", name: "A–B")
        }
        return [.playPart(from: part.start, end: part.end)]
    }

    /// Ends the repetition of a part, which the input does not allow.
    mutating func dropPart() { repetition.clear() }
}

extension PlaybackSettings {
    /// The settings that a podcast may have of its own.
    var shared: ShowSettings {
        var shared = ShowSettings()
        shared.rate = rate
        shared.volume = volume
        shared.smartSpeed = adaptive.smartSpeed.strength
        shared.voiceBoost = adaptive.boostsVoice
        shared.isMono = tone.isMono
        shared.balance = tone.balance
        shared.equalizer = tone.equalizer
        return shared
    }
}
