import Foundation
import SyrinxByteStream
import SyrinxListening
import SyrinxPlayback
import SyrinxPlayerUI
import SyrinxStreaming

/// The effects of the full screen's wishes on what is played.
extension PlaySession {
    /// Returns the actions for a wish; `nil` for one that does not concern the session.
    mutating func carryOut(_ action: PlayerAction, at now: Double) -> [Action]? {
        switch action {
        case .command(let command): return carryOut(command, at: now)
        case .setParameter(let effect, let parameter, let value):
            return set(parameter: parameter, ofEffect: effect, to: value, at: now)
        case .setEffectEnabled(let index, let isEnabled):
            return settings.setBypassed(!isEnabled, effect: index) ? [.setBypass(index, !isEnabled)] : []
        case .setSleep(let goal): return setSleep(goal)
        case .playInput(let text):
            guard let input = input(text) else { return refuse(text) }
            return play([input], at: now)
        case .quit: return carryOut(.stop, at: now)
        default: return nil
        }
    }

    /// Puts inputs after the current one, and goes to the first of them.
    mutating func play(_ inputs: [ListeningInput], at now: Double) -> [Action] {
        dropOffer()
        let place = min(queue.index + 1, queue.count)
        guard queue.insert(inputs, at: place) else {
            return warn(.badCommand, "the queue is full: it has \(queue.count) inputs", name: Failure.queue)
        }
        return carryOut(.goTo(place), at: now)
    }

    func input(_ text: String) -> ListeningInput? {
        let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
        let path = text.hasPrefix("~/") && !home.isEmpty ? home + text.dropFirst() : text
        return ListeningInput(argument: path).flatMap { $0.isStandardInput ? nil : $0 }
    }

    func refuse(_ text: String) -> [Action] {
        warn(.badCommand, ListeningInput.refusal, name: Redaction.redact(name: text))
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
            return warn(.badCommand, "nothing is removed: \(reason)", name: Failure.queue)
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
            return carryOut(.effect(index, [key.name: .name(key.values[place])]), at: now)
        }
        guard kind.numberKeys.indices.contains(parameter - kind.nameKeys.count) else { return [] }
        let key = kind.numberKeys[parameter - kind.nameKeys.count]
        let amount = min(max(value, key.range.lowerBound), key.range.upperBound)
        return carryOut(.effect(index, [key.name: .number(amount)]), at: now)
    }

    /// Sets a row of the tone, which stands behind the effects: see `EffectView.init(_:)`.
    private mutating func setTone(parameter: Int, to value: Double, at now: Double) -> [Action] {
        switch EffectView.ToneParameter(rawValue: parameter) {
        case .mono: return carryOut(.mono(value >= 0.5), at: now)
        case .balance: return carryOut(.balance(.to(value)), at: now)
        case .equalizer:
            guard let place = Int(exactly: value), let name = Tone.equalizer(at: place) else { return [] }
            return carryOut(.equalizer(name), at: now)
        case nil: return []
        }
    }
}
