import CoreMedia
import Testing

/// Buffers of samples.
@Suite struct CMSampleBufferTests {
    /// `count` frames of 16-bit stereo from 0, 1, 2, 3 on, that begin at half a second.
    private func pcm(_ count: Int) throws -> CMSampleBuffer {
        let samples = (0..<2 * count).map { Int16(truncatingIfNeeded: $0) }
        let data = try CMBlockBufferTests.buffer(samples.withUnsafeBytes { Array($0) })
        return try CMSampleBuffer(
            dataBuffer: data,
            formatDescription: CMFormatDescription(audioStreamBasicDescription: CMFormatDescriptionTests.stereo),
            numSamples: count,
            presentationTimeStamp: CMTimeMake(value: 1, timescale: 2),
            packetDescriptions: []
        )
    }

    /// The same, with a buffer of floats for each channel.
    private func planar(_ planes: [[Float]]) throws -> CMSampleBuffer {
        var format = CMFormatDescriptionTests.stereo
        format.mFormatFlags =
            kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked | kAudioFormatFlagIsNonInterleaved
        format.mBitsPerChannel = 32
        format.mChannelsPerFrame = UInt32(planes.count)
        let buffer = try CMSampleBuffer(
            dataBuffer: nil,
            formatDescription: CMFormatDescription(audioStreamBasicDescription: format),
            numSamples: planes[0].count,
            presentationTimeStamp: .zero,
            packetDescriptions: []
        )
        let list = AudioBufferList.allocate(maximumBuffers: planes.count)
        defer { list.unsafeMutablePointer.deallocate() }
        var memory = planes.map { plane in
            let copy = UnsafeMutableBufferPointer<Float>.allocate(capacity: plane.count)
            _ = copy.initialize(from: plane)
            return copy
        }
        defer { memory.forEach { $0.deallocate() } }
        for index in planes.indices { list[index] = AudioBuffer(memory[index], numberOfChannels: 1) }
        try buffer.setDataBuffer(fromAudioBufferList: list.unsafePointer)
        for plane in memory { plane.update(repeating: -1) }
        memory = memory.map { $0 }
        return buffer
    }

    @Test("A buffer of sound states times, sizes and format")
    func properties() throws {
        let buffer = try pcm(441)
        #expect(buffer.numSamples == 441 && buffer.duration == CMTimeMake(value: 1, timescale: 100))
        #expect(buffer.presentationTimeStamp.seconds == 0.5 && !buffer.decodeTimeStamp.isValid)
        #expect(buffer.totalSampleSize == 1764 && buffer.sampleSize(at: 440) == 4 && buffer.sampleSize(at: 441) == 0)
        #expect(buffer.formatDescription?.mediaType == .audio && buffer.dataReadiness == .ready)
        #expect(try buffer.sampleTimingInfo(at: 44).presentationTimeStamp.seconds == 0.5 + 44.0 / 44100)
        #expect(throws: NSError.self) { try buffer.sampleTimingInfo(at: 441) }
        #expect(throws: NSError.self) { try buffer.sampleTimingInfo(at: -1) }
        #expect(try buffer.audioStreamPacketDescriptions().isEmpty)
    }

