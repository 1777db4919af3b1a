import AVFAudio
import SyrinxDevice
import SyrinxMediaCodec
import SyrinxStreaming

/// The streamer of `play`, with the engine's format from the command line.
final class PlayStreamer: TimePitchStreamer, @unchecked Sendable {
    // Unchecked: its own state is constant.
    private let sampleRate: Double?
    private let keepsSourceFormat: Bool
    /// Beyond it an engine would take more memory than any sound is worth; nothing is recorded at more.
    private static let greatestSampleRate = 768_000.0

    /// A streamer for `device`.
    ///
    /// Its engine runs at `sampleRate`; if that is `nil`, at the input's own format where `keepsSourceFormat` is true,
    /// and else as the device would have it.
    init(device: (any OutputDevice)?, sampleRate: Double?, keepsSourceFormat: Bool) {
        self.sampleRate = sampleRate
        self.keepsSourceFormat = keepsSourceFormat
        super.init(device: device)
        takesFormatOfOutput = sampleRate == nil && !keepsSourceFormat
    }

    override func readFormat(for source: MediaInfo) -> AVAudioFormat {
        guard sampleRate != nil || keepsSourceFormat else { return super.readFormat(for: source) }
        let rate = sampleRate ?? min(source.sampleRate, Self.greatestSampleRate)
        return EngineFormat.make(sampleRate: rate, channelCount: source.channelCount) ?? super.readFormat(for: source)
    }
}
