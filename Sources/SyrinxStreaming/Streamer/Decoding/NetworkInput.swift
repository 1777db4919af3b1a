import SyrinxByteStream
import SyrinxHTTPStream

/// A network input, with the properties that are reported to the program.
protocol NetworkInput: AnyObject, Sendable {
    /// The handler of network events; set it before anything is read.
    var onEvent: (@Sendable (HTTPStreamEvent) -> Void)? { get set }
    /// The length in bytes, if the input is a single resource of known length.
    var length: Int64? { get }
    /// The ranges of these that are at hand.
    var heldRanges: [Range<Int64>] { get }
    /// The number of bytes received so far.
    var receivedByteCount: Int64 { get }
    /// Returns when all events have been reported that have happened.
    func flushEvents()
}

extension HTTPByteStream: NetworkInput {}

/// A presentation consists of many resources.
extension HLSStream: NetworkInput {
    var heldRanges: [Range<Int64>] { [] }
}
