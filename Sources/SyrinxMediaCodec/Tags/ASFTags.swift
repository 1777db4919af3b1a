internal import SyrinxByteStream

/// Parses repeated fields of an ASF file's header (Advanced Systems Format, sections 3.10, 3.11 and 4.8).
enum ASFTags {
    private static let largestHeader = LibavOpening.largestHeader
    private static let header: [UInt8] = [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]
    private static let content: [UInt8] = [0x33, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]
    private static let extended: [UInt8] = [0x40, 0xA4, 0xD0, 0xD2, 0x07, 0xE3, 0xD2, 0x11]
    private static let extensionObject: [UInt8] = [0xB5, 0x03, 0xBF, 0x5F, 0x2E, 0xA9, 0xCF, 0x11]
    private static let library: [UInt8] = [0x94, 0x1C, 0x23, 0x44, 0x98, 0x94, 0xD1, 0x49]
    /// libavformat's names of the fields.
    private static let names = [
        "author": "artist", "wm/albumtitle": "album", "wm/composer": "composer", "wm/genre": "genre",
        "wm/publisher": "publisher", "wm/encodedby": "encoded_by", "wm/language": "language", "description": "comment",
    ]

    static func read(_ look: TagsWithin.Look) -> TagList {
        let head = look(0, 30)
        guard head.count == 30, head.starts(with: header) else { return TagList() }
        let size = number(head[16..<24])
        guard 30...largestHeader ~= size else { return TagList() }
        var fields: [(name: String, value: String)] = []
        // Bounded: at least 30.
        readObjects(look(30, Int(size) - 30)[...], isOuter: true, &fields)
        var list = TagList()
        for (name, value) in fields { list.add(value, to: names[name.lowercased()] ?? name) }
        return list.onlySeveral
    }

    private static func readObjects(
        _ bytes: ArraySlice<UInt8>,
        isOuter: Bool,
        _ fields: inout [(name: String, value: String)]
    ) {
        var rest = bytes
        while rest.count >= 24 {
            let size = number(rest.dropFirst(16).prefix(8))
            guard size >= 24, size <= rest.count else { return }
            let body = rest.prefix(Int(size)).dropFirst(24)
            if rest.starts(with: content) {
                readContent(body, &fields)
            } else if rest.starts(with: extended) {
                readFields(body, isLibrary: false, &fields)
            } else if rest.starts(with: library) {
                readFields(body, isLibrary: true, &fields)
            } else if isOuter, rest.starts(with: extensionObject) {
                // Skip a reserved identifier, a number and a size.
                readObjects(body.dropFirst(22), isOuter: false, &fields)
            }
            rest = rest.dropFirst(Int(size))
        }
    }

    /// Parses a content description: five sizes, then the five texts.
    private static func readContent(_ body: ArraySlice<UInt8>, _ fields: inout [(name: String, value: String)]) {
        var rest = body.dropFirst(10)
        for (index, name) in ["title", "author", "copyright", "description"].enumerated() {
            let size = Int(number(body.dropFirst(2 * index).prefix(2)))
            fields.append((name, text(rest.prefix(size))))
            rest = rest.dropFirst(size)
        }
    }

    private static func readFields(
        _ body: ArraySlice<UInt8>,
        isLibrary: Bool,
        _ fields: inout [(name: String, value: String)]
    ) {
        var rest = body.dropFirst(2)
        func take(_ count: Int) -> ArraySlice<UInt8> {
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        for _ in 0..<number(body.prefix(2)) {
            guard !rest.isEmpty else { return }
            let name: String
            let (type, value): (Int64, ArraySlice<UInt8>)
            if isLibrary {
                _ = take(4)
                let nameSize = Int(number(take(2)))
                type = number(take(2))
                let size = Int(number(take(4)))
                name = text(take(nameSize))
                value = take(size)
            } else {
                name = text(take(Int(number(take(2)))))
                type = number(take(2))
                value = take(Int(number(take(2))))
            }
            if type == 0 { fields.append((name, text(value))) }
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map {
            UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
        }
        return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        Int64(clamping: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
