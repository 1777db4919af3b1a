import AVFAudio
import Dispatch
import Foundation
import Synchronization
import SyrinxStreaming

/// The units of a streamer: those of the effects in the settings, and behind them the face's own and those of the tone.
///
/// A new unit fades in, and a unit fades out before it is removed or moved, so that no change clicks. One thread calls the
/// methods. A queue of its own waits for the fades.
final class EffectChain: Sendable {
    /// Seconds until a change of a bypass has been rendered, also with a device of long periods.
    private static let fade = 0.15

    /// A unit of an effect.
    private struct Slot {
        let unit: AVAudioUnitEffect
        /// Whether the listener has switched the unit off.
        var isBypassed = false
    }

    private let streamer: Streamer
    private let others: [AVAudioUnitEffect]
    /// The units of the effects, in the order of the settings.
    private let slots: Mutex<[Slot]>
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
        slots = Mutex(units.map { Slot(unit: $0) })
        streamer.effects = units + others
    }

    /// Adds an effect behind those of the settings.
    func add(_ effect: EffectArgument) {
        guard let unit = effect.makeUnit() else { return }
        unit.bypass = true
        slots.withLock { $0.append(Slot(unit: unit)) }
        rearrange(moving: unit, isNew: true)
    }

    /// Removes the effect at a place, which exists.
    func remove(at index: Int) {
        rearrange(moving: slots.withLock { $0.remove(at: index).unit })
    }

    /// Moves an effect to another place, counted without it; both places exist.
    func move(from index: Int, to target: Int) {
        let unit = slots.withLock { slots in
            let slot = slots.remove(at: index)
            slots.insert(slot, at: target)
            return slot.unit
        }
        rearrange(moving: unit)
    }

    /// Sets keys of the effect at a place, which exists.
    func set(_ keys: Set<String>, of effect: EffectArgument, at index: Int) {
        effect.apply(to: slots.withLock { $0[index].unit }, changing: keys)
    }

    /// Switches the effect at a place, which exists, off or on.
    func setBypass(_ isBypassed: Bool, at index: Int) {
        slots.withLock { slots in
            slots[index].isBypassed = isBypassed
            slots[index].unit.bypass = isBypassed
        }
    }

    /// Brings the streamer to the present order, while a unit is not heard.
    private func rearrange(moving unit: AVAudioUnitEffect, isNew: Bool = false) {
        changes.async { [self] in
            if !isNew {
                unit.bypass = true
                Thread.sleep(forTimeInterval: Self.fade)
            }
            streamer.effects = slots.withLock { $0.map(\.unit) } + others
            Thread.sleep(forTimeInterval: Self.fade)
            slots.withLock { slots in
                guard let slot = slots.first(where: { $0.unit === unit }) else { return }
                unit.bypass = slot.isBypassed
            }
        }
    }

    /// Waits until all changes so far are done.
    func settle() { changes.sync {} }
}
