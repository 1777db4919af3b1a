import CoreAudioTypes
import Foundation
import Synchronization
import SyrinxDSP

extension EffectDefinition {
    /// AUMatrixReverb: two spaces, a small one of early reflections and a large one.
    static let reverb: EffectDefinition = EffectDefinition(
        kAudioUnitSubType_MatrixReverb,
        "AUMatrixReverb",
        MatrixReverbProcessor.self,
        parameters: [
            UnitParameter(0, "wetDryMix", "Dry/Wet Mix", .equalPowerCrossfade, 0...100, 100),
            UnitParameter(1, "smallLargeMix", "Small/Large Mix", .equalPowerCrossfade, 0...100, 50),
            // Core Audio's header states 0.06, which is outside its own range.
            UnitParameter(2, "smallSize", "Small Size", .seconds, 0.005...0.02, 0.02),
            UnitParameter(3, "largeSize", "Large Size", .seconds, 0.4...10, 3.07),
            UnitParameter(4, "preDelay", "Pre-Delay", .seconds, 0.001...0.03, 0.025),
            UnitParameter(5, "largeDelay", "Large Delay", .seconds, 0.001...0.1, 0.035),
            UnitParameter(6, "smallDensity", "Small Density", .generic, 0...1, 0.28),
            UnitParameter(7, "largeDensity", "Large Density", .generic, 0...1, 0.82),
            UnitParameter(8, "largeDelayRange", "Large Delay Range", .generic, 0...1, 0.3),
            UnitParameter(9, "smallBrightness", "Small Brightness", .generic, 0.1...1, 0.96),
            UnitParameter(10, "largeBrightness", "Large Brightness", .generic, 0.1...1, 0.49),
            UnitParameter(11, "smallDelayRange", "Small Delay Range", .generic, 0...1, 0.5),
            UnitParameter(12, "modulationRate", "Modulation Rate", .hertz, 0.001...2, 1),
            UnitParameter(13, "modulationDepth", "Modulation Depth", .generic, 0...1, 0.2),
            UnitParameter(14, "filterFrequency", "Filter Frequency", .hertz, 10...20_000, 800),
            UnitParameter(15, "filterBandwidth", "Filter Bandwidth", .octaves, 0.05...4, 3),
            UnitParameter(16, "filterGain", "Filter Gain", .decibels, -18...18, 0),
        ],
        presets: ReverbPreset.allCases.map { preset in
            Preset(
                number: preset.rawValue,
                name: "\(preset)",
                values: values(MatrixReverbParameters(preset)),
                // A preset does not change the dry/wet mix.
                kept: [UInt64(kReverbParam_DryWetMix)]
            )
        },
        properties: [
            // The types have the numbers of the presets.
            kAudioUnitProperty_ReverbRoomType: UnitProperty(
                kAudioUnitScope_Global,
                size: 4,
                write: { unit, _, input in
                    let number = Int(try input.value(UInt32.self))
                    guard let preset = reverb.presets.first(where: { $0.number == number }) else {
                        throw UnitStatus.invalidValue
                    }
                    reverb.load(preset, into: unit.store)
                },
                read: { unit, _ in
                    let preset = ReverbPreset(rawValue: unit.store.preset.load(ordering: .relaxed)) ?? .mediumHall
                    return .value(UInt32(preset.rawValue))
                }
            )
        ]
    )

    private static func values(_ parameters: MatrixReverbParameters) -> [UInt64: Float] {
        let values: [AudioUnitParameterID: Double] = [
            kReverbParam_SmallLargeMix: 100 * parameters.largeShare,
            kReverbParam_SmallSize: parameters.smallSize,
            kReverbParam_LargeSize: parameters.largeSize,
            kReverbParam_PreDelay: parameters.preDelay,
            kReverbParam_LargeDelay: parameters.largeDelay,
            kReverbParam_SmallDensity: parameters.smallDensity,
            kReverbParam_LargeDensity: parameters.largeDensity,
            kReverbParam_LargeDelayRange: parameters.largeDelayRange,
            kReverbParam_SmallBrightness: parameters.smallBrightness,
            kReverbParam_LargeBrightness: parameters.largeBrightness,
            kReverbParam_SmallDelayRange: parameters.smallDelayRange,
            kReverbParam_ModulationRate: parameters.modulationRate,
            kReverbParam_ModulationDepth: parameters.modulationDepth,
        ]
        return Dictionary(uniqueKeysWithValues: values.map { (UInt64($0), Float($1)) })
    }

