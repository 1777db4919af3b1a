public import AVFAudio

/// Builds a pyramid from buffers that arrive in any order, as with seeks in a stream.
///
/// A block is known once all its frames have arrived contiguously. Use it on one thread at a time.
///
/// ```swift
/// var builder = PyramidBuilder(
///     PeakBuilder.Settings(sampleRate: 48_000, channelCount: 2, samplesPerPixel: 256)
/// )
/// builder.append(buffer, at: 96_000) // a decoded buffer, and the frame at which it starts
/// print(builder.pyramid.knownRanges)
/// ```
public struct PyramidBuilder: Sendable {
    /// The pyramid so far.
    public private(set) var pyramid: WaveformPyramid
    private var builder: PeakBuilder
    /// The index of the next expected frame.
    private var next: Int64 = 0
    /// The number of frames to drop before the next block starts.
    private var skip: Int64 = 0

    /// Creates a builder with an empty pyramid.
    public init(_ settings: PeakBuilder.Settings) {
        builder = PeakBuilder(settings)
        pyramid = WaveformPyramid(
            sampleRate: settings.sampleRate,
            samplesPerPixel: settings.samplesPerPixel,
            channelCount: settings.mixesChannels ? 1 : settings.channelCount
        )
    }

    /// Adds samples that start at frame `position` of the recording, one pointer for each channel.
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

    /// Adds the samples of a buffer of 32-bit floats that starts at frame `position` of the recording.
    ///
    /// Buffers of another format, or with fewer channels than in the settings, are ignored.
    public mutating func append(_ buffer: AVAudioPCMBuffer, at position: Int64) {
        SampleView.read(buffer, channelCount: builder.settings.channelCount) { channels, count in
            append(channels, frameCount: count, at: position)
        }
    }

    /// Ends the recording at the end of the last samples, which completes the last block.
    public mutating func finish() {
        let pending = builder.pendingFrameCount
        guard pending > 0 else { return }
        builder.finish()
        let made = builder.takeBlocks()
        let index = Int((next - Int64(pending)) / Int64(builder.settings.samplesPerPixel))
        pyramid.insert(made, at: index, lastFrameCount: pending)
    }
}
