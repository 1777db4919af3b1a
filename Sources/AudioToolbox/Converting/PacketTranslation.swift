internal import CoreAudioTypes
internal import SyrinxByteStream

/// Properties that translate between packets, frames and bytes, or describe the dependencies of a packet.
///
/// The caller sets one field of the structure, and receives the others.
struct PacketTranslation {
    let facts: StreamPropertyTable
    let stream: any PacketHolder

    func read(
        _ property: AudioFileStreamPropertyID,
        _ size: UnsafeMutablePointer<UInt32>,
        _ target: UnsafeMutableRawPointer
    ) -> OSStatus {
        switch property {
        case kAudioFileStreamProperty_PacketToFrame: change(size, target, frame)
        case kAudioFileStreamProperty_FrameToPacket: change(size, target, packet)
        case kAudioFileStreamProperty_PacketToByte: change(size, target, byte)
        case kAudioFileStreamProperty_ByteToPacket: change(size, target, packetOfByte)
        case kAudioFileStreamProperty_PacketToRollDistance: change(size, target, rollDistance)
        case kAudioFileStreamProperty_PreviousIndependentPacket: change(size, target, previous)
        case kAudioFileStreamProperty_NextIndependentPacket: change(size, target, next)
        case kAudioFileStreamProperty_PacketToDependencyInfo: change(size, target, dependencies)
        default: kAudioFileStreamError_UnsupportedProperty
        }
    }

    private func change<Value>(
        _ size: UnsafeMutablePointer<UInt32>,
        _ target: UnsafeMutableRawPointer,
        _ body: (inout Value) -> OSStatus
    ) -> OSStatus where Value: BitwiseCopyable {
        guard Int(size.pointee) >= MemoryLayout<Value>.size else { return kAudioFileStreamError_BadPropertySize }
        var value = target.loadUnaligned(as: Value.self)
        let status = body(&value)
        guard status == noErr else { return status }
        return put(value, size, target, badSize: kAudioFileStreamError_BadPropertySize)
    }

    // MARK: Frames

    private func frame(_ value: inout AudioFramePacketTranslation) -> OSStatus {
        guard facts.format.mFramesPerPacket > 0 else { return kAudioFileStreamError_ValueUnknown }
        let perPacket = Int64(facts.format.mFramesPerPacket)
        value.mFrame = value.mPacket.multipliedClamped(by: perPacket)
        return noErr
    }

    private func packet(_ value: inout AudioFramePacketTranslation) -> OSStatus {
        guard facts.format.mFramesPerPacket > 0 else { return kAudioFileStreamError_ValueUnknown }
        let perPacket = Int64(facts.format.mFramesPerPacket)
        value.mPacket = value.mFrame / perPacket
        value.mFrameOffsetInPacket = UInt32(clamping: value.mFrame % perPacket)
        return noErr
    }

    // MARK: Bytes

    private func byte(_ value: inout AudioBytePacketTranslation) -> OSStatus {
        guard value.mPacket >= 0 else { return kAudioFileStreamError_InvalidPacketOffset }
        guard let place = stream.place(ofPacket: value.mPacket) else { return kAudioFileStreamError_DataUnavailable }
        value.mByte = place.byte
        value.mFlags = place.isEstimate ? .bytePacketTranslationFlag_IsEstimate : []
        return noErr
    }

    private func packetOfByte(_ value: inout AudioBytePacketTranslation) -> OSStatus {
        guard value.mByte >= 0 else { return kAudioFileStreamError_InvalidPacketOffset }
        guard let place = stream.place(ofByte: value.mByte) else { return kAudioFileStreamError_DataUnavailable }
        value.mPacket = place.packet
        value.mByteOffsetInPacket = UInt32(clamping: value.mByte.subtractingClamped(place.byte))
        value.mFlags = place.isEstimate ? .bytePacketTranslationFlag_IsEstimate : []
        return noErr
    }

    // MARK: Dependencies of packets

    /// Gets the number of preceding packets that a decoder needs, limited by the start of the file.
    private func rollDistance(_ value: inout AudioPacketRollDistanceTranslation) -> OSStatus {
        guard value.mPacket >= 0 else { return kAudioFileStreamError_InvalidPacketOffset }
        value.mRollDistance = min(facts.known.rollDistance, value.mPacket)
        return noErr
    }

    private func previous(_ value: inout AudioIndependentPacketTranslation) -> OSStatus {
        guard value.mPacket >= 0 else { return kAudioFileStreamError_InvalidPacketOffset }
        guard facts.known.canBeginAnywhere else { return kAudioFileStreamError_ValueUnknown }
        value.mIndependentlyDecodablePacket = value.mPacket.subtractingClamped(1)
        return noErr
    }

    private func next(_ value: inout AudioIndependentPacketTranslation) -> OSStatus {
        guard value.mPacket >= 0 else { return kAudioFileStreamError_InvalidPacketOffset }
        guard facts.known.canBeginAnywhere else { return kAudioFileStreamError_ValueUnknown }
        let following = value.mPacket.addingChecked(1)
        let isLast = following.map { next in facts.packetCount(stream).map { next >= $0 } ?? false } ?? true
        value.mIndependentlyDecodablePacket = isLast ? -1 : following ?? -1
        return noErr
    }

    private func dependencies(_ value: inout AudioPacketDependencyInfoTranslation) -> OSStatus {
        guard value.mPacket >= 0 else { return kAudioFileStreamError_InvalidPacketOffset }
        guard facts.known.canBeginAnywhere else { return kAudioFileStreamError_ValueUnknown }
        value.mIsIndependentlyDecodable = 1
        value.mNumberPrerollPackets = UInt32(clamping: facts.known.rollDistance)
        return noErr
    }
}
