package import AVFAudio
import CoreAudioTypes

/// An effect that `--effect` can name: its keys, and how its unit is made.
package struct EffectKind: Sendable {
    /// A parameter with a numeric value.
    package struct NumberKey: Sendable {
        package let name: String
        /// The address of the parameter of the unit.
        package let address: AUParameterAddress
        package let range: ClosedRange<Double>
        package let initial: Double
        /// The unit of the number, empty if it has none.
        package let unit: String
    }

    /// A key that takes one of several names.
    package struct NameKey: Sendable {
        package let name: String
        package let values: [String]
        package let initial: String
        /// The keys that a preset does not set.
        package var keptKeys: Set<String> = []
        /// Sets the value at a place of `values`.
        package let apply: @Sendable (AVAudioUnitEffect, Int) -> Void
    }

    package let name: String
    package let summary: String
    package let nameKeys: [NameKey]
    package let numberKeys: [NumberKey]
    package let make: @Sendable () -> AVAudioUnitEffect

    /// Ranges, defaults and units are those of the parameters of the unit.
    init(
        _ name: String,
        _ summary: String,
        names: [NameKey] = [],
        numbers: [(name: String, address: AUParameterAddress)],
        make: @escaping @Sendable () -> AVAudioUnitEffect
    ) {
        self.name = name
        self.summary = summary
        nameKeys = names
        self.make = make
        let tree = make().auAudioUnit.parameterTree
        numberKeys = numbers.compactMap { name, address in
            tree?.parameter(withAddress: address).map { parameter in
                NumberKey(
                    name: name,
                    address: address,
                    range: Self.rounded(parameter.minValue)...Self.rounded(parameter.maxValue),
                    initial: Self.rounded(parameter.value),
                    unit: Self.text(parameter.unit)
                )
            }
        }
    }

    /// The names of all keys, in the order of the help.
    package var keyNames: [String] { nameKeys.map(\.name) + numberKeys.map(\.name) }

    /// 0.0001 as a float is 0.0000999999974737875.
    private static func rounded(_ value: Float) -> Double { Double("\(value)") ?? Double(value) }

    private static func text(_ unit: AudioUnitParameterUnit) -> String {
        switch unit {
        case .hertz: "Hz"
        case .decibels: "dB"
        case .seconds: "s"
        case .percent, .equalPowerCrossfade: "%"
        case .octaves: "octaves"
        default: ""
        }
    }
}

// MARK: - The effects

extension EffectKind {
    /// All effects, by their names.
    package static let all: [EffectKind] = [
        equalizer, lowPass, highPass, reverb, reverb2, delay, distortion, compressor, limiter,
    ]

    /// Returns the effect of a name.
    package static func named(_ name: String) -> EffectKind? { all.first { $0.name == name } }

    private static let equalizer = EffectKind(
        "eq",
        "One band of an equalizer; repeat it for more.",
        names: [
            NameKey(
                name: "type",
                values: AVAudioUnitEQFilterType.allCases.map { "\($0)" },
                initial: "parametric"
            ) { unit, index in
                let type = AVAudioUnitEQFilterType(rawValue: index)
                if let type { (unit as? AVAudioUnitEQ)?.bands.first?.filterType = type }
            }
        ],
        numbers: [("frequency", 3_000), ("bandwidth", 5_000), ("gain", 4_000)]
    ) {
        let unit = AVAudioUnitEQ(numberOfBands: 1)
        unit.bands.first?.bypass = false
        return unit
    }

    private static let lowPass = EffectKind(
        "lowpass",
        "A low-pass filter.",
        numbers: [("frequency", 0), ("resonance", 1)]
    ) { effect(kAudioUnitSubType_LowPassFilter) }

    private static let highPass = EffectKind(
        "highpass",
        "A high-pass filter.",
        numbers: [("frequency", 0), ("resonance", 1)]
    ) { effect(kAudioUnitSubType_HighPassFilter) }

    private static let reverb = EffectKind(
        "reverb",
        "Reverberation; a preset sets all keys except wetDryMix.",
        names: [
            NameKey(
                name: "preset",
                values: AVAudioUnitReverbPreset.allCases.map { "\($0)" },
                initial: "mediumHall",
                keptKeys: ["wetDryMix"]
            ) { unit, index in
                let preset = AVAudioUnitReverbPreset(rawValue: index)
                if let preset { (unit as? AVAudioUnitReverb)?.loadFactoryPreset(preset) }
            }
        ],
        numbers: [
            ("wetDryMix", 0), ("smallLargeMix", 1), ("smallSize", 2), ("largeSize", 3), ("preDelay", 4),
            ("largeDelay", 5), ("smallDensity", 6), ("largeDensity", 7), ("largeDelayRange", 8),
            ("smallBrightness", 9), ("largeBrightness", 10), ("smallDelayRange", 11), ("modulationRate", 12),
            ("modulationDepth", 13), ("filterFrequency", 14), ("filterBandwidth", 15), ("filterGain", 16),
        ]
    ) { AVAudioUnitReverb() }

    private static let reverb2 = EffectKind(
        "reverb2",
        "Reverberation with adjustable delays and decay times.",
        numbers: [
            ("wetDryMix", 0), ("gain", 1), ("minDelayTime", 2), ("maxDelayTime", 3), ("decayTimeAt0Hz", 4),
            ("decayTimeAtNyquist", 5), ("randomizeReflections", 6),
        ]
    ) { effect(kAudioUnitSubType_Reverb2) }

    private static let delay = EffectKind(
        "delay",
        "Echoes.",
        numbers: [("time", 1), ("feedback", 2), ("lowPassCutoff", 3), ("wetDryMix", 0)]
    ) { AVAudioUnitDelay() }

    private static let distortion = EffectKind(
        "distortion",
        "Distortion; a preset sets all keys that are not given.",
        names: [
            NameKey(
                name: "preset",
                values: AVAudioUnitDistortionPreset.allCases.map { "\($0)" },
                initial: ""
            ) { unit, index in
                let preset = AVAudioUnitDistortionPreset(rawValue: index)
                if let preset { (unit as? AVAudioUnitDistortion)?.loadFactoryPreset(preset) }
            }
        ],
        numbers: [("preGain", 14), ("wetDryMix", 15)]
    ) { AVAudioUnitDistortion() }

    private static let compressor = EffectKind(
        "compressor",
        "Reduces the level of loud parts.",
        numbers: [("threshold", 0), ("headRoom", 1), ("attack", 4), ("release", 5), ("overallGain", 6)]
    ) { effect(kAudioUnitSubType_DynamicsProcessor) }

    private static let limiter = EffectKind(
        "limiter",
        "Keeps peaks below full scale.",
        numbers: [("attack", 0), ("decay", 1), ("preGain", 2)]
    ) { effect(kAudioUnitSubType_PeakLimiter) }

    @Sendable private static func effect(_ subtype: OSType) -> AVAudioUnitEffect {
        var description = AudioComponentDescription()
        description.componentType = kAudioUnitType_Effect
        description.componentSubType = subtype
        return AVAudioUnitEffect(audioComponentDescription: description)
    }
}
