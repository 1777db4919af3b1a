import AVFAudio
import SyrinxMediaCodec

/// A converter and the format of what goes into it.
///
/// An input that follows another of the same format goes on with its converter: so a sound that was cut in two stays one, and
/// the filter's edge is not heard at the joint.
struct Conversion {
    let converter: Resampler
    private let sampleRate: Double
    private let channelCount: Int
    private let layout: String

    /// A conversion from the format in `info` to `format`.
    init(from info: MediaInfo, to format: AVAudioFormat) throws {
        sampleRate = info.sampleRate
        channelCount = info.channelCount
        layout = info.channelLayout
        converter = try Resampler(
            from: (sampleRate, channelCount),
            sourceLayout: layout,
            to: (format.sampleRate, Int(format.channelCount))
        )
    }

    /// Whether the samples of `info` can go in.
    func takes(_ info: MediaInfo) -> Bool {
        info.sampleRate == sampleRate && info.channelCount == channelCount && info.channelLayout == layout
    }
}
