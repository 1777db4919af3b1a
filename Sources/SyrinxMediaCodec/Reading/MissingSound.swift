public import SyrinxByteStream

/// A part of a recording or stream that could not be read or decoded.
///
/// It is replaced by silence, or skipped if a live stream continues after it:
///
/// ```swift
/// func report(_ part: MissingSound) {
///     print("\(part.duration) s are missing at \(part.time) s: \(part.error)")
/// }
/// ```
public struct MissingSound: Sendable {
    /// The time in the input at which the missing part starts, in seconds.
    public let time: Double
    /// The duration of the missing part, in seconds.
    public let duration: Double
    /// The reason, with the URL of the segment or the name of the recording.
    ///
    /// It is the error that reading or decoding reported.
    public let error: SyrinxError

    /// Creates a missing part of `duration` seconds that starts at `time`.
    package init(time: Double, duration: Double, error: SyrinxError) {
        (self.time, self.duration, self.error) = (time, duration, error)
    }
}
