/// The parts of a Matroska file's description that libavformat loses: further values of a field, and chapters out of order.
struct MatroskaTags {
    private enum Identifier {
        static let tags: Int64 = 0x1254_C367
        static let targets: Int64 = 0x63C0
        /// The targets of a tag that is not of the recording: an edition, a chapter, an attached file.
        static let parts: Set<Int64> = [0x63C9, 0x63C4, 0x63C6]
        static let simpleTag: Int64 = 0x67C8
        static let name: Int64 = 0x45A3
        static let text: Int64 = 0x4487
        static let chapters: Int64 = 0x1043_A770
        static let edition: Int64 = 0x45B9
        static let chapter: Int64 = 0xB6
        static let start: Int64 = 0x91
        static let end: Int64 = 0x92
        static let isHidden: Int64 = 0x98
        static let display: Int64 = 0x80
        static let title: Int64 = 0x85
    }

    private let elements: MatroskaElements

    /// Reads the tags and the chapters.
    static func read(_ look: @escaping TagsWithin.Look) -> TagList {
        let file = MatroskaTags(elements: MatroskaElements(look))
        var list = TagList()
        if let tags = file.elements.find(Identifier.tags) {
            for tag in file.elements.inside(tags) { list.fill(from: file.fields(of: tag)) }
        }
        for chapter in file.chapters { list.add(chapter) }
        return list
    }

    /// Returns the fields with several values in one tag; another tag may be that of the album.
    private func fields(of tag: MatroskaElements.Element) -> TagList {
        var list = TagList()
        for field in elements.inside(tag) {
            let parts = elements.inside(field)
            if field.identifier == Identifier.targets,
                parts.contains(where: { Identifier.parts.contains($0.identifier) })
            {
                return TagList()
            }
            guard field.identifier == Identifier.simpleTag,
                let name = parts.first(where: { $0.identifier == Identifier.name }),
                let text = parts.first(where: { $0.identifier == Identifier.text })
            else { continue }
            list.add(elements.text(text), to: elements.text(name))
        }
        return list.onlySeveral
    }

    /// The chapters of the first edition, as a player shows them.
    private var chapters: [MediaChapter] {
        guard let all = elements.find(Identifier.chapters),
            let edition = elements.inside(all).first(where: { $0.identifier == Identifier.edition })
        else { return [] }
        let found = elements.inside(edition).filter { $0.identifier == Identifier.chapter }.compactMap(chapter)
            .sorted { $0.start < $1.start }
        // A chapter without an end extends to the next one.
        return found.indices.map { index in
            var chapter = found[index]
            if chapter.end <= chapter.start, index + 1 < found.count { chapter.end = found[index + 1].start }
            return chapter
        }
    }

    private func chapter(_ element: MatroskaElements.Element) -> MediaChapter? {
        let parts = elements.inside(element)
        guard let start = elements.number(Identifier.start, in: parts), start >= 0,
            elements.number(Identifier.isHidden, in: parts) ?? 0 == 0
        else { return nil }
        let display = parts.first { $0.identifier == Identifier.display }.map(elements.inside) ?? []
        let title = display.first { $0.identifier == Identifier.title }.map(elements.text)
        let end = elements.number(Identifier.end, in: parts) ?? start
        return MediaChapter(start: Double(start) / 1e9, end: Double(max(start, end)) / 1e9, title: title)
    }
}
