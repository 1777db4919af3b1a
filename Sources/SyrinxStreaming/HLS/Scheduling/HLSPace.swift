/// Decides how fast a live presentation is played, so that its sender's clock and the sound card's may differ for days.
///
/// Segments arrive every few seconds, and each tells how far playing is from the end. Once that distance has wandered, a little
/// more or less of the presentation is taken for each frame that is played: at most 500 parts in a million, less than a cent.
struct HLSPace {
    /// Measurements of which the distance to keep is the mean.
    private static let settlingCount = 8
    /// The share of a measurement in the mean.
    private static let share = 0.1
    /// Target durations that the distance may wander before anything is done, and to which it is brought back.
    ///
    /// Playlists are loaded so seldom that it seems to wander by up to one, as loads come sooner or later after a new segment.
    private static let tolerance = 1.1
    private static let enough = 0.1
    /// A change of so many seconds is no wandering.
    private static let leap = 15.0
    /// The largest change of the speed.
    static let limit = 0.0005
    /// Seconds in which a difference of one second would be made up for, were there no limit.
    private static let time = 1_000.0

    private var count = 0
    private var target = 0.0
    private var mean = 0.0
    private var isCorrecting = false

    /// Forgets the distance to keep, after a break.
    mutating func rest() {
        count = 0
        isCorrecting = false
    }

    /// Notes that playing was `distance` seconds from the end when a segment arrived.
    /// - Parameter targetDuration: The usual length of a segment, in seconds.
    /// - Returns: Seconds of the presentation to take for each that is played.
    mutating func note(distance: Double, targetDuration: Double) -> Double {
        // It was gone elsewhere.
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
    /// The number of times that some have been.
    let count: Int
    /// The time at which the last one ends, in seconds.
    let end: Double
    /// The usual length of a segment, in seconds.
    let targetDuration: Double
}
