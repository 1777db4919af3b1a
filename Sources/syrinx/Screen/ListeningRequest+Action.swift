import SyrinxListening
import SyrinxPlayback
import SyrinxPlayerUI

extension ListeningRequest {
    /// The wish of the full screen that concerns the session; `nil` for another one, and for a value that does not
    /// exist.
    init?(_ action: PlayerAction, _ settings: SoundSettings) {
        switch action {
        case .command(let command): self = .command(command)
        case .setParameter(let effect, let parameter, let value):
            guard
                let command = effect == settings.effects.count
                    ? ListeningCommand(toneParameter: parameter, value)
                    : ListeningCommand(parameter: parameter, ofEffect: effect, value, settings.effects)
            else { return nil }
            self = .command(command)
        case .setEffectEnabled(let index, let isEnabled): self = .setBypass(effect: index, !isEnabled)
        case .setSleep(let goal): self = .setSleep(goal)
        case .undoQueueChange: self = .undoQueueChange
        case .playInput(let text): self = .play(text)
        case .quit: self = .command(.stop)
        default: return nil
        }
    }
}

extension ListeningCommand {
    /// Sets a row of the effect at a place.
    fileprivate init?(parameter: Int, ofEffect index: Int, _ value: Double, _ effects: [EffectArgument]) {
        guard effects.indices.contains(index), let kind = EffectKind.named(effects[index].name) else { return nil }
        if kind.nameKeys.indices.contains(parameter) {
            let key = kind.nameKeys[parameter]
            guard let place = Int(exactly: value), key.values.indices.contains(place) else { return nil }
            self = .effect(index, [key.name: .name(key.values[place])])
            return
        }
        guard kind.numberKeys.indices.contains(parameter - kind.nameKeys.count) else { return nil }
        let key = kind.numberKeys[parameter - kind.nameKeys.count]
        self = .effect(index, [key.name: .number(min(max(value, key.range.lowerBound), key.range.upperBound))])
    }

    /// Sets a row of the tone, which follows the effects: see `EffectView.init(_:)`.
    fileprivate init?(toneParameter: Int, _ value: Double) {
        switch EffectView.ToneParameter(rawValue: toneParameter) {
        case .mono: self = .mono(value >= 0.5)
        case .balance: self = .balance(.to(value))
        case .equalizer:
            guard let place = Int(exactly: value), Tone.equalizers.indices.contains(place) else { return nil }
            self = .equalizer(Tone.equalizers[place])
        case nil: return nil
        }
    }
}
