internal import ByteStream
internal import CoreAudioTypes
internal import MediaCodec

/// What an `AudioFileStreamID` stands for.
///
/// Used by one thread at a time, as Apple asks of callers.
final class FileStream {
    private let client: UnsafeMutableRawPointer
    private let listen: AudioFileStream_PropertyListenerProc
    private let give: AudioFileStream_PacketsProc
    private var parser = StreamParser()
    private var isReady = false
    /// Packets that have been given out, for positions and averages.
    private var packetCount: Int64 = 0
    private var byteCount: Int64 = 0
    private var largest: UInt32 = 0
    private(set) var places = PacketPlaces()
    /// Whether all of the file has come, from its start to its end.
    private(set) var isComplete = false
    /// After a seek in plain samples: they need no parser.
    private var rest: [UInt8]?

    private(set) var facts: StreamFacts?

    init(
        client: UnsafeMutableRawPointer,
        listen: @escaping AudioFileStream_PropertyListenerProc,
        give: @escaping AudioFileStream_PacketsProc
    ) {
        self.client = client
        self.listen = listen
        self.give = give
    }

    var id: AudioFileStreamID { AudioFileStreamID(Unmanaged.passUnretained(self).toOpaque()) }

    func close() { parser.end() }

    // MARK: Parsing

    func parse(_ data: UnsafeRawBufferPointer, isDiscontinuous: Bool) -> OSStatus {
        if isDiscontinuous {
            let status = breakOff()
            guard status == noErr else { return status }
        }
        if rest != nil { return cut(data) }
        if data.isEmpty {
            parser.finish()
            isComplete = !places.isBroken
        } else {
            parser.feed(data)
        }
        if !isReady, let known = parser.known {
            facts = StreamFacts(known)
            announce()
        }
        giveOut(parser.takePackets())
        return parser.error.map { isReady ? kAudioFileStreamError_InvalidFile : Self.status($0) } ?? noErr
    }

    /// Prepares for bytes from another place.
    private func breakOff() -> OSStatus {
        guard let facts, isReady else { return kAudioFileStreamError_DiscontinuityCantRecover }
        isComplete = false
        places.breakOff()
        if facts.bytesPerPacket > 0 {
            rest = []
            return noErr
        }
        // Only streams without anything around their frames can be entered anywhere.
        guard facts.isBare else { return kAudioFileStreamError_DiscontinuityCantRecover }
        parser.end()
        parser = StreamParser()
        return noErr
    }

    /// What is announced first, and in this order, before any packet.
    private func announce() {
        guard let facts else { return }
        isReady = true
        var order = [kAudioFileStreamProperty_FileFormat, kAudioFileStreamProperty_DataFormat]
        if !facts.cookie.isEmpty { order.append(kAudioFileStreamProperty_MagicCookieData) }
        order += [
            kAudioFileStreamProperty_DataOffset, kAudioFileStreamProperty_AudioDataByteCount,
            kAudioFileStreamProperty_PacketTableInfo, kAudioFileStreamProperty_ReadyToProducePackets,
        ]
        for property in order where facts.size(of: property, self) != nil {
            var flags = AudioFileStreamPropertyFlags()
            listen(client, id, property, &flags)
        }
    }

    private func giveOut(_ packets: [StreamParser.Packet]) {
        guard let facts, !packets.isEmpty else { return }
        let total = packets.reduce(0) { $0 + $1.bytes.count }
        var data: [UInt8] = []
        data.reserveCapacity(total)
        var descriptions: [AudioStreamPacketDescription] = []
        for packet in packets {
            descriptions.append(
                AudioStreamPacketDescription(
                    mStartOffset: Int64(data.count),
                    mVariableFramesInPacket: facts.format.mFramesPerPacket == 0 ? packet.frameCount : 0,
                    mDataByteSize: UInt32(packet.bytes.count)
                )
            )
            data += packet.bytes
            places.note(at: packet.offset.map { $0.subtractingClamped(facts.dataOffset) }, size: packet.bytes.count)
        }
        byteCount += Int64(total)
        let isPlain = facts.bytesPerPacket > 0
        let count = isPlain ? total / facts.bytesPerPacket : packets.count
        packetCount += Int64(count)
        largest = max(largest, isPlain ? UInt32(facts.bytesPerPacket) : descriptions.map(\.mDataByteSize).max() ?? 0)
        data.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            descriptions.withUnsafeMutableBufferPointer {
                give(client, UInt32(total), UInt32(count), base, isPlain ? nil : $0.baseAddress)
            }
        }
    }

    /// Plain samples from the middle of a file: whole frames, and what is left over waits.
    private func cut(_ data: UnsafeRawBufferPointer) -> OSStatus {
        guard let facts, var bytes = rest else { return noErr }
        bytes += data
        let whole = bytes.count / facts.bytesPerPacket * facts.bytesPerPacket
        rest = Array(bytes[whole...])
        if whole > 0 { giveOut([StreamParser.Packet(bytes: Array(bytes[..<whole]), frameCount: 0, offset: nil)]) }
        return noErr
    }

    // MARK: Seeking and properties

    var averageBytesPerPacket: Double? { packetCount > 0 ? Double(byteCount) / Double(packetCount) : nil }
    var largestPacket: UInt32 { largest }
    /// The packets and the bytes of the sound, once all of them have come.
    var total: (packets: Int64, bytes: Int64)? { isComplete ? (packetCount, byteCount) : nil }

    /// Where in the sound packet `number` begins, counted from its first byte.
    func place(ofPacket number: Int64) -> PacketPlaces.Place? {
        guard let facts, number >= 0 else { return nil }
        guard facts.bytesPerPacket > 0 else { return places.place(ofPacket: number) }
        return number.multipliedChecked(by: Int64(facts.bytesPerPacket))
            .map { PacketPlaces.Place(packet: number, byte: $0, isEstimate: false) }
    }

    /// Which packet byte `byte` of the sound lies in.
    func place(ofByte byte: Int64) -> PacketPlaces.Place? {
        guard let facts, byte >= 0 else { return nil }
        guard facts.bytesPerPacket > 0 else { return places.place(ofByte: byte) }
        let packet = byte / Int64(facts.bytesPerPacket)
        return PacketPlaces.Place(packet: packet, byte: packet * Int64(facts.bytesPerPacket), isEstimate: false)
    }

    static func status(_ error: MediaError) -> OSStatus {
        switch error.code {
        case .notAudio, .empty: kAudioFileStreamError_UnsupportedFileType
        case .unsupported: kAudioFileStreamError_UnsupportedDataFormat
        case .corrupt: kAudioFileStreamError_InvalidFile
        // Before anything is known, only an MP4 says so, whose index has not come.
        case .truncated: kAudioFileStreamError_NotOptimized
        default: kAudioFileStreamError_UnspecifiedError
        }
    }
}