    @Test("A buffer list points at the bytes, and the block buffer keeps them")
    func bufferList() throws {
        var list = AudioBufferList()
        var block: CMBlockBuffer?
        var needed = 0
        func get(_ buffer: CMSampleBuffer, _ size: Int) -> OSStatus {
            CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
                buffer,
                bufferListSizeNeededOut: &needed,
                bufferListOut: &list,
                bufferListSize: size,
                blockBufferAllocator: nil,
                blockBufferMemoryAllocator: nil,
                flags: kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment,
                blockBufferOut: &block
            )
        }
        #expect(get(try pcm(100), MemoryLayout<AudioBufferList>.size) == noErr)
        #expect(list.mNumberBuffers == 1 && list.mBuffers.mNumberChannels == 2 && list.mBuffers.mDataByteSize == 400)
        let kept = try #require(block)
        let samples = UnsafeBufferPointer<Int16>(list.mBuffers)
        #expect(samples.elementsEqual((0..<200).map { Int16($0) }) && kept.dataLength == 400)
        #expect(
            get(try planar([[1, 2], [3, 4]]), MemoryLayout<AudioBufferList>.size) == kCMSampleBufferError_ArrayTooSmall
        )
        #expect(needed == AudioBufferList.sizeInBytes(maximumBuffers: 2))
        try planar([[1, 2, 3], [4, 5, 6]]).withAudioBufferList(flags: .audioBufferListAssure16ByteAlignment) {
            list,
            _ in
            #expect(list.count == 2 && list.allSatisfy { UInt(bitPattern: $0.mData) % 16 == 0 })
            #expect(list.map { Array(UnsafeBufferPointer<Float>($0)) } == [[1, 2, 3], [4, 5, 6]])
        }
    }

    @Test("Frames are copied from the place asked for, and no other")
    func copying() throws {
        let buffer = try pcm(50)
        var samples = [Int16](repeating: -1, count: 20)
        func copy(_ first: Int32, _ count: Int32) -> OSStatus {
            samples.withUnsafeMutableBufferPointer { memory in
                var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer(memory, numberOfChannels: 2))
                return CMSampleBufferCopyPCMDataIntoAudioBufferList(buffer, at: first, frameCount: count, into: &list)
            }
        }
        #expect(copy(40, 10) == noErr)
        #expect(samples == (80..<100).map { Int16($0) })
        #expect(copy(41, 10) == kCMSampleBufferError_SampleIndexOutOfRange)
        #expect(copy(-1, 2) == kCMSampleBufferError_SampleIndexOutOfRange)
        #expect(copy(0, .max) == kCMSampleBufferError_SampleIndexOutOfRange)
        #expect(copy(0, .min) == kCMSampleBufferError_SampleIndexOutOfRange)
        #expect(copy(0, 11) == kCMSampleBufferError_ArrayTooSmall)
        let planar = try planar([[1, 2, 3, 4], [5, 6, 7, 8]])
        let list = AudioBufferList.allocate(maximumBuffers: 2)
        defer { list.unsafeMutablePointer.deallocate() }
        var (left, right) = ([Float](repeating: 0, count: 2), [Float](repeating: 0, count: 2))
        try left.withUnsafeMutableBufferPointer { left in
            try right.withUnsafeMutableBufferPointer { right in
                list[0] = AudioBuffer(left, numberOfChannels: 1)
                list[1] = AudioBuffer(right, numberOfChannels: 1)
                try planar.copyPCMData(fromRange: 1..<3, into: list.unsafeMutablePointer)
            }
        }
        #expect(left == [2, 3] && right == [6, 7])
    }

    @Test("Packets keep their sizes, and a part of them its bytes and times")
    func packets() throws {
        var format = AudioStreamBasicDescription()
        format.mFormatID = kAudioFormatMPEG4AAC
        format.mSampleRate = 48000
        format.mFramesPerPacket = 1024
        format.mChannelsPerFrame = 2
        let sizes = [3, 1, 4, 2]
        let packets = sizes.map {
            AudioStreamPacketDescription(mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: UInt32($0))
        }
        let buffer = try CMSampleBuffer(
            dataBuffer: CMBlockBufferTests.buffer(Array(0..<10)),
            formatDescription: CMFormatDescription(audioStreamBasicDescription: format),
            numSamples: 4,
            presentationTimeStamp: .zero,
            packetDescriptions: packets
        )
        #expect(try buffer.sampleSizes() == sizes && buffer.totalSampleSize == 10)
        #expect(buffer.duration == CMTimeMake(value: 4096, timescale: 48000))
        let descriptions = try buffer.audioStreamPacketDescriptions()
        #expect(descriptions.map(\.mStartOffset) == [0, 3, 4, 8] && descriptions.map(\.mDataByteSize) == [3, 1, 4, 2])
        let part = try CMSampleBuffer(copying: buffer, forRange: 1..<3)
        #expect(try part.dataBuffer?.dataBytes() == Data([3, 4, 5, 6, 7]) && part.numSamples == 2)
        #expect(part.presentationTimeStamp == CMTimeMake(value: 1024, timescale: 48000))
        var numbers: [Int] = []
        #expect(
            CMSampleBufferCallBlockForEachSample(buffer) { single, index in
                numbers.append(single.totalSampleSize)
                return index == 2 ? -1 : noErr
            } == -1
        )
        #expect(numbers == [3, 1, 4])
        for range in [
            CFRangeMake(-1, 1), CFRangeMake(0, 5), CFRangeMake(4, 1), CFRangeMake(1, .max), CFRangeMake(0, 0),
        ] {
            var result: CMSampleBuffer?
            let status = CMSampleBufferCopySampleBufferForRange(
                allocator: nil,
                sampleBuffer: buffer,
                sampleRange: range,
                sampleBufferOut: &result
            )
            #expect(status == kCMSampleBufferError_SampleIndexOutOfRange && result == nil)
        }
        #expect(throws: NSError.self) { try CMSampleBuffer(copying: planar([[1, 2]]), forRange: 0..<1) }
    }

    @Test("Sizes that promise more than there is give a status")
    func hostileSizes() throws {
        var format = AudioStreamBasicDescription()
        format.mFormatID = kAudioFormatMPEGLayer3
        format.mSampleRate = 48000
        let packets = [UInt32.max, 1].map {
            AudioStreamPacketDescription(mStartOffset: -5, mVariableFramesInPacket: .max, mDataByteSize: $0)
        }
        let buffer = try CMSampleBuffer(
            dataBuffer: CMBlockBufferTests.buffer([1, 2, 3]),
            formatDescription: CMFormatDescription(audioStreamBasicDescription: format),
            numSamples: 2,
            presentationTimeStamp: CMTimeMake(value: .max, timescale: 48000),
            packetDescriptions: packets
        )
        #expect(throws: NSError.self) { try CMSampleBuffer(copying: buffer, forRange: 0..<1) }
        #expect(throws: NSError.self) { try CMSampleBuffer(copying: buffer, forRange: 1..<2) }
        #expect(try buffer.audioStreamPacketDescriptions().count == 2)
        var short = try pcm(4)
        short = try CMSampleBuffer(
            dataBuffer: CMBlockBufferTests.buffer([1, 2]),
            formatDescription: short.formatDescription,
            numSamples: 1000,
            sampleTimings: [],
            sampleSizes: [.max]
        )
        var samples = [Int16](repeating: 0, count: 8)
        samples.withUnsafeMutableBufferPointer { memory in
            var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer(memory, numberOfChannels: 2))
            let status = CMSampleBufferCopyPCMDataIntoAudioBufferList(short, at: 0, frameCount: 4, into: &list)
            #expect(status == kCMSampleBufferError_InvalidSampleData)
        }
        #expect(short.totalSampleSize == .max)
        let none = CMSampleBuffer.self
        #expect(throws: NSError.self) {
            try none.init(dataBuffer: nil, formatDescription: nil, numSamples: -1, sampleTimings: [], sampleSizes: [])
        }
        #expect(throws: NSError.self) {
            try none.init(
                dataBuffer: nil,
                formatDescription: nil,
                numSamples: 3,
                sampleTimings: [],
                sampleSizes: [1, 2]
            )
        }
    }

    @Test("Data become ready by the callback, and only then")
    func readiness() throws {
        var buffer: CMSampleBuffer?
        let status = CMSampleBufferCreate(
            allocator: nil,
            dataBuffer: nil,
            dataReady: false,
            makeDataReadyCallback: { buffer, _ in
                CMSampleBufferSetDataBuffer(
                    buffer,
                    newValue: (try? CMBlockBufferTests.buffer([1])) ?? CMBlockBuffer.none
                )
            },
            refcon: nil,
            formatDescription: nil,
            sampleCount: 1,
            sampleTimingEntryCount: 0,
            sampleTimingArray: nil,
            sampleSizeEntryCount: 0,
            sampleSizeArray: nil,
            sampleBufferOut: &buffer
        )
        let made = try #require(buffer)
        #expect(status == noErr && made.dataReadiness == .notReady && made.dataBuffer == nil)
        let copy = try CMSampleBuffer(copying: made)
        try made.makeDataReady()
        #expect(made.dataReadiness == .ready && made.dataBuffer?.dataLength == 1 && copy.dataReadiness == .ready)
        #expect(CMSampleBufferSetDataBuffer(made, newValue: .none) == kCMSampleBufferError_AlreadyHasDataBuffer)
        #expect(CMSampleBufferTrackDataReadiness(made, sampleBufferToTrack: copy) != noErr)
        let later = try CMSampleBuffer(copying: made)
        #expect(CMSampleBufferSetDataFailed(later, status: -5) == noErr && later.dataReadiness == .failed(-5))
    }

    @Test("An invalidated buffer gives nothing, and its handler is called once")
    func invalidation() throws {
        let buffer = try pcm(10)
        var calls = 0
        #expect(CMSampleBufferSetInvalidateHandler(buffer) { _ in calls += 1 } == noErr)
        try buffer.invalidate()
        #expect(calls == 1 && !buffer.isValid && buffer.numSamples == 0 && buffer.dataBuffer == nil)
        #expect(!buffer.presentationTimeStamp.isValid && !buffer.duration.isValid && buffer.formatDescription == nil)
        #expect(CMSampleBufferInvalidate(buffer) == kCMSampleBufferError_Invalidated && calls == 1)
        #expect(throws: NSError.self) { try CMSampleBuffer(copying: buffer) }
        #expect(throws: NSError.self) { try buffer.withAudioBufferList { _, _ in } }
    }

    @Test("Attachments that propagate go to copies, and trims shorten what is output")
    func attachments() throws {
        let buffer = try pcm(441)
        CMSetAttachment(buffer, key: "stays", value: 1, attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
        let trim = try #require(CMTimeCopyAsDictionary(CMTimeMake(value: 41, timescale: 44100), allocator: nil))
        buffer.attachments[kCMSampleBufferAttachmentKey_TrimDurationAtStart] = .shouldPropagate(trim)
        let copy = try CMSampleBuffer(copying: buffer)
        #expect(copy.attachments["stays"] == nil)
        #expect(copy.outputDuration == CMTimeMake(value: 400, timescale: 44100))
        #expect(copy.outputPresentationTimeStamp == CMTimeMake(value: 22050 + 41, timescale: 44100))
        var mode: CMAttachmentMode = 9
        #expect(CMGetAttachment(buffer, key: "stays", attachmentModeOut: &mode) as? Int == 1 && mode == 0)
        CMRemoveAttachment(buffer, key: "stays")
        #expect(CMGetAttachment(buffer, key: "stays", attachmentModeOut: nil) == nil)
        let samples = CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: true)
        #expect(samples?.count == 441)
    }

    @Test("New times replace the old ones, and the earliest counts")
    func newTimes() throws {
        let buffer = try pcm(2)
        func timing(_ start: Int64) -> CMSampleTimingInfo {
            let second = CMTimeMake(value: 1, timescale: 1)
            return CMSampleTimingInfo(
                duration: second,
                presentationTimeStamp: CMTimeMake(value: start, timescale: 1),
                decodeTimeStamp: CMTimeMake(value: start - 1, timescale: 1)
            )
        }
        let copy = try CMSampleBuffer(copying: buffer, withNewTiming: [timing(9), timing(7)])
        #expect(copy.presentationTimeStamp.seconds == 7 && copy.decodeTimeStamp.seconds == 8)
        #expect(copy.duration.seconds == 2 && buffer.presentationTimeStamp.seconds == 0.5)
        #expect(throws: NSError.self) {
            try CMSampleBuffer(copying: buffer, withNewTiming: [timing(1), timing(2), timing(3)])
        }
    }
}

extension CMBlockBuffer {
    /// A buffer of no bytes.
    static var none: CMBlockBuffer {
        var buffer: CMBlockBuffer?
        _ = CMBlockBufferCreateEmpty(allocator: nil, capacity: 0, flags: 0, blockBufferOut: &buffer)
        return buffer.unsafelyUnwrapped
    }
}
