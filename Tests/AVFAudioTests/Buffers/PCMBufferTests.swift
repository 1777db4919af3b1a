import AVFAudio
import CoreAudioTypes
import Foundation
import Synchronization
import Testing

@Suite struct PCMBufferTests {
    private func format(_ common: AVAudioCommonFormat, _ channels: UInt32 = 2, interleaved: Bool = false)
        -> AVAudioFormat
    {
        AVAudioFormat(commonFormat: common, sampleRate: 44_100, channels: channels, interleaved: interleaved)!
    }

    @Test("Only the accessor of the buffer's own sample type gives channel data")
    func eachSampleTypeHasItsAccessor() throws {
        for interleaved in [false, true] {
            let floats = try #require(
                AVAudioPCMBuffer(pcmFormat: format(.pcmFormatFloat32, interleaved: interleaved), frameCapacity: 10)
            )
            #expect(floats.floatChannelData != nil && floats.int16ChannelData == nil && floats.int32ChannelData == nil)
            #expect(floats.stride == (interleaved ? 2 : 1))
            let shorts = try #require(
                AVAudioPCMBuffer(pcmFormat: format(.pcmFormatInt16, interleaved: interleaved), frameCapacity: 10)
            )
            #expect(shorts.floatChannelData == nil && shorts.int16ChannelData != nil && shorts.int32ChannelData == nil)
            let longs = try #require(
                AVAudioPCMBuffer(pcmFormat: format(.pcmFormatInt32, interleaved: interleaved), frameCapacity: 10)
            )
            #expect(longs.floatChannelData == nil && longs.int16ChannelData == nil && longs.int32ChannelData != nil)
            let doubles = try #require(
                AVAudioPCMBuffer(pcmFormat: format(.pcmFormatFloat64, interleaved: interleaved), frameCapacity: 10)
            )
            #expect(doubles.floatChannelData == nil && doubles.int16ChannelData == nil)
        }
    }

    @Test("Interleaved channels lie side by side in one buffer")
    func interleavedChannelsLieSideBySide() throws {
        let buffer = try #require(
            AVAudioPCMBuffer(pcmFormat: format(.pcmFormatInt16, 3, interleaved: true), frameCapacity: 4)
        )
        let channels = try #require(buffer.int16ChannelData)
        #expect(channels[1] == channels[0] + 1)
        #expect(channels[2] == channels[0] + 2)
        for frame in 0..<4 { channels[2][frame * buffer.stride] = Int16(frame) }
        #expect(buffer.audioBufferList.pointee.mNumberBuffers == 1)
        #expect(buffer.audioBufferList.pointee.mBuffers.mNumberChannels == 3)
        let raw = try #require(buffer.audioBufferList.pointee.mBuffers.mData).assumingMemoryBound(to: Int16.self)
        #expect((0..<12).map { raw[$0] } == [0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3])
    }

    @Test("The buffer list has the frame length and the capacity")
    func lengthAndRoomAreInTheLists() throws {
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format(.pcmFormatFloat32), frameCapacity: 100))
        #expect(buffer.frameCapacity == 100)
        #expect(buffer.frameLength == 0)
        func sizes(_ list: UnsafePointer<AudioBufferList>) -> [UInt32] {
            UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list)).map(\.mDataByteSize)
        }
        #expect(sizes(buffer.audioBufferList) == [0, 0])
        #expect(sizes(buffer.mutableAudioBufferList) == [400, 400])
        buffer.frameLength = 25
        #expect(sizes(buffer.audioBufferList) == [100, 100])
        #expect(sizes(buffer.mutableAudioBufferList) == [400, 400])
        #expect(buffer.frameLength == 25)
        // What a decoder does: it writes and says how much, then the length is set to match.
        let list = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
        for index in list.indices { list[index].mDataByteSize = 40 }
        buffer.frameLength = list[0].mDataByteSize / 4
        #expect(sizes(buffer.audioBufferList) == [40, 40])
        #expect(list.map(\.mDataByteSize) == [40, 40])
        #expect(
            list[1].mData
                == buffer.audioBufferList.withMemoryRebound(to: AudioBufferList.self, capacity: 1) {
                    UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: $0))[1].mData
                }
        )
        #expect(UnsafeBufferPointer<Float>(list[0]).count == 10)
    }

    @Test("An impossible buffer is nil")
    func whatCannotBeIsNil() throws {
        var aac = AudioStreamBasicDescription()
        aac.mSampleRate = 44_100
        aac.mFormatID = kAudioFormatMPEG4AAC
        aac.mChannelsPerFrame = 2
        #expect(
            AVAudioPCMBuffer(pcmFormat: try #require(AVAudioFormat(streamDescription: &aac)), frameCapacity: 1) == nil
        )
        // The description lives as long as its format.
        let whole = format(.pcmFormatFloat32)
        var empty = withExtendedLifetime(whole) { whole.streamDescription.pointee }
        empty.mBytesPerFrame = 0
        #expect(
            AVAudioPCMBuffer(pcmFormat: try #require(AVAudioFormat(streamDescription: &empty)), frameCapacity: 1) == nil
        )
        // 2^30 frames of 4 bytes are 2^32 bytes: one more than a buffer list can say.
        #expect(AVAudioPCMBuffer(pcmFormat: format(.pcmFormatFloat32), frameCapacity: 1 << 30) == nil)
    }

    @Test("A copy has memory of its own", arguments: [false, true])
    func aCopyIsOfItsOwn(_ interleaved: Bool) throws {
        let buffer = try #require(
            AVAudioPCMBuffer(pcmFormat: format(.pcmFormatInt32, interleaved: interleaved), frameCapacity: 8)
        )
        buffer.frameLength = 5
        for channel in 0..<2 {
            for frame in 0..<5 {
                buffer.int32ChannelData![channel][frame * buffer.stride] = Int32(10 * channel + frame)
            }
        }
        for copy in [buffer.copy(), buffer.mutableCopy()] {
            let copy = try #require(copy as? AVAudioPCMBuffer)
            #expect(copy !== buffer)
            #expect(copy.format == buffer.format)
            #expect(copy.frameCapacity == 8)
            #expect(copy.frameLength == 5)
            buffer.int32ChannelData![1][0] = -1
            for channel in 0..<2 {
                #expect(
                    (0..<5).map { copy.int32ChannelData![channel][$0 * copy.stride] }
                        == (0..<5).map { Int32(10 * channel + $0) }
                )
            }
            buffer.int32ChannelData![1][0] = 10
        }
    }

    @Test("A buffer without a copy uses the caller's memory and calls its deallocator")
    func foreignMemoryIsUsedAndGivenBack() throws {
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: 12)
        samples.initialize(repeating: 0.5, count: 12)
        defer { samples.deallocate() }
        let list = AudioBufferList.allocate(maximumBuffers: 2)
        for channel in 0..<2 {
            list[channel] = AudioBuffer(
                UnsafeMutableBufferPointer(start: samples + channel * 6, count: 6),
                numberOfChannels: 1
            )
        }
        let returned = Mutex<[[UInt32]]>([])
        do {
            let buffer = try #require(
                AVAudioPCMBuffer(pcmFormat: format(.pcmFormatFloat32), bufferListNoCopy: list.unsafePointer) { given in
                    let given = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: given))
                    let isSame = given.count == 2 && given[0].mData == UnsafeMutableRawPointer(samples)
                    returned.withLock { $0.append(given.map(\.mDataByteSize) + [isSame ? 1 : 0]) }
                }
            )
            #expect(buffer.frameCapacity == 6)
            #expect(buffer.frameLength == 6)
            #expect(buffer.floatChannelData?[1] == samples + 6)
            buffer.floatChannelData?[1][3] = 0.25
            buffer.frameLength = 2
            #expect(returned.withLock { $0.isEmpty })
        }
        #expect(returned.withLock { $0 } == [[24, 24, 1]])
        #expect(samples[9] == 0.25)
        list.unsafeMutablePointer.deallocate()
    }

    @Test("A buffer list that does not fit the format makes no buffer")
    func foreignListsThatDoNotFitAreNil() {
        var byte: Float = 0
        withUnsafeMutablePointer(to: &byte) { memory in
            let good = AudioBuffer(mNumberChannels: 1, mDataByteSize: 4, mData: UnsafeMutableRawPointer(memory))
            func make(_ buffers: [AudioBuffer]) -> AVAudioPCMBuffer? {
                let list = AudioBufferList.allocate(maximumBuffers: buffers.count)
                defer { list.unsafeMutablePointer.deallocate() }
                for (index, buffer) in buffers.enumerated() { list[index] = buffer }
                return AVAudioPCMBuffer(pcmFormat: format(.pcmFormatFloat32), bufferListNoCopy: list.unsafePointer)
            }
            var other = good
            other.mDataByteSize = 8
            var empty = good
            empty.mDataByteSize = 0
            var lost = good
            lost.mData = nil
            #expect(make([good, good]) != nil)
            #expect(make([]) == nil)
            #expect(make([good]) == nil)
            #expect(make([good, good, good]) == nil)
            #expect(make([good, other]) == nil)
            #expect(make([empty, empty]) == nil)
            #expect(make([good, lost]) == nil)
        }
    }
}
