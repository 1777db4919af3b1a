/// Decides whether a window keeps the position in its recording.
///
/// Another window or program may have played the same recording meanwhile. The position where it was heard last counts, and not
/// that of the window which is closed last.
public struct HeardPosition: Sendable, Equatable {
    /// The time of the last movement, in seconds since 1970; `nil` if the position has not moved since the recording was opened.
    public private(set) var date: Double?

    /// Creates the state of a recording that has just been opened.
    public init() {}

    /// Notes that the position has moved, by playing or by a seek.
    /// - Parameter date: Seconds since 1970; what is not finite changes nothing.
    public mutating func moved(at date: Double) {
        if date.isFinite { self.date = date }
    }

    /// Returns whether the position is to be kept in place of a stored one.
    /// - Parameters:
    ///   - stored: The time at which the stored position was heard, in seconds since 1970; `nil` if there is none. One that is
    ///     later than the present was written with a wrong clock, and does not count.
    ///   - now: The present, in seconds since 1970.
    public func replaces(_ stored: Double?, now: Double) -> Bool {
        guard let date else { return false }
        return stored.map { $0 <= date || $0 > now } ?? true
    }
}
