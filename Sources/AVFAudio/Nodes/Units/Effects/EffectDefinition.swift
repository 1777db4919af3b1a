import CoreAudioTypes
import Foundation
import Synchronization

/// An effect of the library: its description, its parameters and its kernel.
struct EffectDefinition: Sendable {
    /// A set of values with a name.
    struct Preset: Sendable {
        let number: Int
        let name: String
        /// The values by the address of the parameter; the others have their defaults.
        let values: [UInt64: Float]
        /// The addresses of parameters that stay as they are.
        var kept: Set<UInt64> = []
    }

    /// Core Audio's subtype.
    let subtype: OSType
    /// Core Audio's name.
    let name: String
    let parameters: [UnitParameter]
    let presets: [Preset]
    /// Seconds by which the output lags.
    let latency: @Sendable (ParameterStore, _ sampleRate: Double) -> TimeInterval
    /// Seconds for which it sounds on when the input has become silent.
    let tailTime: @Sendable (ParameterStore, _ sampleRate: Double) -> TimeInterval
    /// Core Audio properties of this effect, in addition to those of all units.
    let properties: [AudioUnitPropertyID: UnitProperty]
    let makeKernel: @Sendable (ParameterStore, _ sampleRate: Double, _ channelCount: Int) -> AVAudioUnitKernel

    /// An effect that a processor makes.
    init<Processor: EffectProcessor & ~Copyable>(
        _ subtype: OSType,
        _ name: String,
        _ processor: Processor.Type,
        parameters: [UnitParameter],
        presets: [Preset] = [],
        properties: [AudioUnitPropertyID: UnitProperty] = [:]
    ) {
        self.properties = properties
        (self.subtype, self.name, self.parameters, self.presets) = (subtype, name, parameters, presets)
        latency = { Processor.latency($0, sampleRate: $1) }
        tailTime = { Processor.tailTime($0, sampleRate: $1) }
        makeKernel = { EffectKernel<Processor>($0, sampleRate: $1, channelCount: $2) }
    }

    /// Sets the values of a preset in `store`.
    func load(_ preset: Preset, into store: ParameterStore) {
        store.loads.wrappingAdd(1, ordering: .acquiringAndReleasing)
        for (index, parameter) in parameters.enumerated() where !parameter.isReadOnly {
            guard !preset.kept.contains(parameter.address) else { continue }
            store.set(index, to: preset.values[parameter.address] ?? parameter.initial)
        }
        store.preset.store(preset.number, ordering: .relaxed)
        store.loads.wrappingAdd(1, ordering: .releasing)
    }

    /// The definitions of the effects with a subtype: Core Audio's, and two of this library.
    static let all: [EffectDefinition] = [
        .equaliser(bandCount: 16), .delay, .distortion, .reverb, .reverb2, .lowPass, .highPass, .bandPass, .lowShelf,
        .highShelf, .parametricEqualiser, .dynamicsProcessor, .multibandCompressor, .peakLimiter,
        .voiceBoost, .stereoBalance,
    ]
}

extension ParameterStore {
    /// The value of a parameter.
    @_noLocks @_noAllocation
    func double(_ index: Int) -> Double { Double(value(index)) }
}
