import Foundation

extension AVAudioEngine {
    /// Connects the first output of `source` to the first free input of `destination`.
    func join(_ source: AVAudioNode, toFreeInputOf destination: AVAudioNode, _ format: AVAudioFormat?) {
        prepareInput(ifLedFrom: source)
        changeGraph {
            graph.disconnectOutputs(of: source, bus: 0)
            let bus = destination is AVAudioMixerNode ? nextAvailableInputBus(of: destination) : 0
            let point = AVAudioConnectionPoint(node: destination, bus: bus)
            connectUnlocked(source, to: [point], fromBus: 0, format: format)
        }
    }

    /// Connects an output of `source` to all of `points`.
    func join(
        _ source: AVAudioNode,
        _ bus: AVAudioNodeBus,
        to points: [AVAudioConnectionPoint],
        _ format: AVAudioFormat?
    ) {
        prepareInput(ifLedFrom: source)
        changeGraph { connectUnlocked(source, to: points, fromBus: bus, format: format) }
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
                // That of a device that is not there says nothing.
                format: format.flatMap { $0.isValid ? $0 : nil }
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

    func nextAvailableInputBus(of node: AVAudioNode) -> AVAudioNodeBus {
        lock.withLock {
            var bus = 0
            while graph.input(of: node, bus: bus) != nil { bus += 1 }
            return bus
        }
    }
}
