import CSyrinxPulse
import Synchronization

/// The state of a running `PulseInput`, used on libpulse's thread.
///
/// Requires the main loop's lock.
struct PulseCaptureState: ~Copyable {
    private let callback: CaptureCallback
    private let channelCount: Int
    /// One buffer of `RenderBlock.maximumFrameCount` frames per channel.
    ///
    /// Owned: freed in `deinit`.
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let samples: UnsafeMutablePointer<Float>
    // Outlives this object: allocated from the device's `init` to its `deinit`.
    private let gauges: UnsafeMutablePointer<DeviceCounters>

    init(
        _ callback: CaptureCallback,
        channelCount: Int,
        gauges: UnsafeMutablePointer<DeviceCounters>
    ) {
        self.callback = callback
        self.channelCount = channelCount
        self.gauges = gauges
        let length = RenderBlock.maximumFrameCount
        samples = .allocate(capacity: channelCount * length)
        samples.initialize(repeating: 0, count: channelCount * length)
        channels = .allocate(capacity: channelCount)
        for channel in 0..<channelCount { (channels + channel).initialize(to: samples + channel * length) }
    }

    deinit {
        channels.deallocate()
        samples.deallocate()
    }

    /// Reads everything that the server has recorded.
    func drain(_ stream: OpaquePointer) {
        var memory: UnsafeRawPointer?
        var byteCount = 0
        while pa_stream_peek(stream, &memory, &byteCount) >= 0, byteCount > 0 {
            let frameCount = byteCount / (channelCount * MemoryLayout<Float>.stride)
            // A gap in the recording has a length but no data; it becomes silence.
            hand(memory?.assumingMemoryBound(to: Float.self), frameCount)
            pa_stream_drop(stream)
        }
        gauges.pointee.noteLatency(of: stream)
    }

    private func hand(_ interleaved: UnsafePointer<Float>?, _ frameCount: Int) {
        var done = 0
        while done < frameCount {
            let count = min(frameCount - done, RenderBlock.maximumFrameCount)
            for channel in 0..<channelCount {
                let target = channels[channel]
                for frame in 0..<count {
                    target[frame] = interleaved.map { $0[(done + frame) * channelCount + channel] } ?? 0
                }
            }
            callback.capture(callback.context, channels, UInt32(count), nil)
            done += count
        }
    }
}
