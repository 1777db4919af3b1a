internal import CoreAudioTypes
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// A provider of a file's packets, as far as its properties need it.
protocol PacketHolder: AnyObject {
    var averageBytesPerPacket: Double? { get }
    /// The bytes of the largest packet so far; 0 before any.
    var largestPacket: UInt32 { get }
    /// The total number of packets and audio bytes; `nil` until all have arrived.
    var total: (packets: Int64, bytes: Int64)? { get }
    /// Returns the offset of packet `number`, counted from the first byte of the sound.
    func place(ofPacket number: Int64) -> PacketOffsets.Place?
    /// Returns the packet that contains audio byte `byte`.
    func place(ofByte byte: Int64) -> PacketOffsets.Place?
}

/// The properties of a file.
struct StreamPropertyTable {
    let format: AudioStreamBasicDescription
    let known: StreamParser.Known

    /// The bytes of all packets of the table; 0 without one.
    let tableByteCount: UInt64
    /// The bytes of the largest packet of the table.
    let largestInTable: UInt32?

    init(_ known: StreamParser.Known) {
        self.known = known
        format = known.info.streamDescription
        tableByteCount = known.table?.reduce(0) { $0 + UInt64($1.size) } ?? 0
        largestInTable = known.table?.map { UInt32($0.size) }.max()
    }

    var cookie: [UInt8] { known.cookie }
    var dataOffset: Int64 { known.dataOffset }
    private var info: MediaInfo { known.info }

    /// The number of bytes of a frame of plain samples, else 0.
    var bytesPerPacket: Int { Int(format.mBytesPerPacket) }
    /// Whether the file consists only of audio frames, without a container.
    var isBare: Bool { info.format.framing == .bareFrames }

    private var fileType: AudioFileTypeID {
        format.mFormatID == kAudioFormatMPEGLayer2 && isBare
            ? kAudioFileMP2Type : info.format.fileType
    }

    private func dataByteCount(_ stream: any PacketHolder) -> UInt64? {
        if known.table != nil { return tableByteCount }
        if bytesPerPacket > 0, let frames = info.frameCount {
            return UInt64(clamping: frames).multipliedChecked(by: UInt64(clamping: bytesPerPacket))
        }
        guard let size = info.size, size >= dataOffset, info.format.framing.isSequenceOfFrames else {
            return stream.total.map { UInt64(clamping: $0.bytes) }
        }
        return UInt64(clamping: size.subtractingClamped(dataOffset))
    }

    /// Returns the total number of packets: from the file's header, or counted after all have arrived.
    func packetCount(_ stream: any PacketHolder) -> Int64? {
        if let stated = known.packetCount { return stated }
        guard let frames = info.frameCount, format.mFramesPerPacket > 0 else { return stream.total?.packets }
        let perPacket = Int64(format.mFramesPerPacket)
        return frames.addingClamped(known.delay).dividedRoundingUp(by: perPacket)
    }

    private func table(_ stream: any PacketHolder) -> AudioFilePacketTableInfo? {
        guard let frames = info.frameCount, let packets = packetCount(stream), format.mFramesPerPacket > 1 else {
            return nil
        }
        guard packets >= 0, frames >= 0, let total = packets.multipliedChecked(by: Int64(format.mFramesPerPacket))
        else {
            return nil
        }
        return AudioFilePacketTableInfo(
            mNumberValidFrames: frames,
            mPrimingFrames: Int32(clamping: known.delay),
            mRemainderFrames: Int32(clamping: total.subtractingClamped(frames).subtractingClamped(known.delay))
        )
    }

    /// Returns the offset of packet `number` of plain samples.
    func samplePlace(ofPacket number: Int64) -> PacketOffsets.Place? {
        number.multipliedChecked(by: Int64(bytesPerPacket))
            .map { PacketOffsets.Place(packet: number, byte: $0, isEstimate: false) }
    }

    /// Returns the PCM packet that contains byte `byte`.
    func samplePlace(ofByte byte: Int64) -> PacketOffsets.Place {
        let packet = byte / Int64(bytesPerPacket)
        // Bounded: at most `byte`.
        return PacketOffsets.Place(packet: packet, byte: packet * Int64(bytesPerPacket), isEstimate: false)
    }

    /// Returns the entry that contains byte `byte`, or the nearest entry before it.
    func place(ofByte byte: Int64, among entries: [TableCutter.Entry]) -> PacketOffsets.Place? {
        let (offset, isTooFar) = dataOffset.addingReportingOverflow(byte)
        guard !isTooFar, let index = entries.lastIndex(where: { $0.offset <= offset }) else { return nil }
        return PacketOffsets.Place(packet: Int64(index), byte: entries[index].offset - dataOffset, isEstimate: false)
    }

