internal import SyrinxByteStream

/// Parses the tag of 128 bytes at the end of an MP3 file.
enum ID3v1Tag {
    static let size = 128

    /// Parses a tag; `nil` if `bytes` are not a tag.
    static func read(_ bytes: ArraySlice<UInt8>) -> TagList? {
        let bytes = Array(bytes)
        guard bytes.count == size, bytes.starts(with: "TAG".utf8) else { return nil }
        var tags = TagList()
        func add(_ range: Range<Int>, to name: String) {
            let text = String(utf8OrWindows1252: bytes[range].prefix { $0 != 0 })
            tags.add(String(text.reversed().drop(while: \.isWhitespace).reversed()), to: name)
        }
        add(3..<33, to: "title")
        add(33..<63, to: "artist")
        add(63..<93, to: "album")
        add(93..<97, to: "date")
        add(97..<127, to: "comment")
        // A preceding zero marks the byte as the track number.
        if bytes[125] == 0, bytes[126] != 0 { tags.add(String(bytes[126]), to: "track") }
        if let genre = ID3Genre.name(Int(bytes[127])) { tags.add(genre, to: "genre") }
        return tags
    }
}
