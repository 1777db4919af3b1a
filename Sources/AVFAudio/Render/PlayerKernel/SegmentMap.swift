/// The division of a graph into segments: nodes between the same two rate changes, which process the same frames.
///
/// A node that feeds several segments is a segment of its own, whose output these segments read in turn
/// (`FanOutProcessor`).
struct SegmentMap {
    enum Segment: Hashable {
        /// A segment that ends at the output, or at another end of the graph, at the rate of the output.
        case root
        /// A segment that ends at another end node, with its own sample rate.
        case end(ObjectIdentifier)
        /// A segment that ends in a change of rate at an input.
        case before(Graph.Port)
        /// A node that several segments read.
        case shared(ObjectIdentifier)
    }

    /// The nodes that lead to an end.
    let live: Set<ObjectIdentifier>
    private let graph: Graph
    private let changesRate: (Graph.Connection) -> Bool
    private var known: [ObjectIdentifier: Segment]

    init(
        graph: Graph,
        ends: [(node: AVAudioNode, isAtRate: Bool)],
        changesRate: @escaping (Graph.Connection) -> Bool
    ) {
        self.graph = graph
        self.changesRate = changesRate
        live = graph.nodes(leadingTo: ends.map(\.node))
        known = Dictionary(
            uniqueKeysWithValues: ends.map { end in
                let key = ObjectIdentifier(end.node)
                return (key, end.isAtRate ? .root : .end(key))
            }
        )
    }

    /// Returns the connections from `node` that lead to an end of the graph.
    func outputs(of node: AVAudioNode) -> [Graph.Connection] {
        graph.outputs(of: node).filter { live.contains(ObjectIdentifier($0.destination)) }
    }

    mutating func segment(of node: AVAudioNode) -> Segment {
        let key = ObjectIdentifier(node)
        if let segment = known[key] { return segment }
        var segments: Set<Segment> = []
        for connection in outputs(of: node) {
            if changesRate(connection) {
                segments.insert(.before(connection.port))
            } else {
                segments.insert(segment(of: connection.destination))
            }
        }
        let only = segments.count == 1 ? segments.first : nil
        let segment = only ?? .shared(key)
        known[key] = segment
        return segment
    }
}
