import CoreAudioTypes

/// A callback and the buffers that it fills: one a channel, allocated once.
struct RenderBlock: ~Copyable {
    /// No callback is asked for more frames than this.
    static var maximumFrameCount: Int { 4096 }

    /// The number of buffers.
    let channelCount: Int
    /// One buffer of `maximumFrameCount` a channel.
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

    /// Has `frameCount` frames rendered, at most `maximumFrameCount`.
    ///
    /// Returns how many are from before the end.
    ///
    /// Not annotated as free of locks and allocation, since it calls a C function pointer: that is the callback's duty.
    func render(_ frameCount: Int, at time: UnsafePointer<AudioTimeStamp>?) -> Int {
        min(frameCount, Int(callback.render(callback.context, channels, UInt32(frameCount), time)))
    }

    /// To be called after each `render`, when what was rendered has been handed on.
    func didRender() { callback.didRender(callback.context) }

    /// Copies what was rendered into `output`, frame by frame.
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

/// When a block is heard.
enum RenderTimestamp {
    /// The time stamp of a block.
    /// - Parameters:
    ///   - frame: The frames before it since `start`.
    ///   - hostTime: When its first frame is heard, in nanoseconds of the monotonic clock.
    static func stamp(frame: Int64, hostTime: UInt64) -> AudioTimeStamp {
        var stamp = AudioTimeStamp()
        stamp.mSampleTime = Double(frame)
        stamp.mHostTime = hostTime
        stamp.mRateScalar = 1
        // Written as a number: an option set of two members would be built at run time, without need.
        stamp.mFlags = AudioTimeStampFlags(rawValue: 7)
        return stamp
    }
}
