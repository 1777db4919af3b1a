import CoreAudioTypes
import Foundation
import SyrinxDSP

/// The presets of a reverb.
///
/// The names and raw values are those of AVFAudio. Apple publishes no parameter values for them, so the sounds are
/// Syrinx's own.
public enum AVAudioUnitReverbPreset: Int, Sendable, CaseIterable {
    case smallRoom = 0
    case mediumRoom
    case largeRoom
    case mediumHall
    case largeHall
    case plate
    case mediumChamber
    case largeChamber
    case cathedral
    case largeRoom2
    case mediumHall2
    case mediumHall3
    case largeHall2
}

/// A reverb with thirteen presets of rooms and halls.
///
/// | Preset | Decay at 1 kHz | Pre-delay |
/// |---|---|---|
/// | `smallRoom`, `mediumRoom`, `largeRoom`, `largeRoom2` | 0.45, 0.8, 1.2, 1.5 s | 4, 8, 12, 14 ms |
/// | `mediumChamber`, `largeChamber` | 1.1, 1.7 s | 8, 12 ms |
/// | `mediumHall`, `mediumHall2`, `mediumHall3` | 1.8, 2.1, 2.3 s | 18, 20, 24 ms |
/// | `largeHall`, `largeHall2`, `cathedral` | 2.7, 3.2, 4.8 s | 25, 30, 35 ms |
/// | `plate` | 2 s | 2 ms |
///
/// The octave around 8 kHz decays in half that time; in 0.7 of it with `plate`, and 0.35 with `cathedral`. All presets
/// are equally loud. A preset sets the parameters of AUMatrixReverb. Change single parameters with
/// `AudioUnitSetParameter`, or with the parameter tree of `auAudioUnit`, at the addresses `kReverbParam_…`. Any thread
/// may do so during playback: the reverb continues and crossfades to the new settings within 50 ms.
///
/// ```swift
/// let reverb = AVAudioUnitReverb()
/// reverb.loadFactoryPreset(.largeHall)
/// reverb.wetDryMix = 30  // percent
/// engine.attach(reverb)
/// engine.connect(player, to: reverb, format: nil)
/// engine.connect(reverb, to: engine.mainMixerNode, format: nil)
/// ```
open class AVAudioUnitReverb: AVAudioUnitEffect, @unchecked Sendable {
    // Unchecked: the class has no stored state.

    /// Creates a reverb with the preset `mediumHall`.
    public override convenience init() { self.init(.reverb) }

    override init(_ definition: EffectDefinition, store: ParameterStore) {
        super.init(definition, store: store)
        load(.mediumHall)
    }

    override init(hosting unit: AUAudioUnit) { super.init(hosting: unit) }

    /// The share of the reverb in percent: 0…100, default 100, at equal power.
    ///
    /// Values out of range are clamped.
    open var wetDryMix: Float {
        get { store.value(0) }
        set { store.set(0, to: newValue) }
    }

    /// Sets all parameters except `wetDryMix` to the values of a preset.
    open func loadFactoryPreset(_ preset: AVAudioUnitReverbPreset) { load(preset) }

    private func load(_ preset: AVAudioUnitReverbPreset) {
        guard let definition, let values = definition.presets.first(where: { $0.number == preset.rawValue }) else {
            return
        }
        definition.load(values, into: store)
    }
}
