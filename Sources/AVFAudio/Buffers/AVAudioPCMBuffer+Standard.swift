extension AVAudioPCMBuffer {
    /// Returns the same audio as 32-bit float with one buffer per channel; the buffer itself if it has that format.
    func asStandard() -> AVAudioPCMBuffer {
        if format.isStandard { return self }
        guard let standard = format.asStandard,
            let copy = AVAudioPCMBuffer(pcmFormat: standard, frameCapacity: frameLength),
            let targets = copy.floatChannelData
        else { return self }
        copy.frameLength = frameLength
        let frames = Int(frameLength)
        for channel in 0..<Int(format.channelCount) {
            let target = targets[channel]
            if let floats = floatChannelData {
                for frame in 0..<frames { target[frame] = floats[channel][frame * stride] }
            } else if let shorts = int16ChannelData {
                for frame in 0..<frames { target[frame] = Float(shorts[channel][frame * stride]) / 32_768 }
            } else if let longs = int32ChannelData {
                for frame in 0..<frames { target[frame] = Float(longs[channel][frame * stride]) / 2_147_483_648 }
            } else if let doubles = doubleChannelData {
                for frame in 0..<frames { target[frame] = Float(doubles[channel][frame * stride]) }
            } else {
                return self
            }
        }
        return copy
    }

    /// Returns a copy mixed down to the channel count of `target`, with the coefficients of the mixer.
    ///
    /// Returns the buffer itself if `target` has at least as many channels.
    func folded(to target: AVAudioFormat) -> AVAudioPCMBuffer {
        guard format.channelCount > target.channelCount else { return self }
        let source = asStandard()
        guard let sources = source.floatChannelData,
            let output = target.asStandard(sampleRate: format.sampleRate),
            let copy = AVAudioPCMBuffer(pcmFormat: output, frameCapacity: frameLength),
            let targets = copy.floatChannelData
        else { return self }
        copy.frameLength = frameLength
        for channel in 0..<Int(output.channelCount) {
            targets[channel].update(repeating: 0, count: Int(frameLength))
        }
        withExtendedLifetime(source) {
            for route in ChannelMatrix(from: format, to: target).routes {
                for frame in 0..<Int(frameLength) {
                    targets[route.target][frame] += sources[route.source][frame] * route.gain
                }
            }
        }
        return copy
    }
}
