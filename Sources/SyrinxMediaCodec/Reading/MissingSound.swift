public import SyrinxByteStream

/// A stretch of sound that a recording or a stream should have and does not.
///
/// It is silent, or left out where a live stream goes on without it.
public struct MissingSound: Sendable {
    /// The time in the input at which the stretch begins, in seconds.
    public let time: Double
    /// The length of the stretch, in seconds.
    public let duration: Double
    /// The reason, with the URL of the segment or the name of the recording.
    public let error: SyrinxError

    /// A stretch of `duration` seconds from `time` on.
    package init(time: Double, duration: Double, error: SyrinxError) {
        (self.time, self.duration, self.error) = (time, duration, error)
    }
}
