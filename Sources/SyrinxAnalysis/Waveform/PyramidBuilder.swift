public import AVFAudio

/// Makes a pyramid of buffers that come in any order: as a stream arrives, or as a player seeks about in it.
///
/// A block counts as known once all its frames have come one after the other. One thread at a time.
public struct PyramidBuilder: Sendable {
    /// The pyramid so far.
    public private(set) var pyramid: WaveformPyramid
    private var builder: PeakBuilder
    /// The frame that would follow on what has come.
    private var next: Int64 = 0
    /// The number of frames to drop before a block begins.
    private var skip: Int64 = 0

    /// A builder that knows nothing.
    public init(_ settings: PeakBuilder.Settings) {
        builder = PeakBuilder(settings)
        pyramid = WaveformPyramid(
            sampleRate: settings.sampleRate,
            samplesPerPixel: settings.samplesPerPixel,
            channelCount: settings.mixesChannels ? 1 : settings.channelCount
        )
    }

    /// Takes samples that lie at frame `position` of the recording, one pointer for each channel.
    public mutating func append(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        frameCount: Int,
        at position: Int64
    ) {
        guard frameCount > 0, position >= 0 else { return }
        let block = Int64(builder.settings.samplesPerPixel)
        if position != next {
            builder.dropPending()
            skip = (block - position % block) % block
        }
        next = position + Int64(frameCount)
        let dropped = Int(min(skip, Int64(frameCount)))
        skip -= Int64(dropped)
        guard dropped < frameCount else { return }
        withUnsafeTemporaryAllocation(
            of: UnsafeMutablePointer<Float>.self,
            capacity: builder.settings.channelCount
        ) { moved in
            guard let base = moved.baseAddress else { return }
            for channel in moved.indices { (base + channel).initialize(to: channels[channel] + dropped) }
            builder.append(base, frameCount: frameCount - dropped)
        }
        let made = builder.takeBlocks()
        let pending = Int64(builder.pendingFrameCount)
        pyramid.insert(made, at: Int((next - pending) / block) - made.count)
    }

    /// Takes the samples of a buffer of 32-bit floats, of which the first lies at frame `position` of the recording.
    ///
    /// Buffers of other samples, or of fewer channels than the settings say, are left out.
    public mutating func append(_ buffer: AVAudioPCMBuffer, at position: Int64) {
        SampleView.read(buffer, channelCount: builder.settings.channelCount) { channels, count in
            append(channels, frameCount: count, at: position)
        }
    }

    /// Says that the recording ends where the last samples ended: what its last block has is all there is.
    public mutating func finish() {
        let pending = builder.pendingFrameCount
        guard pending > 0 else { return }
        builder.finish()
        let made = builder.takeBlocks()
        let index = Int((next - Int64(pending)) / Int64(builder.settings.samplesPerPixel))
        pyramid.insert(made, at: index, lastFrameCount: pending)
    }
}
