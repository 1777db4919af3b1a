import Foundation
import SyrinxMediaCodec
import SyrinxTestSupport

/// Tags by hand.
enum TagBytes {
    static func number(_ value: Int, _ width: Int, bits: Int = 8) -> [UInt8] {
        (0..<width).reversed().map { UInt8(value >> (bits * $0) & (1 << bits - 1)) }
    }

    static func reversed(_ value: Int) -> [UInt8] { number(value, 4).reversed() }

    /// A frame of ID3v2.
    static func frame(_ id: String, _ body: [UInt8], version: UInt8 = 4, flags: UInt8 = 0) -> [UInt8] {
        if version == 2 { return Array(id.utf8) + number(body.count, 3) + body }
        return Array(id.utf8) + number(body.count, 4, bits: version == 4 ? 7 : 8) + [0, flags] + body
    }

    /// A tag of ID3v2.
    static func id3(_ frames: [UInt8], version: UInt8 = 4, flags: UInt8 = 0) -> [UInt8] {
        Array("ID3".utf8) + [version, 0, flags] + number(frames.count, 4, bits: 7) + frames
    }

    /// A text in UTF-8.
    static func text(_ text: String) -> [UInt8] { [3] + Array(text.utf8) }

    /// A text in UTF-16.
    static func wide(_ text: String, marked: Bool = true, bigEndian: Bool = false) -> [UInt8] {
        let units = (marked ? [0xFEFF] : []) + Array(text.utf16)
        return [1]
            + units.flatMap { unit -> [UInt8] in
                let bytes = [UInt8(unit & 255), UInt8(unit >> 8)]
                return bigEndian ? bytes.reversed() : bytes
            }
    }

    /// Bytes after unsynchronisation.
    static func unsynchronised(_ bytes: [UInt8]) -> [UInt8] {
        bytes.indices.flatMap { index -> [UInt8] in
            let next = index + 1 < bytes.count ? bytes[index + 1] : nil
            return bytes[index] == 0xFF && (next.map { $0 >= 0xE0 || $0 == 0 } ?? true) ? [0xFF, 0] : [bytes[index]]
        }
    }

    /// A picture frame.
    static func picture(_ file: [UInt8], kind: UInt8 = 3) -> [UInt8] {
        [0] + Array("image/png".utf8) + [0, kind, 0] + file
    }

    /// The head of a PNG file, which stands for a picture of that size; `rest` tells one from another.
    static func png(_ width: Int, _ height: Int, rest: [UInt8] = [0xFF, 0x00, 0xFF, 0xE5, 0xFF]) -> [UInt8] {
        let mark: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let sizes = number(width, 4) + number(height, 4)
        return mark + number(13, 4) + Array("IHDR".utf8) + sizes + [8, 2, 0, 0, 0] + rest
    }

    /// A tag of APEv2, with its header.
    static func ape(_ items: [(key: String, value: [UInt8], flags: Int)]) -> [UInt8] {
        let body = items.flatMap { item -> [UInt8] in
            let head = reversed(item.value.count) + reversed(item.flags)
            return head + Array(item.key.utf8) + [0] + item.value
        }
        let edge = { (flags: Int) -> [UInt8] in
            let sizes = reversed(2000) + reversed(body.count + 32) + reversed(items.count)
            return Array("APETAGEX".utf8) + sizes + reversed(flags) + [UInt8](repeating: 0, count: 8)
        }
        return edge(0xA000_0000) + body + edge(0x8000_0000)
    }

    /// A tag of ID3v1.
    static func id3v1(title: String, artist: String = "", year: String = "", genre: UInt8 = 255) -> [UInt8] {
        let field = { (text: String, count: Int) in
            Array(text.utf8.prefix(count)) + [UInt8](repeating: 0, count: max(count - text.utf8.count, 0))
        }
        let fields = [(title, 30), (artist, 30), ("", 30), (year, 4), ("", 30)].flatMap { field($0.0, $0.1) }
        return Array("TAG".utf8) + fields + [genre]
    }

    /// Half a second of sound as MP3, without a tag.
    static func mp3() throws -> [UInt8] {
        let scratch = try ScratchDirectory()
        let file = scratch.url("a.mp3")
        let writer = try MediaWriter(
            path: file.path,
            sampleRate: 44100,
            channelCount: 1,
            settings: MediaWriterSettings()
        )
        let planes = Planes(interleaved: (0..<22050).map { Float(0.4 * sin(Double($0) * 0.05)) }, count: 1)
        try writer.write(planes.pointers, frameCount: 22050)
        try writer.finish()
        let bytes = [UInt8](try Data(contentsOf: file))
        return Array(bytes.dropFirst(ID3v2Tag.size(of: bytes) ?? 0))
    }
}
