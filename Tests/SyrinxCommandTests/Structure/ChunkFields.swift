/// Finds the numbers in files that are made of chunks: WAV, RF64, Wave64, AIFF, CAF and AU.
enum ChunkFields {
    /// RIFF and RF64: sizes of 4 bytes, little-endian.
    static func riff(_ bytes: [UInt8]) -> [NumberField] {
        let reader = FieldReader(bytes: bytes)
        var fields = [NumberField("riff.size", at: 4, 4, .little)]
        var place = 12
        while place + 8 <= bytes.count {
            let kind = reader.text(at: place)
            fields.append(NumberField("\(kind).size", at: place + 4, 4, .little))
            fields += wave(kind, at: place + 8, reader)
            let size = reader.little(at: place + 4, 4)
            guard kind != "data", size < bytes.count else { break }
            place += 8 + size + size % 2
        }
        return fields
    }

    /// Sony's Wave64: types of 16 bytes, sizes of 8 that count the header.
    static func wave64(_ bytes: [UInt8]) -> [NumberField] {
        let reader = FieldReader(bytes: bytes)
        var fields = [NumberField("riff.size", at: 16, 8, .little)]
        var place = 40
        while place + 24 <= bytes.count {
            let kind = reader.text(at: place)
            fields.append(NumberField("\(kind).size", at: place + 16, 8, .little))
            fields += wave(kind, at: place + 24, reader)
            let size = reader.little(at: place + 16, 8)
            guard kind != "data", size >= 24, size < bytes.count else { break }
            place += (size + 7) / 8 * 8
        }
        return fields
    }

    private static func wave(_ kind: String, at body: Int, _ reader: FieldReader) -> [NumberField] {
        switch kind {
        case "fmt ":
            return [
                NumberField("fmt.tag", at: body, 2, .little), NumberField("fmt.channels", at: body + 2, 2, .little),
                NumberField("fmt.rate", at: body + 4, 4, .little, isRate: true),
                NumberField("fmt.byteRate", at: body + 8, 4, .little),
                NumberField("fmt.blockAlign", at: body + 12, 2, .little),
                NumberField("fmt.bits", at: body + 14, 2, .little),
            ]
        case "ds64":
            return [
                NumberField("ds64.riffSize", at: body, 8, .little),
                NumberField("ds64.dataSize", at: body + 8, 8, .little),
                NumberField("ds64.frames", at: body + 16, 8, .little),
                NumberField("ds64.table", at: body + 24, 4, .little),
            ]
        case "fact": return [NumberField("fact.frames", at: body, 4, .little)]
        case "LIST": return [NumberField("LIST.first", at: body + 8, 4, .little)]
        default: return []
        }
    }

    static func aiff(_ bytes: [UInt8]) -> [NumberField] {
        let reader = FieldReader(bytes: bytes)
        var fields = [NumberField("FORM.size", at: 4, 4)]
        var place = 12
        while place + 8 <= bytes.count {
            let kind = reader.text(at: place)
            let body = place + 8
            fields.append(NumberField("\(kind).size", at: place + 4, 4))
            switch kind {
            case "COMM":
                fields += [
                    NumberField("COMM.channels", at: body, 2), NumberField("COMM.frames", at: body + 2, 4),
                    NumberField("COMM.bits", at: body + 6, 2),
                    NumberField("COMM.rate", at: body + 8, 10, .extended, isRate: true),
                ]
            case "SSND":
                fields += [NumberField("SSND.offset", at: body, 4), NumberField("SSND.block", at: body + 4, 4)]
            case "FVER": fields.append(NumberField("FVER.version", at: body, 4))
            default: break
            }
            let size = reader.big(at: place + 4, 4)
            place += 8 + size + size % 2
        }
        return fields
    }

    static func caf(_ bytes: [UInt8]) -> [NumberField] {
        let reader = FieldReader(bytes: bytes)
        var fields = [NumberField("caff.version", at: 4, 2), NumberField("caff.flags", at: 6, 2)]
        var place = 8
        while place + 12 <= bytes.count {
            let kind = reader.text(at: place)
            let body = place + 12
            fields.append(NumberField("\(kind).size", at: place + 4, 8))
            switch kind {
            case "desc":
                fields.append(NumberField("desc.rate", at: body, 8, .float, isRate: true))
                let names = ["flags", "bytesPerPacket", "framesPerPacket", "channels", "bits"]
                for (index, name) in names.enumerated() {
                    fields.append(NumberField("desc.\(name)", at: body + 12 + 4 * index, 4))
                }
            case "pakt":
                fields += [
                    NumberField("pakt.packets", at: body, 8), NumberField("pakt.frames", at: body + 8, 8),
                    NumberField("pakt.priming", at: body + 16, 4), NumberField("pakt.remainder", at: body + 20, 4),
                    NumberField("pakt.first", at: body + 24, 2),
                ]
            case "chan":
                fields += (0..<3).map { NumberField("chan.\($0)", at: body + 4 * $0, 4) }
            case "kuki":
                let words = min(reader.big(at: place + 4, 8), 48) / 4
                fields += (0..<words).map { NumberField("kuki.\($0)", at: body + 4 * $0, 4) }
            case "info": fields.append(NumberField("info.count", at: body, 4))
            case "data": fields.append(NumberField("data.edits", at: body, 4))
            default: break
            }
            let size = reader.big(at: place + 4, 8)
            guard size >= 0, size < bytes.count else { break }
            place = body + size
        }
        return fields
    }

    static func au(_ bytes: [UInt8]) -> [NumberField] {
        ["offset", "size", "encoding", "rate", "channels"].enumerated().map { index, name in
            NumberField("au.\(name)", at: 4 + 4 * index, 4, isRate: name == "rate")
        }
    }
}
