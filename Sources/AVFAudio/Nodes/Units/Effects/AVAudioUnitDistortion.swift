import CoreAudioTypes
import Foundation
import SyrinxDSP

/// The presets of a distortion.
///
/// The names and raw values are those of AVFAudio. Apple publishes no parameter values for them, so the sounds are
/// Syrinx's own.
public enum AVAudioUnitDistortionPreset: Int, Sendable, CaseIterable {
    case drumsBitBrush = 0
    case drumsBufferBeats
    case drumsLoFi
    case multiBrokenSpeaker
    case multiCellphoneConcert
    case multiDecimated1
    case multiDecimated2
    case multiDecimated3
    case multiDecimated4
    case multiDistortedFunk
    case multiDistortedCubed
    case multiDistortedSquared
    case multiEcho1
    case multiEcho2
    case multiEchoTight1
    case multiEchoTight2
    case multiEverythingIsBroken
    case speechAlienChatter
    case speechCosmicInterference
    case speechGoldenPi
    case speechRadioTower
    case speechWaves
}

/// A distortion with five stages: echo, decimation with rounding, ring modulation, a polynomial, and a soft clipper.
///
/// At a `wetDryMix` of 100 the presets are about as loud as their input:
///
/// | Presets | Stages |
/// |---|---|
/// | `drumsBitBrush`, `drumsLoFi`, `multiDecimated1` to `multiDecimated4` | a lower sample rate and fewer bits |
/// | `drumsBufferBeats`, `multiEcho1`, `multiEcho2` | echoes of 125, 250 and 430 ms |
/// | `multiEchoTight1`, `multiEchoTight2` | echoes of 40 and 85 ms |
/// | `multiDistortedFunk`, `multiDistortedCubed`, `multiDistortedSquared` | the polynomial and the clipper |
/// | `multiBrokenSpeaker`, `multiCellphoneConcert`, `speechRadioTower` | the polynomial behind a lower rate |
/// | `multiEverythingIsBroken` | all of them |
/// | `speechAlienChatter`, `speechCosmicInterference`, `speechGoldenPi` | ring modulation by 37 to 1410 Hz |
/// | `speechWaves` | ring modulation by 7.3 and 12 Hz |
///
/// Any thread may change the settings during playback, without clicks. The stages from the ring modulation on run at
/// eight times the sample rate to avoid aliasing; only the decimation aliases, on purpose. The output is delayed by 47
/// frames.
///
/// ```swift
/// let distortion = AVAudioUnitDistortion()
/// distortion.loadFactoryPreset(.speechRadioTower)
/// distortion.wetDryMix = 60
/// ```
open class AVAudioUnitDistortion: AVAudioUnitEffect, @unchecked Sendable {
    // Unchecked: the class has no stored state.

    /// Creates a distortion with Core Audio's default settings.
    public override convenience init() { self.init(.distortion) }

    /// The gain before the soft clipper in dB: −80…20, default −6.
    ///
    /// Values out of range are clamped.
    open var preGain: Float {
        get { store.value(DistortionParameter.softClipGain.rawValue) }
        set { store.set(DistortionParameter.softClipGain.rawValue, to: newValue) }
    }

    /// The share of the distorted sound in percent: 0…100, default 50.
    ///
    /// Values out of range are clamped.
    open var wetDryMix: Float {
        get { store.value(DistortionParameter.mix.rawValue) }
        set { store.set(DistortionParameter.mix.rawValue, to: newValue) }
    }

    /// Sets all parameters, including `preGain` and `wetDryMix`, to the values of a preset.
    open func loadFactoryPreset(_ preset: AVAudioUnitDistortionPreset) {
        guard let definition, let values = definition.presets.first(where: { $0.number == preset.rawValue }) else {
            return
        }
        definition.load(values, into: store)
    }
}

/// The parameters of a distortion: places in the store, and Core Audio's addresses.
enum DistortionParameter: Int {
    case delay, decay, delayMix, decimation, rounding, decimationMix, linearTerm, squaredTerm, cubicTerm, polynomialMix
    case ringFrequency1, ringFrequency2, ringBalance, ringMix, softClipGain, mix
}

