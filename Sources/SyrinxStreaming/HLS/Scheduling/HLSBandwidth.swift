import Foundation

/// The rate at which segments arrive, as the lower of a quick and a slow mean, weighted by the time that each took.
struct HLSBandwidth {
    private struct Mean {
        /// The fetching time in seconds after which earlier measurements have half the weight.
        let halfLife: Double
        var sum = 0.0
        var weight = 0.0

        mutating func note(_ rate: Double, for seconds: Double) {
            let kept = exp2(-seconds / halfLife)
            sum = sum * kept + rate * (1 - kept)
            weight = weight * kept + 1 - kept
        }

        var value: Double { weight > 0 ? sum / weight : 0 }
    }

    private var quick = Mean(halfLife: 3)
    private var slow = Mean(halfLife: 9)
    private var byteCount = 0.0

    /// The minimum size of a sample in bytes: a smaller one measures the start of a connection, not its rate.
    private static let minimumBytes = 16_384.0

    /// Notes a segment of `bytes` that took `seconds` to arrive.
    mutating func note(bytes: Int64, seconds: Double) {
        guard bytes > 0, seconds.isFinite else { return }
        // A minimum duration, because the clock has a limited resolution.
        let seconds = max(seconds, 0.001)
        byteCount += Double(bytes)
        quick.note(Double(bytes) * 8 / seconds, for: seconds)
        slow.note(Double(bytes) * 8 / seconds, for: seconds)
    }

    /// Bits a second; `nil` until enough has arrived.
    var bitsPerSecond: Double? {
        byteCount >= Self.minimumBytes ? min(quick.value, slow.value) : nil
    }
}
