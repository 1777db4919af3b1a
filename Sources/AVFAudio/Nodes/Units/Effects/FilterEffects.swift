import CoreAudioTypes
import SyrinxDSP

/// The settings of a filter by the parameters of its unit.
protocol FilterParameters {
    static func settings(_ store: ParameterStore) -> FilterSettings
}

/// One filter.
struct FilterProcessor<Parameters: FilterParameters>: ~Copyable, EffectProcessor {
    private var filter: SmoothedFilter

    init(_ store: ParameterStore, sampleRate: Double, channelCount: Int) {
        filter = SmoothedFilter(sampleRate: sampleRate, channelCount: channelCount)
    }

    static func tailTime(_ store: ParameterStore, sampleRate: Double) -> Double {
        FilterCoefficients(Parameters.settings(store), sampleRate: sampleRate).tailTime(sampleRate: sampleRate)
    }

    mutating func process(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        channelCount: Int,
        frameCount: Int,
        parameters store: ParameterStore
    ) {
        filter.set(Parameters.settings(store), isActive: true)
        filter.process(channels, channelCount: channelCount, frameCount: frameCount)
    }

    mutating func reset() { filter.reset() }
}

// MARK: - Filters

private enum LowPassParameters: FilterParameters {
    static func settings(_ store: ParameterStore) -> FilterSettings {
        FilterSettings(.lowPass, frequency: store.double(0), quality: gain(decibels: store.double(1)))
    }
}

private enum HighPassParameters: FilterParameters {
    static func settings(_ store: ParameterStore) -> FilterSettings {
        FilterSettings(.highPass, frequency: store.double(0), quality: gain(decibels: store.double(1)))
    }
}

private enum BandPassParameters: FilterParameters {
    static func settings(_ store: ParameterStore) -> FilterSettings {
        FilterSettings(.bandPass, frequency: store.double(0), bandwidth: store.double(1) / 1_200)
    }
}

private enum LowShelfParameters: FilterParameters {
    static func settings(_ store: ParameterStore) -> FilterSettings {
        FilterSettings(.lowShelf, frequency: store.double(0), gain: store.double(1))
    }
}

private enum HighShelfParameters: FilterParameters {
    static func settings(_ store: ParameterStore) -> FilterSettings {
        FilterSettings(.highShelf, frequency: store.double(0), gain: store.double(1))
    }
}

private enum ParametricParameters: FilterParameters {
    static func settings(_ store: ParameterStore) -> FilterSettings {
        FilterSettings(.parametric, frequency: store.double(0), gain: store.double(2), quality: store.double(1))
    }
}

extension EffectDefinition {
    /// The upper end of frequencies; the kernels stop at 0.499 of the sample rate.
    static let highestFrequency: Float = 192_000

    /// The parameters of a low and of a high pass: the resonance is the gain at the cutoff, so that 0 dB is a quality
    /// of 1.
    private static let passParameters = [
        UnitParameter(0, "cutoff", "Cutoff Frequency", .hertz, 10...highestFrequency, 6_900),
        UnitParameter(1, "resonance", "Resonance", .decibels, -20...40, 0),
    ]

    /// AULowpass.
    static let lowPass = EffectDefinition(
        kAudioUnitSubType_LowPassFilter,
        "AULowpass",
        FilterProcessor<LowPassParameters>.self,
        parameters: passParameters
    )

    /// AUHipass.
    static let highPass = EffectDefinition(
        kAudioUnitSubType_HighPassFilter,
        "AUHipass",
        FilterProcessor<HighPassParameters>.self,
        parameters: passParameters
    )

    /// AUBandpass.
    static let bandPass = EffectDefinition(
        kAudioUnitSubType_BandPassFilter,
        "AUBandpass",
        FilterProcessor<BandPassParameters>.self,
        parameters: [
            UnitParameter(0, "center", "Center Frequency", .hertz, 20...highestFrequency, 5_000),
            UnitParameter(1, "bandwidth", "Bandwidth", .cents, 100...12_000, 600),
        ]
    )

    /// AULowShelfFilter.
    static let lowShelf = EffectDefinition(
        kAudioUnitSubType_LowShelfFilter,
        "AULowShelfFilter",
        FilterProcessor<LowShelfParameters>.self,
        parameters: [
            UnitParameter(0, "cutoff", "Cutoff Frequency", .hertz, 10...200, 80),
            UnitParameter(1, "gain", "Gain", .decibels, -40...40, 0),
        ]
    )

    /// AUHighShelfFilter.
    static let highShelf = EffectDefinition(
        kAudioUnitSubType_HighShelfFilter,
        "AUHighShelfFilter",
        FilterProcessor<HighShelfParameters>.self,
        parameters: [
            UnitParameter(0, "cutoff", "Cut Off Frequency", .hertz, 10_000...highestFrequency, 10_000),
            UnitParameter(1, "gain", "Gain", .decibels, -40...40, 0),
        ]
    )

    /// AUParametricEQ.
    static let parametricEqualiser = EffectDefinition(
        kAudioUnitSubType_ParametricEQ,
        "AUParametricEQ",
        FilterProcessor<ParametricParameters>.self,
        parameters: [
            UnitParameter(0, "center", "Center Frequency", .hertz, 20...highestFrequency, 2_000),
            UnitParameter(1, "q", "Q", .generic, 0.1...20, 1),
            UnitParameter(2, "gain", "Gain", .decibels, -20...20, 0),
        ]
    )
}
