internal import SyrinxByteStream

/// The kind of a picture, ordered by preference as a cover.
enum PictureKind: Comparable {
    case front
    /// Not stated, or described as another kind.
    case unstated
    /// The back cover, the artist, or a booklet page.
    case other
    /// A small icon.
    case icon

    /// Creates a kind from its number in ID3v2, FLAC and ASF.
    init(number: UInt8) {
        self =
            switch number {
            case 0: .unstated
            case 1, 2: .icon
            case 3: .front
            default: .other
            }
    }

    /// Creates a kind from libavformat's description, an APEv2 key, or the name of an attached file.
    init(described text: String?) {
        guard let text = text?.lowercased(), !text.isEmpty else {
            self = .unstated
            return
        }
        if text.contains("front") || text.hasPrefix("cover.") {
            self = .front
        } else if text.contains("icon") || text.hasPrefix("small_cover") {
            self = .icon
        } else {
            self = text == "other" ? .unstated : .other
        }
    }
}

/// The format and the dimensions of a picture, from the first bytes of its file.
struct PictureHead: Equatable {
    let mimeType: String
    /// The width in pixels; 0 if it is unknown.
    private(set) var width = 0
    private(set) var height = 0

    /// Returns `nil` if the format is unknown.
    init?(_ bytes: [UInt8]) {
        let number = { (range: Range<Int>) in bytes[range].reduce(0) { $0 << 8 | Int($1) } }
        let reversed = { (range: Range<Int>) in bytes[range].reversed().reduce(0) { $0 << 8 | Int($1) } }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            mimeType = "image/png"
            if bytes.count >= 24 { (width, height) = (number(16..<20), number(20..<24)) }
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            mimeType = "image/jpeg"
            (width, height) = Self.measures(ofJPEG: bytes) ?? (0, 0)
        } else if bytes.starts(with: "GIF8".utf8) {
            mimeType = "image/gif"
            if bytes.count >= 10 { (width, height) = (reversed(6..<8), reversed(8..<10)) }
        } else if bytes.starts(with: "BM".utf8), bytes.count >= 26 {
            mimeType = "image/bmp"
            (width, height) = (reversed(18..<22), reversed(22..<26))
        } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            mimeType = "image/webp"
        } else {
            return nil
        }
    }

    /// Returns the width and height of a JPEG file, from its frame header (ITU-T T.81, B.2.2).
    private static func measures(ofJPEG bytes: [UInt8]) -> (Int, Int)? {
        var place = 2
        // Follow the chain of markers; the frame header precedes the picture data.
        while place <= bytes.count - 9, bytes[place] == 0xFF {
            let marker = bytes[place + 1]
            if marker == 0xFF {
                place += 1
                continue
            }
            if 0xC0...0xCF ~= marker, ![0xC4, 0xC8, 0xCC].contains(marker) {
                let size = bytes[(place + 5)..<(place + 9)].map(Int.init)
                return (size[2] << 8 | size[3], size[0] << 8 | size[1])
            }
            guard marker != 0xD9, marker != 0xDA else { return nil }
            // Bounded: a length has 16 bits.
            place += 2 + max(Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]), 2)
        }
        return nil
    }
}

extension MediaPicture {
    /// Creates a picture, whose format and dimensions are read from its file header.
    /// - Parameter mimeType: The type that the tag states, used if the file's own format is unknown.
    package init(file: [UInt8], stated mimeType: String = "") {
        let head = PictureHead(file)
        let stated = mimeType.contains("/") ? mimeType.lowercased() : "image/\(mimeType.lowercased())"
        self.init(
            mimeType: head?.mimeType ?? (stated == "image/jpg" ? "image/jpeg" : stated),
            width: head?.width ?? 0,
            height: head?.height ?? 0,
            data: file
        )
    }
}
