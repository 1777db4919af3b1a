import Foundation
import Synchronization
import SyrinxDSP

/// The nodes of an engine, their connections, and the resulting formats.
///
/// All members require the engine's lock. Methods that may be called without the lock take it themselves. A change is
/// audible after the `EngineRun` is notified.
final class EngineGraph: @unchecked Sendable {
    // Unchecked: `lock` guards all mutable state.
    private let lock: NSRecursiveLock
    private let output: EngineOutput
    /// The engine that the nodes belong to.
    weak var engine: AVAudioEngine?
    private(set) var nodes = Graph()
    /// The node that the graph ends in.
    let outputNode = AVAudioOutputNode()
    /// The node of the input device; `nil` before the first access.
    private(set) var inputNode: AVAudioInputNode?
    private var mixer: AVAudioMixerNode?

    init(_ output: EngineOutput, lock: NSRecursiveLock) {
        self.output = output
        self.lock = lock
    }

    // MARK: Nodes

    /// Returns the input node, which is created and attached on first access.
    func makeInput() -> AVAudioInputNode {
        lock.withLock {
            if let inputNode { return inputNode }
            let new = AVAudioInputNode()
            inputNode = new
            attach(new)
            return new
        }
    }

    /// Returns the main mixer, which is created on first access, and again after it was detached.
    ///
    /// It is connected to the output unless the program has connected another node there.
    @discardableResult
    func makeMixer() -> AVAudioMixerNode {
        lock.withLock {
            if let mixer, nodes.contains(mixer) { return mixer }
            let new = AVAudioMixerNode()
            mixer = new
            attach(new)
            if isOutputFree { connect(new, toFreeInputOf: outputNode, format: nil) }
            return new
        }
    }

    /// Whether no node is connected to the output.
    var isOutputFree: Bool { nodes.input(of: outputNode, bus: 0) == nil }

    /// Attaches `node`, which may not be part of another engine.
    func attach(_ node: AVAudioNode) {
        require(
            node.engine == nil || node.engine === engine,
            "\(type(of: node)) is attached to another engine: detach it there first."
        )
        nodes.attach(node)
        node.engine = engine
    }

    /// Detaches `node`, if it is part of this engine.
    func detach(_ node: AVAudioNode) {
        guard nodes.contains(node) else { return }
        require(node !== outputNode, "The output node is part of every engine.")
        nodes.detach(node)
        node.engine = nil
    }

    /// Whether the input node leads somewhere, or is tapped.
    var usesInputNode: Bool {
        guard let inputNode else { return false }
        return !nodes.outputs(of: inputNode).isEmpty || inputNode.taps.withLock { !$0.all.isEmpty }
    }

    /// The kernel of the input node, or a silent kernel if the graph has no input node.
    var inputKernel: InputKernel { inputNode?.kernel ?? InputKernel() }

    // MARK: Connections

    /// Connects the first output of `source` to the first free input of `destination`.
    func connect(_ source: AVAudioNode, toFreeInputOf destination: AVAudioNode, format: AVAudioFormat?) {
        nodes.disconnectOutputs(of: source, bus: 0)
        let bus = destination.addsInputs ? nextAvailableInputBus(of: destination) : 0
        connect(source, to: [AVAudioConnectionPoint(node: destination, bus: bus)], fromBus: 0, format: format)
    }

    /// Connects an output of `source` to all of `points`, and removes the previous connections of these buses.
    func connect(
        _ source: AVAudioNode,
        to points: [AVAudioConnectionPoint],
        fromBus bus: AVAudioNodeBus,
        format: AVAudioFormat?
    ) {
        nodes.disconnectOutputs(of: source, bus: bus)
        for point in points {
            guard let destination = point.node else { continue }
            let connection = Graph.Connection(
                source: source,
                sourceBus: bus,
                destination: destination,
                destinationBus: point.bus,
                // An invalid format, as that of a missing device, counts as no format.
                format: format.flatMap { $0.isValid ? $0 : nil }
            )
            do {
                try nodes.connect(connection)
            } catch {
                fatalError("\(error)")
            }
        }
    }

    func disconnectInputs(of node: AVAudioNode) { nodes.disconnectInputs(of: node) }

    func disconnectInput(of node: AVAudioNode, bus: AVAudioNodeBus) { nodes.disconnectInput(of: node, bus: bus) }

    func disconnectOutputs(of node: AVAudioNode) { nodes.disconnectOutputs(of: node) }

