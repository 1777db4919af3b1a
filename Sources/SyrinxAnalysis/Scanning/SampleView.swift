internal import AVFAudio

/// Provides the samples of a buffer as one pointer for each channel.
enum SampleView {
    /// Calls `body` with the channels of a buffer of 32-bit floats, and the number of frames.
    ///
    /// Interleaved samples are copied. Buffers of another format or with fewer channels are ignored.
    static func read(
        _ buffer: AVAudioPCMBuffer,
        channelCount: Int,
        _ body: (UnsafePointer<UnsafeMutablePointer<Float>>, Int) -> Void
    ) {
        let frames = Int(buffer.frameLength)
        guard frames > 0, channelCount > 0, Int(buffer.format.channelCount) >= channelCount,
            let channels = buffer.floatChannelData
        else { return }
        let stride = buffer.stride
        if stride == 1 { return body(channels, frames) }
        let storage = UnsafeMutablePointer<Float>.allocate(capacity: frames * channelCount)
        let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: channelCount)
        defer {
            storage.deallocate()
            pointers.deallocate()
        }
        for channel in 0..<channelCount {
            let target = storage + channel * frames
            for frame in 0..<frames { (target + frame).initialize(to: channels[channel][frame * stride]) }
            (pointers + channel).initialize(to: target)
        }
        body(UnsafePointer(pointers), frames)
    }
}
