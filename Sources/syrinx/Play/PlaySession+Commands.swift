import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxPlayerUI

/// The effects of commands and keys.
extension PlaySession {
    mutating func carryOut(_ command: ControlCommand, at now: Double) -> [Action] {
        switch command {
        case .pause: return [.pause]
        case .resume: return [.play]
        case .toggle: return press(.togglePause, at: now)
        case .seek(let time): return [.seek(time)]
        case .skip(let seconds): return [.skip(seconds)]
        case .forward: return [.skip(interval(isForward: true))]
        case .back: return [.skip(-interval(isForward: false))]
        case .part(let part): return set(part: part)
        case .rate(let rate): return set(rate: rate)
        case .pitch(let cents): return set(pitch: cents)
        case .volume(let volume): return set(volume: volume)
        case .mono(let isMono):
            var tone = settings.tone
            tone.isMono = isMono
            return set(tone: tone) + keep(\.isMono, isMono)
        case .balance(let balance):
            var tone = settings.tone
            tone.setBalance(balance)
            return set(tone: tone) + keep(\.balance, tone.balance)
        case .equalizer(let name):
            var tone = settings.tone
            tone.setEqualizer(name)
            return set(tone: tone) + keep(\.equalizer, tone.equalizer)
        case .language(let languages):
            settings.languages = languages
            return [.setLanguages(languages), settingsEvent]
        case .stop: return end(.all, at: now)
        case .next: return end(.move(to: followingIndex), at: now)
        case .previous: return goBack(at: now)
        case .goto(let index): return goTo(index, at: now)
        case .enqueue(let input): return enqueue(input)
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
        case .chapter(let index): return goToChapter(index)
        case .effect(let index, let values): return setEffect(index, values)
        }
    }

    /// Seconds of a skip by an arrow key where none are set, as in mpv.
    private static let arrowSeconds = SkipIntervals().back

    /// Seconds of a skip by an arrow key: of the podcast, the command line or the settings.
    var skipIntervals: SkipIntervals {
        SkipIntervals(
            back: interval(isForward: false, standard: Self.arrowSeconds),
            forward: interval(isForward: true, standard: Self.arrowSeconds)
        )
    }

    mutating func press(_ key: Key, at now: Double) -> [Action] {
        switch key {
        case .togglePause: return [isPaused ? .play : .pause]
        case .skip(let seconds): return [.skip(seconds)]
        case .skipForward: return [.skip(skipIntervals.forward)]
        case .skipBack: return [.skip(-skipIntervals.back)]
        case .start: return [.seek(0)]
        case .nextChapter: return nextChapter(at: now)
        case .previousChapter: return previousChapter()
        // As in mpv, a key does not leave the last input, nor the first.
        case .nextItem: return followingIndex.map { end(.move(to: $0), at: now) } ?? []
        case .previousItem: return precedingIndex.map { end(.move(to: $0), at: now) } ?? []
        case .firstItem: return queue.canOpen(0) ? end(.move(to: 0), at: now) : []
        case .lastItem: return queue.canOpen(queue.count - 1) ? end(.move(to: queue.count - 1), at: now) : []
        case .addRate(let step): return set(rate: settings.rate + step)
        case .multiplyRate(let factor): return set(rate: settings.rate * factor)
        case .normalRate: return set(rate: 1)
        case .addVolume(let step): return set(volume: settings.volume + step)
        case .toggleMute:
            settings.toggleMute()
            return [.setVolume(settings.gain)]
        case .cycleLoop:
            settings.cycleLoop()
            return []
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
    private mutating func setEffect(_ index: Int, _ values: [String: EffectArgument.Value]) -> [Action] {
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

    private mutating func set(tone: Tone) -> [Action] {
        settings.tone = tone
        return [.setTone(tone), settingsEvent]
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

    private mutating func goBack(at now: Double) -> [Action] {
        guard let index = precedingIndex else {
            return warnOfCommand("there is no input before this one that can be played")
        }
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

    private mutating func enqueue(_ input: InputArgument) -> [Action] {
        // A queue that the listener adds to is the listener's own.
        isOffered = false
        return queue.append(input) ? [] : warnOfCommand("the queue is full: it has \(queue.count) inputs")
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
        return press(.nextItem, at: now)
    }

    private func previousChapter() -> [Action] {
        guard !isBetween, !chapters.chapters.isEmpty else { return [] }
        return chapters.index(before: progress.time).map(goToChapter) ?? [.seek(0)]
    }

    private func warnOfCommand(_ message: String) -> [Action] {
        warn(.badCommand, message, name: "--control")
    }
}
