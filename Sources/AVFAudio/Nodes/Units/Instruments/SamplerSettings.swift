import CoreAudioTypes
import Foundation
import Synchronization

/// The values that are set on a sampler.
final class SamplerSettings: Sendable {
    /// Decibels.
    let gain = Atomic<Float>(0)
    /// −100…100.
    let pan = Atomic<Float>(0)
    /// Cents.
    let tuning = Atomic<Float>(0)
    /// The whole semitones of the tuning, as they were set.
    private let coarseTuning = Atomic<Float>(0)

    /// Sets the tuning, in cents.
    func setTuning(_ cents: Float) {
        coarseTuning.store((cents / 100).rounded(.towardZero), ordering: .relaxed)
        tuning.store(cents, ordering: .relaxed)
    }

    /// The settings as AUSampler's parameters.
    var store: ParameterStore {
        ParameterStore(
            [
                UnitParameter(UInt64(kAUSamplerParam_Gain), "gain", "Gain", .decibels, -90...12, 0),
                UnitParameter(
                    UInt64(kAUSamplerParam_CoarseTuning),
                    "coarseTuning",
                    "Coarse Tuning",
                    .relativeSemiTones,
                    -24...24,
                    0
                ),
                UnitParameter(UInt64(kAUSamplerParam_FineTuning), "fineTuning", "Fine Tuning", .cents, -99...99, 0),
                UnitParameter(UInt64(kAUSamplerParam_Pan), "pan", "Pan", .pan, -1...1, 0),
            ],
            bridge: ParameterStore.Bridge(
                get: { [self] index in
                    let coarse = coarseTuning.load(ordering: .relaxed)
                    switch index {
                    case 0: return gain.load(ordering: .relaxed)
                    case 1: return coarse
                    case 2: return tuning.load(ordering: .relaxed) - 100 * coarse
                    default: return pan.load(ordering: .relaxed) / 100
                    }
                },
                set: { [self] index, value in
                    let coarse = coarseTuning.load(ordering: .relaxed)
                    switch index {
                    case 0: gain.store(value, ordering: .relaxed)
                    case 1:
                        let fine = tuning.load(ordering: .relaxed) - 100 * coarse
                        coarseTuning.store(value.rounded(), ordering: .relaxed)
                        tuning.store(100 * value.rounded() + fine, ordering: .relaxed)
                    case 2: tuning.store(100 * coarse + value, ordering: .relaxed)
                    default: pan.store(100 * value, ordering: .relaxed)
                    }
                }
            )
        )
    }
}
