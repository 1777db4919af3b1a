import AVFAudio
import CoreAudioTypes
import Foundation
import Testing

@Suite struct CompressedBufferTests {
    private func format(_ id: AudioFormatID, bytesPerPacket: UInt32) throws -> AVAudioFormat {
        var description = AudioStreamBasicDescription()
        description.mSampleRate = 44_100
        description.mFormatID = id
        description.mChannelsPerFrame = 2
        description.mFramesPerPacket = 1_024
        description.mBytesPerPacket = bytesPerPacket
        return try #require(AVAudioFormat(streamDescription: &description))
    }

    @Test("A compressed buffer of packets of different sizes has packet descriptions")
    func packetsOfDifferentSizesAreDescribed() throws {
        let format = try format(kAudioFormatMPEG4AAC, bytesPerPacket: 0)
        let buffer = AVAudioCompressedBuffer(format: format, packetCapacity: 3, maximumPacketSize: 100)
        #expect(buffer.packetCapacity == 3)
        #expect(buffer.maximumPacketSize == 100)
        #expect(buffer.byteCapacity == 300)
        #expect(buffer.byteLength == 0)
        #expect(buffer.packetCount == 0)
        buffer.data.storeBytes(of: 0xAB, toByteOffset: 299, as: UInt8.self)
        let descriptions = try #require(buffer.packetDescriptions)
        descriptions[2] = AudioStreamPacketDescription(mStartOffset: 60, mVariableFramesInPacket: 0, mDataByteSize: 40)
        buffer.packetCount = 3
        buffer.byteLength = 300
        #expect(buffer.audioBufferList.pointee.mBuffers.mDataByteSize == 300)
        buffer.byteLength = 100
        #expect(buffer.audioBufferList.pointee.mBuffers.mDataByteSize == 100)
        #expect(buffer.mutableAudioBufferList.pointee.mBuffers.mDataByteSize == 300)
        let copy = try #require(buffer.copy() as? AVAudioCompressedBuffer)
        #expect(copy.data != buffer.data)
        #expect(copy.data.load(fromByteOffset: 299, as: UInt8.self) == 0xAB)
        #expect(copy.packetDescriptions?[2].mStartOffset == 60)
        #expect(copy.packetDescriptions?[2].mDataByteSize == 40)
        #expect(copy.packetCount == 3)
        #expect(copy.byteLength == 100)
    }

    @Test("A compressed buffer of packets of one size has no packet descriptions")
    func packetsOfOneSizeAreNot() throws {
        let format = try format(kAudioFormatULaw, bytesPerPacket: 2)
        let buffer = AVAudioCompressedBuffer(format: format, packetCapacity: 50)
        #expect(buffer.packetDescriptions == nil)
        #expect(buffer.maximumPacketSize == 2)
        #expect(buffer.byteCapacity == 100)
    }
}
