import SyrinxByteStream

/// The silence that a presentation has in place of missing segments, and its bound.
///
/// How long a missing segment was, only its playlist says. Presentations are therefore silent for as long at most as their sound has
/// lasted so far, and ten minutes more.
struct HLSSilence {
    /// Seconds of silence that a presentation may have before any sound of it.
    static let grace = 600.0

    /// Frames of silence that come next.
    private(set) var pending: Int64 = 0
    /// Frames of silence so far, with those that come next.
    private(set) var frameCount: Int64 = 0
    /// Frames that there may be.
    private var limit: Int64

    /// No silence yet, of a presentation with `sampleRate` frames a second.
    init(sampleRate: Double) { limit = Int64(clamped: (Self.grace * sampleRate).rounded()) }

    /// Has silence come next.
    /// - Returns: Its frames: `count`, or fewer where that is more than the bound allows.
    mutating func add(_ count: Int64) -> Int64 {
        pending = max(0, min(count, limit.subtractingClamped(frameCount)))
        frameCount = frameCount.addingClamped(pending)
        return pending
    }

    /// Notes that `count` frames of silence have been read.
    mutating func take(_ count: Int) { pending = max(0, pending.subtractingClamped(Int64(count))) }

    /// Notes that `count` frames of sound have been read.
    mutating func noteSound(_ count: Int) { limit = limit.addingClamped(Int64(count)) }

    /// Drops the silence that comes next, at a seek.
    mutating func drop() {
        frameCount = frameCount.subtractingClamped(pending)
        pending = 0
    }
}
