import SyrinxByteStream
import SyrinxHTTPStream

/// An input that comes over the network, and what is to be reported of that.
protocol NetworkInput: AnyObject, Sendable {
    /// The handler of network events; set it before anything is read.
    var onEvent: (@Sendable (HTTPStreamEvent) -> Void)? { get set }
    /// The bytes of the input, if it is one resource of known length.
    var length: Int64? { get }
    /// The ranges of these that are at hand.
    var heldRanges: [Range<Int64>] { get }
    /// Bytes that have come so far.
    var receivedByteCount: Int64 { get }
    /// Returns when all events have been reported that have happened.
    func flushEvents()
}

extension HTTPByteStream: NetworkInput {}

/// A presentation consists of many resources.
extension HLSStream: NetworkInput {
    var heldRanges: [Range<Int64>] { [] }
}
