import Foundation

extension AVAudioEngine {
    /// Connects the first output of `node1` to the first free input of `node2`.
    ///
    /// What the output was connected to before is disconnected from it.
    /// - Parameter format: Of what goes over the connection, 32-bit float; `nil` is the source's own, else that of what
    ///   lies behind.
    public func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {
        prepareInput(ifLedFrom: node1)
        changeGraph {
            graph.disconnectOutputs(of: node1, bus: 0)
            let bus = node2 is AVAudioMixerNode ? nextAvailableInputBus(of: node2) : 0
            connectUnlocked(node1, to: [AVAudioConnectionPoint(node: node2, bus: bus)], fromBus: 0, format: format)
        }
    }

    /// Connects an output of `node1` to an input of `node2`, in place of what was connected to either.
    ///
    /// Stops the program, with a sentence, if a node is not attached, a bus does not exist, the format cannot be carried,
    /// or the connection would close a circle.
    public func connect(
        _ node1: AVAudioNode,
        to node2: AVAudioNode,
        fromBus bus1: AVAudioNodeBus,
        toBus bus2: AVAudioNodeBus,
        format: AVAudioFormat?
    ) {
        connect(node1, to: [AVAudioConnectionPoint(node: node2, bus: bus2)], fromBus: bus1, format: format)
    }

    /// Connects an output of `sourceNode` to several inputs, in place of what was connected to it and to them.
    ///
    /// The ways may have different rates, for instance with a time effect in one of them: then each takes the frames as it
    /// needs them from a buffer of at least one second. A way that falls further behind than that leaves out what is gone.
    ///
    /// Stops the program, with a sentence, as the other ways to connect do.
    public func connect(
        _ sourceNode: AVAudioNode,
        to destNodes: [AVAudioConnectionPoint],
        fromBus sourceBus: AVAudioNodeBus,
        format: AVAudioFormat?
    ) {
        prepareInput(ifLedFrom: sourceNode)
        changeGraph { connectUnlocked(sourceNode, to: destNodes, fromBus: sourceBus, format: format) }
    }

    func connectUnlocked(
        _ sourceNode: AVAudioNode,
        to destNodes: [AVAudioConnectionPoint],
        fromBus sourceBus: AVAudioNodeBus,
        format: AVAudioFormat?
    ) {
        graph.disconnectOutputs(of: sourceNode, bus: sourceBus)
        for point in destNodes {
            guard let destination = point.node else { continue }
            let connection = Graph.Connection(
                source: sourceNode,
                sourceBus: sourceBus,
                destination: destination,
                destinationBus: point.bus,
                format: format
            )
            do {
                try graph.connect(connection)
            } catch {
                fatalError("\(error)")
            }
        }
    }

    /// The format of a connection from the input node is that of the device.
    private func prepareInput(ifLedFrom node: AVAudioNode) {
        if node is AVAudioInputNode { prepareInput() }
    }

    /// Makes a change of the graph heard, and sees to the input device, which it may have come to need or ceased to.
    func changeGraph(_ change: () -> Void) {
        lock.withLock {
            change()
            graphHasChanged()
        }
        settleInputOrRecover()
    }

    /// Takes away what is connected to the inputs of `node`.
    public func disconnectNodeInput(_ node: AVAudioNode) {
        changeGraph { graph.disconnectInputs(of: node) }
    }

    /// Takes away what is connected to an input of `node`.
    public func disconnectNodeInput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
        changeGraph { graph.disconnectInput(of: node, bus: bus) }
    }

    /// Takes away what the outputs of `node` are connected to.
    public func disconnectNodeOutput(_ node: AVAudioNode) {
        changeGraph { graph.disconnectOutputs(of: node) }
    }

    /// Takes away what an output of `node` is connected to.
    public func disconnectNodeOutput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
        changeGraph { graph.disconnectOutputs(of: node, bus: bus) }
    }

    /// What is connected to an input of `node`; `nil` if nothing is.
    public func inputConnectionPoint(for node: AVAudioNode, inputBus bus: AVAudioNodeBus) -> AVAudioConnectionPoint? {
        lock.withLock {
            graph.input(of: node, bus: bus).map { AVAudioConnectionPoint(node: $0.source, bus: $0.sourceBus) }
        }
    }

    /// What an output of `node` is connected to, in the order in which it was connected.
    public func outputConnectionPoints(
        for node: AVAudioNode,
        outputBus bus: AVAudioNodeBus
    ) -> [AVAudioConnectionPoint] {
        lock.withLock {
            graph.outputs(of: node).filter { $0.sourceBus == bus }.map {
                AVAudioConnectionPoint(node: $0.destination, bus: $0.destinationBus)
            }
        }
    }

    func nextAvailableInputBus(of node: AVAudioNode) -> AVAudioNodeBus {
        lock.withLock {
            var bus = 0
            while graph.input(of: node, bus: bus) != nil { bus += 1 }
            return bus
        }
    }
}
