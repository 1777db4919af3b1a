public import CoreAudioTypes
public import Foundation
import Synchronization

/// A unit without an input, written by the program.
///
/// It is created by `AVAudioUnit.instantiate(with:)` for a class that is registered with the type `augn`.
open class AVAudioUnitGenerator: AVAudioUnit, AVAudioMixing, @unchecked Sendable {
    // Unchecked: as `HostedSource`.
    private let source = HostedSource()

    override init(hosting unit: AUAudioUnit) { super.init(hosting: unit) }

    override var hostedSource: HostedSource? { source }

    /// Creates a generator from a description.
    ///
    /// Stops the program with a message if none is registered or its class throws: `AVAudioUnit.instantiate(with:)`
    /// throws instead.
    public convenience init(audioComponentDescription: AudioComponentDescription) {
        guard let unit = try? UnitRegistry.shared.entry(audioComponentDescription)?.make() else {
            fatalError(
                "No generator of that description is registered: use AVAudioUnit.instantiate(with:), which throws."
            )
        }
        self.init(hosting: unit)
    }

    /// Always 0.
    open override var numberOfInputs: Int { 0 }

    override var takesFormatOfTap: Bool { true }

    /// Whether the unit is silent.
    ///
    /// Default false.
    open var bypass: Bool {
        get { auAudioUnit.shouldBypassEffect }
        set { auAudioUnit.shouldBypassEffect = newValue }
    }

    /// Clears the unit's internal audio at the next block.
    open override func reset() { auAudioUnit.reset() }

    /// The delay of the output in seconds.
    open override var latency: TimeInterval { hosted?.latency ?? 0 }
}

extension AVAudioUnit {
    /// Returns a node that renders a unit of the program's own, by its type.
    static func hosting(_ unit: AUAudioUnit) -> AVAudioUnit {
        switch unit.componentDescription.componentType {
        case kAudioUnitType_Generator: AVAudioUnitGenerator(hosting: unit)
        case kAudioUnitType_MusicDevice: AVAudioUnitMIDIInstrument(hosting: unit)
        default: AVAudioUnitEffect(hosting: unit)
        }
    }
}

extension ParameterStore {
    /// Creates a store that forwards to the parameter tree of a custom unit.
    convenience init(_ unit: AUAudioUnit) {
        let parameters = unit.parameterTree?.allParameters ?? []
        let descriptions = parameters.map { parameter in
            UnitParameter(
                parameter.address,
                parameter.identifier,
                parameter.displayName,
                parameter.unit,
                parameter.minValue...parameter.maxValue,
                parameter.value,
                valueNames: parameter.valueStrings ?? [],
                isReadOnly: parameter.flags.contains(.flag_MeterReadOnly)
            )
        }
        self.init(
            descriptions,
            bridge: Bridge(get: { parameters[$0].value }, set: { parameters[$0].value = $1 })
        )
    }
}
