internal import SyrinxByteStream

/// Finds elements in a Matroska file (RFC 9559) whose bytes are available.
struct MatroskaElements {
    struct Element {
        let identifier: Int64
        let body: Int64
        let end: Int64
    }

    private enum Identifier {
        static let segment: Int64 = 0x1853_8067
        static let seekHead: Int64 = 0x114D_9B74
        static let seek: Int64 = 0x4DBB
        static let seekIdentifier: Int64 = 0x53AB
        static let seekPosition: Int64 = 0x53AC
        static let cluster: Int64 = 0x1F43_B675
    }

    /// The maximum number of elements at one level of a real file.
    private static let mostElements = 4096
    private static let mostHeads = 64
    private static let largestText = 1 << 20

    private let look: TagsWithin.Look
    private let reader: MatroskaGapCheck

    init(_ look: @escaping TagsWithin.Look) { (self.look, reader) = (look, MatroskaGapCheck(bytes: look)) }

    /// Returns the elements in another element.
    func inside(_ element: Element) -> [Element] { elements(from: element.body, to: element.end) }

    /// Returns the text of an element; empty if it is not text.
    func text(_ element: Element) -> String {
        let size = element.end.subtractingClamped(element.body)
        guard 1...Int64(Self.largestText) ~= size else { return "" }
        return String(utf8OrWindows1252: look(element.body, Int(size)).prefix { $0 != 0 })
    }

    /// The number of an element of this kind among `elements`.
    func number(_ identifier: Int64, in elements: [Element]) -> Int64? {
        guard let element = elements.first(where: { $0.identifier == identifier }) else { return nil }
        let size = element.end.subtractingClamped(element.body)
        return 1...8 ~= size ? MP4Boxes.number(look(element.body, Int(size))[...]) : nil
    }

    /// Finds an element of the segment before the audio, or at the position listed in the seek head.
    func find(_ identifier: Int64) -> Element? {
        guard let segment = elements(from: 0, to: .max, most: 32, until: Identifier.segment).last,
            segment.identifier == Identifier.segment
        else { return nil }
        let heads = elements(from: segment.body, to: segment.end, most: Self.mostHeads, until: Identifier.cluster)
        if let before = heads.first(where: { $0.identifier == identifier }) { return before }
        for head in heads where head.identifier == Identifier.seekHead {
            for seek in inside(head).prefix(Self.mostHeads) where seek.identifier == Identifier.seek {
                let parts = inside(seek)
                guard number(Identifier.seekIdentifier, in: parts) == identifier,
                    let offset = number(Identifier.seekPosition, in: parts), offset >= 0,
                    let found = elements(from: segment.body.addingClamped(offset), to: segment.end, most: 1).first,
                    found.identifier == identifier
                else { continue }
                return found
            }
        }
        return nil
    }

    private func elements(
        from start: Int64,
        to end: Int64,
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
