import AVFAudio

/// The formats that the command runs engines in: float 32, one buffer a channel.
enum EngineFormat {
    /// A format of that rate and number of channels, or `nil` if there is none.
    static func make(sampleRate: Double, channelCount: Int) -> AVAudioFormat? {
        AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: AVAudioChannelCount(channelCount))
    }
}
