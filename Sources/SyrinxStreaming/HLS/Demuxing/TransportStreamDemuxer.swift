/// Extracts the audio and the timed ID3 tags of an MPEG transport stream (ISO/IEC 13818-1), as it arrives.
///
/// It reads the first program, prefers AAC if there is a choice, and skips damaged packets.
struct TransportStreamDemuxer {
    /// The codec of the audio.
    enum Codec: Equatable, Sendable {
        case aac
        case latm
        case mpegAudio
        case ac3
        case eac3

        /// libavformat's name of the format.
        var format: String {
            switch self {
            case .aac: "aac"
            case .latm: "loas"
            case .mpegAudio: "mp3"
            case .ac3: "ac3"
            case .eac3: "eac3"
            }
        }
    }

    /// The size of a packet in bytes.
    static let packetSize = 188
    private static let syncByte: UInt8 = 0x47
    /// The maximum size of a tag in bytes, enough for a picture; longer tags are dropped.
    private static let largestTag = 1 << 20
    private static let largestHeader = 9 + 255

    /// The encoding, once the tables have been read.
    private(set) var codec: Codec?
    /// Whether the tables were read and contain no decodable audio stream.
    private(set) var lacksSound = false
    /// Whether the audio is encrypted within the stream.
    private(set) var isScrambled = false
    /// The elementary audio stream; remove it with `takeSound()`.
    private(set) var sound: [UInt8] = []
    /// The timestamp of the first audio packet since `beginSegment()`, in ticks of 90 kHz.
    private(set) var firstStamp: Int64?
    /// Timed tags: the timestamp in ticks of 90 kHz, and the bytes of the ID3 tag.
    private(set) var tags: [(stamp: Int64, bytes: [UInt8])] = []

    private var partial: [UInt8] = []
    private var programTable: UInt16?
    private var soundPID: UInt16?
    private var tagPID: UInt16?
    private var section: [UInt8] = []
    private var sectionPID: UInt16?
    /// The start of an audio packet with an incomplete header.
    private var header: [UInt8]?
    private var tagPacket: [UInt8]?

    /// Starts another segment, in which packets start anew.
    mutating func beginSegment() {
        partial = []
        header = nil
        firstStamp = nil
        endTag()
    }

    /// Returns the audio since the last call.
    mutating func takeSound() -> [UInt8] {
        defer { sound = [] }
        return sound
    }

    /// Returns the timed tags since the last call.
    mutating func takeTags() -> [(stamp: Int64, bytes: [UInt8])] {
        defer { tags = [] }
        return tags
    }

    /// Ends a segment: incomplete tags are returned.
    mutating func endSegment() { endTag() }

    // MARK: Packets

    /// Processes the next bytes of the stream.
    mutating func push(_ bytes: UnsafeRawBufferPointer) {
        var place = 0
        if !partial.isEmpty {
            let missing = min(Self.packetSize - partial.count, bytes.count)
            partial += bytes[..<missing]
            place = missing
            guard partial.count == Self.packetSize else { return }
            let whole = partial
            partial = []
            whole.withUnsafeBytes { readPacket($0) }
        }
        while place < bytes.count {
            guard bytes[place] == Self.syncByte else {
                // Bounded: `place` lies before the end.
                place += 1
                continue
            }
            // Bounded: `place` lies before the end.
            guard bytes.count - place >= Self.packetSize else {
                partial = Array(bytes[place...])
                return
            }
            // Bounded: a whole packet follows.
            readPacket(UnsafeRawBufferPointer(rebasing: bytes[place..<place + Self.packetSize]))
            place += Self.packetSize
        }
    }

    private mutating func readPacket(_ packet: UnsafeRawBufferPointer) {
        // The sender has marked the packet as damaged.
        guard packet[1] & 0x80 == 0 else { return }
        let pid = UInt16(packet[1] & 0x1F) << 8 | UInt16(packet[2])
        let isStart = packet[1] & 0x40 != 0
        guard packet[3] & 0x10 != 0 else { return }
        var offset = 4
        if packet[3] & 0x20 != 0 { offset += 1 + Int(packet[4]) }
        guard offset < packet.count else { return }
        let payload = UnsafeRawBufferPointer(rebasing: packet[offset...])
        switch pid {
        case 0: readSection(payload, isStart, pid)
        case programTable: readSection(payload, isStart, pid)
        case soundPID:
            guard packet[3] & 0xC0 == 0 else {
                isScrambled = true
                return
            }
            readSound(payload, isStart)
        case tagPID: readTag(payload, isStart)
        default: break
        }
    }

    // MARK: Tables

    private mutating func readSection(_ payload: UnsafeRawBufferPointer, _ isStart: Bool, _ pid: UInt16) {
        if isStart {
            let begin = 1 + Int(payload[0])
            guard begin < payload.count else { return }
            section = Array(payload[begin...])
            sectionPID = pid
        } else if sectionPID == pid {
            section += payload
        }
        guard sectionPID == pid, section.count >= 3 else { return }
        // Bounded: 12 bits.
        let length = 3 + (Int(section[1] & 0x0F) << 8 | Int(section[2]))
        guard section.count >= length else { return }
        let whole = section[..<length]
        sectionPID = nil
        // The last four bytes are a checksum.
        guard length >= 12 else { return }
        // Bounded: `length` is 12 at least.
        if pid == 0, whole[0] == 0 { readPrograms(whole[8..<length - 4]) }
        if pid == programTable, whole[0] == 2 { readStreams(whole[..<(length - 4)]) }
    }

