/// Decides when a transfer waits for a slow disk.
///
/// A pure value without a clock: the caller measures the wait.
struct DiskBackpressure: Equatable, Sendable {
    private enum State: Equatable, Sendable {
        case keepsUp
        /// The transfer with this number is paused until the disk has caught up.
        case waiting(transfer: Int)
        /// The disk is so slow that transfers do not wait for it.
        case stuck
    }

    private var state = State.keepsUp

    /// The number of bytes ahead of the reader that a transfer fetches without waiting for the disk during playback.
    static let neededSoon: Int64 = 256 << 10

    /// Starts a wait of `transfer`, unless a wait is in progress, the disk is stuck, or the reader needs more bytes
    /// soon.
    ///
    /// - Parameters:
    ///   - bytesAhead: The number of bytes from the reader to the end of the received bytes.
    ///   - isHeard: Whether the bytes are played while they arrive.
    /// - Returns: Whether the wait has started.
    mutating func begin(transfer: Int, bytesAhead: Int64, isHeard: Bool) -> Bool {
        guard state == .keepsUp, !isHeard || bytesAhead > Self.neededSoon else { return false }
        state = .waiting(transfer: transfer)
        return true
    }

    /// Returns whether `transfer` waits for the disk.
    func isWaiting(_ transfer: Int) -> Bool { state == .waiting(transfer: transfer) }

    /// Notes that the disk has caught up; returns the transfer that waited for it.
    mutating func caughtUp() -> Int? {
        defer { state = .keepsUp }
        return waitingTransfer
    }

    /// Notes that the wait has timed out; returns the transfer that waited.
    mutating func timedOut() -> Int? {
        guard let waitingTransfer else { return nil }
        state = .stuck
        return waitingTransfer
    }

    private var waitingTransfer: Int? {
        if case .waiting(let transfer) = state { transfer } else { nil }
    }
}
