/// The nodes of a graph and their connections, as plain data without audio.
///
/// The connections are indexed by source and by destination, so that the cost of a change does not depend on the size
/// of the graph.
struct Graph {
    /// An input of a node.
    struct Port: Hashable {
        let node: ObjectIdentifier
        let bus: AVAudioNodeBus
    }

    struct Connection {
        let source: AVAudioNode
        let sourceBus: AVAudioNodeBus
        let destination: AVAudioNode
        let destinationBus: AVAudioNodeBus
        /// The format; `nil` uses the format that both ends agree on.
        let format: AVAudioFormat?

        var port: Port { Port(node: ObjectIdentifier(destination), bus: destinationBus) }
    }

    private(set) var nodes: [ObjectIdentifier: AVAudioNode] = [:]
    /// The player nodes, which the engine checks after each render.
    private(set) var players: [ObjectIdentifier: AVAudioPlayerNode] = [:]
    /// The connections by their input.
    ///
    /// An input has at most one source.
    private var incoming: [ObjectIdentifier: [AVAudioNodeBus: Connection]] = [:]
    /// The inputs that a node feeds, in the order in which they were connected.
    private var outgoing: [ObjectIdentifier: [Port]] = [:]

    func contains(_ node: AVAudioNode) -> Bool { nodes[ObjectIdentifier(node)] != nil }

    mutating func attach(_ node: AVAudioNode) {
        nodes[ObjectIdentifier(node)] = node
        players[ObjectIdentifier(node)] = node as? AVAudioPlayerNode
    }

    mutating func detach(_ node: AVAudioNode) {
        disconnectInputs(of: node)
        disconnectOutputs(of: node)
        nodes[ObjectIdentifier(node)] = nil
        players[ObjectIdentifier(node)] = nil
    }

    /// Adds a connection, and removes the previous connection of its input.
    /// - Throws: If a node is not attached, if a bus does not exist, or if the connection would create a cycle.
    mutating func connect(_ connection: Connection) throws(AVAudioEngineError) {
        try check(connection)
        disconnectInput(of: connection.destination, bus: connection.destinationBus)
        incoming[connection.port.node, default: [:]][connection.destinationBus] = connection
        outgoing[ObjectIdentifier(connection.source), default: []].append(connection.port)
    }

    private func check(_ connection: Connection) throws(AVAudioEngineError) {
        let (source, destination) = (connection.source, connection.destination)
        for node in [source, destination] where !contains(node) {
            throw AVAudioEngineError(
                .notAttached,
                "\(type(of: node)) is not attached to this engine: attach it before connecting it."
            )
        }
        guard connection.sourceBus >= 0, connection.sourceBus < source.numberOfOutputs else {
            throw AVAudioEngineError(.noSuchBus, "\(type(of: source)) has no output bus \(connection.sourceBus).")
        }
        guard connection.destinationBus >= 0,
            destination.addsInputs || connection.destinationBus < destination.numberOfInputs
        else {
            throw AVAudioEngineError(
                .noSuchBus,
                "\(type(of: destination)) has no input bus \(connection.destinationBus)."
            )
        }
        if let format = connection.format, format.commonFormat != .pcmFormatFloat32 {
            throw AVAudioEngineError(
                .formatMismatch,
                "A connection needs 32-bit float, not \(format): pass a standard format, or nil."
            )
        }
        guard !reaches(source, from: destination) else {
            throw AVAudioEngineError(
                .cycle,
                "Connecting \(type(of: source)) to \(type(of: destination)) would create a cycle."
            )
        }
    }

    private func reaches(_ target: AVAudioNode, from start: AVAudioNode) -> Bool {
        let wanted = ObjectIdentifier(target)
        var open = [ObjectIdentifier(start)]
        var seen = Set(open)
        while let node = open.popLast() {
            if node == wanted { return true }
            for port in outgoing[node] ?? [] where seen.insert(port.node).inserted { open.append(port.node) }
        }
        return false
    }

    mutating func disconnectInput(of node: AVAudioNode, bus: AVAudioNodeBus) {
        guard let connection = incoming[ObjectIdentifier(node)]?.removeValue(forKey: bus) else { return }
        outgoing[ObjectIdentifier(connection.source)]?.removeAll { $0 == connection.port }
    }

    mutating func disconnectInputs(of node: AVAudioNode) {
        for connection in inputs(of: node) { disconnectInput(of: node, bus: connection.destinationBus) }
        incoming[ObjectIdentifier(node)] = nil
    }

    mutating func disconnectOutputs(of node: AVAudioNode, bus: AVAudioNodeBus? = nil) {
        for connection in outputs(of: node) where bus == nil || connection.sourceBus == bus {
            disconnectInput(of: connection.destination, bus: connection.destinationBus)
        }
        if outgoing[ObjectIdentifier(node)]?.isEmpty == true { outgoing[ObjectIdentifier(node)] = nil }
    }

    func input(of node: AVAudioNode, bus: AVAudioNodeBus) -> Connection? {
        incoming[ObjectIdentifier(node)]?[bus]
    }

    /// The number of inputs of `node` up to the highest that is connected.
    func inputCount(of node: AVAudioNode) -> Int { (incoming[ObjectIdentifier(node)]?.keys.max() ?? -1) + 1 }

    /// Returns the connections that end in `node`, by bus.
    func inputs(of node: AVAudioNode) -> [Connection] {
        (incoming[ObjectIdentifier(node)] ?? [:]).values.sorted { $0.destinationBus < $1.destinationBus }
    }

    /// Returns the connections that begin at `node`, the oldest first.
    func outputs(of node: AVAudioNode) -> [Connection] {
        (outgoing[ObjectIdentifier(node)] ?? []).compactMap { incoming[$0.node]?[$0.bus] }
    }

    /// The nodes from which something leads to one of `ends`, and the ends.
    func nodes(leadingTo ends: [AVAudioNode]) -> Set<ObjectIdentifier> {
        var seen = Set(ends.map(ObjectIdentifier.init))
        var open = ends
        while let node = open.popLast() {
            for connection in (incoming[ObjectIdentifier(node)] ?? [:]).values
            where seen.insert(ObjectIdentifier(connection.source)).inserted {
                open.append(connection.source)
            }
        }
        return seen
    }

    /// The ends of the graph beside `output`: sinks that something is connected to, and nodes that are tapped and lead
    /// to no other end.
    func endsBeside(_ output: AVAudioNode) -> [AVAudioNode] {
        let sinks = nodes.values.filter { $0 is AVAudioSinkNode && input(of: $0, bus: 0) != nil }
        let tapped = nodes.values.filter { $0 !== output && !($0 is AVAudioSinkNode) && $0.hasTaps }
        guard !tapped.isEmpty else { return sinks }
        let live = nodes(leadingTo: [output] + sinks)
        let dead = tapped.filter { !live.contains(ObjectIdentifier($0)) }
        // A node that leads to another one is rendered on behalf of that one.
        let upstream = nodes(leadingTo: dead.flatMap { inputs(of: $0).map(\.source) })
        return sinks + dead.filter { !upstream.contains(ObjectIdentifier($0)) }
    }
}
