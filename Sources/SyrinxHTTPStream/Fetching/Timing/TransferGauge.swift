/// Measures the running transfer, and decides how often its progress is reported.
///
/// No clock: times are seconds, from any moment on.
struct TransferGauge: Sendable {
    private var rate = ThroughputMeter()
    private var sent = 0.0
    private var lastReport: Double?

    /// Seconds from the last request to its answer.
    private(set) var latency = 0.0

    /// Seconds between two reports: ten a second are enough for an eye.
    static let reportInterval = 0.1

    /// Records that a request has been sent.
    mutating func requestSent(at now: Double) { sent = now }

    /// Records that the last request has been answered.
    mutating func answered(at now: Double) { latency = now - sent }

    /// Records that bytes of `transfer` have come, and returns their rate in bytes per second once enough have.
    mutating func received(_ byteCount: Int, at now: Double, of transfer: Int) -> Double? {
        rate.add(byteCount, at: now, of: transfer)
    }

    /// Begins the measurement of the rate anew: that nothing comes now says nothing of the network.
    mutating func interrupt() { rate = ThroughputMeter() }

    /// Whether progress is to be reported now; if so, the next report is due `reportInterval` later.
    mutating func reportsProgress(at now: Double) -> Bool {
        if let lastReport, now - lastReport < Self.reportInterval { return false }
        lastReport = now
        return true
    }
}
