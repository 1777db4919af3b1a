internal import Foundation

/// The loudness of a recording, by ITU-R BS.1770-5 and EBU R 128.
///
/// What could not be measured, since there was too little or nothing above −70 LUFS, is `nil`.
public struct LoudnessReport: Sendable, Equatable {
    /// The gated loudness of all of it, in LUFS.
    public var integrated: Double?
    /// The loudness range, in LU.
    public var range: Double?
    /// The greatest loudness of any 400 ms, in LUFS.
    public var momentaryMax: Double?
    /// The greatest loudness of any 3 s, in LUFS.
    public var shortTermMax: Double?
    /// The greatest magnitude between samples, in decibels of full scale (dBTP); `nil` for digital silence.
    public var truePeak: Double?
    /// The greatest magnitude of a sample, in decibels of full scale; `nil` for digital silence.
    public var samplePeak: Double?
    /// The root mean square of all samples of all channels, in decibels of full scale; `nil` for digital silence.
    public var rms: Double?

    /// The gain in decibels that brings the recording to the level of ReplayGain 2.0, −18 LUFS.
    public var replayGain: Double? { integrated.map { -18 - $0 } }

    /// The peak that ReplayGain states beside the gain: of samples, 1 is full scale.
    public var replayPeak: Double { samplePeak.map { pow(10, $0 / 20) } ?? 0 }
}
