import AudioDSP
import CoreAudioTypes
import Foundation
import Synchronization

/// The presets of a reverb.
///
/// Names and raw values are AVFAudio's. Apple publishes no values for them: those behind the names are Syrinx's own.
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

/// A reverb of thirteen spaces.
///
/// | Preset | Decay at 1 kHz | Pre-delay |
/// |---|---|---|
/// | `smallRoom`, `mediumRoom`, `largeRoom`, `largeRoom2` | 0.45, 0.8, 1.2, 1.5 s | 4, 8, 12, 14 ms |
/// | `mediumChamber`, `largeChamber` | 1.1, 1.7 s | 8, 12 ms |
/// | `mediumHall`, `mediumHall2`, `mediumHall3` | 1.8, 2.1, 2.3 s | 18, 20, 24 ms |
/// | `largeHall`, `largeHall2`, `cathedral` | 2.7, 3.2, 4.8 s | 25, 30, 35 ms |
/// | `plate` | 2 s | 1 ms |
///
/// The octave around 8 kHz decays in half the time, 0.7 of it with `plate` and 0.35 with `cathedral`. All presets are equally
/// loud. Any thread may change it while it plays: another preset fades in within 60 ms.
open class AVAudioUnitReverb: AVAudioUnitEffect, @unchecked Sendable {
    // Unchecked: no state of its own.

    /// A reverb with the preset `mediumHall`.
    public override convenience init() { self.init(.reverb) }

    /// The share of the reverb in percent: 0…100, default 100, at equal power.
    ///
    /// Values outside are clamped.
    open var wetDryMix: Float {
        get { store.value(0) }
        set { store.set(0, to: newValue) }
    }

    /// Goes to a preset; `wetDryMix` stays.
    open func loadFactoryPreset(_ preset: AVAudioUnitReverbPreset) {
        store.preset.store(preset.rawValue, ordering: .relaxed)
    }
}

extension EffectDefinition {
    /// AUMatrixReverb, as far as its mix and its presets.
    static let reverb = EffectDefinition(
        kAudioUnitSubType_MatrixReverb,
        "AUMatrixReverb",
        Reverb.self,
        parameters: [UnitParameter(0, "wetDryMix", "Dry/Wet Mix", .equalPowerCrossfade, 0...100, 100)],
        presets: ReverbPreset.allCases.map { Preset(number: $0.rawValue, name: "\($0)", values: [:]) },
        properties: [
            // The types have the numbers of the presets.
            kAudioUnitProperty_ReverbRoomType: UnitProperty(
                kAudioUnitScope_Global,
                size: 4,
                write: { unit, _, input in
                    let number = Int(try input.value(UInt32.self))
                    guard ReverbPreset(rawValue: number) != nil else { throw UnitStatus.invalidValue }
                    unit.store.preset.store(number, ordering: .relaxed)
                },
                read: { unit, _ in .value(UInt32(unit.store.reverbPreset.rawValue)) }
            )
        ]
    )
}

extension ParameterStore {
    /// The preset that is set, at first `mediumHall`.
    fileprivate var reverbPreset: ReverbPreset {
        ReverbPreset(rawValue: preset.load(ordering: .relaxed)) ?? .mediumHall
    }
}

extension Reverb: EffectProcessor {
    init(_ store: ParameterStore, sampleRate: Double, channelCount: Int) {
        self.init(sampleRate: sampleRate, channelCount: channelCount)
    }

    static func tailTime(_ store: ParameterStore, sampleRate: Double) -> Double {
        ReverbSettings(store.reverbPreset).tailTime(sampleRate: sampleRate)
    }

    mutating func process(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        channelCount: Int,
        frameCount: Int,
        parameters store: ParameterStore
    ) {
        set(ReverbSettings(store.reverbPreset), mix: store.double(0) / 100)
        process(channels, frameCount: frameCount)
    }
}
