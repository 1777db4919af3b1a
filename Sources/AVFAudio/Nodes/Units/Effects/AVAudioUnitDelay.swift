import CoreAudioTypes
public import Foundation
import SyrinxDSP

extension EffectDefinition {
    /// AUDelay.
    static let delay = EffectDefinition(
        kAudioUnitSubType_Delay,
        "AUDelay",
        FeedbackDelay.self,
        parameters: [
            UnitParameter(0, "wetDryMix", "Dry/Wet Mix", .equalPowerCrossfade, 0...100, 100),
            UnitParameter(1, "delayTime", "Delay Time", .seconds, 0...2, 1),
            UnitParameter(2, "feedback", "Feedback", .percent, -100...100, 50),
            UnitParameter(3, "lowPassCutoff", "Low Pass Cutoff Frequency", .hertz, 10...highestFrequency, 15_000),
        ]
    )
}

/// An echo: delays its input, and feeds a part of it back through a low pass.
///
/// Any thread may change it while it plays. A change of the time fades to the new one over 30 ms, so that no pitch bends; the
/// others move over 10 ms.
open class AVAudioUnitDelay: AVAudioUnitEffect, @unchecked Sendable {
    // Unchecked: no state of its own.

    /// A delay of a second, with half of it fed back.
    public override convenience init() { self.init(.delay) }

    /// The share of the delayed sound in percent: 0…100, default 100, at equal power.
    ///
    /// Values outside are clamped.
    open var wetDryMix: Float {
        get { store.value(0) }
        set { store.set(0, to: newValue) }
    }

    /// The delay in seconds: 0…2, default 1.
    ///
    /// Values outside are clamped; one of less than a frame, but 0, is a frame.
    open var delayTime: TimeInterval {
        get { TimeInterval(store.value(1)) }
        set { store.set(1, to: Float(newValue)) }
    }

    /// The part of the delayed sound that goes in again, in percent: −100…100, default 50.
    ///
    /// Values outside are clamped. At 100 the sound does not end, and does not grow beyond twice full scale.
    open var feedback: Float {
        get { store.value(2) }
        set { store.set(2, to: newValue) }
    }

    /// The −3 dB point of the low pass in Hz: 10 to half of the sample rate, default 15 000.
    ///
    /// Values below are clamped; from 0.49 of the sample rate on all passes.
    open var lowPassCutoff: Float {
        get { store.value(3) }
        set { store.set(3, to: newValue) }
    }
}

extension FeedbackDelay.Settings {
    fileprivate init(_ store: ParameterStore) {
        self.init(
            time: store.double(1),
            feedback: store.double(2) / 100,
            cutoff: store.double(3),
            mix: store.double(0) / 100
        )
    }
}

extension FeedbackDelay: EffectProcessor {
    init(_ store: ParameterStore, sampleRate: Double, channelCount: Int) {
        self.init(sampleRate: sampleRate, channelCount: channelCount)
    }

    static func tailTime(_ store: ParameterStore, sampleRate: Double) -> Double { Settings(store).tailTime }

    static func longestGap(_ store: ParameterStore, sampleRate: Double) -> Double { Settings(store).time + 0.05 }

    mutating func process(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        channelCount: Int,
        frameCount: Int,
        parameters store: ParameterStore
    ) {
        set(Settings(store))
        process(channels, frameCount: frameCount)
    }
}
