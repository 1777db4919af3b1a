import Foundation
import SyrinxPlayback
import SyrinxPlayerUI
import SyrinxStreaming

/// The effects of the full screen's wishes on what is played.
extension PlaySession {
    /// Returns the actions for a wish; `nil` for one that does not concern the session.
    mutating func carryOut(_ action: PlayerAction, at now: Double) -> [Action]? {
        switch action {
        case .togglePause: return press(.togglePause, at: now)
        case .seek(let time): return [.seek(time)]
        case .skip(let seconds): return [.skip(seconds)]
        case .skipForward: return press(.skipForward, at: now)
        case .skipBack: return press(.skipBack, at: now)
        case .cycleABLoop: return markPart()
        case .nextItem: return press(.nextItem, at: now)
        case .previousItem: return press(.previousItem, at: now)
        case .firstItem: return press(.firstItem, at: now)
        case .lastItem: return press(.lastItem, at: now)
        case .nextChapter: return press(.nextChapter, at: now)
        case .previousChapter: return press(.previousChapter, at: now)
        case .goToChapter(let index): return carryOut(.chapter(index: index), at: now)
        case .cycleLoop: return press(.cycleLoop, at: now)
        case .toggleShuffle:
            edit { queue in
                var generator = SystemRandomNumberGenerator()
                queue.setShuffled(!queue.isShuffled, using: &generator)
            }
            return []
        case .setRate(let rate): return carryOut(.rate(rate), at: now)
        case .addRate(let step): return press(.addRate(step), at: now)
        case .multiplyRate(let factor): return press(.multiplyRate(factor), at: now)
        case .setPitch(let cents): return carryOut(.pitch(cents), at: now)
        case .addPitch(let cents): return carryOut(.pitch(settings.pitch + cents), at: now)
        case .addVolume(let step): return press(.addVolume(step), at: now)
        case .toggleMute: return press(.toggleMute, at: now)
        case .setParameter(let effect, let parameter, let value):
            return set(parameter: parameter, ofEffect: effect, to: value, at: now)
        case .setEffectEnabled(let index, let isEnabled):
            return settings.setBypassed(!isEnabled, effect: index) ? [.setBypass(index, !isEnabled)] : []
        case .toggleSmartSpeed:
            let wanted = initialAdaptive.smartSpeed == .off ? .medium : initialAdaptive.smartSpeed
            let changed = adapt { $0.smartSpeed = $0.smartSpeed == .off ? wanted : .off }
            return changed + keep(\.smartSpeed, settings.adaptive.smartSpeed.strength)
        case .toggleVoiceBoost:
            return adapt { $0.boostsVoice.toggle() } + keep(\.voiceBoost, settings.adaptive.boostsVoice)
        case .toggleNormalization:
            let wanted = initialAdaptive.normalization ?? AdaptiveSound.standardLoudness
            return adapt { $0.normalization = $0.normalization == nil ? wanted : nil }
        case .toggleMono: return carryOut(.mono(!settings.tone.isMono), at: now)
        case .addBalance(let step):
            // Rounded, so that steps of a tenth add up.
            return carryOut(.balance(((settings.tone.balance + step) * 1e4).rounded() / 1e4), at: now)
        case .cycleEqualizer: return carryOut(.equalizer(settings.tone.nextEqualizer), at: now)
        case .setSleep(let goal): return setSleep(goal)
        case .playQueueItem(let index): return carryOut(.goto(index: index), at: now)
        case .removeQueueItem(let index): return remove(at: index, at: now)
        case .moveQueueItem(let from, let to): return carryOut(.move(index: from, to: to), at: now)
        case .clearQueue: return carryOut(.clear, at: now)
        case .enqueueInput(let text): return input(text).map { carryOut(.enqueue($0), at: now) } ?? refuse(text)
        case .playInput(let text):
            guard let input = input(text) else { return refuse(text) }
            return play([input], at: now)
        case .reload:
            let time = progress.duration == nil ? nil : progress.time
            // The seek waits for the input to be opened again.
            return carryOut(.goto(index: queue.index), at: now) + (time.map { [.seek($0)] } ?? [])
        case .quit: return press(.quit, at: now)
        default: return nil
        }
    }

