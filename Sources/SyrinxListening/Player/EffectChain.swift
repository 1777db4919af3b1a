import AVFAudio
import Dispatch
import Foundation
import Synchronization
import SyrinxStreaming

/// The units of a streamer: those of the effects in the settings, and behind them the face's own and those of the tone.
///
/// A unit fades in where it is added, and out before it is removed or moved, so that nothing clicks. One thread, but for the fades.
final class EffectChain: Sendable {
    /// Seconds until a change of a bypass has been rendered, also with a device of long periods.
    private static let fade = 0.15

    private struct State {
        /// The units of the effects, in the order of the settings.
        var units: [AVAudioUnitEffect]
        /// The units that the listener has switched off.
        var bypassed: Set<ObjectIdentifier> = []
    }

    private let streamer: Streamer
    private let others: [AVAudioUnitEffect]
    private let state: Mutex<State>
    private let changes = DispatchQueue(label: "syrinx.effects", qos: .userInitiated)

    /// Gives a streamer the units of effects.
    ///
    /// - Parameters:
    ///   - effects: The effects.
    ///   - others: The units behind them.
    ///   - streamer: The streamer.
    init(_ effects: [EffectArgument], before others: [AVAudioUnitEffect], on streamer: Streamer) {
        let units = effects.compactMap { $0.makeUnit() }
        (self.streamer, self.others) = (streamer, others)
        state = Mutex(State(units: units))
        streamer.effects = units + others
    }

    /// Adds an effect behind those of the settings.
    func add(_ effect: EffectArgument) {
        guard let unit = effect.makeUnit() else { return }
        unit.bypass = true
        state.withLock { $0.units.append(unit) }
        rearrange(moving: unit, isNew: true)
    }

    /// Removes the effect at a place, which exists.
    func remove(at index: Int) {
        rearrange(moving: state.withLock { $0.units.remove(at: index) })
    }

    /// Moves an effect to another place, counted without it; both places exist.
    func move(from index: Int, to target: Int) {
        let unit = state.withLock { state in
            let unit = state.units.remove(at: index)
            state.units.insert(unit, at: target)
            return unit
        }
        rearrange(moving: unit)
    }

    /// Sets keys of the effect at a place, which exists.
    func set(_ keys: Set<String>, of effect: EffectArgument, at index: Int) {
        effect.apply(to: state.withLock { $0.units[index] }, changing: keys)
    }

    /// Switches the effect at a place, which exists, off or on.
    func setBypass(_ isBypassed: Bool, at index: Int) {
        state.withLock { state in
            let unit = state.units[index]
            if isBypassed {
                state.bypassed.insert(ObjectIdentifier(unit))
            } else {
                state.bypassed.remove(ObjectIdentifier(unit))
            }
            unit.bypass = isBypassed
        }
    }

    /// Brings the streamer to the present order, while a unit is not heard.
    private func rearrange(moving unit: AVAudioUnitEffect, isNew: Bool = false) {
        changes.async { [self] in
            if !isNew {
                unit.bypass = true
                Thread.sleep(forTimeInterval: Self.fade)
            }
            streamer.effects = state.withLock { $0.units } + others
            Thread.sleep(forTimeInterval: Self.fade)
            state.withLock { state in
                guard state.units.contains(where: { $0 === unit }) else { return }
                unit.bypass = state.bypassed.contains(ObjectIdentifier(unit))
            }
        }
    }

    /// Waits until all changes so far are done.
    func settle() { changes.sync {} }
}
