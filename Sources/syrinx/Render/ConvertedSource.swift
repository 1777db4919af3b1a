import MediaCodec

/// Another source's frames at another rate, in another number of channels.
final class ConvertedSource: FrameSource {
    let sampleRate: Double
    let channelCount: Int

    init(_ base: any FrameSource, name: String, sampleRate: Double, channelCount: Int) throws(Failure) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    func read(into block: SampleBlock) throws(Failure) -> Int { 0 }
}
