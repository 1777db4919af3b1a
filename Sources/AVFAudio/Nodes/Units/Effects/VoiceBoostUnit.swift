import CoreAudioTypes
import Foundation
import SyrinxDSP

/// Brings speech to an even loudness during playback, and limits its true peak to −1 dB.
///
/// Loudness is measured according to ITU-R BS.1770, with its gates, so the gain is constant in pauses. The first
/// estimate is available within half a second; if the level is far off, the gain then changes by up to 60 dB per
/// second. Later it rises by 2 dB and falls by 3 dB per second. A compressor reduces loud vowels, and a limiter
/// reduces peaks. Any thread may change the settings during playback without clicks.
///
/// All channels have the same gain. After ten seconds the output is within 1 LU of the target, unless it would need
/// more than `maximumGain`. If `isActive` is `false`, samples pass through unchanged and without delay.
///
/// ```swift
/// let boost = VoiceBoostUnit()
/// boost.target = -18  // LUFS
/// engine.attach(boost)
/// engine.connect(player, to: boost, format: nil)
/// engine.connect(boost, to: engine.mainMixerNode, format: nil)
/// ```
open class VoiceBoostUnit: AVAudioUnitEffect, @unchecked Sendable {
    // Unchecked: the class has no stored state.

    /// Creates a unit with a target of −16 LUFS.
    public override convenience init() { self.init(.voiceBoost) }

    /// The target loudness in LUFS: −40…−5, default −16.
    open var target: Float {
        get { store.value(0) }
        set { store.set(0, to: newValue) }
    }

    /// The maximum gain in dB: 0…40, default 30.
    ///
    /// It limits the amplification of background noise.
    open var maximumGain: Float {
        get { store.value(1) }
        set { store.set(1, to: newValue) }
    }

    /// Whether the booster is active; `true` by default.
    ///
    /// A change crossfades over 5 ms and keeps the delay of the unit, which `bypass` removes.
    open var isActive: Bool {
        get { store.value(2) != 0 }
        set { store.set(2, to: newValue ? 1 : 0) }
    }

    /// The gain in dB after `reset()`: −40…40, default 0.
    ///
    /// After a jump within a recording that of before the jump saves the search for it.
    open var startingGain: Float {
        get { store.value(3) }
        set { store.set(3, to: newValue) }
    }

    /// The gain in dB by now, without the compressor's and the limiter's.
    open var currentGain: Float { store.value(4) }

    /// The loudness of the input in LUFS, pauses left out; −70 before there is an estimate.
    open var measuredLoudness: Float { store.value(5) }

    /// The gain of the compressor in dB, 0 or less.
    open var compressionAmount: Float { store.value(6) }
}

extension EffectDefinition {
    /// The boost of speech, which Core Audio does not have.
    static let voiceBoost = EffectDefinition(
        // "vbst"
        0x7662_7374,
        "VoiceBoost",
        VoiceBoost.self,
        parameters: [
            UnitParameter(0, "target", "Target Loudness", .decibels, -40 ... -5, -16),
            UnitParameter(1, "maximumGain", "Maximum Gain", .decibels, 0...40, 30),
            UnitParameter(2, "isActive", "Active", .boolean, 0...1, 1),
            UnitParameter(3, "startingGain", "Starting Gain", .decibels, -40...40, 0),
            UnitParameter(1_000, "currentGain", "Current Gain", .decibels, -40...40, 0, isReadOnly: true),
            UnitParameter(2_000, "measuredLoudness", "Measured Loudness", .decibels, -70...40, -70, isReadOnly: true),
            UnitParameter(3_000, "compressionAmount", "Compression Amount", .decibels, -120...0, 0, isReadOnly: true),
        ]
    )
}

extension VoiceBoost: EffectProcessor {
    init(_ store: ParameterStore, sampleRate: Double, channelCount: Int) {
        self.init(sampleRate: sampleRate, channelCount: channelCount)
    }

    static func latency(_ store: ParameterStore, sampleRate: Double) -> Double {
        store.value(2) == 0 ? 0 : Double(latencyFrames(sampleRate: sampleRate)) / sampleRate
    }

    static func tailTime(_ store: ParameterStore, sampleRate: Double) -> Double {
        latency(store, sampleRate: sampleRate)
    }

    mutating func process(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        channelCount: Int,
        frameCount: Int,
        parameters store: ParameterStore
    ) {
        set(
            Settings(
                isActive: store.value(2) != 0,
                target: store.double(0),
                maximumGain: store.double(1),
                startingGain: store.double(3)
            )
        )
        process(channels, frameCount: frameCount)
        let meters = meters
        store.publish(4, Float(meters.gain))
        store.publish(5, Float(meters.loudness))
        store.publish(6, Float(meters.compression))
    }
}
