/// A note of iTunes in the list of tags of an MP4 file.
enum ITunesAtom {
    private static func atom(_ kind: String, _ body: [UInt8]) -> [UInt8] {
        number(body.count + 8, 4) + Array(kind.utf8) + body
    }

    static func comment(name: String, value: String) -> [UInt8] {
        let mean = atom("mean", [0, 0, 0, 0] + Array("com.apple.iTunes".utf8))
        let title = atom("name", [0, 0, 0, 0] + Array(name.utf8))
        let data = atom("data", [0, 0, 0, 1, 0, 0, 0, 0] + Array(value.utf8))
        return atom("----", mean + title + data)
    }

    /// Puts `atom` at the end of the list, in a file whose index is at its end.
    static func insert(_ atom: [UInt8], into bytes: [UInt8]) -> [UInt8]? {
        var bytes = bytes
        var range = 0..<bytes.count
        var starts: [Int] = []
        for kind in ["moov", "udta", "meta", "ilst"] {
            // A `meta` has a version before the boxes in it.
            let skip = starts.isEmpty ? 0 : kind == "ilst" ? 12 : 8
            guard let box = find(kind, in: bytes, range.lowerBound + skip..<range.upperBound) else { return nil }
            starts.append(box.lowerBound)
            range = box
        }
        bytes.insert(contentsOf: atom, at: range.upperBound)
        for start in starts {
            let size = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } + atom.count
            bytes.replaceSubrange(start..<start + 4, with: number(size, 4))
        }
        return bytes
    }

    private static func find(_ kind: String, in bytes: [UInt8], _ range: Range<Int>) -> Range<Int>? {
        var offset = range.lowerBound
        while offset + 8 <= range.upperBound {
            let size = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            guard size >= 8 else { return nil }
            if bytes[offset + 4..<offset + 8].elementsEqual(kind.utf8) { return offset..<offset + size }
            offset += size
        }
        return nil
    }
}

/// Big-endian.
private func number(_ value: Int, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(value >> (8 * $0) & 255) }
}

/// A Core Audio file, by Apple's specification.
enum CAFFile {
    private static func chunk(_ kind: String, _ body: [UInt8]) -> [UInt8] {
        Array(kind.utf8) + number(body.count, 8) + body
    }

    /// AAC of low complexity, 44,100 Hz, stereo.
    static func aac(_ packets: [[UInt8]], priming: Int, remainder: Int) -> [UInt8] {
        let rate = (0..<8).reversed().map { UInt8(truncatingIfNeeded: Double(44100).bitPattern >> (8 * UInt64($0))) }
        let description = chunk(
            "desc",
            rate + Array("aac ".utf8) + number(0, 4) + number(0, 4) + number(1024, 4) + number(2, 4) + number(0, 4)
        )
        let data = chunk("data", number(0, 4) + packets.flatMap { $0 })
        let valid = packets.count * 1024 - priming - remainder
        // Sizes are in groups of seven bits, the highest of each byte saying that another follows.
        let sizes = packets.flatMap {
            $0.count < 128 ? [UInt8($0.count)] : [UInt8($0.count >> 7) | 128, UInt8($0.count & 127)]
        }
        let table = chunk(
            "pakt",
            number(packets.count, 8) + number(valid, 8) + number(priming, 4) + number(remainder, 4) + sizes
        )
        return Array("caff".utf8) + number(1, 2) + number(0, 2) + description + chunk("kuki", cookie) + table + data
    }

    /// An `esds` descriptor around the two bytes that say: low complexity, 44,100 Hz, stereo (ISO/IEC 14496-1).
    private static var cookie: [UInt8] {
        let config: [UInt8] = [5, 2, 0x12, 0x10]
        let decoder: [UInt8] =
            [4, UInt8(13 + config.count), 0x40, 0x15, 0, 0, 0] + [UInt8](repeating: 0, count: 8) + config
        return [0, 0, 0, 0, 3, UInt8(3 + decoder.count + 3), 0, 0, 0] + decoder + [6, 1, 2]
    }
}

/// A file of Monkey's Audio, version 3.99, of the fastest kind, with frames of any bits and a silent one.
enum MonkeysAudio {
    /// - Parameters:
    ///   - blocksPerFrame: What others call frames, in each but the last of its frames.
    ///   - last: Those of the last.
    static func file(channels: Int, blocksPerFrame: Int, frames: Int, last: Int, seed: Int) -> [UInt8] {
        var state = UInt32(seed)
        let random = { () -> UInt8 in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(state >> 24)
        }
        let header = 52 + 24 + 4 * frames
        var places: [UInt8] = []
        var data: [UInt8] = []
        for frame in 0..<frames {
            places += little(header + data.count, 4)
            // A checksum, of which the highest bit says that flags follow: silence of both channels.
            data += frame == 2 ? little(1 << 31, 4) + little(3, 4) + little(0, 8) : little(1, 4)
            if frame != 2 { data += (0..<1200).map { _ in random() } }
        }
        let descriptor =
            Array("MAC ".utf8) + little(3990, 2) + little(0, 2) + little(52, 4) + little(24, 4)
            + little(places.count, 4) + little(0, 4) + little(data.count, 4) + little(0, 8) + little(0, 16)
        let form =
            little(1000, 2) + little(0, 2) + little(blocksPerFrame, 4) + little(last, 4) + little(frames, 4)
            + little(16, 2) + little(channels, 2) + little(44100, 4)
        return descriptor + form + places + data
    }

    private static func little(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { (place: Int) -> UInt8 in
            guard place < 8 else { return 0 }
            return UInt8(truncatingIfNeeded: value >> (8 * place))
        }
    }
}
