/// Makes well-formed XML of a document that need not be, in pieces of UTF-8, as browsers take it.
///
/// - References that are not declared, and ampersands and angle brackets by themselves, become text.
/// - Elements are closed in the right order: an end tag without its start is dropped, and one of an outer element closes the inner
///   ones. The end of the document closes all, and a new episode the one before.
/// - Names are in lower case, and carry the usual prefix of their namespace before a dot (`itunes.image`), whatever prefix the document
///   chose; attributes with a prefix are dropped.
/// - Document types and processing instructions are dropped, so there are no entities to expand.
///
/// Depth, tags, names, attributes and the text between two tags are bounded by `Limits`, and so is memory. Time is proportional to the
/// bytes, whatever they are and in whatever pieces they come.
struct XMLRepair {
    /// The largest numbers that are passed on; what goes beyond is left out.
    struct Limits {
        var depth = 64
        /// Bytes of a tag; a longer one is taken for text.
        var tag = 64 << 10
        var attributes = 32
        /// Bytes of the value of an attribute.
        var value = 16 << 10
        /// Bytes of text between two tags.
        var text = 4 << 20
    }

    private enum Mode {
        case text
        case comment
        case characterData
        case instruction
        /// `<!…>`, with the number of brackets that are open in it.
        case declaration(brackets: Int)
    }

    private struct Element {
        let name: String
        let written: String
        /// Whether it has declared namespaces, which end with it.
        let hasNamespaces: Bool
    }

    private let limits: Limits
    private var mode = Mode.text
    private var pending: [UInt8] = []
    private var stack: [Element] = []
    private var namespaces = FeedNamespaces()
    private var textCount = 0
    /// Text that has not been passed on.
    private var held: [UInt8] = []
    private var hasBegun = false
    /// Bytes that have to be there before the next are looked at: the beginning of something waits for the rest of it.
    private var wantedCount = 0
    /// Bytes that have come.
    private var byteCount = 0
    /// Bytes that have been looked through for the end of a tag in vain.
    private var vainCount = 0

    /// Whether the root element has ended: what follows is ignored.
    private(set) var isOver = false
    /// Whether the document ended before its root element did.
    private(set) var isTruncated = false

    init(limits: Limits = Limits()) { self.limits = limits }

    /// Returns the XML of the next bytes.
    mutating func repair(_ bytes: [UInt8]) -> [UInt8] {
        var output = begun()
        pending += bytes
        byteCount += bytes.count
        if pending.count >= wantedCount { consume(isFinal: false, into: &output) }
        return output
    }

    /// Returns the rest of the XML.
    mutating func finish() -> [UInt8] {
        var output = begun()
        consume(isFinal: true, into: &output)
        isTruncated = !stack.isEmpty
        while !stack.isEmpty { close(&output) }
        return output
    }

    private mutating func begun() -> [UInt8] {
        defer { hasBegun = true }
        return hasBegun ? [] : Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
    }

    private mutating func consume(isFinal: Bool, into output: inout [UInt8]) {
        let bytes = pending
        pending = []
        let used = bytes.withUnsafeBufferPointer { bytes -> Int in
            var place = 0
            while place < bytes.count, !isOver {
                let start = place
                switch mode {
                case .text: place = text(bytes, place, isFinal, &output)
                case .comment: place = skip(bytes, place, isFinal, to: "-->")
                case .instruction: place = skip(bytes, place, isFinal, to: ">")
                case .characterData: place = characterData(bytes, place, isFinal, &output)
                case .declaration(let brackets): place = declaration(bytes, place, brackets)
                }
                // What is left is the beginning of something: it waits for the rest.
                if place == start { break }
            }
            return isOver ? bytes.count : place
        }
        pending = Array(bytes[used...])
        // Not at each piece, however small: what is looked through again is less than what has come.
        wantedCount = 2 * pending.count
        flushText(&output)
    }

    // MARK: Text

