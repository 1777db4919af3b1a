internal import CoreAudioTypes
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// The object behind an `AudioFileStreamID`.
///
/// Use it from one thread at a time, as Apple documents.
final class AudioFileStreamParser: PacketHolder {
    private let client: UnsafeMutableRawPointer
    private let listen: AudioFileStream_PropertyListenerProc
    private let give: AudioFileStream_PacketsProc
    /// Whether plain samples have packet descriptions too.
    private let describesSamples: Bool
    private var parser = StreamParser()
    /// Divides the data into packets once the format is known; `nil` if the demultiplexer does.
    private var cutter: (any PacketCutter)?
    private var isReady = false
    /// The number of packets delivered so far, for positions and averages.
    private var packetCount: Int64 = 0
    private var byteCount: Int64 = 0
    private var largest: UInt32 = 0
    private(set) var places = PacketOffsets()
    /// Whether the whole file has arrived, from start to end.
    private(set) var isComplete = false
    /// The target of a seek, until bytes follow.
    private var sought: (packet: Int64, offset: Int64)?
    /// Whether a callback has closed the stream, which exists until the call that triggered the callback returns.
    private var isClosed = false

    private(set) var facts: StreamPropertyTable?

    init(
        client: UnsafeMutableRawPointer,
        listen: @escaping AudioFileStream_PropertyListenerProc,
        give: @escaping AudioFileStream_PacketsProc,
        describesSamples: Bool = false
    ) {
        self.client = client
        self.listen = listen
        self.give = give
        self.describesSamples = describesSamples
    }

    var id: AudioFileStreamID { AudioFileStreamID(Unmanaged.passUnretained(self).toOpaque()) }

    func close() {
        isClosed = true
        parser.end()
    }

    // MARK: Parsing

    func parse(_ data: UnsafeRawBufferPointer, isDiscontinuous: Bool) -> OSStatus {
        let status = breakOff(isDiscontinuous: isDiscontinuous)
        guard status == noErr else { return status }
        guard cutter != nil else { return identify(data) }
        if data.isEmpty {
            cutter?.finish()
            isComplete = !places.isBroken
        } else {
            cutter?.push(data)
        }
        giveOutCut()
        return noErr
    }

    /// Identifies the format of the data, and then starts to divide it into packets.
    private func identify(_ data: UnsafeRawBufferPointer) -> OSStatus {
        if data.isEmpty {
            parser.finish()
        } else {
            parser.feed(data)
        }
        if !isReady, let known = parser.known { begin(known) }
        if data.isEmpty {
            isComplete = !places.isBroken
            cutter?.finish()
        }
        if cutter == nil {
            giveOut(parser.takePackets())
        } else {
            giveOutCut()
            return noErr
        }
        return parser.error.map { isReady ? kAudioFileStreamError_InvalidFile : Self.status($0) } ?? noErr
    }

    private func begin(_ known: StreamParser.Known) {
        facts = StreamPropertyTable(known)
        isReady = true
        announce()
        guard !isClosed, let made = known.cutter else { return }
        cutter = made
        parser.fedBytes(from: known.dataOffset).withUnsafeBytes { cutter?.push($0) }
        parser.end()
    }

    /// Prepares for bytes that may be from another offset.
    ///
    /// After a seek, bytes are assumed to be from the new offset with or without the discontinuity flag, because
    /// players differ.
    private func breakOff(isDiscontinuous: Bool) -> OSStatus {
        guard isDiscontinuous || sought != nil else { return noErr }
        let sought = sought
        self.sought = nil
        guard let facts, isReady else {
            return isDiscontinuous ? kAudioFileStreamError_DiscontinuityCantRecover : noErr
        }
        guard cutter == nil else {
            let frame = sought.flatMap { $0.packet.multipliedChecked(by: Int64(facts.format.mFramesPerPacket)) }
            cutter?.breakOff(at: sought?.offset, toFrame: frame)
            // Of the others the cutter finds out whether the bytes are from another place.
            if facts.known.table != nil || facts.bytesPerPacket > 0 { places.breakOff() }
            isComplete = false
            return noErr
        }
        guard isDiscontinuous else { return noErr }
        isComplete = false
        places.breakOff()
        // Only streams without anything around their frames can be entered anywhere.
        guard facts.isBare else { return kAudioFileStreamError_DiscontinuityCantRecover }
        parser.end()
        parser = StreamParser()
        return noErr
    }

    /// Announces the properties before the first packet, in the documented order of Apple's parser.
    private func announce() {
        guard let facts else { return }
        let order = [
            kAudioFileStreamProperty_FileFormat, kAudioFileStreamProperty_DataFormat,
            kAudioFileStreamProperty_FormatList, kAudioFileStreamProperty_MagicCookieData,
            kAudioFileStreamProperty_ChannelLayout, kAudioFileStreamProperty_DataOffset,
            kAudioFileStreamProperty_AudioDataByteCount, kAudioFileStreamProperty_AudioDataPacketCount,
            kAudioFileStreamProperty_PacketTableInfo, kAudioFileStreamProperty_BitRate,
            kAudioFileStreamProperty_PacketSizeUpperBound, kAudioFileStreamProperty_MaximumPacketSize,
            kAudioFileStreamProperty_InfoDictionary, kAudioFileStreamProperty_ReadyToProducePackets,
        ]
        for property in order where !isClosed && facts.size(of: property, self) != nil {
            var flags = AudioFileStreamPropertyFlags()
            listen(client, id, property, &flags)
        }
    }

