internal import SyrinxByteStream

/// Finds the ID3v2 tag in a chunk of an AIFF or WAVE file, or at the end of a DSF file.
enum ID3Chunk {
    /// The maximum number of chunks that are searched.
    private static let mostChunks = 256
    private static let largestTag: Int64 = LibavOpening.largestHeader

    /// Reads the chunk `ID3 ` of an AIFF file, or `id3 ` of a WAVE file.
    static func read(_ look: TagsWithin.Look) -> TagList {
        let form = look(0, 12)
        guard form.count == 12 else { return TagList() }
        let isBigEndian = form.starts(with: "FORM".utf8)
        var place: Int64 = 12
        for _ in 0..<mostChunks {
            let head = look(place, 8)
            guard head.count == 8 else { break }
            let number = head[4..<8]
            let size = (isBigEndian ? Array(number) : number.reversed()).reduce(Int64(0)) { $0 << 8 | Int64($1) }
            place = place.addingClamped(8)
            let name = String(decoding: head[..<4], as: UTF8.self)
            if name == "ID3 " || name == "id3 " { return tag(at: place, size, look) }
            // A chunk with an odd size is followed by a padding byte.
            place = place.addingClamped(size.addingClamped(size & 1))
        }
        return TagList()
    }

    /// Reads the tag of a DSF file, whose offset is in the header.
    static func readDSF(_ look: TagsWithin.Look) -> TagList {
        let head = look(0, 28)
        guard head.count == 28, head.starts(with: "DSD ".utf8) else { return TagList() }
        let offset = Int64(bitPattern: head[20..<28].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        guard offset > 0, let size = ID3v2Tag.size(of: look(offset, 10)) else { return TagList() }
        return tag(at: offset, Int64(size), look)
    }

    private static func tag(at offset: Int64, _ size: Int64, _ look: TagsWithin.Look) -> TagList {
        guard size <= largestTag else { return TagList() }
        return ID3v2Tag(look(offset, Int(size)))?.list ?? TagList()
    }
}
