/// The position to draw in a frame, so that it agrees with the sound when the frame is seen.
public enum ShownPosition {
    /// The greatest lead of a frame in seconds; longer ones are cut to it.
    public static let maximumLead = 0.1

    /// Returns the position that is heard in the middle of the time for which a frame is seen.
    /// - Parameters:
    ///   - heard: The position that is heard now, in seconds; 0 or more.
    ///   - rate: The seconds of the recording in a second of listening; more than 0.
    ///   - now: The present instant in seconds of a clock.
    ///   - presentation: The instant at which the frame is first seen, of the same clock; `nil` if that is not known.
    ///   - interval: The seconds until the next frame is seen; 0 if that is not known.
    ///   - end: The length of the recording in seconds; `nil` if that is not known.
    /// - Returns: `heard`, carried on for at most `maximumLead` and not beyond the end.
    public static func position(
        heard: Double,
        rate: Double,
        now: Double,
        presentation: Double?,
        interval: Double = 0,
        end: Double?
    ) -> Double {
        guard let presentation, rate.isFinite, rate > 0 else { return heard }
        let position = heard + (presentation - now + interval / 2).clamped(to: 0...maximumLead) * rate
        guard position.isFinite else { return heard }
        return end.map { $0.isFinite ? max(heard, min(position, $0)) : position } ?? position
    }
}
