internal import CoreAudioTypes
internal import SyrinxByteStream
internal import SyrinxMediaCodec

// Conversions of complete buffers, whose output has as many frames as their input.
extension Converter {
    /// Whether each output frame depends on exactly one input frame.
    private var goesFrameByFrame: Bool {
        source.isPCM && destination.isPCM && source.mSampleRate == destination.mSampleRate
    }

    func convert(
        frameCount: Int,
        _ input: UnsafeMutableAudioBufferListPointer,
        into output: UnsafeMutableAudioBufferListPointer
    ) -> OSStatus {
        guard goesFrameByFrame else { return kAudioConverterErr_OperationNotSupported }
        guard source.fit(input, frameCount) else { return kAudioConverterErr_InvalidInputSize }
        guard destination.fit(output, frameCount) else { return kAudioConverterErr_InvalidOutputSize }
        do throws(SyrinxError) {
            let conversion = try made()
            // Read the whole input before writing, so that input and output can be the same memory.
            try conversion.push(input, frameCount: frameCount)
            let done = conversion.pull(into: output, from: 0, count: frameCount)
            for index in output.indices {
                output[index].mDataByteSize = UInt32(done * Int(destination.mBytesPerFrame))
            }
            return done == frameCount ? noErr : kAudioConverterErr_UnspecifiedError
        } catch {
            return kAudioConverterErr_UnspecifiedError
        }
    }

    func convert(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawPointer,
        _ outputSize: UnsafeMutablePointer<UInt32>
    ) -> OSStatus {
        guard goesFrameByFrame, source.bufferCount == 1, destination.bufferCount == 1 else {
            return kAudioConverterErr_OperationNotSupported
        }
        let size = Int(source.mBytesPerFrame)
        guard size > 0, input.count % size == 0 else { return kAudioConverterErr_InvalidInputSize }
        let lists = (AudioBufferList.allocate(maximumBuffers: 1), AudioBufferList.allocate(maximumBuffers: 1))
        defer {
            lists.0.unsafeMutablePointer.deallocate()
            lists.1.unsafeMutablePointer.deallocate()
        }
        lists.0[0] = AudioBuffer(
            mNumberChannels: source.mChannelsPerFrame,
            mDataByteSize: UInt32(input.count),
            mData: UnsafeMutableRawPointer(mutating: input.baseAddress)
        )
        lists.1[0] = AudioBuffer(
            mNumberChannels: destination.mChannelsPerFrame,
            mDataByteSize: outputSize.pointee,
            mData: output
        )
        let status = convert(frameCount: input.count / size, lists.0, into: lists.1)
        if status == noErr { outputSize.pointee = lists.1[0].mDataByteSize }
        return status
    }
}

extension AudioStreamBasicDescription {
    /// The number of buffers for samples of this format.
    fileprivate var bufferCount: Int {
        mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0 ? Int(mChannelsPerFrame) : 1
    }

    /// Returns whether `list` has capacity for the given number of frames.
    fileprivate func fit(_ list: UnsafeMutableAudioBufferListPointer, _ frameCount: Int) -> Bool {
        let size = Int(mBytesPerFrame)
        return list.count == bufferCount && size > 0
            && list.allSatisfy { frameCount == 0 || $0.mData != nil && Int($0.mDataByteSize) / size >= frameCount }
    }
}
