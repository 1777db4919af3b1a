import SyrinxByteStream
import SyrinxListening
import SyrinxMediaCodec

/// Converts the frames of another source to another sample rate or channel count.
final class ConvertedSource: FrameSource {
    let sampleRate: Double
    let channelCount: Int

    private let base: any FrameSource
    private let converter: Resampler
    private let input: SampleBlock
    private let name: String
    private var hasEnded = false

    /// Creates a conversion of `base`, whose channels have the layout `layout`.
    init(
        _ base: any FrameSource,
        layout: String,
        name: String,
        sampleRate: Double,
        channelCount: Int
    ) throws(Failure) {
        self.base = base
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.name = name
        do throws(SyrinxError) {
            converter = try Resampler(
                from: (base.sampleRate, base.channelCount),
                sourceLayout: layout,
                to: (sampleRate, channelCount)
            )
        } catch {
            throw Failure(error, name: name)
        }
        input = SampleBlock(channelCount: base.channelCount, capacity: converter.inputFrameCountPerPush)
    }

    func read(into block: SampleBlock) throws(Failure) -> Int {
        while true {
            let count = converter.pull(into: block.channels, frameCount: block.capacity)
            if count > 0 || hasEnded { return count }
            try feed()
        }
    }

    private func feed() throws(Failure) {
        let count = try base.read(into: input)
        do throws(SyrinxError) {
            if count > 0 {
                try converter.push(input.channels, frameCount: count)
            } else {
                hasEnded = true
                try converter.finish()
            }
        } catch {
            throw Failure(error, name: name)
        }
    }
}
