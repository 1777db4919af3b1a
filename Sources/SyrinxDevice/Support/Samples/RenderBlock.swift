import CoreAudioTypes

/// A render callback and its buffers, one per channel, which are allocated once.
struct RenderBlock: ~Copyable {
    /// The maximum number of frames per callback.
    static var maximumFrameCount: Int { 4096 }

    /// The number of buffers.
    let channelCount: Int
    /// One buffer of `maximumFrameCount` frames per channel.
    ///
    /// Owned: freed in `deinit`.
    let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let samples: UnsafeMutablePointer<Float>
    private let callback: RenderCallback

    init(_ callback: RenderCallback, channelCount: Int) {
        self.callback = callback
        self.channelCount = channelCount
        let sampleCount = channelCount * Self.maximumFrameCount
        samples = .allocate(capacity: sampleCount)
        samples.initialize(repeating: 0, count: sampleCount)
        channels = .allocate(capacity: channelCount)
        for channel in 0..<channelCount {
            (channels + channel).initialize(to: samples + channel * Self.maximumFrameCount)
        }
    }

    deinit {
        channels.deallocate()
        samples.deallocate()
    }

    /// Renders `frameCount` frames, at most `maximumFrameCount`.
    ///
    /// Returns the number of frames before the end of the audio. It has no performance annotations, because it calls a
    /// C function pointer; the callback must be real-time safe.
    func render(_ frameCount: Int, at time: UnsafePointer<AudioTimeStamp>?) -> Int {
        min(frameCount, Int(callback.render(callback.context, channels, UInt32(frameCount), time)))
    }

    /// Must be called after each `render`, once the frames have been processed.
    func didRender() { callback.didRender(callback.context) }

    /// Interleaves the rendered frames into `output`.
    @_noLocks @_noAllocation
    func interleave(_ frameCount: Int, into output: UnsafeMutablePointer<Float>) {
        let stride = channelCount
        var channel = 0
        while channel < stride {
            let input = channels[channel]
            var frame = 0
            while frame < frameCount {
                output[frame &* stride &+ channel] = input[frame]
                frame &+= 1
            }
            channel &+= 1
        }
    }
}

/// Creates the time stamps of blocks.
enum RenderTimestamp {
    /// Returns the time stamp of a block.
    /// - Parameters:
    ///   - frame: The number of frames since `start` before the block.
    ///   - hostTime: The time at which the first frame is heard, in nanoseconds of the monotonic clock.
    static func stamp(frame: Int64, hostTime: UInt64) -> AudioTimeStamp {
        var stamp = AudioTimeStamp()
        stamp.mSampleTime = Double(frame)
        stamp.mHostTime = hostTime
        stamp.mRateScalar = 1
        // A number, because an option set of two members would be constructed at run time.
        stamp.mFlags = AudioTimeStampFlags(rawValue: 7)
        return stamp
    }
}
