public import CoreAudioTypes
public import Foundation
import Synchronization

/// A preset of a unit.
open class AUAudioUnitPreset: NSObject, @unchecked Sendable {
    // Unchecked: set before it is handed over.

    /// The number: 0 and more for presets of the unit, below 0 for the user's.
    open var number = 0
    /// The name for people.
    open var name = ""

    /// A preset with the number 0 and no name.
    public override init() {}

    init(number: Int, name: String) {
        super.init()
        (self.number, self.name) = (number, name)
    }
}

/// A unit as hosts see it: its parameters, presets and state.
///
/// Given by ``AVAudioUnit/auAudioUnit``. The node renders; this object neither renders nor can be subclassed to do so yet: see
/// ``AVAudioUnitEffect`` for an effect of one's own. May be used from any thread but the render thread.
public final class AUAudioUnit: NSObject, @unchecked Sendable {
    // Unchecked: constants, a weak reference set once, and a lock.
    private weak var node: AVAudioUnit?
    private let store: ParameterStore
    private let definition: EffectDefinition?
    private let userPreset = Mutex<AUAudioUnitPreset?>(nil)

    /// Core Audio's description of the unit.
    public let componentDescription: AudioComponentDescription
    /// The name of the unit for people.
    public let audioUnitName: String?
    /// The manufacturer of the unit.
    public let manufacturerName: String?
    /// The parameters, which are those of the node's properties; `nil` for a unit without parameters.
    public let parameterTree: AUParameterTree?

    init(_ node: AVAudioUnit) {
        self.node = node
        store = node.store
        definition = (node as? AVAudioUnitEffect)?.definition
        componentDescription = node.audioComponentDescription
        (audioUnitName, manufacturerName) = (node.name, node.manufacturerName)
        parameterTree = store.parameters.isEmpty ? nil : AUParameterTree(store)
    }

    /// The presets of the unit; `nil` if it has none.
    public var factoryPresets: [AUAudioUnitPreset]? {
        guard let presets = definition?.presets, !presets.isEmpty else { return nil }
        return presets.map { AUAudioUnitPreset(number: $0.number, name: $0.name) }
    }

    /// The preset that was set last.
    ///
    /// Setting one of the unit's sets its parameters; another number is only remembered.
    public var currentPreset: AUAudioUnitPreset? {
        get {
            if let preset = userPreset.withLock({ $0 }) { return preset }
            let number = store.preset.load(ordering: .relaxed)
            return factoryPresets?.first { $0.number == number }
        }
        set {
            guard let newValue else { return }
            if let definition, let preset = definition.presets.first(where: { $0.number == newValue.number }) {
                definition.load(preset, into: store)
                userPreset.withLock { $0 = nil }
            } else {
                userPreset.withLock { $0 = newValue }
            }
        }
    }

    /// The state for a document: the values of all parameters by their addresses as text under `parameters`, and the number of
    /// the preset under `preset`.
    ///
    /// Setting it restores them; what it does not name stays, and values are clamped.
    public var fullState: [String: Any]? {
        get {
            var values: [String: Any] = [:]
            for (index, parameter) in store.parameters.enumerated() where !parameter.isReadOnly {
                values["\(parameter.address)"] = NSNumber(value: store.currentValue(index))
            }
            return ["parameters": values, "preset": NSNumber(value: store.preset.load(ordering: .relaxed))]
        }
        set {
            if let number = (newValue?["preset"] as? NSNumber)?.intValue {
                let isKnown = definition?.presets.contains { $0.number == number } == true
                store.preset.store(isKnown ? number : -1, ordering: .relaxed)
            }
            guard let values = newValue?["parameters"] as? [String: Any] else { return }
            for (index, parameter) in store.parameters.enumerated() where !parameter.isReadOnly {
                guard let value = (values["\(parameter.address)"] as? NSNumber)?.floatValue else { continue }
                store.set(index, to: value)
            }
        }
    }

    /// Whether the input goes through unchanged.
    public var shouldBypassEffect: Bool {
        get { (node as? AVAudioUnitEffect)?.bypass ?? (node as? AVAudioUnitTimeEffect)?.bypass ?? false }
        set {
            (node as? AVAudioUnitEffect)?.bypass = newValue
            (node as? AVAudioUnitTimeEffect)?.bypass = newValue
        }
    }

    /// Seconds by which the output lags.
    public var latency: TimeInterval { node?.latency ?? 0 }

    /// Seconds for which the unit sounds on when its input has become silent.
    public var tailTime: TimeInterval { node?.tailTime ?? 0 }

    /// Drops what the unit holds of its input, with the next block.
    public func reset() { node?.reset() }
}
