/// The rules for bytes that arrive: their rate, their progress, and a disk that has to take them.
extension FetchMachine {
    /// Bytes of a transfer that have arrived and been stored.
    struct Arrival: Sendable {
        /// Bytes as the server sent them, metadata included.
        let byteCount: Int
        /// Bytes of the resource.
        let storedCount: Int
        /// The first offset behind them that is not held.
        let missing: Int64
        /// Seconds, from any moment on.
        let time: Double
        /// Whether the disk is behind in taking what is to be kept.
        var isDiskBehind = false
        /// Whether progress has a listener.
        var isObserved = true
    }

    /// Says that bytes of transfer `id` have come.
    mutating func received(_ id: Int, _ arrival: Arrival) -> [Action] {
        guard offset(forTransfer: id) != nil else { return [] }
        var actions = received(id, count: arrival.storedCount, missing: arrival.missing)
        if let rate = gauge.received(arrival.byteCount, at: arrival.time, of: id) {
            window.measured(bytesPerSecond: rate, answered: gauge.latency)
        }
        if phase != .receiving { gauge.interrupt() }
        if arrival.isObserved, gauge.reportsProgress(at: arrival.time) {
            actions.insert(.emit(.received(receivedByteCount)), at: 0)
        }
        guard arrival.isDiskBehind, isReceiving(id),
            disk.begin(
                transfer: id,
                bytesAhead: position - reader,
                isHeard: options.isHeard && !options.isInTheBackground
            )
        else { return actions }
        gauge.interrupt()
        return actions + [.waitForDisk(seconds: options.diskPatience)]
    }

    /// Whether `id` is the transfer that counts, and its body is being received.
    func isReceiving(_ id: Int) -> Bool { id == self.id && phase == .receiving }

    /// Whether transfer `id` goes on being read: one that counts no more is, so that it ends.
    func continuesReading(_ id: Int) -> Bool {
        id != self.id || (phase != .paused && !disk.isWaiting(id))
    }

    /// Says that the disk has caught up, after `.waitForDisk`.
    mutating func diskCaughtUp() -> [Action] { resume(disk.caughtUp()) }

    /// Says that the seconds of `.waitForDisk` are over: what the disk does not take is not kept.
    mutating func diskTimedOut() -> [Action] { resume(disk.timedOut()) }

    private func resume(_ transfer: Int?) -> [Action] {
        guard let transfer, isReceiving(transfer) else { return [] }
        return [.resume]
    }
}
