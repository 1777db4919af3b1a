/// Measures the current transfer, and decides how often its progress is reported.
///
/// A pure value; times are seconds of a monotonic clock.
struct TransferGauge: Sendable {
    private var rate = ThroughputMeter()
    private var sent = 0.0
    private var lastReport: Double?

    /// The response time of the last request in seconds.
    private(set) var latency = 0.0

    /// The minimum interval between two reports in seconds.
    static let reportInterval = 0.1

    /// Notes that a request was sent.
    mutating func requestSent(at now: Double) { sent = now }

    /// Notes that the last request was answered.
    mutating func answered(at now: Double) { latency = now - sent }

    /// Adds received bytes of `transfer`; returns their rate in bytes per second once enough have arrived.
    mutating func received(_ byteCount: Int, at now: Double, of transfer: Int) -> Double? {
        rate.add(byteCount, at: now, of: transfer)
    }

    /// Restarts the measurement, because a pause does not reflect the speed of the network.
    mutating func interrupt() { rate = ThroughputMeter() }

    /// Returns whether progress is to be reported now; if so, the next report is due after `reportInterval`.
    mutating func reportsProgress(at now: Double) -> Bool {
        if let lastReport, now - lastReport < Self.reportInterval { return false }
        lastReport = now
        return true
    }
}