    private mutating func text(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ start: Int,
        _ isFinal: Bool,
        _ output: inout [UInt8]
    ) -> Int {
        var place = start
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "<"):
                guard let next = markup(bytes, place, isFinal, &output) else { return place }
                return next
            case UInt8(ascii: "&"):
                guard let (characters, next) = Self.reference(bytes, place, isFinal) else { return place }
                emit(characters)
                place = next
            default:
                let run = bytes[place...].firstIndex { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }
                let end = run ?? bytes.count
                emit(bytes[place..<end])
                place = end
            }
        }
        return place
    }

    /// Takes text, as far as the limit allows and an element is open.
    private mutating func emit(_ bytes: some Collection<UInt8>) {
        guard !stack.isEmpty, textCount < limits.text else { return }
        textCount += bytes.count
        for byte in bytes { Self.append(byte, &held) }
    }

    /// Passes text on: in one section, because the parser reports every reference by itself.
    private mutating func flushText(_ output: inout [UInt8]) {
        guard !held.isEmpty else { return }
        if held.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: ">") }) {
            output += "<![CDATA[".utf8
            for byte in held {
                if byte == UInt8(ascii: ">"), output.suffix(2).elementsEqual("]]".utf8) {
                    output += "]]><![CDATA[".utf8
                }
                output.append(byte)
            }
            output += "]]>".utf8
        } else {
            output += held
        }
        held.removeAll(keepingCapacity: true)
    }

    private mutating func characterData(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ start: Int,
        _ isFinal: Bool,
        _ output: inout [UInt8]
    ) -> Int {
        let (end, next) = Self.find("]]>", bytes, start, isFinal)
        emit(bytes[start..<end])
        if next > end { mode = .text }
        return next
    }

    // MARK: Markup

    /// Reads what begins with `<`, and returns the place behind it; `nil` if its end has not come.
    private mutating func markup(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ start: Int,
        _ isFinal: Bool,
        _ output: inout [UInt8]
    ) -> Int? {
        if !isFinal, bytes.count - start < 9 { return nil }
        func begins(_ text: StaticString) -> Bool {
            text.withUTF8Buffer { bytes[start...].starts(with: $0) }
        }
        if begins("<!--") {
            mode = .comment
            return start + 4
        }
        if begins("<![CDATA[") {
            mode = .characterData
            return start + 9
        }
        if begins("<!") {
            mode = .declaration(brackets: 0)
            return start + 2
        }
        if begins("<?") {
            mode = .instruction
            return start + 2
        }
        let isEnd = begins("</")
        let nameStart = start + (isEnd ? 2 : 1)
        guard nameStart < bytes.count, Self.isNameStart(bytes[nameStart]) else {
            emit([UInt8(ascii: "<")])
            return start + 1
        }
        guard let end = endOfTag(bytes, nameStart) else {
            if !isFinal, !isHopeless, bytes.count - start < limits.tag { return nil }
            emit([UInt8(ascii: "<")])
            return start + 1
        }
        let tag = UnsafeBufferPointer(rebasing: bytes[nameStart..<end])
        if isEnd { endTag(tag, &output) } else { startTag(tag, &output) }
        return end + 1
    }

    /// Whether tags are looked for without regard to quotation marks, and to where the document goes on.
    ///
    /// In a document of `<a<a<a…` each sign may begin a tag that ends far behind it, or nowhere. Once more has been looked through in vain
    /// than there is, a tag ends before the next sign.
    private var isHopeless: Bool { vainCount > 4 * byteCount + 4 * limits.tag }

    /// Returns the place of the `>` that ends a tag; `nil` if there is none within the limit.
    private mutating func endOfTag(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        let region = UnsafeBufferPointer(rebasing: bytes[start..<min(bytes.count, start + limits.tag)])
        let end: Int?
        if isHopeless {
            let next = region.firstIndex { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
            end = next.flatMap { region[$0] == UInt8(ascii: ">") ? $0 : nil }
        } else {
            end = Self.endOfTag(region)
            if end == nil { vainCount += region.count }
        }
        return end.map { start + $0 }
    }

    private mutating func startTag(_ tag: UnsafeBufferPointer<UInt8>, _ output: inout [UInt8]) {
        let nameEnd = tag.firstIndex { !Self.isNameByte($0) } ?? tag.count
        let written = String(decoding: tag[..<min(nameEnd, 64)], as: UTF8.self).lowercased()
        let isEmpty = tag.last == UInt8(ascii: "/")
        let attributes = attributes(UnsafeBufferPointer(rebasing: tag[nameEnd..<(tag.count - (isEmpty ? 1 : 0))]))
        guard stack.count < limits.depth else { return }
        var declared: [(prefix: String, uri: String)] = []
        for (name, value) in attributes {
            let uri = String(decoding: value, as: UTF8.self)
            if name == "xmlns" { declared.append(("", uri)) }
            if name.hasPrefix("xmlns:") { declared.append((String(name.dropFirst(6)), uri)) }
        }
        let depth = ImpliedEnds.depth(before: namespaces.name(written), stack.lazy.map(\.name))
        while stack.count > depth { close(&output) }
        if !declared.isEmpty { namespaces.push(declared) }
        let name = namespaces.name(written)
        stack.append(Element(name: name, written: written, hasNamespaces: !declared.isEmpty))
        flushText(&output)
        textCount = 0
        output.append(UInt8(ascii: "<"))
        output += name.utf8
        for (name, value) in attributes where !name.contains(":") && name != "xmlns" {
            output.append(UInt8(ascii: " "))
            output += name.utf8
            output += "=\"".utf8
            Self.escape(value, &output)
            output.append(UInt8(ascii: "\""))
        }
        output.append(UInt8(ascii: ">"))
        if isEmpty { close(&output) }
    }

    private mutating func endTag(_ tag: UnsafeBufferPointer<UInt8>, _ output: inout [UInt8]) {
        let written = String(decoding: tag.prefix { Self.isNameByte($0) }.prefix(64), as: UTF8.self).lowercased()
        guard let index = stack.lastIndex(where: { $0.written == written }) else { return }
        while stack.count > index { close(&output) }
    }

    private mutating func close(_ output: inout [UInt8]) {
        guard let element = stack.popLast() else { return }
        if element.hasNamespaces { namespaces.pop() }
        flushText(&output)
        output += "</\(element.name)>".utf8
        textCount = 0
        if stack.isEmpty { isOver = true }
    }

    /// The names, in lower case, and the values, without references; the first of a name counts.
    private func attributes(_ bytes: UnsafeBufferPointer<UInt8>) -> [(name: String, value: [UInt8])] {
        var found: [(name: String, value: [UInt8])] = []
        var place = 0
        func skip(_ condition: (UInt8) -> Bool) { while place < bytes.count, condition(bytes[place]) { place += 1 } }
        while place < bytes.count, found.count < limits.attributes {
            skip { !Self.isNameStart($0) }
            let start = place
            skip(Self.isNameByte)
            let name = String(decoding: bytes[start..<min(place, start + 64)], as: UTF8.self).lowercased()
            skip(Self.isSpace)
            var value = bytes[place..<place]
            if place < bytes.count, bytes[place] == UInt8(ascii: "=") {
                place += 1
                skip(Self.isSpace)
                if place < bytes.count, bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'") {
                    let quote = bytes[place]
                    let begin = place + 1
                    place = begin
                    skip { $0 != quote }
                    value = bytes[begin..<place]
                    place += 1
                } else {
                    let begin = place
                    skip { !Self.isSpace($0) }
                    value = bytes[begin..<place]
                }
            }
            if name.isEmpty || found.contains(where: { $0.name == name }) { continue }
            found.append((name, decoded(UnsafeBufferPointer(rebasing: value))))
        }
        return found
    }

    private func decoded(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var value: [UInt8] = []
        var place = 0
        while place < bytes.count, value.count < limits.value {
            if bytes[place] == UInt8(ascii: "&"), let (characters, next) = Self.reference(bytes, place, true) {
                value += characters
                place = next
            } else {
                value.append(bytes[place])
                place += 1
            }
        }
        // The limit may have cut a character.
        if place < bytes.count { while let last = value.last, last >= 0x80 { value.removeLast() } }
        return value
    }

    // MARK: What is dropped

    private mutating func skip(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ start: Int,
        _ isFinal: Bool,
        to end: StaticString
    ) -> Int {
        let (found, next) = Self.find(end, bytes, start, isFinal)
        if next > found { mode = .text }
        return next
    }

    private mutating func declaration(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ open: Int) -> Int {
        var brackets = open
        for place in start..<bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "["): brackets = min(brackets + 1, 1)
            case UInt8(ascii: "]"): brackets = 0
            case UInt8(ascii: ">") where brackets == 0:
                mode = .text
                return place + 1
            default: break
            }
        }
        mode = .declaration(brackets: brackets)
        return bytes.count
    }
}
