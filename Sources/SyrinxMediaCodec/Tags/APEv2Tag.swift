internal import SyrinxByteStream

/// Parses the tags of Monkey's Audio, WavPack and Musepack, which mp3gain and others also append to MP3 files.
///
/// <https://wiki.hydrogenaud.io/index.php?title=APEv2_specification>
enum APEv2Tag {
    /// The size of the footer, and of the optional header, in bytes.
    static let edge = 32
    /// The maximum number of items that are read.
    private static let mostItems = 10_000

    /// Returns the size of the items and the footer of a tag, in bytes; `nil` if `footer` is not a footer.
    static func size(_ footer: ArraySlice<UInt8>) -> Int? {
        let footer = Array(footer)
        guard footer.count == edge, footer.starts(with: "APETAGEX".utf8) else { return nil }
        let size = number(footer[12..<16])
        return size >= edge ? size : nil
    }

    /// Reads a tag.
    /// - Parameter items: The bytes between the header and the footer.
    static func read(_ items: ArraySlice<UInt8>) -> TagList {
        var tags = TagList()
        var rest = items
        for _ in 0..<mostItems {
            guard rest.count > 8 else { break }
            let (size, flags) = (number(rest.prefix(4)), number(rest.dropFirst(4).prefix(4)))
            rest = rest.dropFirst(8)
            let key = rest.prefix { $0 != 0 }
            rest = rest.dropFirst(key.count).dropFirst()
            guard size <= rest.count else { break }
            add(rest.prefix(size), flags: flags, to: String(utf8OrWindows1252: key), &tags)
            rest = rest.dropFirst(size)
        }
        return tags
    }

    private static func add(_ value: ArraySlice<UInt8>, flags: Int, to key: String, _ tags: inout TagList) {
        switch flags >> 1 & 3 {
        case 0:
            for text in value.split(separator: 0) { tags.add(String(utf8OrWindows1252: text), to: key) }
        case 1 where key.lowercased().hasPrefix("cover art"):
            // The value is a file name, a zero, and the file.
            let name = value.prefix { $0 != 0 }
            let file = Array(value.dropFirst(name.count).dropFirst())
            guard PictureHead(file) != nil else { return }
            tags.add(MediaPicture(file: file), PictureKind(described: key))
        default: break
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }
}
