/// Decides when a connection may send how much: a bucket that fills at the connection's rate.
///
/// It knows no clock: each question brings the time along.
struct Pacer {
    /// The next action.
    enum Action: Equatable {
        /// Send so many bytes now.
        case send(Int)
        /// Ask again after so many nanoseconds.
        case wait(nanoseconds: Int64)
        /// Everything has been sent.
        case finish
    }

    /// The rate that no connection exceeds.
    let bytesPerSecond: Int
    /// The number of bytes still to be sent.
    private(set) var remaining: Int

    private let slice: Int
    private var allowance: Double
    private var last: Int64?

    /// A pacer for a body of `byteCount` bytes.
    init(byteCount: Int, bytesPerSecond: Int) {
        self.bytesPerSecond = bytesPerSecond
        remaining = byteCount
        // A tenth of a second at once: small enough to be even, large enough to cost nothing.
        slice = max(1, bytesPerSecond / 10)
        allowance = Double(slice)
    }

    /// Returns the action for the time `now`, in nanoseconds of any monotonic clock.
    mutating func next(at now: Int64) -> Action {
        guard remaining > 0 else { return .finish }
        if let last {
            // No more than one slice is saved up: a reader that paused is not sent a burst afterwards.
            allowance = min(Double(slice), allowance + Double(now - last) / 1e9 * Double(bytesPerSecond))
        }
        last = now
        let wanted = min(slice, remaining)
        let missing = Double(wanted) - allowance
        // Half a byte: what rounding the wait to nanoseconds can lose is far less.
        guard missing < 0.5 else {
            return .wait(nanoseconds: Int64((missing / Double(bytesPerSecond) * 1e9).rounded(.up)))
        }
        allowance -= Double(wanted)
        remaining -= wanted
        return .send(wanted)
    }
}
