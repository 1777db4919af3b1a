/// Computes the position to draw in a frame, so that it matches the sound when the frame is displayed.
public enum ShownPosition {
    /// The maximum time between drawing and display that is compensated, in seconds.
    public static let maximumLead = 0.1

    /// Returns the position that will be heard in the middle of the frame's display time.
    /// - Parameters:
    ///   - heard: The current playback position in seconds, not negative.
    ///   - rate: The playback rate, greater than 0.
    ///   - now: The current time of a clock, in seconds.
    ///   - presentation: The time at which the frame is displayed, of the same clock; `nil` if it is unknown.
    ///   - interval: The display time of the frame in seconds; 0 if it is unknown.
    ///   - end: The duration of the recording in seconds; `nil` if it is unknown.
    /// - Returns: `heard`, advanced by at most `maximumLead` and not beyond the end.
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