    /// Puts inputs after the current one, and goes to the first of them.
    mutating func play(_ inputs: [InputArgument], at now: Double) -> [Action] {
        dropOffer()
        let place = min(queue.index + 1, queue.count)
        guard queue.insert(inputs, at: place) else {
            return warn(.badCommand, "the queue is full: it has \(queue.count) inputs", name: "queue")
        }
        return carryOut(.goto(index: place), at: now)
    }

    private mutating func adapt(_ change: (inout AdaptiveSound) -> Void) -> [Action] {
        let old = settings.adaptive
        change(&settings.adaptive)
        return [.setAdaptive(settings.adaptive, replacing: old)]
    }

    private func input(_ text: String) -> InputArgument? {
        let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
        let path = text.hasPrefix("~/") && !home.isEmpty ? home + text.dropFirst() : text
        return InputArgument(argument: path).flatMap { $0.isStandardInput ? nil : $0 }
    }

    private func refuse(_ text: String) -> [Action] {
        warn(.badCommand, "it is neither a path nor a file:, http: or https: URL", name: text)
    }

    /// Changes the queue, and keeps the input that is being gone to.
    mutating func edit(_ change: (inout PlayQueue) -> Void) {
        let target = movingIndex.flatMap { queue.identity(at: $0) }
        change(&queue)
        guard let target else { return }
        setMoving(to: queue.index(ofIdentity: target) ?? min(queue.index, queue.count - 1))
    }

    /// Removes an input from the queue; the one that plays is left for the next, or for the one before, first.
    mutating func remove(at index: Int, at now: Double) -> [Action] {
        guard (0..<queue.count).contains(index), queue.count > 1 || isIdle else {
            let reason = queue.count > 1 ? "there is no input with the index \(index)" : "it has only this input"
            return warn(.badCommand, "nothing is removed: \(reason)", name: "queue")
        }
        guard index == queue.index, !isIdle else {
            edit { $0.remove(at: index) }
            return []
        }
        let hasNext = index + 1 < queue.count
        queue.leaveCurrent()
        return end(.move(to: hasNext ? index : max(0, index - 1)), at: now)
    }

    private mutating func set(
        parameter: Int,
        ofEffect index: Int,
        to value: Double,
        at now: Double
    ) -> [Action] {
        if index == settings.effects.count { return setTone(parameter: parameter, to: value, at: now) }
        guard settings.effects.indices.contains(index), let kind = EffectKind.named(settings.effects[index].name)
        else { return [] }
        if kind.nameKeys.indices.contains(parameter) {
            let key = kind.nameKeys[parameter]
            guard let place = Int(exactly: value), key.values.indices.contains(place) else { return [] }
            return carryOut(.effect(index: index, set: [key.name: .name(key.values[place])]), at: now)
        }
        guard kind.numberKeys.indices.contains(parameter - kind.nameKeys.count) else { return [] }
        let key = kind.numberKeys[parameter - kind.nameKeys.count]
        let amount = min(max(value, key.range.lowerBound), key.range.upperBound)
        return carryOut(.effect(index: index, set: [key.name: .number(amount)]), at: now)
    }

    /// Sets a row of the tone, which stands behind the effects: see `EffectView.init(_:)`.
    private mutating func setTone(parameter: Int, to value: Double, at now: Double) -> [Action] {
        switch EffectView.ToneParameter(rawValue: parameter) {
        case .mono: return carryOut(.mono(value >= 0.5), at: now)
        case .balance: return carryOut(.balance(value), at: now)
        case .equalizer:
            guard let place = Int(exactly: value), let name = Tone.equalizer(at: place) else { return [] }
            return carryOut(.equalizer(name), at: now)
        case nil: return []
        }
    }
}
