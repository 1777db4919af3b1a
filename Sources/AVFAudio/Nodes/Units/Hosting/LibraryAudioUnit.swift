import CoreAudioTypes
import Foundation
import Synchronization

/// The unit of a node of the library.
final class LibraryAudioUnit: AUAudioUnit, @unchecked Sendable {
    // Unchecked: constants, a weak reference set once, and a lock.
    private weak var node: AVAudioUnit?
    /// The node, for a unit that is not used by way of one.
    private var ownedNode: AVAudioUnit?
    private let store: ParameterStore
    private let definition: EffectDefinition?
    private let userPreset = Mutex<AUAudioUnitPreset?>(nil)
    private let unitName: String
    private let maker: String
    private let inputs = Mutex<AUAudioUnitBusArray?>(nil)
    private let outputs = Mutex<AUAudioUnitBusArray?>(nil)

    /// Creates the unit of a node.
    /// - Parameters:
    ///   - node: The node.
    ///   - owns: Whether the unit keeps the node alive.
    init(_ node: AVAudioUnit, owns: Bool = false) {
        self.node = node
        ownedNode = owns ? node : nil
        store = node.store
        definition = (node as? AVAudioUnitEffect)?.definition
        (unitName, maker) = (node.name, node.manufacturerName)
        do {
            try super.init(componentDescription: node.audioComponentDescription, options: [])
        } catch {
            fatalError("AUAudioUnit.init does not throw.")
        }
        parameterTree = store.parameters.isEmpty ? nil : AUParameterTree(store)
        host(in: node)
    }

    required convenience init(
        registeredAs description: AudioComponentDescription,
        options: AudioComponentInstantiationOptions
    ) throws {
        self.init(try UnitComponent.make(description), owns: true)
    }

    override var parameterStore: ParameterStore { store }

    override var ownProperties: [AudioUnitPropertyID: UnitProperty] { definition?.properties ?? [:] }

    override var componentName: String? { "\(maker): \(unitName)" }
    override var audioUnitName: String? { unitName }
    override var manufacturerName: String? { maker }

    override var factoryPresets: [AUAudioUnitPreset]? {
        guard let presets = definition?.presets, !presets.isEmpty else { return nil }
        return presets.map { AUAudioUnitPreset(number: $0.number, name: $0.name) }
    }

    override var currentPreset: AUAudioUnitPreset? {
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

    override var fullState: [String: Any]? {
        get {
            var state = super.fullState ?? [:]
            state["preset"] = NSNumber(value: store.preset.load(ordering: .relaxed))
            return state
        }
        set {
            if let number = (newValue?["preset"] as? NSNumber)?.intValue {
                let isKnown = definition?.presets.contains { $0.number == number } == true
                store.preset.store(isKnown ? number : -1, ordering: .relaxed)
            }
            super.fullState = newValue
        }
    }

    override var shouldBypassEffect: Bool {
        get { (node as? AVAudioUnitEffect)?.bypass ?? (node as? AVAudioUnitTimeEffect)?.bypass ?? false }
        set {
            (node as? AVAudioUnitEffect)?.bypass = newValue
            (node as? AVAudioUnitTimeEffect)?.bypass = newValue
        }
    }

    override var latency: TimeInterval { node?.latency ?? 0 }

    override var tailTime: TimeInterval { node?.tailTime ?? 0 }

    override func reset() { node?.reset() }

    // MARK: Rendering

    override var inputBusses: AUAudioUnitBusArray { busses(inputs, .input) }
    override var outputBusses: AUAudioUnitBusArray { busses(outputs, .output) }

    private func busses(_ place: borrowing Mutex<AUAudioUnitBusArray?>, _ type: AUAudioUnitBusType)
        -> AUAudioUnitBusArray
    {
        place.withLock { array in
            if let array { return array }
            let bus = (try? AUAudioUnitBus(format: EngineOutput.fallbackFormat)).map { [$0] } ?? []
            let new = AUAudioUnitBusArray(audioUnit: self, busType: type, busses: bus)
            array = new
            return new
        }
    }

    /// Allocates the render resources.
    /// - Throws: `AVAudioEngineError` for a unit that changes the number of frames, which only an engine can render,
    ///   and for incompatible formats.
    override func allocateRenderResources() throws {
        guard node is AVAudioUnitEffect else {
            throw AVAudioEngineError(.formatMismatch, "\(unitName) is rendered by an engine only.")
        }
        let (input, output) = (inputBusses[0].format, outputBusses[0].format)
        guard input == output, output.isStandard else {
            throw AVAudioEngineError(
                .formatMismatch,
                "\(unitName) takes and gives one format of 32-bit float with one buffer a channel, not \(input) and \(output)."
            )
        }
        try super.allocateRenderResources()
    }

    override var internalRenderBlock: AUInternalRenderBlock {
        guard let effect = node as? AVAudioUnitEffect else { return super.internalRenderBlock }
        let format = outputBusses[0].format
        let processor = effect.standaloneProcessor(format: format, maximumFrameCount: maximumFramesToRender)
        let renderer = StandaloneEffect(processor, format: format, maximumFrameCount: Int(maximumFramesToRender))
        return { flags, time, count, _, output, _, pull in
            guard let pull else { return kAudioUnitErr_NoConnection }
            return renderer.render(flags, time, count, output, pull)
        }
    }

    override var scheduleParameterBlock: AUScheduleParameterBlock {
        { [store] time, rampFrames, address, value in
            guard let index = store.index(ofAddress: address), !store.parameters[index].isReadOnly else { return }
            guard !store.isBridged else { return store.set(index, to: value) }
            let clamped = store.parameters[index].clamped(value)
            store.events.add(UnitEvent(time: time, address: UInt64(index), value: clamped, rampFrames: rampFrames))
        }
    }
}
