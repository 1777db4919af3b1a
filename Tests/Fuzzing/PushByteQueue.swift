import AudioToolbox
import CoreAudioTypes

/// A file pushed into an `AudioFileStream`; the last bytes of it say how it is cut into pieces.
enum PushByteQueue {
    private static let properties: [AudioFileStreamPropertyID] = [
        kAudioFileStreamProperty_FileFormat, kAudioFileStreamProperty_DataFormat, kAudioFileStreamProperty_FormatList,
        kAudioFileStreamProperty_MagicCookieData, kAudioFileStreamProperty_AudioDataByteCount,
        kAudioFileStreamProperty_AudioDataPacketCount, kAudioFileStreamProperty_MaximumPacketSize,
        kAudioFileStreamProperty_DataOffset, kAudioFileStreamProperty_ChannelLayout,
        kAudioFileStreamProperty_PacketTableInfo, kAudioFileStreamProperty_PacketSizeUpperBound,
        kAudioFileStreamProperty_AverageBytesPerPacket, kAudioFileStreamProperty_BitRate,
        kAudioFileStreamProperty_PacketToFrame, kAudioFileStreamProperty_FrameToPacket,
        kAudioFileStreamProperty_PacketToByte, kAudioFileStreamProperty_ByteToPacket,
        kAudioFileStreamProperty_PacketToRollDistance, kAudioFileStreamProperty_PacketToDependencyInfo,
        kAudioFileStreamProperty_PreviousIndependentPacket, kAudioFileStreamProperty_NextIndependentPacket,
    ]

    static func run(_ bytes: [UInt8]) {
        var opened: AudioFileStreamID?
        guard AudioFileStreamOpen(nil, { _, _, _, _ in }, Self.check, 0, &opened) == noErr, let stream = opened
        else { preconditionFailure("it did not open") }
        defer { _ = AudioFileStreamClose(stream) }
        let cut = bytes.last.map { Int($0) } ?? 0
        var offset = 0
        var piece = 0
        while offset < bytes.count {
            // Some of the pieces large, so that a long file takes few.
            let size = piece % 4 == 3 ? 4096 : 1 + (cut * (piece + 1)) % 700
            let end = min(offset + size, bytes.count)
            let isBreak = cut % 5 == 4 && piece == 20
            let status = bytes[offset..<end].withUnsafeBytes {
                AudioFileStreamParseBytes(stream, UInt32($0.count), $0.baseAddress, isBreak ? [.discontinuity] : [])
            }
            guard status == noErr else { break }
            offset = end
            piece += 1
        }
        look(stream, packet: Int64(cut) << 20)
        _ = AudioFileStreamParseBytes(stream, 0, nil, [])
        look(stream, packet: Int64(cut))
    }

    /// Every packet lies in the bytes that it comes with.
    private static let check: AudioFileStream_PacketsProc = { _, byteCount, packetCount, _, descriptions in
        guard let descriptions else { return }
        for index in 0..<Int(packetCount) {
            let packet = descriptions[index]
            let end = packet.mStartOffset + Int64(packet.mDataByteSize)
            precondition(packet.mStartOffset >= 0 && end <= Int64(byteCount), "a packet beyond its bytes")
        }
    }

    private static func look(_ stream: AudioFileStreamID, packet: Int64) {
        for property in properties {
            var size: UInt32 = 0
            var isWritable: DarwinBoolean = false
            guard AudioFileStreamGetPropertyInfo(stream, property, &size, &isWritable) == noErr, size > 0 else {
                continue
            }
            let room = UnsafeMutableRawPointer.allocate(byteCount: Int(size), alignment: 16)
            room.initializeMemory(as: UInt8.self, repeating: 0x7F, count: Int(size))
            _ = AudioFileStreamGetProperty(stream, property, &size, room)
            room.deallocate()
        }
        var offset: Int64 = 0
        var flags = AudioFileStreamSeekFlags()
        _ = AudioFileStreamSeek(stream, packet, &offset, &flags)
    }
}
