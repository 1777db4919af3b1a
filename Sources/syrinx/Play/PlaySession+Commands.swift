import SyrinxByteStream
import SyrinxListening
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxPlayerUI
import SyrinxStreaming

/// The effects of commands and keys.
extension PlaySession {
    mutating func carryOut(_ command: ListeningCommand, at now: Double) -> [Action] {
        switch command {
        case .pause: return [.pause]
        case .resume: return [.play]
        case .toggle: return [isPaused ? .play : .pause]
        case .stop: return end(.all, at: now)
        case .next(isWeak: false): return step(to: followingIndex, at: now)
        case .next: return followingIndex.map { step(to: $0, at: now) } ?? []
        case .previous(let isWeak):
            if let index = precedingIndex { return step(to: index, at: now) }
            return isWeak ? [] : warnOfCommand("there is no input before this one that can be played")
        case .first: return queue.canOpen(0) ? step(to: 0, at: now) : []
        case .last: return queue.canOpen(queue.count - 1) ? step(to: queue.count - 1, at: now) : []
        case .goTo(let index): return goTo(index, at: now)
        case .reload:
            let time = progress.duration == nil ? nil : progress.time
            // The seek waits for the input to be opened again.
            return goTo(queue.index, at: now) + (time.map { [.seek($0)] } ?? [])
        case .seek(.to(let time)): return [.seek(time)]
        case .seek(.by(let seconds)): return [.skip(seconds)]
        case .skipForward: return [.skip(skipIntervals.forward)]
        case .skipBack: return [.skip(-skipIntervals.back)]
        case .repeatPart(let part): return set(part: part)
        case .cyclePart: return markPart()
        case .chapter(let index): return goToChapter(index)
        case .nextChapter: return nextChapter(at: now)
        case .previousChapter: return previousChapter()
        case .rate, .multiplyRate, .pitch, .volume, .mute, .balance, .mono, .equalizer, .smartSpeed, .voiceBoost,
            .normalize, .effect, .language:
            return change(command)
        case .enqueue(let text):
            guard let input = input(text) else {
                return warnOfCommand("\(Redaction.redact(name: text)): \(ListeningInput.refusal)")
            }
            return enqueue(input)
        case .remove(let index): return remove(at: index, at: now)
        case .move(let index, let target):
            guard max(index, target) < queue.count else {
                return warnOfCommand("there is no such place: the queue has \(queue.count)")
            }
            edit { $0.move(from: index, to: target) }
            return []
        case .clear:
            let isIdle = isIdle
            edit { isIdle ? $0.removeAll() : $0.removeOthers() }
            return []
        case .shuffle: return setShuffled(!queue.isShuffled)
        case .loop:
            settings.cycleLoop()
            return []
        }
    }

    /// The actions of commands that change the sound.
    private mutating func change(_ command: ListeningCommand) -> [Action] {
        switch command {
        case .rate(let change): return set(rate: change.applied(to: settings.rate))
        case .multiplyRate(let factor): return set(rate: settings.rate * factor)
        case .pitch(let change): return set(pitch: change.applied(to: settings.pitch))
        case .volume(let change): return set(volume: change.applied(to: settings.volume))
        case .mute:
            settings.toggleMute()
            return [.setVolume(settings.gain)]
        case .balance(let change):
            // Rounded, so that steps of a tenth add up.
            let balance = (change.applied(to: settings.tone.balance) * 1e4).rounded() / 1e4
            return set(keeping: \.balance, \.balance) { $0.setBalance(balance) }
        case .mono(let isMono): return set(keeping: \.isMono, \.isMono) { $0.isMono = isMono ?? !$0.isMono }
        case .equalizer(let name):
            var tone = settings.tone
            guard tone.setEqualizer(name ?? tone.nextEqualizer) else {
                return warnOfCommand("there is no preset \"\(name ?? "")\"; there are \(EqualizerName.list)")
            }
            return set(keeping: \.equalizer, \.equalizer) { $0 = tone }
        case .smartSpeed:
            let wanted = initialAdaptive.smartSpeed == .off ? .medium : initialAdaptive.smartSpeed
            let changed = adapt { $0.smartSpeed = $0.smartSpeed == .off ? wanted : .off }
            return changed + keep(\.smartSpeed, settings.adaptive.smartSpeed.strength)
        case .voiceBoost:
            return adapt { $0.boostsVoice.toggle() } + keep(\.voiceBoost, settings.adaptive.boostsVoice)
        case .normalize:
            let wanted = initialAdaptive.normalization ?? AdaptiveSound.standardLoudness
            return adapt { $0.normalization = $0.normalization == nil ? wanted : nil }
        case .effect(let index, let values): return setEffect(index, values)
        case .language(let languages):
            settings.languages = languages.tags
            return [.setLanguages(languages.tags), settingsEvent]
        default: return []
        }
    }

    mutating func setShuffled(_ isShuffled: Bool) -> [Action] {
        edit { queue in
            var generator = SystemRandomNumberGenerator()
            queue.setShuffled(isShuffled, using: &generator)
        }
        return []
    }

    /// The seconds of a skip by the interval that is set: of the podcast, the command line or the settings; else 5, as in mpv.
    var skipIntervals: SkipIntervals {
        let (set, wanted) = (book.merged(episode?.podcast), book.settings(of: episode?.podcast))
        var intervals = SkipIntervals()
        if set.skipBack != nil { intervals.back = wanted.skipBack }
        if set.skipForward != nil { intervals.forward = wanted.skipForward }
        return intervals
    }

