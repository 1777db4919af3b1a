/// Measures the data rate of a transfer over intervals of 0.5 s.
struct ThroughputMeter {
    private var transfer: Int?
    private var begin = 0.0
    private var byteCount = 0

    private static let interval = 0.5

    /// Adds received bytes; returns the rate in bytes per second at the end of an interval.
    ///
    /// The first bytes of a transfer do not count, because the system may have buffered them.
    /// - Parameter now: The time in seconds of a monotonic clock.
    mutating func add(_ count: Int, at now: Double, of transfer: Int) -> Double? {
        let isOld = transfer == self.transfer
        let elapsed = now - begin
        if isOld { byteCount += count }
        guard !isOld || elapsed >= Self.interval else { return nil }
        defer { (self.transfer, begin, byteCount) = (transfer, now, 0) }
        return isOld ? Double(byteCount) / elapsed : nil
    }
}
