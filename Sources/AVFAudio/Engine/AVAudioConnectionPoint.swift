public import Foundation

/// One end of a connection: a bus of a node.
///
/// The object is immutable and keeps a weak reference to the node.
open class AVAudioConnectionPoint: NSObject, @unchecked Sendable {
    // Unchecked: written in `init` alone; a weak reference may be read from any thread.

    /// The node; `nil` after its deallocation.
    public private(set) weak var node: AVAudioNode?
    /// The index of the node's input or output bus.
    public let bus: AVAudioNodeBus

    /// Creates a connection point for bus `bus` of `node`.
    public init(node: AVAudioNode, bus: AVAudioNodeBus) {
        self.node = node
        self.bus = bus
    }

    /// Returns whether `object` is a connection point of the same node and bus.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioConnectionPoint else { return false }
        return node === other.node && bus == other.bus
    }

    /// The hash value, equal for equal connection points.
    open override var hash: Int { bus }
}
