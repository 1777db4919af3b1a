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

/// An echo: delays its input, and feeds part of the result back through a low-pass filter.
///
/// Any thread may change the settings during playback. A new delay time crossfades over 30 ms, without a pitch bend.
/// The other settings ramp over 10 ms.
///
/// ```swift
/// let echo = AVAudioUnitDelay()
/// echo.delayTime = 0.35     // seconds
/// echo.feedback = 40        // percent
/// echo.wetDryMix = 25       // percent
/// engine.attach(echo)
/// engine.connect(player, to: echo, format: nil)
/// engine.connect(echo, to: engine.mainMixerNode, format: nil)
/// ```
open class AVAudioUnitDelay: AVAudioUnitEffect, @unchecked Sendable {
    // Unchecked: the class has no stored state.

    /// Creates a delay of one second with a feedback of 50 %.
    public override convenience init() { self.init(.delay) }

    /// The share of the delayed sound in percent: 0…100, default 100, at equal power.
    ///
    /// Values out of range are clamped.
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

    /// The share of the delayed sound that is fed back, in percent: −100…100, default 50.
    ///
    /// Values out of range are clamped. At ±100 the echo never ends, and its level stays below twice full scale.
    open var feedback: Float {
        get { store.value(2) }
        set { store.set(2, to: newValue) }
    }

    /// The −3 dB point of the low pass in Hz; default 15 000.
    ///
    /// Values are clamped to 10…192 000. At 0.49 of the sample rate or more, the filter has no effect.
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