    /// The maximum number of bytes per callback, so that a callback can stop the following ones.
    private static let largestBatch = 1 << 16

    private func giveOutCut() {
        while !isClosed {
            var batch: [PacketCut] = []
            var size = 0
            while size < Self.largestBatch, let packet = cutter?.next() {
                size += packet.bytes.count
                batch.append(packet)
            }
            guard !batch.isEmpty else { return }
            giveOut(batch)
        }
    }

    private func giveOut(_ packets: [PacketCut]) {
        guard let facts, !packets.isEmpty, !isClosed else { return }
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
            note(packet, facts)
        }
        byteCount += Int64(total)
        let isPlain = facts.bytesPerPacket > 0
        let count = isPlain ? total / facts.bytesPerPacket : packets.count
        packetCount += Int64(count)
        // Bounded: the format has it in 32 bits.
        largest = max(largest, isPlain ? UInt32(facts.bytesPerPacket) : descriptions.map(\.mDataByteSize).max() ?? 0)
        let describes = !isPlain || describesSamples
        if isPlain, describes { descriptions = Self.descriptions(count: count, size: facts.bytesPerPacket) }
        data.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            descriptions.withUnsafeMutableBufferPointer {
                give(client, UInt32(total), UInt32(count), base, describes ? $0.baseAddress : nil)
            }
        }
    }

    /// Returns descriptions of consecutive packets of one size.
    private static func descriptions(count: Int, size: Int) -> [AudioStreamPacketDescription] {
        (0..<count).map { index in
            AudioStreamPacketDescription(
                mStartOffset: Int64(index * size),
                mVariableFramesInPacket: 0,
                mDataByteSize: UInt32(clamping: size)
            )
        }
    }

    private func note(_ packet: PacketCut, _ facts: StreamPropertyTable) {
        // A table locates all packets, and PCM offsets are computed.
        guard facts.known.table == nil, facts.bytesPerPacket == 0 else { return }
        if cutter != nil, packet.offset == nil { places.breakOff() }
        places.note(at: packet.offset.map { $0.subtractingClamped(facts.dataOffset) }, size: packet.bytes.count)
    }

    // MARK: Seeking and properties

    var averageBytesPerPacket: Double? {
        if let table = facts?.known.table, !table.isEmpty {
            return Double(facts?.tableByteCount ?? 0) / Double(table.count)
        }
        return packetCount > 0 ? Double(byteCount) / Double(packetCount) : nil
    }

    var largestPacket: UInt32 { facts?.largestInTable ?? largest }
    /// The total number of packets and audio bytes; `nil` until all have arrived.
    var total: (packets: Int64, bytes: Int64)? { isComplete ? (packetCount, byteCount) : nil }

    /// Seeks to packet `number`, and returns its offset, at which the next bytes are assumed to start.
    func seek(toPacket number: Int64) -> PacketOffsets.Place? {
        guard let facts, let place = place(ofPacket: number) else { return nil }
        sought = (number, facts.dataOffset.addingReportingOverflow(place.byte).partialValue)
        return place
    }

    /// Returns the offset of packet `number`, counted from the first byte of the sound.
    func place(ofPacket number: Int64) -> PacketOffsets.Place? {
        guard let facts, number >= 0 else { return nil }
        if let table = facts.known.table {
            guard number < Int64(table.count) else { return nil }
            let byte = table[Int(number)].offset - facts.dataOffset
            return PacketOffsets.Place(packet: number, byte: byte, isEstimate: false)
        }
        return facts.bytesPerPacket > 0 ? facts.samplePlace(ofPacket: number) : places.place(ofPacket: number)
    }

    /// Returns the packet that contains audio byte `byte`.
    func place(ofByte byte: Int64) -> PacketOffsets.Place? {
        guard let facts, byte >= 0 else { return nil }
        if let table = facts.known.table { return facts.place(ofByte: byte, among: table) }
        return facts.bytesPerPacket > 0 ? facts.samplePlace(ofByte: byte) : places.place(ofByte: byte)
    }

    static func status(_ error: SyrinxError) -> OSStatus {
        switch error.code {
        case .notAudio, .empty: kAudioFileStreamError_UnsupportedFileType
        case .unsupported: kAudioFileStreamError_UnsupportedDataFormat
        case .corrupt: kAudioFileStreamError_InvalidFile
        // Before the format is known, this error occurs only for MP4 files whose index has not arrived.
        case .truncated: kAudioFileStreamError_NotOptimized
        default: kAudioFileStreamError_UnspecifiedError
        }
    }
}