    /// The bytes that a property takes; `nil` if it has no value.
    func size(of property: AudioFileStreamPropertyID, _ stream: any PacketHolder) -> UInt32? {
        // The dictionary is not created only to measure it.
        if property == kAudioFileStreamProperty_InfoDictionary { return UInt32(MemoryLayout<UnsafeRawPointer>.size) }
        var value = [UInt8](repeating: 0, count: max(cookie.count, 64))
        var size = UInt32(value.count)
        let status = value.withUnsafeMutableBytes { buffer in
            buffer.baseAddress.map { read(property, stream, &size, $0) } ?? kAudioFileStreamError_UnspecifiedError
        }
        return status == noErr ? size : nil
    }

    /// Writes a property.
    func read(
        _ property: AudioFileStreamPropertyID,
        _ stream: any PacketHolder,
        _ size: UnsafeMutablePointer<UInt32>,
        _ target: UnsafeMutableRawPointer
    ) -> OSStatus {
        let bad = kAudioFileStreamError_BadPropertySize
        func give<Value>(_ value: Value?) -> OSStatus {
            value.map { put($0, size, target, badSize: bad) } ?? kAudioFileStreamError_ValueUnknown
        }
        switch property {
        case kAudioFileStreamProperty_ReadyToProducePackets: return give(UInt32(1))
        case kAudioFileStreamProperty_FileFormat: return give(fileType)
        case kAudioFileStreamProperty_DataFormat: return give(format)
        case kAudioFileStreamProperty_FormatList:
            return give(AudioFormatListItem(mASBD: format, mChannelLayoutTag: layout.mChannelLayoutTag))
        case kAudioFileStreamProperty_MagicCookieData:
            guard !cookie.isEmpty else { return kAudioFileStreamError_ValueUnknown }
            return put(bytes: cookie, size, target, badSize: bad)
        case kAudioFileStreamProperty_AudioDataByteCount: return give(dataByteCount(stream))
        case kAudioFileStreamProperty_AudioDataPacketCount:
            return give(packetCount(stream).flatMap(UInt64.init(exactly:)))
        case kAudioFileStreamProperty_MaximumPacketSize:
            return give(stream.largestPacket > 0 ? stream.largestPacket : nil)
        case kAudioFileStreamProperty_DataOffset: return give(dataOffset)
        case kAudioFileStreamProperty_ChannelLayout: return give(layout)
        case kAudioFileStreamProperty_PacketTableInfo: return give(table(stream))
        case kAudioFileStreamProperty_PacketSizeUpperBound: return give(upperBound)
        case kAudioFileStreamProperty_AverageBytesPerPacket: return give(stream.averageBytesPerPacket)
        case kAudioFileStreamProperty_BitRate: return give(info.bitRate.map { UInt32(clamping: $0) })
        case kAudioFileStreamProperty_RestrictsRandomAccess: return give(UInt32(known.canBeginAnywhere ? 0 : 1))
        case kAudioFileStreamProperty_InfoDictionary:
            guard size.pointee >= MemoryLayout<UnsafeRawPointer>.size else { return bad }
            return give(InfoDictionary.retained(info))
        default: return PacketTranslation(facts: self, stream: stream).read(property, size, target)
        }
    }

    private var layout: AudioChannelLayout {
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag =
            switch info.channelLayout {
            case "mono": kAudioChannelLayoutTag_Mono
            case "stereo": kAudioChannelLayoutTag_Stereo
            case "5.1", "5.1(side)": kAudioChannelLayoutTag_MPEG_5_1_A
            default: kAudioChannelLayoutTag_DiscreteInOrder | UInt32(clamping: info.channelCount)
            }
        return layout
    }

    /// The largest packet that the codec can have: of MP3 1,441 bytes, of AAC 1,536 for each channel (768 of SBR's
    /// frames), of others twice their samples.
    var upperBound: UInt32 {
        if bytesPerPacket > 0 { return UInt32(clamping: bytesPerPacket) }
        if let largestInTable { return largestInTable }
        switch format.mFormatID {
        case kAudioFormatMPEGLayer3: return 1441
        case kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2:
            return format.mChannelsPerFrame.multipliedClamped(by: 1536)
        default:
            return max(format.mFramesPerPacket, 4608).multipliedClamped(by: format.mChannelsPerFrame)
                .multipliedClamped(by: 8)
        }
    }
}
