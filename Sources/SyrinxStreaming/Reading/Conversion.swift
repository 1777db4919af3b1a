import AVFAudio
import SyrinxMediaCodec

/// A sample rate and channel converter, with its input format.
///
/// A gapless next input with the same format reuses the converter, so that the filter has no edge at the transition.
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
