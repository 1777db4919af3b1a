import CoreAudioTypes
import Foundation
import SyrinxDSP

/// Brings speech to an even loudness while it plays, and keeps its true peak at −1 dB.
///
/// Loudness is measured as ITU-R BS.1770 asks, with its gates: in pauses the gain stands. The first estimate comes within half a second,
/// and what is far too quiet or too loud moves by up to 60 dB a second then; later the gain moves by 2 dB a second up and 3 dB down. A
/// compressor takes what vowels exceed, and a limiter the peaks. Any thread may change it while it plays; nothing clicks.
///
/// All channels have the same gain. What comes out after ten seconds is within 1 LU of the target, as long as the gain that it needs
/// is not above `maximumGain`. Switched off by `isActive`, it passes samples on to the bit and without a delay.
open class VoiceBoostUnit: AVAudioUnitEffect, @unchecked Sendable {
    // Unchecked: no state of its own.

    /// A boost to −16 LUFS.
    public override convenience init() { self.init(.voiceBoost) }

    /// The loudness to come to in LUFS: −40…−5, default −16.
    open var target: Float {
        get { store.value(0) }
        set { store.set(0, to: newValue) }
    }

    /// The largest gain in dB: 0…40, default 30.
    ///
    /// It bounds how far background noise is raised.
    open var maximumGain: Float {
        get { store.value(1) }
        set { store.set(1, to: newValue) }
    }

    /// Whether it works, default true.
    ///
    /// A change fades over 5 ms. `bypass` does the same, but cuts out the time by which the unit delays.
    open var isActive: Bool {
        get { store.value(2) != 0 }
        set { store.set(2, to: newValue ? 1 : 0) }
    }

    /// The gain in dB that `reset()` begins with: −40…40, default 0.
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