    mutating func press(_ key: Key, at now: Double) -> [Action] {
        switch key {
        case .command(let command): return carryOut(command, at: now)
        case .help: return [.showHelp]
        case .quit: return end(.all, at: now)
        }
    }
}

extension PlaySession {
    /// Whether what is going to play is paused, or what plays.
    private var isPaused: Bool { isIdle || (isBetween ? waiting.isPaused : progress.state == .paused) }
}

// MARK: - Settings

extension PlaySession {
    private mutating func set(rate: Double) -> [Action] {
        settings.setRate(rate)
        return [.setRate(settings.rate), settingsEvent] + keep(\.rate, settings.rate)
    }

    private mutating func set(pitch: Double) -> [Action] {
        settings.setPitch(pitch)
        return [.setPitch(settings.pitch), settingsEvent]
    }

    private mutating func set(volume: Double) -> [Action] {
        settings.setVolume(volume)
        return [.setVolume(settings.gain), settingsEvent] + keep(\.volume, settings.volume)
    }

    /// Sets all keys, or none.
    private mutating func setEffect(_ index: Int, _ values: [String: ListeningCommand.EffectValue]) -> [Action] {
        guard settings.effects.indices.contains(index) else {
            return warnOfCommand("there is no effect with the index \(index): there are \(settings.effects.count)")
        }
        var effect = settings.effects[index]
        do throws(EffectArgument.Malformed) {
            // A preset first: it sets what is set besides.
            if let preset = values["preset"] { try effect.set("preset", preset) }
            for (key, value) in values where key != "preset" { try effect.set(key, value) }
        } catch {
            return warnOfCommand(error.message)
        }
        settings.effects[index] = effect
        return [.setEffect(index, effect, keys: Set(values.keys)), settingsEvent]
    }

    private mutating func adapt(_ change: (inout AdaptiveSound) -> Void) -> [Action] {
        let old = settings.adaptive
        change(&settings.adaptive)
        return [.setAdaptive(settings.adaptive, replacing: old)]
    }

    /// Changes the tone, and keeps the changed field in the settings of listening.
    private mutating func set<Value>(
        keeping field: WritableKeyPath<ShowSettings, Value?>,
        _ value: KeyPath<Tone, Value>,
        _ change: (inout Tone) -> Void
    ) -> [Action] {
        change(&settings.tone)
        return [.setTone(settings.tone), settingsEvent] + keep(field, settings.tone[keyPath: value])
    }

    var settingsEvent: Action {
        .emit(
            .settings(
                rate: settings.rate,
                pitch: settings.pitch,
                volume: settings.volume,
                tone: settings.tone,
                effects: settings.effects,
                language: settings.languages
            )
        )
    }
}

// MARK: - Queue

extension PlaySession {
    /// The place that is gone to, or the one that plays; `nil` behind the end of the queue.
    private var awaitedIndex: Int? {
        if case .move(let index) = ending { index } else { queue.index }
    }

    private var followingIndex: Int? {
        awaitedIndex.flatMap { queue.index(after: $0, wraps: settings.loop == .all) }
    }

    private var precedingIndex: Int? {
        queue.index(before: awaitedIndex ?? queue.count, wraps: settings.loop == .all)
    }

    /// Goes to another input.
    ///
    /// A paused player stays paused, as the MPRIS specification says.
    private mutating func step(to index: Int?, at now: Double) -> [Action] {
        if progress.state == .paused, !isBetween, !isIdle { _ = waiting.keep([.pause]) }
        return end(.move(to: index), at: now)
    }

    private mutating func goTo(_ index: Int, at now: Double) -> [Action] {
        guard queue.canOpen(index) else {
            return warnOfCommand(
                index < queue.count
                    ? "standard input cannot be played twice"
                    : "there is no input with the index \(index): the queue has \(queue.count)"
            )
        }
        return end(.move(to: index), at: now)
    }

    mutating func enqueue(_ input: ListeningInput) -> [Action] {
        // A queue that the listener adds to is the listener's own.
        isOffered = false
        guard queue.append(input) else { return warnOfCommand("the queue is full: it has \(queue.count) inputs") }
        return [.answer("Appended to the queue: \(input.title ?? input.shortName).")]
    }
}

// MARK: - Chapters

extension PlaySession {
    private func goToChapter(_ index: Int) -> [Action] {
        let chapters = chapters.chapters
        guard !isBetween, chapters.indices.contains(index) else {
            let count = isBetween ? 0 : chapters.count
            return warnOfCommand("there is no chapter with the index \(index): the input has \(count)")
        }
        return [.seek(chapters[index].start)]
    }

    /// As in mpv, it leads from the last chapter to the next input.
    private mutating func nextChapter(at now: Double) -> [Action] {
        guard !isBetween, !chapters.chapters.isEmpty else { return [] }
        if let index = chapters.index(after: progress.time) { return goToChapter(index) }
        return carryOut(.next(isWeak: true), at: now)
    }

    private func previousChapter() -> [Action] {
        guard !isBetween, !chapters.chapters.isEmpty else { return [] }
        return chapters.index(before: progress.time).map(goToChapter) ?? [.seek(0)]
    }

    private func warnOfCommand(_ message: String) -> [Action] {
        warn(.badCommand, message, name: Failure.control)
    }
}