extension EffectDefinition {
    /// AUDistortion.
    static let distortion = EffectDefinition(
        kAudioUnitSubType_Distortion,
        "AUDistortion",
        Distortion.self,
        parameters: [
            UnitParameter(0, "delay", "Delay", .milliseconds, 0.1...500, 0.1),
            UnitParameter(1, "decay", "Decay", .rate, 0.1...50, 1),
            UnitParameter(2, "delayMix", "Delay Mix", .percent, 0...100, 50),
            UnitParameter(3, "decimation", "Decimation", .percent, 0...100, 0),
            UnitParameter(4, "rounding", "Rounding", .percent, 0...100, 0),
            UnitParameter(5, "decimationMix", "Decimation Mix", .percent, 0...100, 50),
            UnitParameter(6, "linearTerm", "Linear Term", .linearGain, 0...1, 1),
            UnitParameter(7, "squaredTerm", "Squared Term", .linearGain, 0...20, 0),
            UnitParameter(8, "cubicTerm", "Cubic Term", .linearGain, 0...20, 0),
            UnitParameter(9, "polynomialMix", "Polynomial Mix", .percent, 0...100, 50),
            UnitParameter(10, "ringModFreq1", "Ring Mod Frequency 1", .hertz, 0.5...8_000, 100),
            UnitParameter(11, "ringModFreq2", "Ring Mod Frequency 2", .hertz, 0.5...8_000, 100),
            UnitParameter(12, "ringModBalance", "Ring Mod Balance", .percent, 0...100, 50),
            UnitParameter(13, "ringModMix", "Ring Mod Mix", .percent, 0...100, 0),
            UnitParameter(14, "softClipGain", "Soft Clip Gain", .decibels, -80...20, -6),
            UnitParameter(15, "finalMix", "Final Mix", .percent, 0...100, 50),
        ],
        presets: presets.map { preset, name, values in
            Preset(
                number: preset.rawValue,
                name: name,
                values: Dictionary(uniqueKeysWithValues: off.merging(values) { $1 }.map { (UInt64($0.rawValue), $1) })
            )
        }
    )

    /// Stages that a preset does not name are off.
    private static let off: [DistortionParameter: Float] = [.delayMix: 0, .decimationMix: 0, .polynomialMix: 0]

    /// All presets, with gains that make each about as loud as its input.
    private static let presets: [(AVAudioUnitDistortionPreset, String, [DistortionParameter: Float])] = [
        (
            .drumsBitBrush, "Drums: Bit Brush",
            [.rounding: 64, .decimation: 15, .decimationMix: 80, .softClipGain: 0]
        ),
        (
            .drumsBufferBeats, "Drums: Buffer Beats",
            [.delay: 125, .decay: 0.45, .delayMix: 50, .decimation: 20, .decimationMix: 40, .softClipGain: 3]
        ),
        (.drumsLoFi, "Drums: Lo-Fi", [.rounding: 65, .decimation: 55, .decimationMix: 100, .softClipGain: 1]),
        (
            .multiBrokenSpeaker, "Multi: Broken Speaker",
            [
                .delay: 1.3, .decay: 50, .delayMix: 35, .linearTerm: 0.6, .squaredTerm: 3, .cubicTerm: 5,
                .polynomialMix: 70,
                .rounding: 40, .decimation: 30, .decimationMix: 40, .softClipGain: 1.5,
            ]
        ),
        (
            .multiCellphoneConcert, "Multi: Cellphone Concert",
            [
                .decimation: 47, .rounding: 50, .decimationMix: 100, .squaredTerm: 2, .cubicTerm: 6, .polynomialMix: 60,
                .softClipGain: -1,
            ]
        ),
        (.multiDecimated1, "Multi: Decimated 1", [.decimation: 30, .decimationMix: 100, .softClipGain: 0]),
        (
            .multiDecimated2, "Multi: Decimated 2",
            [.decimation: 48, .decimationMix: 100, .rounding: 20, .softClipGain: 0]
        ),
        (
            .multiDecimated3, "Multi: Decimated 3",
            [.decimation: 64, .decimationMix: 100, .rounding: 40, .softClipGain: 0]
        ),
        (
            .multiDecimated4, "Multi: Decimated 4",
            [.decimation: 82, .decimationMix: 100, .rounding: 55, .softClipGain: 1]
        ),
        (
            .multiDistortedFunk, "Multi: Distorted Funk",
            [.squaredTerm: 6, .cubicTerm: 4, .polynomialMix: 60, .softClipGain: 0]
        ),
        (
            .multiDistortedCubed, "Multi: Distorted Cubed",
            [.linearTerm: 0.3, .cubicTerm: 12, .polynomialMix: 85, .softClipGain: -4]
        ),
        (
            .multiDistortedSquared, "Multi: Distorted Squared",
            [.linearTerm: 0.3, .squaredTerm: 10, .polynomialMix: 85, .softClipGain: -1]
        ),
        (.multiEcho1, "Multi: Echo 1", [.delay: 250, .decay: 0.6, .delayMix: 45, .softClipGain: 2]),
        (.multiEcho2, "Multi: Echo 2", [.delay: 430, .decay: 0.3, .delayMix: 45, .softClipGain: 2.5]),
        (.multiEchoTight1, "Multi: Echo Tight 1", [.delay: 40, .decay: 3, .delayMix: 50, .softClipGain: 2.5]),
        (.multiEchoTight2, "Multi: Echo Tight 2", [.delay: 85, .decay: 2, .delayMix: 50, .softClipGain: 3]),
        (
            .multiEverythingIsBroken, "Multi: Everything Is Broken",
            [
                .delay: 120, .decay: 1.5, .delayMix: 30, .decimation: 60, .rounding: 50, .decimationMix: 70,
                .squaredTerm: 4, .cubicTerm: 8, .polynomialMix: 60, .ringFrequency1: 330, .ringFrequency2: 70,
                .ringMix: 25, .softClipGain: 5,
            ]
        ),
        (
            .speechAlienChatter, "Speech: Alien Chatter",
            [
                .ringFrequency1: 620, .ringFrequency2: 1410, .ringBalance: 50, .ringMix: 80, .delay: 12, .decay: 1,
                .delayMix: 30, .softClipGain: 6,
            ]
        ),
        (
            .speechCosmicInterference, "Speech: Cosmic Interference",
            [
                .ringFrequency1: 1210, .ringFrequency2: 37, .ringBalance: 60, .ringMix: 70, .decimation: 50,
                .decimationMix: 50, .rounding: 30, .softClipGain: 7,
            ]
        ),
        (
            .speechGoldenPi, "Speech: Golden Pi",
            [.ringFrequency1: 314.159, .ringFrequency2: 161.803, .ringBalance: 50, .ringMix: 75, .softClipGain: 6.5]
        ),
        (
            .speechRadioTower, "Speech: Radio Tower",
            [
                .decimation: 58, .rounding: 40, .decimationMix: 50, .cubicTerm: 6, .polynomialMix: 60,
                .softClipGain: 2, .ringFrequency1: 60, .ringFrequency2: 2_100, .ringBalance: 30, .ringMix: 20,
            ]
        ),
        (
            .speechWaves, "Speech: Waves",
            [.ringFrequency1: 12, .ringFrequency2: 7.3, .ringBalance: 50, .ringMix: 85, .softClipGain: 7]
        ),
    ]
}

