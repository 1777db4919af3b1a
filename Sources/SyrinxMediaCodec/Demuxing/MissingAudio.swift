internal import SyrinxByteStream

/// The audio that is missing before a packet or after the last one.
struct MissingAudio: Equatable {
    /// The number of gaps; each counts as one packet.
    var count = 0
    /// The number of missing frames, at the sample rate of the first recording.
    var frames: Int64 = 0
    /// Whether the decoder's delay at the start of a recording is part of it.
    var hasDelay = false

    /// The largest frame count, larger than that of any recording.
    private static let maximumFrames: Int64 = 1 << 60

    /// Adds missing frames, up to `maximumFrames`.
    mutating func add(_ frames: Int64) { self.frames = min(self.frames.addingClamped(frames), Self.maximumFrames) }
}
