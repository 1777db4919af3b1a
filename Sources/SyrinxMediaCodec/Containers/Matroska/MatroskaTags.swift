internal import SyrinxByteStream

/// The tags of a Matroska file that state several values of one field (RFC 9559, section 5.1.8).
enum MatroskaTags {
    private enum Identifier {
        static let segment: Int64 = 0x1853_8067
        static let seekHead: Int64 = 0x114D_9B74
        static let seek: Int64 = 0x4DBB
        static let seekIdentifier: Int64 = 0x53AB
        static let seekPosition: Int64 = 0x53AC
        static let cluster: Int64 = 0x1F43_B675
        static let tags: Int64 = 0x1254_C367
        static let tag: Int64 = 0x7373
        static let targets: Int64 = 0x63C0
        /// The targets of a tag that is not of the recording: an edition, a chapter, an attached file.
        static let parts: Set<Int64> = [0x63C9, 0x63C4, 0x63C6]
        static let simpleTag: Int64 = 0x67C8
        static let name: Int64 = 0x45A3
        static let text: Int64 = 0x4487
    }

    private struct Element {
        let identifier: Int64
        let body: Int64
        let end: Int64
    }

    /// More than this in one place are not a real file.
    private static let mostElements = 4096
    private static let mostHeads = 64
    private static let largestText = 1 << 20

    static func read(_ look: @escaping TagsWithin.Look) -> TagList {
        let reader = MatroskaGapCheck(bytes: look)
        var list = TagList()
        for tags in places(reader, look) {
            for tag in elements(from: tags.body, to: tags.end, reader) where tag.identifier == Identifier.tag {
                list.fill(from: read(tag, reader, look))
            }
        }
        return list
    }

    /// The fields with several values in one tag: another may be of the album.
    private static func read(_ tag: Element, _ reader: MatroskaGapCheck, _ look: TagsWithin.Look) -> TagList {
        var list = TagList()
        for field in elements(from: tag.body, to: tag.end, reader) {
            let parts = elements(from: field.body, to: field.end, reader)
            if field.identifier == Identifier.targets,
                parts.contains(where: { Identifier.parts.contains($0.identifier) })
            {
                return TagList()
            }
            guard field.identifier == Identifier.simpleTag,
                let name = parts.first(where: { $0.identifier == Identifier.name }),
                let text = parts.first(where: { $0.identifier == Identifier.text })
            else { continue }
            list.add(self.text(text, look), to: self.text(name, look))
        }
        return list.onlySeveral
    }

    private static func text(_ element: Element, _ look: TagsWithin.Look) -> String {
        let size = element.end.subtractingClamped(element.body)
        guard 1...Int64(largestText) ~= size else { return "" }
        return String(utf8OrWindows1252: look(element.body, Int(size)).prefix { $0 != 0 })
    }

    /// The elements of tags, before the sound or where the list at the start says that they are.
    private static func places(_ reader: MatroskaGapCheck, _ look: @escaping TagsWithin.Look) -> [Element] {
        guard let segment = elements(from: 0, to: .max, reader, most: 32, until: Identifier.segment).last,
            segment.identifier == Identifier.segment
        else { return [] }
        let heads = elements(from: segment.body, to: segment.end, reader, most: mostHeads, until: Identifier.cluster)
        let before = heads.filter { $0.identifier == Identifier.tags }
        guard before.isEmpty else { return before }
        let found = heads.filter { $0.identifier == Identifier.seekHead }
            .flatMap { elements(from: $0.body, to: $0.end, reader) }
            .prefix(mostHeads)
            .lazy.compactMap { seek -> Element? in
                let parts = elements(from: seek.body, to: seek.end, reader)
                func number(_ identifier: Int64) -> Int64? {
                    parts.first { $0.identifier == identifier }.flatMap { part in
                        let size = part.end.subtractingClamped(part.body)
                        return 1...8 ~= size ? MP4Boxes.number(look(part.body, Int(size))[...]) : nil
                    }
                }
                guard number(Identifier.seekIdentifier) == Identifier.tags,
                    let offset = number(Identifier.seekPosition),
                    offset >= 0
                else { return nil }
                let element = elements(from: segment.body.addingClamped(offset), to: segment.end, reader, most: 1).first
                return element.flatMap { $0.identifier == Identifier.tags ? $0 : nil }
            }
            .first
        return found.map { [$0] } ?? []
    }

    private static func elements(
        from start: Int64,
        to end: Int64,
        _ reader: MatroskaGapCheck,
        most: Int = mostElements,
        until last: Int64? = nil
    ) -> [Element] {
        var found: [Element] = []
        var place = start
        while place < end, found.count < most, let element = reader.element(place) {
            let next = element.size.map { min(element.body.addingClamped($0), end) } ?? end
            found.append(Element(identifier: element.identifier, body: element.body, end: next))
            guard element.identifier != last, next > place else { break }
            place = next
        }
        return found
    }
}
