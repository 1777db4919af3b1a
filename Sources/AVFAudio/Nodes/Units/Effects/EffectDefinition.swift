import AudioDSP
import CoreAudioTypes
import Foundation
import Synchronization

/// An effect of the library: its description, its parameters and its kernel.
struct EffectDefinition: Sendable {
    /// A set of values with a name.
    struct Preset: Sendable {
        let number: Int
        let name: String
        /// The values by the address of the parameter; the others have their defaults, and all stay as they are if it is empty.
        let values: [UInt64: Float]
    }

    /// Core Audio's subtype.
    let subtype: OSType
    /// Core Audio's name.
    let name: String
    let parameters: [UnitParameter]
    var presets: [Preset] = []
    /// Seconds by which the output lags.
    var latency: @Sendable (ParameterStore, _ sampleRate: Double) -> TimeInterval = { _, _ in 0 }
    /// Seconds for which it sounds on when the input has become silent.
    let tailTime: @Sendable (ParameterStore, _ sampleRate: Double) -> TimeInterval
    let makeKernel: @Sendable (ParameterStore, _ sampleRate: Double, _ channelCount: Int) -> AVAudioUnitKernel

    /// Sets the values of a preset in `store`.
    func load(_ preset: Preset, into store: ParameterStore) {
        defer { store.preset.store(preset.number, ordering: .relaxed) }
        guard !preset.values.isEmpty else { return }
        for (index, parameter) in parameters.enumerated() where !parameter.isReadOnly {
            store.set(index, to: preset.values[parameter.address] ?? parameter.initial)
        }
    }

    /// The definitions of the effects that have a subtype of Core Audio's.
    static let all: [EffectDefinition] = [
        .equaliser(bandCount: 16), .delay, .distortion, .reverb, .lowPass, .highPass, .bandPass, .lowShelf,
        .highShelf, .parametricEqualiser, .dynamicsProcessor, .peakLimiter,
    ]
}

/// A kernel of a filter.
private final class FilterKernel: AVAudioUnitKernel {
    private let store: ParameterStore
    private let settings: @Sendable (ParameterStore) -> FilterSettings
    private let channelCount: Int
    @exclusivity(unchecked) private var filter: SmoothedFilter
    // Unchecked: the render thread alone touches it.

    init(
        _ store: ParameterStore,
        sampleRate: Double,
        channelCount: Int,
        settings: @escaping @Sendable (ParameterStore) -> FilterSettings
    ) {
        self.store = store
        self.settings = settings
        self.channelCount = channelCount
        filter = SmoothedFilter(sampleRate: sampleRate, channelCount: channelCount)
    }

    override func process(
        _ input: UnsafePointer<UnsafeMutablePointer<Float>>,
        into output: UnsafePointer<UnsafeMutablePointer<Float>>,
        frameCount: Int
    ) {
        for channel in 0..<channelCount {
            copySamples(from: input[channel], to: output[channel], count: frameCount)
        }
        filter.set(settings(store), isActive: true)
        filter.process(output, channelCount: channelCount, frameCount: frameCount)
    }

    override func reset() { filter.reset() }

    override func currentTailTime(sampleRate: Double) -> Double {
        FilterCoefficients(settings(store), sampleRate: sampleRate).tailTime(sampleRate: sampleRate)
    }
}

// MARK: - Filters

extension EffectDefinition {
    /// The upper end of frequencies; the kernels stop at 0.499 of the sample rate.
    static let highestFrequency: Float = 192_000

    private static func filter(
        _ subtype: OSType,
        _ name: String,
        _ parameters: [UnitParameter],
        _ settings: @escaping @Sendable (ParameterStore) -> FilterSettings
    ) -> EffectDefinition {
        EffectDefinition(
            subtype: subtype,
            name: name,
            parameters: parameters,
            tailTime: { store, sampleRate in
                FilterCoefficients(settings(store), sampleRate: sampleRate).tailTime(sampleRate: sampleRate)
            },
            makeKernel: { store, sampleRate, channelCount in
                FilterKernel(store, sampleRate: sampleRate, channelCount: channelCount, settings: settings)
            }
        )
    }

    /// AULowpass: the resonance is the gain at the cutoff in dB, so that 0 dB is a quality of 1.
    static let lowPass = filter(
        kAudioUnitSubType_LowPassFilter,
        "AULowpass",
        [
            UnitParameter(0, "cutoff", "Cutoff Frequency", .hertz, 10...highestFrequency, 6_900),
            UnitParameter(1, "resonance", "Resonance", .decibels, -20...40, 0),
        ]
    ) { FilterSettings(.lowPass, frequency: $0.double(0), quality: exp($0.double(1) * (log(10) / 20))) }

    /// AUHipass: the resonance is the gain at the cutoff in dB, so that 0 dB is a quality of 1.
    static let highPass = filter(
        kAudioUnitSubType_HighPassFilter,
        "AUHipass",
        [
            UnitParameter(0, "cutoff", "Cutoff Frequency", .hertz, 10...highestFrequency, 6_900),
            UnitParameter(1, "resonance", "Resonance", .decibels, -20...40, 0),
        ]
    ) { FilterSettings(.highPass, frequency: $0.double(0), quality: exp($0.double(1) * (log(10) / 20))) }

    /// AUBandpass.
    static let bandPass = filter(
        kAudioUnitSubType_BandPassFilter,
        "AUBandpass",
        [
            UnitParameter(0, "center", "Center Frequency", .hertz, 20...highestFrequency, 5_000),
            UnitParameter(1, "bandwidth", "Bandwidth", .cents, 100...12_000, 600),
        ]
    ) { FilterSettings(.bandPass, frequency: $0.double(0), bandwidth: $0.double(1) / 1_200) }

    /// AULowShelfFilter.
    static let lowShelf = filter(
        kAudioUnitSubType_LowShelfFilter,
        "AULowShelfFilter",
        [
            UnitParameter(0, "cutoff", "Cutoff Frequency", .hertz, 10...200, 80),
            UnitParameter(1, "gain", "Gain", .decibels, -40...40, 0),
        ]
    ) { FilterSettings(.lowShelf, frequency: $0.double(0), gain: $0.double(1)) }

    /// AUHighShelfFilter.
    static let highShelf = filter(
        kAudioUnitSubType_HighShelfFilter,
        "AUHighShelfFilter",
        [
            UnitParameter(0, "cutoff", "Cut Off Frequency", .hertz, 10_000...highestFrequency, 10_000),
            UnitParameter(1, "gain", "Gain", .decibels, -40...40, 0),
        ]
    ) { FilterSettings(.highShelf, frequency: $0.double(0), gain: $0.double(1)) }

    /// AUParametricEQ.
    static let parametricEqualiser = filter(
        kAudioUnitSubType_ParametricEQ,
        "AUParametricEQ",
        [
            UnitParameter(0, "center", "Center Frequency", .hertz, 20...highestFrequency, 2_000),
            UnitParameter(1, "q", "Q", .generic, 0.1...20, 1),
            UnitParameter(2, "gain", "Gain", .decibels, -20...20, 0),
        ]
    ) { FilterSettings(.parametric, frequency: $0.double(0), gain: $0.double(2), quality: $0.double(1)) }
}

extension ParameterStore {
    /// The value of a parameter.
    @_noLocks @_noAllocation
    func double(_ index: Int) -> Double { Double(value(index)) }
}
