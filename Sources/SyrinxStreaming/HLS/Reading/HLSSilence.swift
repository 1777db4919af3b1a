import SyrinxByteStream

/// The silence in place of missing segments, and its limit.
///
/// The duration of a missing segment is known from the playlist only. The total silence is therefore limited to the
/// duration of the audio so far plus ten minutes.
struct HLSSilence {
    /// The maximum silence in seconds before any audio.
    static let grace = 600.0

    /// The number of frames of silence that are played next.
    private(set) var pending: Int64 = 0
    /// The number of frames of silence so far, including those that are played next.
    private(set) var frameCount: Int64 = 0
    /// Frames that there may be.
    private var limit: Int64

    /// No silence yet, of a presentation with `sampleRate` frames a second.
    init(sampleRate: Double) { limit = Int64(clamped: (Self.grace * sampleRate).rounded()) }

    /// Schedules silence.
    /// - Returns: The number of frames: `count`, or fewer if the limit is reached.
    mutating func add(_ count: Int64) -> Int64 {
        pending = max(0, min(count, limit.subtractingClamped(frameCount)))
        frameCount = frameCount.addingClamped(pending)
        return pending
    }

    /// Notes that `count` frames of silence have been read.
    mutating func take(_ count: Int) { pending = max(0, pending.subtractingClamped(Int64(count))) }

    /// Notes that `count` frames of audio were read.
    mutating func noteSound(_ count: Int) { limit = limit.addingClamped(Int64(count)) }

    /// Drops the scheduled silence at a seek.
    mutating func drop() {
        frameCount = frameCount.subtractingClamped(pending)
        pending = 0
    }
}