    /// AUReverb2: a space by the delays and the decay of its lines.
    static let reverb2 = EffectDefinition(
        kAudioUnitSubType_Reverb2,
        "AUReverb2",
        Reverb2Processor.self,
        parameters: [
            UnitParameter(0, "dryWetMix", "Dry/Wet Mix", .equalPowerCrossfade, 0...100, 100),
            UnitParameter(1, "gain", "Gain", .decibels, -20...20, 0),
            UnitParameter(2, "minDelayTime", "Min Delay Time", .seconds, 0.000_1...1, 0.008),
            UnitParameter(3, "maxDelayTime", "Max Delay Time", .seconds, 0.000_1...1, 0.05),
            UnitParameter(4, "decayTimeAt0Hz", "Decay Time At 0 Hz", .seconds, 0.001...20, 1),
            UnitParameter(5, "decayTimeAtNyquist", "Decay Time At Nyquist", .seconds, 0.001...20, 0.5),
            UnitParameter(6, "randomizeReflections", "Randomize Reflections", .generic, 1...1_000, 1),
        ]
    )
}

extension ReverbSettings {
    /// The settings of a matrix reverb's store.
    fileprivate init(matrix store: ParameterStore) {
        var parameters = MatrixReverbParameters()
        parameters.largeShare = store.double(1) / 100
        parameters.smallSize = store.double(2)
        parameters.largeSize = store.double(3)
        parameters.preDelay = store.double(4)
        parameters.largeDelay = store.double(5)
        parameters.smallDensity = store.double(6)
        parameters.largeDensity = store.double(7)
        parameters.largeDelayRange = store.double(8)
        parameters.smallBrightness = store.double(9)
        parameters.largeBrightness = store.double(10)
        parameters.smallDelayRange = store.double(11)
        parameters.modulationRate = store.double(12)
        parameters.modulationDepth = store.double(13)
        self.init(parameters)
    }

    /// The settings of a reverb 2's store.
    fileprivate init(reverb2 store: ParameterStore) {
        var parameters = Reverb2Parameters()
        parameters.minDelayTime = store.double(2)
        parameters.maxDelayTime = store.double(3)
        parameters.decayTimeAt0Hz = store.double(4)
        parameters.decayTimeAtNyquist = store.double(5)
        parameters.randomizeReflections = Int(store.double(6).rounded())
        self.init(parameters)
    }
}

/// A matrix reverb.
struct MatrixReverbProcessor: ~Copyable, EffectProcessor {
    private var reverb: Reverb
    private var settings: ReverbSettings

    init(_ store: ParameterStore, sampleRate: Double, channelCount: Int) {
        reverb = Reverb(sampleRate: sampleRate, channelCount: channelCount, limits: .matrix)
        settings = ReverbSettings(matrix: store)
        reverb.set(settings, mix: store.double(0) / 100)
    }

    static func tailTime(_ store: ParameterStore, sampleRate: Double) -> Double {
        let filter = filter(store)
        let ringing =
            filter.gain == 0 ? 0 : FilterCoefficients(filter, sampleRate: sampleRate).tailTime(sampleRate: sampleRate)
        return ReverbSettings(matrix: store).tailTime(sampleRate: sampleRate) + ringing
    }

    static func longestGap(_ store: ParameterStore, sampleRate: Double) -> Double {
        ReverbSettings(matrix: store).longestGap
    }

    private static func filter(_ store: ParameterStore) -> FilterSettings {
        FilterSettings(
            .parametric,
            frequency: store.double(14),
            bandwidth: store.double(15),
            gain: store.double(16)
        )
    }

    mutating func process(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        channelCount: Int,
        frameCount: Int,
        parameters store: ParameterStore
    ) {
        // The values of a preset are applied together: a mixture of two presets would sound like neither.
        let loads = store.loads.load(ordering: .acquiring)
        if loads & 1 == 0 {
            let new = ReverbSettings(matrix: store)
            atomicMemoryFence(ordering: .acquiring)
            if store.loads.load(ordering: .relaxed) == loads { settings = new }
        }
        let filter = Self.filter(store)
        reverb.setFilter(filter, isActive: filter.gain != 0)
        reverb.set(settings, mix: store.double(0) / 100)
        reverb.process(channels, frameCount: frameCount)
    }

    mutating func reset() { reverb.reset() }
}

/// A reverb 2.
struct Reverb2Processor: ~Copyable, EffectProcessor {
    private var reverb: Reverb

    init(_ store: ParameterStore, sampleRate: Double, channelCount: Int) {
        reverb = Reverb(sampleRate: sampleRate, channelCount: channelCount, limits: .reverb2)
        // Taken up here, and not on the render thread.
        reverb.set(ReverbSettings(reverb2: store), mix: store.double(0) / 100)
    }

    static func tailTime(_ store: ParameterStore, sampleRate: Double) -> Double {
        ReverbSettings(reverb2: store).tailTime(sampleRate: sampleRate)
    }

    static func longestGap(_ store: ParameterStore, sampleRate: Double) -> Double {
        ReverbSettings(reverb2: store).longestGap
    }

    mutating func process(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        channelCount: Int,
        frameCount: Int,
        parameters store: ParameterStore
    ) {
        let gain = SyrinxDSP.gain(decibels: store.double(1))
        reverb.set(ReverbSettings(reverb2: store), mix: store.double(0) / 100, gain: gain)
        reverb.process(channels, frameCount: frameCount)
    }

    mutating func reset() { reverb.reset() }
}
