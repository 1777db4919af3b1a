internal import SyrinxByteStream

/// Parses an ID3v2 tag (id3.org, ID3v2.2 to ID3v2.4): its texts, cover, chapters, and private data.
///
/// libavformat loses fully unsynchronized frames, texts without a byte order mark, and all but one value of a field. It
/// can read compressed frames, which this parser skips.
package struct ID3v2Tag {
    /// The texts, the cover and the chapters.
    package private(set) var list = TagList()
    /// The private data (`PRIV` frames), by owner.
    package private(set) var data: [String: ArraySlice<UInt8>] = [:]
    /// The size of the whole tag, in bytes.
    package let size: Int

    private let version: UInt8
    /// Whether the frames belong to a chapter, which cannot contain chapters.
    private let isChapter: Bool
    /// The parts of the date, which version 3 stores in separate frames.
    private var date = ID3v2Date()

    private static let mostFrames = 10_000
    private static let mostOwners = 100

    /// Returns the size of the tag at the start of `head`, in bytes; `nil` if there is none.
    package static func size(of head: some Collection<UInt8>) -> Int? {
        FormatProbe.id3End(of: Array(head.prefix(10))).map { Int($0) }
    }

    /// Parses the tag at the start of `bytes`, which may be incomplete; `nil` if there is none.
    /// - Parameter size: The actual size in bytes, if the tag misstates it.
    package init?(_ bytes: [UInt8], size: Int? = nil) {
        guard let stated = Self.size(of: bytes) else { return nil }
        self.size = size ?? stated
        version = bytes[3]
        isChapter = false
        guard 2...4 ~= version else { return }
        let flags = bytes[5]
        var body = bytes[min(10, bytes.count)..<min(self.size, bytes.count)]
        let isUnsynchronised = flags & 0x80 != 0
        // Before version 4, the whole tag is unsynchronized, including the sizes.
        if isUnsynchronised, version < 4 { body = Self.synchronised(body)[...] }
        if flags & 0x40 != 0, version > 2 {
            // Skip the extended header, whose size includes its own four bytes since version 4.
            let bits = version == 4 ? 7 : 8
            let length = body.prefix(4).reduce(0) { $0 << bits | Int($1 & (version == 4 ? 0x7F : 0xFF)) }
            if version == 3 { body = body.dropFirst(4) }
            body = body.dropFirst(length)
        }
        readFrames(body, isUnsynchronised: isUnsynchronised && version == 4)
        if let text = date.text { list.add(text, to: "date") }
    }

    private mutating func readFrames(_ body: ArraySlice<UInt8>, isUnsynchronised: Bool) {
        var rest = body
        for _ in 0..<Self.mostFrames {
            guard let head = ID3v2FrameHead(Array(rest.prefix(10)), version: version) else { return }
            rest = rest.dropFirst(head.size)
            let size = head.bodySize { Self.isEnd(rest.dropFirst($0)) }
            guard size <= rest.count else { return }
            let content = rest.prefix(size)
            rest = rest.dropFirst(size)
            if let content = plain(content, head.flags, isUnsynchronised) { read(head.id, content) }
        }
    }

    /// Whether `rest` starts with a frame or padding, or is empty.
    private static func isEnd(_ rest: ArraySlice<UInt8>) -> Bool {
        rest.isEmpty || rest.first == 0 || rest.count >= 4 && rest.prefix(4).allSatisfy { (0x30...0x5A).contains($0) }
    }

    // MARK: The body of a frame

    /// Returns the body without the fields that its flags add; `nil` if it is compressed or encrypted.
    private func plain(_ body: ArraySlice<UInt8>, _ flags: UInt8, _ isUnsynchronised: Bool) -> ArraySlice<UInt8>? {
        switch version {
        case 3: return flags & 0xC0 != 0 ? nil : body.dropFirst(flags & 0x20 != 0 ? 1 : 0)
        case 4:
            guard flags & 0x0C == 0 else { return nil }
            // Skip the group byte and the length before unsynchronization.
            let content = body.dropFirst((flags & 0x40 != 0 ? 1 : 0) + (flags & 1 != 0 ? 4 : 0))
            return isUnsynchronised || flags & 2 != 0 ? Self.synchronised(content)[...] : content
        default: return body
        }
    }

    /// Removes the zero after each 255, unless a required zero is missing.
    private static func synchronised(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var isMarked = false
        for byte in bytes {
            // The text is not unsynchronized, although the flags state it.
            if isMarked, byte >= 0xE0 { return Array(bytes) }
            if !isMarked || byte != 0 { result.append(byte) }
            isMarked = byte == 0xFF
        }
        return result
    }

    private mutating func read(_ id: String, _ body: ArraySlice<UInt8>) {
        switch id {
        case "TXXX", "TXX":
            let parts = ID3v2Text.texts(body)
            for value in parts.dropFirst() { list.add(value, to: parts[0]) }
        case "COMM", "COM", "USLT", "ULT": readRemark(id, body)
        case "APIC", "PIC": readPicture(body)
        case "CHAP" where !isChapter: readChapter(body)
        case "PRIV":
            let owner = body.prefix { $0 != 0 }
            if data.count < Self.mostOwners {
                data[String(decoding: owner, as: UTF8.self)] = body.dropFirst(owner.count).dropFirst()
            }
        case "TCON", "TCO":
            for text in ID3v2Text.texts(body) { for name in ID3Genre.names(in: text) { list.add(name, to: "genre") } }
        default:
            let texts = id.hasPrefix("T") ? ID3v2Text.texts(body) : []
            guard let first = texts.first, !date.take(id, first) else { return }
            for text in texts { list.add(text, to: Self.names[id] ?? id) }
        }
    }

    /// Reads a comment or lyrics frame: a language, a description, and the text.
    private mutating func readRemark(_ id: String, _ body: ArraySlice<UInt8>) {
        guard let encoding = body.first, body.count > 4 else { return }
        let language = String(decoding: body.dropFirst().prefix(3).filter { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self)
        let (description, rest) = ID3v2Text.text(body.dropFirst(4), encoding)
        let text = ID3v2Text.texts(rest, encoding).first ?? ""
        if id.hasPrefix("C") {
            list.add(text, to: description.isEmpty ? "comment" : description)
        } else {
            list.add(text, to: ["lyrics", description, language].filter { !$0.isEmpty }.joined(separator: "-"))
        }
    }

    private mutating func readPicture(_ body: ArraySlice<UInt8>) {
        guard let encoding = body.first else { return }
        let (format, rest) =
            version == 2
            ? (String(decoding: body.dropFirst().prefix(3), as: UTF8.self), body.dropFirst(4))
            : ID3v2Text.text(body.dropFirst(), 0)
        // This format means that the data are the URL of a picture.
        guard format != "-->", let kind = rest.first else { return }
        let file = Array(ID3v2Text.text(rest.dropFirst(), encoding).rest)
        guard PictureHead(file) != nil || format.lowercased().hasPrefix("image/") else { return }
        list.add(MediaPicture(file: file, stated: format), PictureKind(number: kind))
    }

    /// Reads a chapter frame (id3.org, chapter frame addendum): a name, two times, two offsets, and nested frames.
    private mutating func readChapter(_ body: ArraySlice<UInt8>) {
        let rest = body.drop { $0 != 0 }.dropFirst()
        guard rest.count >= 16 else { return }
        let number = { (start: Int) in
            Double(rest.dropFirst(start).prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }) / 1000
        }
        var inner = ID3v2Tag(frames: version)
        inner.readFrames(rest.dropFirst(16), isUnsynchronised: false)
        let title = inner.list.values["title"]?.first
        list.add(MediaChapter(start: number(0), end: max(number(4), number(0)), title: title))
    }

    private init(frames version: UInt8) {
        (self.version, size, isChapter) = (version, 0, true)
    }

    /// The common names of frames; other frames keep their identifiers.
    private static let names = [
        "TIT2": "title", "TT2": "title", "TPE1": "artist", "TP1": "artist", "TALB": "album", "TAL": "album",
        "TPE2": "album_artist", "TP2": "album_artist", "TPE3": "performer", "TP3": "performer", "TCOM": "composer",
        "TCM": "composer", "TCOP": "copyright", "TCR": "copyright", "TENC": "encoded_by", "TEN": "encoded_by",
        "TLAN": "language", "TLA": "language", "TPOS": "disc", "TPA": "disc", "TPUB": "publisher", "TPB": "publisher",
        "TRCK": "track", "TRK": "track", "TSSE": "encoder", "TSS": "encoder", "TCMP": "compilation",
        "TCP": "compilation",
        "TSOA": "album-sort", "TSOP": "artist-sort", "TSOT": "title-sort", "TIT1": "grouping", "TT1": "grouping",
        "TDEN": "creation_time",
    ]
}

/// The date of a recording, which version 4 stores in one frame, and earlier versions in three.
private struct ID3v2Date {
    private var parts: [String: String] = [:]

    private static let frames = [
        "TYER": "year", "TYE": "year", "TDAT": "day", "TDA": "day", "TIME": "time", "TIM": "time", "TDRC": "whole",
        "TDRL": "release",
    ]

    /// Stores a frame that is part of the date; returns `false` for other frames.
    mutating func take(_ id: String, _ text: String) -> Bool {
        guard let part = Self.frames[id] else { return false }
        if !text.isEmpty, parts[part] == nil { parts[part] = text }
        return true
    }

    /// The date, such as `2001`, `2001-03-02` or `2001-03-02 11:22`, or the text of version 4.
    var text: String? {
        guard let year = parts["year"], parts["whole"] == nil else { return parts["whole"] ?? parts["release"] }
        guard let day = parts["day"], day.utf8.count == 4, day.allSatisfy(\.isASCII) else { return year }
        let date = "\(year)-\(day.suffix(2))-\(day.prefix(2))"
        guard let time = parts["time"], time.utf8.count == 4, time.allSatisfy(\.isASCII) else { return date }
        return "\(date) \(time.prefix(2)):\(time.suffix(2))"
    }
}
