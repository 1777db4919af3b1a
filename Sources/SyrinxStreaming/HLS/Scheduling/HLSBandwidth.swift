import Foundation

/// The rate at which segments arrive, as the lower of a quick and a slow mean, weighted by the time that each took.
struct HLSBandwidth {
    private struct Mean {
        /// Seconds of fetching after which what was before counts half.
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

    /// Fewer bytes tell more of the connection's beginning than of its rate.
    private static let minimumBytes = 16_384.0

    /// Notes a segment of `bytes` that took `seconds` to arrive.
    mutating func note(bytes: Int64, seconds: Double) {
        guard bytes > 0, seconds.isFinite else { return }
        // What comes faster than a clock can tell is fast.
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