    func disconnectOutputs(of node: AVAudioNode, bus: AVAudioNodeBus) { nodes.disconnectOutputs(of: node, bus: bus) }

    func nextAvailableInputBus(of node: AVAudioNode) -> AVAudioNodeBus {
        lock.withLock {
            var bus = 0
            while nodes.input(of: node, bus: bus) != nil { bus += 1 }
            return bus
        }
    }

    /// The number of inputs of a node that adds them: up to the highest that is connected, and at least one.
    func inputCount(of node: AVAudioNode) -> Int {
        lock.withLock { max(1, nodes.inputCount(of: node)) }
    }

    /// Returns the node whose volume and pan apply to `connection`: the nearest upstream node with such settings.
    static func mixingNode(of connection: Graph.Connection, in graph: Graph) -> AVAudioNode {
        var node = connection.source
        while !(node is any AVAudioMixing), let input = graph.input(of: node, bus: 0) { node = input.source }
        return node
    }

    // MARK: Formats

    /// Returns the output format of `node`: that of its connection if it has one, or of its tap if it is not connected.
    ///
    /// Otherwise it is the node's own format, else that of its input, else that of the node it leads to.
    func resolvedOutputFormat(of node: AVAudioNode, in graph: Graph) -> AVAudioFormat {
        let outgoing = graph.outputs(of: node).first
        if let format = outgoing?.format { return format }
        if outgoing == nil, node.takesFormatOfTap, let format = node.tapFormat { return format }
        if let format = node.ownFormat { return format }
        if node is AVAudioUnit, let incoming = graph.input(of: node, bus: 0) {
            return resolvedOutputFormat(of: incoming.source, in: graph)
        }
        return formatBehind(node, in: graph)
    }

    /// Returns the format of the destination of `node`.
    ///
    /// Units output their input format, so the format comes from the nodes downstream.
    private func formatBehind(_ node: AVAudioNode, in graph: Graph) -> AVAudioFormat {
        guard let outgoing = graph.outputs(of: node).first, !(outgoing.destination is AVAudioOutputNode) else {
            return output.rootFormat
        }
        let next = outgoing.destination
        return graph.outputs(of: next).first?.format ?? next.ownFormat ?? formatBehind(next, in: graph)
    }

    func outputFormat(of node: AVAudioNode) -> AVAudioFormat {
        lock.withLock { resolvedOutputFormat(of: node, in: nodes) }
    }

    func inputFormat(of node: AVAudioNode, bus: AVAudioNodeBus) -> AVAudioFormat {
        lock.withLock {
            guard let connection = nodes.input(of: node, bus: bus) else {
                return resolvedOutputFormat(of: node, in: nodes)
            }
            return resolvedOutputFormat(of: connection.source, in: nodes)
        }
    }

    // MARK: Time

    /// The tail in seconds of the sample rate converters at the inputs of `node`.
    func resamplingTail(into node: AVAudioNode) -> TimeInterval {
        lock.withLock {
            let format = node === outputNode ? output.rootFormat : resolvedOutputFormat(of: node, in: nodes)
            let rate = format.sampleRate
            let tails = nodes.inputs(of: node).map { connection in
                let inputRate = resolvedOutputFormat(of: connection.source, in: nodes).sampleRate
                return inputRate == rate ? 0 : ResamplerKernel.tailTime(inputRate: inputRate, ratio: inputRate / rate)
            }
            return tails.max() ?? 0
        }
    }

    /// The sample rate at which an environment renders HRTF sources; `nil` if the environment has none.
    func headRate(in environment: AVAudioEnvironmentNode) -> Double? {
        lock.withLock {
            let hasHead = nodes.inputs(of: environment).contains { connection in
                let parameters = Self.mixingNode(of: connection, in: nodes).mixing.parameters(at: connection.port)
                let channelCount = resolvedOutputFormat(of: connection.source, in: nodes).channelCount
                return parameters.spatial.usesHead(channelCount: channelCount, outputType: environment.outputType)
            }
            return hasHead ? resolvedOutputFormat(of: environment, in: nodes).sampleRate : nil
        }
    }

    /// Seconds until the output of `node` is audible, along the longest path.
    func presentationLatency(of node: AVAudioNode) -> TimeInterval {
        lock.withLock {
            let device = output.latency
            let ways = nodes.outputs(of: node).map { connection in
                let next = connection.destination
                return next === outputNode ? 0 : next.latency + presentationLatency(of: next) - device
            }
            return (ways.max() ?? 0) + device
        }
    }
}
