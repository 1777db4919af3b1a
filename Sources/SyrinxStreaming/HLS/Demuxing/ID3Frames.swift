import SyrinxByteStream

/// The frames of an ID3v2 tag that HLS uses: texts, and the timestamp of packed audio (RFC 8216, 3.4).
struct ID3Frames {
    /// The texts by the names that tags have elsewhere.
    private(set) var tags: [String: String] = [:]
    /// The timestamp of the first sample of the segment, in ticks of 90 kHz.
    private(set) var stamp: Int64?
    /// The bytes of the whole tag.
    let size: Int

    private static let timestampOwner = "com.apple.streaming.transportStreamTimestamp"
    private static let names = [
        "TIT2": "title", "TT2": "title", "TPE1": "artist", "TP1": "artist", "TALB": "album", "TAL": "album",
        "TPE2": "album_artist", "TCOM": "composer", "TCON": "genre", "TRCK": "track", "TPUB": "publisher",
    ]

    /// The bytes of the tag that `head` begins with; `nil` if there is none.
    static func size(of head: some RandomAccessCollection<UInt8>) -> Int? {
        let head = Array(head.prefix(10))
        guard head.count == 10, head.starts(with: "ID3".utf8), head[6...9].allSatisfy({ $0 < 0x80 }) else { return nil }
        return synchsafe(head[6...9]) + 10 + (head[5] & 0x10 != 0 ? 10 : 0)
    }

    private static func synchsafe(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 7 | Int($1 & 0x7F) } }
    private static func plain(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    /// Reads the tag that `bytes` begin with, as far as it is there; `nil` if there is none.
    init?(_ bytes: [UInt8]) {
        guard let size = Self.size(of: bytes) else { return nil }
        self.size = size
        let version = bytes[3]
        var place = 10
        let end = min(size, bytes.count)
        if bytes[5] & 0x40 != 0, version >= 3, end >= 14 {
            // An extended header, whose size counts itself since version 4.
            let length = version >= 4 ? Self.synchsafe(bytes[10..<14]) : Self.plain(bytes[10..<14]) + 4
            place = min(place + length, end)
        }
        let (idSize, headSize) = version >= 3 ? (4, 10) : (3, 6)
        while place + headSize <= end, bytes[place] != 0 {
            let id = String(decoding: bytes[place..<place + idSize], as: UTF8.self)
            let sizeBytes = bytes[(place + idSize)..<(place + (version >= 3 ? 8 : 6))]
            let length = version >= 4 ? Self.synchsafe(sizeBytes) : Self.plain(sizeBytes)
            let start = place + headSize
            guard length > 0, length <= end - start else { return }
            read(id, bytes[start..<start + length])
            place = start + length
        }
    }

    private mutating func read(_ id: String, _ body: ArraySlice<UInt8>) {
        if id == "PRIV" {
            let owner = body.prefix { $0 != 0 }
            let data = body.dropFirst(owner.count + 1)
            guard owner.elementsEqual(Self.timestampOwner.utf8), data.count == 8 else { return }
            stamp = data.reduce(Int64(0)) { $0 << 8 | Int64($1) } & 0x1_FFFF_FFFF
        } else if id == "TXXX" || id == "TXX" {
            let parts = Self.texts(body)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, tags.count < 100 else { return }
            tags[parts[0].lowercased()] = parts[1]
        } else if let name = Self.names[id], let text = Self.texts(body).first, !text.isEmpty {
            tags[name] = text
        }
    }

    /// The texts of a frame, of which the first byte tells the encoding.
    private static func texts(_ body: ArraySlice<UInt8>) -> [String] {
        guard let encoding = body.first else { return [] }
        let data = body.dropFirst()
        switch encoding {
        case 1, 2: return wideTexts(data, isMarked: encoding == 1)
        default:
            return data.split(separator: 0, omittingEmptySubsequences: false)
                .map { encoding == 3 ? String(decoding: $0, as: UTF8.self) : String(utf8OrWindows1252: $0) }
        }
    }

    private static func wideTexts(_ data: ArraySlice<UInt8>, isMarked: Bool) -> [String] {
        var isBigEndian = !isMarked
        var units: [UInt16] = []
        var texts: [String] = []
        var place = data.startIndex
        while place + 1 < data.endIndex {
            let (first, second) = (UInt16(data[place]), UInt16(data[place + 1]))
            place += 2
            if isMarked, units.isEmpty, (first, second) == (0xFF, 0xFE) || (first, second) == (0xFE, 0xFF) {
                isBigEndian = first == 0xFE
                continue
            }
            let unit = isBigEndian ? first << 8 | second : second << 8 | first
            if unit == 0 {
                texts.append(String(decoding: units, as: UTF16.self))
                units = []
            } else {
                units.append(unit)
            }
        }
        return texts + [String(decoding: units, as: UTF16.self)]
    }
}
