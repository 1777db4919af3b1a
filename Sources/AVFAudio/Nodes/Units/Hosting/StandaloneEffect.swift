import CoreAudioTypes

/// Renders an effect of the library for a host without an engine.
final class StandaloneEffect: @unchecked Sendable {
    // Unchecked: one render at a time accesses it.
    private let processor: UnitProcessor
    private let memory: RenderMemory
    private let input: RenderSlot
    /// The buffers of the host.
    private let output: RenderSlot
    private let maximumFrameCount: Int

    init(_ processor: UnitProcessor, format: AVAudioFormat, maximumFrameCount: Int) {
        self.processor = processor
        self.maximumFrameCount = maximumFrameCount
        memory = RenderMemory(maximumFrameCount: maximumFrameCount)
        input = memory.slot(channelCount: Int(format.channelCount))
        output = memory.slot(channelCount: Int(format.channelCount))
    }

    /// Pulls the input into the host's buffers, and replaces it with the output.
    func render(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
        _ time: UnsafePointer<AudioTimeStamp>,
        _ frameCount: AUAudioFrameCount,
        _ data: UnsafeMutablePointer<AudioBufferList>,
        _ pull: AURenderPullInputBlock
    ) -> AUAudioUnitStatus {
        let list = UnsafeMutableAudioBufferListPointer(data)
        let count = Int(frameCount)
        guard list.count == input.channelCount else { return kAudioUnitErr_FormatNotSupported }
        guard count <= maximumFrameCount else { return kAudioUnitErr_TooManyFramesToProcess }
        var channel = 0
        while channel < input.channelCount {
            guard let data = list[channel].mData else { return kAudioUnitErr_InvalidPropertyValue }
            output.channels[channel] = data.assumingMemoryBound(to: Float.self)
            channel &+= 1
        }
        let status = pull(flags, time, frameCount, 0, data)
        guard status == noErr else { return status }
        channel = 0
        while channel < input.channelCount {
            // The host may have pointed its buffers at samples elsewhere.
            guard let data = list[channel].mData else { return kAudioUnitErr_InvalidPropertyValue }
            copySamples(from: data.assumingMemoryBound(to: Float.self), to: input.channels[channel], count: count)
            list[channel].mData = UnsafeMutableRawPointer(output.channels[channel])
            channel &+= 1
        }
        input.leave(contentFrames: count, isEnd: false)
        let pass = RenderPass(
            appliesCommands: true,
            isSilent: false,
            manner: RenderManner(mayBlock: false, isOffline: false, fades: true),
            hostTime: time.pointee.mHostTime,
            sampleTime: time.pointee.wholeSampleTime,
            timeline: 0
        )
        processor.render(input, into: output, frames: count, pass: pass)
        return noErr
    }
}

extension AudioTimeStamp {
    /// The sample time as an integer; 0 if it has no integer value.
    ///
    /// The checked conversion used elsewhere is generic and allocates memory in debug builds.
    var wholeSampleTime: Int64 {
        @_noLocks @_noAllocation
        get { mSampleTime > -9e15 && mSampleTime < 9e15 ? Int64(mSampleTime) : 0 }
    }
}
