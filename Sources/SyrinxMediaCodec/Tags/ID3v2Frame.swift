internal import SyrinxByteStream

/// The header of a frame in an ID3v2 tag (id3.org, ID3v2.2 to ID3v2.4).
struct ID3v2FrameHead {
    let id: String
    /// The second byte of flags, which describes the encoding of the body; 0 in version 2.
    let flags: UInt8
    /// The size of the header, in bytes.
    let size: Int
    /// The size of the body that the frame states, in the encoding of its version.
    private let stated: Int
    /// The same size, decoded with eight bits per byte.
    private let plain: Int

    /// Returns `nil` if `head` does not start with a frame header.
    init?(_ head: [UInt8], version: UInt8) {
        let width = version == 2 ? 3 : 4
        size = version == 2 ? 6 : 10
        guard head.count >= size, head[0] >= 0x41,
            head[..<width].allSatisfy({ (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) })
        else { return nil }
        id = String(decoding: head[..<width], as: UTF8.self)
        flags = version == 2 ? 0 : head[9]
        let number = head[width..<2 * width]
        plain = number.reduce(0) { $0 << 8 | Int($1) }
        let isSyncsafe = version > 3 && number.allSatisfy { $0 < 0x80 }
        stated = isSyncsafe ? number.reduce(0) { $0 << 7 | Int($1) } : plain
    }

    /// Returns the size of the body, in bytes.
    ///
    /// Some programs write version 4 sizes with eight instead of seven bits per byte.
    /// - Parameter isEnd: Whether another frame, padding or the audio starts this number of bytes after the header.
    func bodySize(_ isEnd: (Int) -> Bool) -> Int {
        stated == plain || isEnd(stated) || !isEnd(plain) ? stated : plain
    }
}

/// Decodes the texts of a frame.
enum ID3v2Text {
    /// Returns the texts of a frame.
    ///
    /// The first byte of the body is the encoding, and zeros separate the texts.
    static func texts(_ body: ArraySlice<UInt8>) -> [String] {
        guard let encoding = body.first else { return [] }
        return texts(body.dropFirst(), encoding)
    }

    /// Decodes texts in one of the four encodings.
    static func texts(_ data: ArraySlice<UInt8>, _ encoding: UInt8) -> [String] {
        guard encoding == 1 || encoding == 2 else {
            return data.split(separator: 0, omittingEmptySubsequences: false).map { String(utf8OrWindows1252: $0) }
        }
        return wideTexts(data, isMarked: encoding == 1)
    }

    /// Decodes the text before the first zero, and returns the bytes after that zero.
    static func text(_ data: ArraySlice<UInt8>, _ encoding: UInt8) -> (String, rest: ArraySlice<UInt8>) {
        guard encoding == 1 || encoding == 2 else {
            let text = data.prefix { $0 != 0 }
            return (String(utf8OrWindows1252: text), data.dropFirst(text.count).dropFirst())
        }
        var end = data.startIndex
        while end < data.endIndex - 1, data[end] != 0 || data[end + 1] != 0 { end += 2 }
        let text = wideTexts(data[..<min(end, data.endIndex)], isMarked: encoding == 1).first ?? ""
        return (text, data.dropFirst(end - data.startIndex).dropFirst(2))
    }

    private static func wideTexts(_ data: ArraySlice<UInt8>, isMarked: Bool) -> [String] {
        var isBigEndian = !isMarked || beginsWide(data)
        var units: [UInt16] = []
        var texts: [String] = []
        var place = data.startIndex
        while place + 1 < data.endIndex {
            let (first, second) = (UInt16(data[place]), UInt16(data[place + 1]))
            place += 2
            if units.isEmpty, (first, second) == (0xFF, 0xFE) || (first, second) == (0xFE, 0xFF) {
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

    /// Whether UTF-16 text without a byte order mark is big-endian, judged by the high bytes, which are zero or
    /// similar.
    private static func beginsWide(_ data: ArraySlice<UInt8>) -> Bool {
        let sample = Array(data.prefix(64))
        func kinds(_ start: Int) -> Int {
            Set(stride(from: start, to: sample.count & ~1, by: 2).map { sample[$0] }).count
        }
        func zeros(_ start: Int) -> Int {
            stride(from: start, to: sample.count & ~1, by: 2).count { sample[$0] == 0 }
        }
        return zeros(0) == zeros(1) ? kinds(0) < kinds(1) : zeros(0) > zeros(1)
    }
}
