import Foundation
import Synchronization
import SyrinxDSP

/// The parameters of the units that change rate and pitch.
///
/// Their values are in a `RateEffectParameters`.
enum TimeEffectParameters {
    /// AUNewTimePitch: rate, pitch and overlap.
    static func timePitch(_ values: RateEffectParameters) -> ParameterStore {
        ParameterStore(
            [
                UnitParameter(0, "rate", "Rate", .rate, floats(TimePitchKernel.rateRange), 1),
                UnitParameter(1, "pitch", "Pitch", .cents, floats(TimePitchKernel.pitchRange), 0),
                UnitParameter(4, "overlap", "Overlap", .generic, 3...32, 8),
            ],
            bridge: ParameterStore.Bridge(
                get: { index in
                    switch index {
                    case 0: Float(values.rate.load(ordering: .relaxed))
                    case 1: Float(values.pitch.load(ordering: .relaxed))
                    default: Float(values.overlap.load(ordering: .relaxed))
                    }
                },
                set: { index, value in
                    switch index {
                    case 0: values.rate.store(Double(value), ordering: .relaxed)
                    case 1: values.pitch.store(Double(value), ordering: .relaxed)
                    default: values.overlap.store(Double(value), ordering: .relaxed)
                    }
                }
            )
        )
    }

    private static func floats(_ range: ClosedRange<Double>) -> ClosedRange<Float> {
        Float(range.lowerBound)...Float(range.upperBound)
    }

    /// AUVarispeed: the rate, and the same in cents.
    static func varispeed(_ values: RateEffectParameters) -> ParameterStore {
        ParameterStore(
            [
                UnitParameter(0, "playbackRate", "Playback Rate", .rate, 0.25...4, 1),
                UnitParameter(1, "playbackPitch", "Playback Pitch", .cents, -2_400...2_400, 0),
            ],
            bridge: ParameterStore.Bridge(
                get: { index in
                    let rate = values.rate.load(ordering: .relaxed)
                    return Float(index == 0 ? rate : 1_200 * log2(rate))
                },
                set: { index, value in
                    let rate = index == 0 ? Double(value) : exp2(Double(value) / 1_200)
                    values.rate.store(rate, ordering: .relaxed)
                    if rate != 1 { values.hasMoved.store(true, ordering: .relaxed) }
                }
            )
        )
    }
}
