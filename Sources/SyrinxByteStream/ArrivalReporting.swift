/// A stream of bytes that arrive, which tells a thread beside the reader's that more have.
package protocol ArrivalReporting: ByteStream {
    /// The number of times that bytes have arrived, or that a wait was ended.
    var arrivalCount: Int { get }

    /// Waits until `arrivalCount` is not `count`; at once after `cancel()`.
    ///
    /// For a thread that may block.
    func waitForArrival(after count: Int)

    /// Ends the waits of `waitForArrival`, as if bytes had arrived.
    func endArrivalWaits()
}
