/// The rate at which the bytes of a transfer arrive, measured over half a second at a time.
struct ThroughputMeter {
    private var transfer: Int?
    private var begin = 0.0
    private var byteCount = 0

    private static let interval = 0.5

    /// Takes note of bytes that have come; bytes a second once the interval is over.
    ///
    /// The first of a transfer may have waited in the system since before, and do not count.
    /// - Parameter now: Seconds, from any moment on.
    mutating func add(_ count: Int, at now: Double, of transfer: Int) -> Double? {
        let isOld = transfer == self.transfer
        let elapsed = now - begin
        if isOld { byteCount += count }
        guard !isOld || elapsed >= Self.interval else { return nil }
        defer { (self.transfer, begin, byteCount) = (transfer, now, 0) }
        return isOld ? Double(byteCount) / elapsed : nil
    }
}