    private mutating func readPrograms(_ entries: ArraySlice<UInt8>) {
        var place = entries.startIndex
        // Bounded: places of a section of a few thousand bytes.
        while place + 4 <= entries.endIndex {
            let number = Int(entries[place]) << 8 | Int(entries[place + 1])
            if number != 0 {
                programTable = UInt16(entries[place + 2] & 0x1F) << 8 | UInt16(entries[place + 3])
                return
            }
            // Bounded: places of a section of a few thousand bytes.
            place += 4
        }
    }

    private mutating func readStreams(_ table: ArraySlice<UInt8>) {
        guard table.count >= 12 else { return }
        // Bounded: 12 bits.
        var place = 12 + (Int(table[10] & 0x0F) << 8 | Int(table[11]))
        var found: [(pid: UInt16, codec: Codec)] = []
        var tag: UInt16?
        // Bounded: places of a section of a few thousand bytes.
        while place + 5 <= table.endIndex {
            let kind = table[place]
            let pid = UInt16(table[place + 1] & 0x1F) << 8 | UInt16(table[place + 2])
            let length = Int(table[place + 3] & 0x0F) << 8 | Int(table[place + 4])
            // Bounded: places of a section of a few thousand bytes.
            let end = min(place + 5 + length, table.endIndex)
            let descriptors = table[place + 5..<end]
            if let codec = Self.codec(kind, descriptors) { found.append((pid, codec)) }
            // Metadata in separate packets (ISO/IEC 13818-1, 2.12); HLS uses ID3 only.
            if kind == 0x15, tag == nil { tag = pid }
            // Sound that is encrypted frame by frame.
            if [0xCF, 0xC1, 0xC2].contains(kind), found.isEmpty { isScrambled = true }
            place = end
        }
        tagPID = tag
        guard let choice = found.first(where: { $0.codec == .aac }) ?? found.first else {
            lacksSound = codec == nil
            return
        }
        // A continuous stream keeps its type; another type is another recording, which a playlist has to announce.
        if soundPID == nil || !found.contains(where: { $0.pid == soundPID }) {
            soundPID = choice.pid
            codec = codec ?? choice.codec
        }
        lacksSound = false
    }

    private static func codec(_ kind: UInt8, _ descriptors: ArraySlice<UInt8>) -> Codec? {
        switch kind {
        case 0x0F: .aac
        case 0x11: .latm
        case 0x03, 0x04: .mpegAudio
        case 0x81: .ac3
        case 0x84, 0x87: .eac3
        case 0x06: codec(ofPrivate: descriptors)
        default: nil
        }
    }

    /// Returns the encoding that descriptors state of private data, as in DVB (ETSI EN 300 468, annex D).
    private static func codec(ofPrivate descriptors: ArraySlice<UInt8>) -> Codec? {
        var place = descriptors.startIndex
        // Bounded: places of a section of a few thousand bytes.
        while place + 2 <= descriptors.endIndex {
            switch descriptors[place] {
            case 0x6A: return .ac3
            case 0x7A: return .eac3
            case 0x7C: return .aac
            default: break
            }
            // Bounded: 8 bits.
            place += 2 + Int(descriptors[place + 1])
        }
        return nil
    }

    // MARK: Elementary streams

    private mutating func readSound(_ payload: UnsafeRawBufferPointer, _ isStart: Bool) {
        guard isStart || header != nil else {
            // Before the first packet start, the bytes belong to an earlier packet.
            if firstStamp != nil { sound += payload }
            return
        }
        var bytes = isStart ? [] : header ?? []
        bytes += payload
        guard let parsed = PacketHeader(bytes) else {
            // It may go on in the next packet of the stream.
            header = bytes.count < Self.largestHeader ? bytes : nil
            return
        }
        header = nil
        guard parsed.isValid else { return }
        if firstStamp == nil { firstStamp = parsed.stamp ?? 0 }
        sound += bytes[parsed.size...]
    }

    private mutating func readTag(_ payload: UnsafeRawBufferPointer, _ isStart: Bool) {
        if isStart { endTag() }
        if isStart {
            tagPacket = Array(payload)
        } else {
            guard let size = tagPacket?.count, size < Self.largestTag else {
                tagPacket = nil
                return
            }
            tagPacket?.append(contentsOf: payload)
        }
        guard let packet = tagPacket, packet.count >= 6 else { return }
        let length = Int(packet[4]) << 8 | Int(packet[5])
        // Bounded: 16 bits.
        if length > 0, packet.count >= 6 + length { endTag() }
    }

    private mutating func endTag() {
        defer { tagPacket = nil }
        guard let packet = tagPacket, let parsed = PacketHeader(packet), parsed.isValid, let stamp = parsed.stamp,
            tags.count < 1_000
        else { return }
        tags.append((stamp, Array(packet[parsed.size...])))
    }

    /// The header of a packet of an elementary stream.
    private struct PacketHeader {
        /// Whether it starts with a valid prefix.
        let isValid: Bool
        let size: Int
        /// The presentation timestamp, in ticks of 90 kHz.
        let stamp: Int64?

        /// `nil` if `bytes` end before the header does.
        init?(_ bytes: [UInt8]) {
            guard bytes.count >= 9 else { return nil }
            let size = 9 + Int(bytes[8])
            guard bytes.count >= size else { return nil }
            isValid = bytes[..<3].elementsEqual([0, 0, 1]) && bytes[6] & 0xC0 == 0x80
            self.size = size
            guard bytes[7] & 0x80 != 0, size >= 14 else {
                stamp = nil
                return
            }
            stamp =
                Int64(bytes[9] >> 1 & 7) << 30 | Int64(bytes[10]) << 22 | Int64(bytes[11] >> 1) << 15
                | Int64(bytes[12]) << 7 | Int64(bytes[13] >> 1)
        }
    }
}
