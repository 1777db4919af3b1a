internal import Foundation

/// The loudness of a recording according to ITU-R BS.1770-5 and EBU R 128.
///
/// A value is `nil` if it cannot be measured, because the recording is too short or stays below −70 LUFS.
public struct LoudnessReport: Sendable, Equatable {
    /// The integrated (gated) loudness of the whole recording in LUFS.
    public var integrated: Double?
    /// The loudness range in LU.
    public var range: Double?
    /// The maximum momentary loudness (400 ms) in LUFS.
    public var momentaryMax: Double?
    /// The maximum short-term loudness (3 s) in LUFS.
    public var shortTermMax: Double?
    /// The true peak in dBTP; `nil` for digital silence.
    public var truePeak: Double?
    /// The sample peak in dBFS; `nil` for digital silence.
    public var samplePeak: Double?
    /// The root mean square of all samples of all channels in dBFS; `nil` for digital silence.
    public var rms: Double?

    /// The ReplayGain 2.0 gain in decibels, which brings the recording to −18 LUFS.
    public var replayGain: Double? { integrated.map { -18 - $0 } }

    /// The ReplayGain peak: the sample peak, where 1 is full scale.
    public var replayPeak: Double { samplePeak.map { pow(10, $0 / 20) } ?? 0 }
}
