/// Which nodes there are and what is connected to what: plain data, no sound.
struct Graph {
    /// An input or output of a node.
    struct Port: Hashable {
        let node: ObjectIdentifier
        let bus: AVAudioNodeBus
    }

    struct Connection {
        let source: AVAudioNode
        let sourceBus: AVAudioNodeBus
        let destination: AVAudioNode
        let destinationBus: AVAudioNodeBus
        /// `nil` follows whatever the two ends settle on.
        let format: AVAudioFormat?
    }

    private(set) var nodes: [ObjectIdentifier: AVAudioNode] = [:]
    /// By the input that it ends in: an input has one source at the most.
    private var connections: [Port: Connection] = [:]

    func contains(_ node: AVAudioNode) -> Bool { nodes[ObjectIdentifier(node)] != nil }

    mutating func attach(_ node: AVAudioNode) { nodes[ObjectIdentifier(node)] = node }

    mutating func detach(_ node: AVAudioNode) {
        disconnectInputs(of: node)
        disconnectOutputs(of: node)
        nodes[ObjectIdentifier(node)] = nil
    }

    /// - Throws: If a node is not attached, or the connection would close a circle.
    mutating func connect(_ connection: Connection) throws(AVAudioEngineError) {
        for node in [connection.source, connection.destination] where !contains(node) {
            throw AVAudioEngineError(
                .notAttached,
                "\(type(of: node)) is not attached to this engine: attach it before connecting it."
            )
        }
        guard !reaches(connection.source, from: connection.destination) else {
            throw AVAudioEngineError(
                .cycle,
                "Connecting \(type(of: connection.source)) to \(type(of: connection.destination)) would close a circle."
            )
        }
        let port = Port(node: ObjectIdentifier(connection.destination), bus: connection.destinationBus)
        connections[port] = connection
    }

    private func reaches(_ target: AVAudioNode, from start: AVAudioNode) -> Bool {
        if start === target { return true }
        return connections.values.contains { $0.source === start && reaches(target, from: $0.destination) }
    }

    mutating func disconnectInput(of node: AVAudioNode, bus: AVAudioNodeBus) {
        connections[Port(node: ObjectIdentifier(node), bus: bus)] = nil
    }

    mutating func disconnectInputs(of node: AVAudioNode) {
        connections = connections.filter { $0.value.destination !== node }
    }

    mutating func disconnectOutputs(of node: AVAudioNode) {
        connections = connections.filter { $0.value.source !== node }
    }

    func input(of node: AVAudioNode, bus: AVAudioNodeBus) -> Connection? {
        connections[Port(node: ObjectIdentifier(node), bus: bus)]
    }

    /// What ends in `node`, by bus.
    func inputs(of node: AVAudioNode) -> [Connection] {
        connections.values.filter { $0.destination === node }.sorted { $0.destinationBus < $1.destinationBus }
    }

    /// What begins at `node`.
    func outputs(of node: AVAudioNode) -> [Connection] {
        connections.values.filter { $0.source === node }
    }
}
