/// Decides when a transfer waits for a disk that is behind in taking what is to be kept.
///
/// No clock: the caller times the wait.
struct DiskBackpressure: Equatable, Sendable {
    private enum State: Equatable, Sendable {
        case keepsUp
        /// The transfer of this number is not read until the disk has caught up.
        case waiting(transfer: Int)
        /// The disk takes so long that it is not waited for.
        case stuck
    }

    private var state = State.keepsUp

    /// Bytes ahead of the reader that do not wait for a disk, where somebody hears them as they come.
    static let neededSoon: Int64 = 256 << 10

    /// Begins a wait of `transfer`, unless one is under way, the disk is stuck, or the reader needs more bytes soon.
    ///
    /// - Parameters:
    ///   - bytesAhead: Bytes from the reader to the end of what has arrived.
    ///   - isHeard: Whether somebody hears the bytes as they come.
    /// - Returns: Whether the wait has begun.
    mutating func begin(transfer: Int, bytesAhead: Int64, isHeard: Bool) -> Bool {
        guard state == .keepsUp, !isHeard || bytesAhead > Self.neededSoon else { return false }
        state = .waiting(transfer: transfer)
        return true
    }

    /// Whether `transfer` waits for the disk.
    func isWaiting(_ transfer: Int) -> Bool { state == .waiting(transfer: transfer) }

    /// Records that the disk has caught up, and returns the transfer that waited for it.
    mutating func caughtUp() -> Int? {
        defer { state = .keepsUp }
        return waitingTransfer
    }

    /// Records that the disk has been waited for long enough, and returns the transfer that waited for it.
    mutating func timedOut() -> Int? {
        guard let waitingTransfer else { return nil }
        state = .stuck
        return waitingTransfer
    }

    private var waitingTransfer: Int? {
        if case .waiting(let transfer) = state { transfer } else { nil }
    }
}
