import CoreAudioTypes
import Foundation
import Synchronization

/// The unit of a node that is not an `AVAudioUnit`: a mixer, a player, a source, or an input or output node.
///
/// It represents the node's busses, formats, latency and tail, and forwards resets. It has no parameters, presets or
/// events, and only an engine renders it.
final class NodeAudioUnit: AUAudioUnit, @unchecked Sendable {
    // Unchecked: a weak reference set once, and arrays that have their own locks.
    private weak var node: AVAudioNode?
    private let inputs = Mutex<AUAudioUnitBusArray?>(nil)
    private let outputs = Mutex<AUAudioUnitBusArray?>(nil)

    init(_ node: AVAudioNode) {
        self.node = node
        do {
            try super.init(componentDescription: Self.description(of: node), options: [])
        } catch {
            fatalError("AUAudioUnit.init does not throw.")
        }
    }

    /// Not to be called: no class of nodes is registered.
    required convenience init(
        registeredAs description: AudioComponentDescription,
        options: AudioComponentInstantiationOptions
    ) throws {
        throw AVAudioEngineError(.unknownUnit, "Nodes of the engine are made with their own initialisers.")
    }

    /// Core Audio's description of the unit that Apple's node of that kind has.
    private static func description(of node: AVAudioNode) -> AudioComponentDescription {
        var description = AudioComponentDescription()
        (description.componentType, description.componentSubType) =
            switch node {
            case is AVAudioMixerNode: (kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
            case is AVAudioEnvironmentNode: (kAudioUnitType_Mixer, kAudioUnitSubType_SpatialMixer)
            case is AVAudioPlayerNode: (kAudioUnitType_Generator, kAudioUnitSubType_ScheduledSoundPlayer)
            case is AVAudioIONode: (kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput)
            default: (kAudioUnitType_Generator, 0)
            }
        description.componentManufacturer = kAudioUnitManufacturer_Apple
        return description
    }

    override var audioUnitName: String? { node.map { "\(type(of: $0))" } }
    override var manufacturerName: String? { "Syrinx" }
    override var componentName: String? { audioUnitName.map { "Syrinx: \($0)" } }

    override var latency: TimeInterval { node?.latency ?? 0 }
    override var tailTime: TimeInterval { node?.tailTime ?? 0 }
    override func reset() { node?.reset() }

    /// Always `false`: a mixer or a source has no input to pass through.
    override var shouldBypassEffect: Bool {
        get { false }
        set { _ = newValue }
    }

    override var inputBusses: AUAudioUnitBusArray { busses(inputs, .input) }
    override var outputBusses: AUAudioUnitBusArray { busses(outputs, .output) }

    private func busses(_ place: borrowing Mutex<AUAudioUnitBusArray?>, _ type: AUAudioUnitBusType)
        -> AUAudioUnitBusArray
    {
        place.withLock { array in
            if let array { return array }
            let new = NodeBusArray(self, node, type)
            array = new
            return new
        }
    }

    /// - Throws: `AVAudioEngineError` with `usage.formatMismatch`: only an engine renders the node.
    override func allocateRenderResources() throws {
        throw AVAudioEngineError(.formatMismatch, "\(audioUnitName ?? "The node") is rendered by an engine only.")
    }
}

/// The inputs or outputs of a node as busses: as many as the node has now.
private final class NodeBusArray: AUAudioUnitBusArray, @unchecked Sendable {
    // Unchecked: a weak reference that is set once, and state that the lock guards.
    private struct State {
        var busses: [AUAudioUnitBus] = []
        /// The number of busses that the program has requested.
        var wanted = 0
    }

    private weak var node: AVAudioNode?
    private let state = Mutex(State())

    init(_ unit: AUAudioUnit, _ node: AVAudioNode?, _ type: AUAudioUnitBusType) {
        self.node = node
        super.init(audioUnit: unit, busType: type, busses: [])
    }

    /// The maximum number of inputs of a mixer: the number of busses of Core Audio's mixer.
    private static let maximumCount = 1_024

    private var isOfMixer: Bool { busType == .input && (node is AVAudioMixerNode || node is AVAudioEnvironmentNode) }

    private var nodeCount: Int {
        guard let node else { return 0 }
        return busType == .input ? node.numberOfInputs : node.numberOfOutputs
    }

    override var count: Int { max(nodeCount, state.withLock { $0.wanted }) }

    override var isCountChangeable: Bool { isOfMixer }

    override func setBusCount(_ count: Int) throws {
        guard isOfMixer else { return try super.setBusCount(count) }
        guard (nodeCount...Self.maximumCount).contains(count) else {
            throw AVAudioEngineError(
                .formatMismatch,
                "A mixer cannot have \(count) inputs: as many as are connected, and at most \(Self.maximumCount)."
            )
        }
        state.withLock { $0.wanted = count }
    }

    override subscript(index: Int) -> AUAudioUnitBus {
        let count = count
        precondition((0..<count).contains(index), "There is no bus \(index): the node has \(count).")
        let format = busType == .input ? node?.inputFormat(forBus: index) : node?.outputFormat(forBus: index)
        return state.withLock { state in
            while state.busses.count <= index {
                let bus = AUAudioUnitBus(ownedBy: ownerAudioUnit, busType, state.busses.count)
                state.busses.append(bus)
            }
            if let format { state.busses[index].show(format) }
            return state.busses[index]
        }
    }
}
