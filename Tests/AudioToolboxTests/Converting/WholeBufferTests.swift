import AudioToolbox
import Testing

/// Conversions of one buffer into another, without a procedure.
@Suite struct WholeBufferTests {
    private func shortFormat(_ channels: UInt32, split: Bool = false) -> AudioStreamBasicDescription {
        let size = split ? 2 : 2 * channels
        let flags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
        return AudioStreamBasicDescription(
            mSampleRate: 44100,
            mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: split ? flags | kAudioFormatFlagIsNonInterleaved : flags,
            mBytesPerPacket: size,
            mFramesPerPacket: 1,
            mBytesPerFrame: size,
            mChannelsPerFrame: channels,
            mBitsPerChannel: 16,
            mReserved: 0
        )
    }

    private func make(_ from: AudioStreamBasicDescription, _ to: AudioStreamBasicDescription) throws
        -> AudioConverterRef
    {
        var (from, to) = (from, to)
        var ref: AudioConverterRef?
        #expect(AudioConverterNew(&from, &to, &ref) == noErr)
        return try #require(ref)
    }

    @Test("One buffer is converted whole")
    func oneBuffer() throws {
        let converter = try make(shortFormat(2), floatFormat(44100, 2))
        defer { _ = AudioConverterDispose(converter) }
        let samples: [Int16] = (0..<20_000).map { Int16(truncatingIfNeeded: $0 &* 7919) }
        var floats = [Float](repeating: .nan, count: samples.count + 1)
        // Twice: nothing is left over from the first time.
        for _ in 0..<2 {
            var size = UInt32(4 * floats.count)
            #expect(AudioConverterConvertBuffer(converter, 40_000, samples, &size, &floats) == noErr)
            #expect(size == 80_000)
            #expect(floats.dropLast() == samples.map { Float($0) / 32768 }[...])
            #expect(floats.last?.isNaN == true)
        }
        var size: UInt32 = 79_999
        #expect(
            AudioConverterConvertBuffer(converter, 40_000, samples, &size, &floats)
                == kAudioConverterErr_InvalidOutputSize
        )
        size = 80_000
        #expect(
            AudioConverterConvertBuffer(converter, 39_998, samples, &size, &floats)
                == kAudioConverterErr_InvalidInputSize
        )
        #expect(AudioConverterConvertBuffer(converter, 0, samples, &size, &floats) == noErr)
        #expect(size == 0)
    }

    @Test("A conversion that needs packets is refused")
    func whatIsNoMatterOfOneBuffer() throws {
        let source = [Float](repeating: 0, count: 8)
        var target = source
        var size: UInt32 = 32
        for (from, to) in [
            (floatFormat(44100, 1), floatFormat(48000, 1)), (floatFormat(44100, 2), shortFormat(2, split: true)),
        ] {
            let converter = try make(from, to)
            defer { _ = AudioConverterDispose(converter) }
            #expect(
                AudioConverterConvertBuffer(converter, 16, source, &size, &target)
                    == kAudioConverterErr_OperationNotSupported
            )
        }
    }

    @Test("Lists of buffers are converted whole")
    func listsOfBuffers() throws {
        let converter = try make(floatFormat(44100, 2), shortFormat(2, split: true))
        defer { _ = AudioConverterDispose(converter) }
        let frames = 5000
        var samples = (0..<2 * frames).map { Float($0 % 2 == 0 ? $0 : -$0) / 32768 }
        var first = [Int16](repeating: 7, count: frames + 1)
        var second = first
        let output = AudioBufferList.allocate(maximumBuffers: 2)
        defer { output.unsafeMutablePointer.deallocate() }
        func convert(_ count: Int, room: Int) -> OSStatus {
            samples.withUnsafeMutableBytes { bytes in
                first.withUnsafeMutableBytes { left in
                    second.withUnsafeMutableBytes { right in
                        var input = AudioBufferList()
                        input.mNumberBuffers = 1
                        input.mBuffers.mDataByteSize = UInt32(bytes.count)
                        input.mBuffers.mData = bytes.baseAddress
                        for (index, plane) in [left, right].enumerated() {
                            output[index].mDataByteSize = UInt32(2 * room)
                            output[index].mData = plane.baseAddress
                        }
                        let target = output.unsafeMutablePointer
                        return AudioConverterConvertComplexBuffer(converter, UInt32(count), &input, target)
                    }
                }
            }
        }
        #expect(convert(frames, room: frames + 1) == noErr)
        #expect(output.allSatisfy { $0.mDataByteSize == UInt32(2 * frames) })
        let even: [Int16] = (0..<frames).map { Int16(2 * $0) }
        let odd: [Int16] = (0..<frames).map { Int16(-2 * $0 - 1) }
        #expect(first == even + [7])
        #expect(second == odd + [7])
        #expect(convert(frames + 1, room: frames + 1) == kAudioConverterErr_InvalidInputSize)
        #expect(convert(frames, room: frames - 1) == kAudioConverterErr_InvalidOutputSize)
    }
}
