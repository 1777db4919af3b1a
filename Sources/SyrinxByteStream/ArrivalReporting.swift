/// A byte stream that notifies a second thread, besides the reader, when bytes arrive.
package protocol ArrivalReporting: ByteStream {
    /// The number of arrivals, plus the number of ended waits.
    var arrivalCount: Int { get }

    /// Blocks until `arrivalCount` differs from `count`; returns at once after `cancel()`.
    ///
    /// Call it on a thread that may block.
    func waitForArrival(after count: Int)

    /// Ends all waits in `waitForArrival(after:)`, as if bytes had arrived.
    func endArrivalWaits()
}
