internal import SyrinxByteStream

/// Sound that is missing before a packet, or after the last.
struct MissingAudio: Equatable {
    /// The number of gaps, of which each counts as a packet.
    var count = 0
    /// The number of frames, at the rate of the recording that comes first.
    var frames: Int64 = 0
    /// Whether the decoder's delay at the start of a recording is part of it.
    var hasDelay = false

    /// No recording has as many frames.
    private static let maximumFrames: Int64 = 1 << 60

    /// Adds frames, of which there may be as many as no recording has.
    mutating func add(_ frames: Int64) { self.frames = min(self.frames.addingClamped(frames), Self.maximumFrames) }
}
