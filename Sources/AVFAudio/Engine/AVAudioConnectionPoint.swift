public import Foundation

/// One end of a connection: a bus of a node.
///
/// The object is immutable and keeps a weak reference to the node.
open class AVAudioConnectionPoint: NSObject, @unchecked Sendable {
    // Unchecked: written in `init` alone; a weak reference may be read from any thread.

    /// The node, as long as it lives.
    public private(set) weak var node: AVAudioNode?
    /// The bus of the node.
    public let bus: AVAudioNodeBus

    /// The bus `bus` of `node`.
    public init(node: AVAudioNode, bus: AVAudioNodeBus) {
        self.node = node
        self.bus = bus
    }

    /// Points of the same node and bus are equal.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioConnectionPoint else { return false }
        return node === other.node && bus == other.bus
    }

    /// Agrees with `isEqual`.
    open override var hash: Int { bus }
}