extension Distortion.Settings {
    fileprivate init(_ store: ParameterStore) {
        func value(_ parameter: DistortionParameter) -> Double { store.double(parameter.rawValue) }
        func share(_ parameter: DistortionParameter) -> Double { value(parameter) / 100 }
        self.init()
        (delay, decay, delayMix) = (value(.delay) / 1_000, value(.decay), share(.delayMix))
        (decimation, rounding, decimationMix) = (share(.decimation), share(.rounding), share(.decimationMix))
        (linearTerm, squaredTerm, cubicTerm) = (value(.linearTerm), value(.squaredTerm), value(.cubicTerm))
        (polynomialMix, ringMix, ringBalance) = (share(.polynomialMix), share(.ringMix), share(.ringBalance))
        (ringFrequency1, ringFrequency2) = (value(.ringFrequency1), value(.ringFrequency2))
        (softClipGain, mix) = (value(.softClipGain), share(.mix))
    }

    /// Returns the time in seconds until the echoes, the clipper's gain and the DC filter have decayed by 180 dB.
    fileprivate func tailTime(sampleRate: Double) -> Double {
        let rounds = (21 + max(0, softClipGain) / 8.7) / max(decay * delay / 0.1, 1e-3)
        let echoes = delay * (delayMix > 0 ? rounds + 2 : 1)
        return min(echoes + 0.2 + 2 * Double(Distortion.latencyFrames) / sampleRate, 3_600)
    }
}

extension Distortion: EffectProcessor {
    init(_ store: ParameterStore, sampleRate: Double, channelCount: Int) {
        self.init(sampleRate: sampleRate, channelCount: channelCount)
    }

    static func latency(_ store: ParameterStore, sampleRate: Double) -> Double { Double(latencyFrames) / sampleRate }

    static func tailTime(_ store: ParameterStore, sampleRate: Double) -> Double {
        Settings(store).tailTime(sampleRate: sampleRate)
    }

    static func longestGap(_ store: ParameterStore, sampleRate: Double) -> Double {
        Settings(store).delay + latency(store, sampleRate: sampleRate) + 0.05
    }

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
