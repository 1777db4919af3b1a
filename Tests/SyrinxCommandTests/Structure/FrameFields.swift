/// Finds the numbers in streams of frames and the tags before and behind them: MP3 and ADTS.
enum FrameFields {
    static func mp3(_ bytes: [UInt8]) -> [NumberField] {
        let reader = FieldReader(bytes: bytes)
        var fields: [NumberField] = []
        var place = 0
        if reader.has("ID3", at: 0) {
            fields += [NumberField("id3.version", at: 3, 1), NumberField("id3.size", at: 6, 4, .syncsafe)]
            let end = bytes[6..<10].reduce(0) { $0 << 7 | Int($1) } + 10
            place = 10
            while place + 10 <= end, bytes[place] != 0 {
                let kind = reader.text(at: place)
                fields.append(NumberField("\(kind).size", at: place + 4, 4))
                place += 10 + bytes[place + 4..<place + 8].reduce(0) { $0 << (bytes[3] > 3 ? 7 : 8) | Int($1) }
            }
            place = end
        }
        if let text = bytes.firstRange(of: Array("00000840 ".utf8)) {
            fields.append(NumberField("iTunSMPB.delay", at: text.lowerBound, 8, .hexadecimal))
            fields.append(NumberField("iTunSMPB.padding", at: text.lowerBound + 9, 8, .hexadecimal))
            fields.append(NumberField("iTunSMPB.frames", at: text.lowerBound + 18, 16, .hexadecimal))
        }
        fields += header(at: place, "first")
        if let tag = ["Xing", "Info"].lazy.compactMap({ bytes.firstRange(of: Array($0.utf8))?.lowerBound }).first {
            fields += [
                NumberField("xing.flags", at: tag + 4, 4), NumberField("xing.frames", at: tag + 8, 4),
                NumberField("xing.bytes", at: tag + 12, 4), NumberField("xing.table0", at: tag + 16, 1),
                NumberField("xing.table50", at: tag + 66, 1), NumberField("xing.quality", at: tag + 116, 4),
                NumberField("lame.delay", bit: (tag + 141) * 8, 12),
                NumberField("lame.padding", bit: (tag + 141) * 8 + 12, 12),
                NumberField("lame.size", at: tag + 148, 4),
            ]
        }
        if let tag = bytes.firstRange(of: Array("VBRI".utf8))?.lowerBound {
            fields += [
                NumberField("vbri.delay", at: tag + 6, 2), NumberField("vbri.bytes", at: tag + 10, 4),
                NumberField("vbri.frames", at: tag + 14, 4), NumberField("vbri.count", at: tag + 18, 2),
                NumberField("vbri.scale", at: tag + 20, 2), NumberField("vbri.width", at: tag + 22, 2),
                NumberField("vbri.step", at: tag + 24, 2), NumberField("vbri.entry", at: tag + 26, 2),
            ]
        }
        if let tag = bytes.firstRange(of: Array("APETAGEX".utf8))?.lowerBound {
            let names = ["version", "size", "count", "flags"]
            fields += names.enumerated().map { NumberField("ape.\($1)", at: tag + 8 + 4 * $0, 4, .little) }
        }
        return fields
    }

    private static func header(at place: Int, _ name: String) -> [NumberField] {
        let bit = place * 8
        return [
            NumberField("\(name).version", bit: bit + 11, 2), NumberField("\(name).layer", bit: bit + 13, 2),
            NumberField("\(name).bitRate", bit: bit + 16, 4), NumberField("\(name).rate", bit: bit + 20, 2),
            NumberField("\(name).mode", bit: bit + 24, 2),
        ]
    }

    static func adts(_ bytes: [UInt8]) -> [NumberField] {
        let second = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5]) >> 5
        return [(0, "first"), (second, "second")].flatMap { place, name -> [NumberField] in
            let bit = place * 8
            return [
                NumberField("\(name).profile", bit: bit + 16, 2), NumberField("\(name).rate", bit: bit + 18, 4),
                NumberField("\(name).channels", bit: bit + 23, 3), NumberField("\(name).size", bit: bit + 30, 13),
                NumberField("\(name).fullness", bit: bit + 43, 11), NumberField("\(name).blocks", bit: bit + 54, 2),
            ]
        }
    }

    /// Any words at the start of a file, for the containers that few files have.
    static func headerWords(_ bytes: [UInt8]) -> [NumberField] {
        stride(from: 4, to: min(bytes.count - 8, 84), by: 4).flatMap { place in
            [
                NumberField("word\(place)", at: place, 4), NumberField("little\(place)", at: place, 4, .little),
                NumberField("short\(place)", at: place + 2, 2, .little),
            ]
        } + stride(from: 8, to: min(bytes.count - 8, 72), by: 8).map { NumberField("long\($0)", at: $0, 8, .little) }
    }

    /// The same recording with the header of Fraunhofer's encoders in place of the usual one, and a tag of APE's at its end.
    static func withVBRI(_ bytes: [UInt8]) -> [UInt8] {
        guard let tag = ["Xing", "Info"].lazy.compactMap({ bytes.firstRange(of: Array($0.utf8))?.lowerBound }).first,
            let frame = bytes[..<tag].lastIndex(of: 0xFF)
        else { return bytes }
        // Behind the mark and the flags.
        let count = bytes[tag + 8..<tag + 12]
        let table: [UInt8] = [0, 2, 0, 100, 0, 100]
        let body =
            Array("VBRI".utf8) + [0, 1, 0, 0, 0, 75] + [0, 0, 0x10, 0] + count + [0, 3, 0, 1, 0, 2, 0, 7] + table
        var bytes = bytes
        bytes.replaceSubrange(tag..<tag + 4, with: [0, 0, 0, 0])
        bytes.replaceSubrange(frame + 36..<frame + 36 + body.count, with: body)
        let item = [6, 0, 0, 0, 0, 0, 0, 0] + Array("Title\0".utf8) + Array("Seeded".utf8)
        let size = UInt8(item.count + 32)
        let footer = Array("APETAGEX".utf8) + [0xD0, 7, 0, 0, size, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
        return bytes + item + footer + [UInt8](repeating: 0, count: 8)
    }
}
