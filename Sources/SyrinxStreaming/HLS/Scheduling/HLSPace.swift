/// Decides the playback speed of a live presentation, which compensates for clock drift between the sender and the
/// sound card.
///
/// Segments arrive every few seconds, and each shows the distance of the playback position from the end. When this
/// distance has drifted, the speed changes slightly: by at most 500 parts per million, less than a cent.
struct HLSPace {
    /// The number of measurements whose mean is the target distance.
    private static let settlingCount = 8
    /// The share of a measurement in the mean.
    private static let share = 0.1
    /// The drift, in target durations, at which a correction starts, and at which it ends.
    ///
    /// Playlists are loaded so rarely that the distance varies by up to one target duration, depending on the time of
    /// the load.
    private static let tolerance = 1.1
    private static let enough = 0.1
    /// A larger change in seconds is a jump, not drift.
    private static let leap = 15.0
    /// The largest change of the speed.
    static let limit = 0.0005
    /// The time in seconds in which a difference of one second would be corrected without a speed limit.
    private static let time = 1_000.0

    private var count = 0
    private var target = 0.0
    private var mean = 0.0
    private var isCorrecting = false

    /// Resets the target distance after an interruption.
    mutating func rest() {
        count = 0
        isCorrecting = false
    }

    /// Notes that the playback position was `distance` seconds from the end when a segment arrived.
    /// - Parameter targetDuration: The target duration of segments in seconds.
    /// - Returns: The playback speed: seconds of the presentation for each second of playback.
    mutating func note(distance: Double, targetDuration: Double) -> Double {
        // The playback position has jumped.
        if count > 0, abs(distance - mean) > Self.leap { rest() }
        count += 1
        guard count > Self.settlingCount else {
            target += (distance - target) / Double(count)
            mean = target
            return 1
        }
        mean += (distance - mean) * Self.share
        let error = mean - target
        isCorrecting = abs(error) > (isCorrecting ? Self.enough : Self.tolerance) * targetDuration
        guard isCorrecting else { return 1 }
        return 1 + min(max(error / Self.time, -Self.limit), Self.limit)
    }
}

/// The segments that have been added to a live presentation.
struct HLSArrival {
    /// The number of arrivals of segments.
    let count: Int
    /// The end time of the last segment in seconds.
    let end: Double
    /// The usual length of a segment, in seconds.
    let targetDuration: Double
}
