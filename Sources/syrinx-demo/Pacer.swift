/// Limits the rate of a connection with a token bucket.
///
/// It has no clock: each call passes the time.
struct Pacer {
    /// The next action.
    enum Action: Equatable {
        /// Send this number of bytes now.
        case send(Int)
        /// Call again after this number of nanoseconds.
        case wait(nanoseconds: Int64)
        /// Everything has been sent.
        case finish
    }

    /// The maximum rate of the connection.
    let bytesPerSecond: Int
    /// The number of bytes that are not sent yet.
    private(set) var remaining: Int

    private let slice: Int
    private var allowance: Double
    private var last: Int64?

    /// Creates a pacer for a body of `byteCount` bytes.
    init(byteCount: Int, bytesPerSecond: Int) {
        self.bytesPerSecond = bytesPerSecond
        remaining = byteCount
        // Send a tenth of a second at once: the rate is even, and the overhead is small.
        slice = max(1, bytesPerSecond / 10)
        allowance = Double(slice)
    }

    /// Returns the action for the time `now`, in nanoseconds of any monotonic clock.
    mutating func next(at now: Int64) -> Action {
        guard remaining > 0 else { return .finish }
        if let last {
            // At most one slice accumulates, so that a reader that paused does not get a burst.
            allowance = min(Double(slice), allowance + Double(now - last) / 1e9 * Double(bytesPerSecond))
        }
        last = now
        let wanted = min(slice, remaining)
        let missing = Double(wanted) - allowance
        // Half a byte, which is more than the rounding error of the wait.
        guard missing < 0.5 else {
            return .wait(nanoseconds: Int64((missing / Double(bytesPerSecond) * 1e9).rounded(.up)))
        }
        allowance -= Double(wanted)
        remaining -= wanted
        return .send(wanted)
    }
}
