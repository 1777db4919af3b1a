/// A part of a document that `LenientXMLParser` reports.
package enum XMLEvent {
    case start(name: String, attributes: [String: String])
    case text(String)
    case end(name: String)
}

/// A parser of documents that need not be well-formed XML, with the error tolerance of browsers.
///
/// - Undeclared references, and single ampersands and angle brackets, become text.
/// - Elements are closed in order. An end tag without a start tag is ignored, and one of an outer element closes the
///   inner elements. A new episode closes the previous one, and the end of the document closes all elements.
/// - Names of elements and attributes are in lower case. The prefix depends only on the namespace, and a dot follows it:
///   `itunes.image`. Attributes of unknown namespaces are ignored.
/// - Document types and processing instructions are ignored, so there are no entities to expand.
/// - Characters that XML forbids are removed. Lines of text end with a line feed.
///
/// `Limits` bounds depth, tags, names, attributes and the text between two tags, and so the memory. The time is
/// proportional to the number of bytes, for any content and any size of the pieces.
package struct LenientXMLParser {
    /// The maximum values; content beyond them is ignored.
    package struct Limits {
        var depth = 64
        /// The size of a tag in bytes; a longer tag counts as text.
        var tag = 64 << 10
        var attributes = 32
        /// The size of an attribute's value, in bytes.
        var value = 16 << 10
        /// The size of the text between two tags, in bytes.
        var text = 4 << 20

        /// The limits for feeds.
        package init() {}
    }

    typealias Bytes = UnsafeBufferPointer<UInt8>

    private enum Mode {
        case text
        case comment
        case characterData
        case instruction
        /// `<!…>`, with the number of open brackets.
        case declaration(brackets: Int)
    }

    /// The first characters of markup other than tags, the longest first.
    private static let beginnings: [(text: StaticString, mode: Mode)] = [
        ("<![CDATA[", .characterData), ("<!--", .comment), ("<!", .declaration(brackets: 0)), ("<?", .instruction),
    ]

    private struct Element {
        let name: String
        let written: String
        /// Whether the element declares namespaces, whose scope ends with it.
        let hasNamespaces: Bool
    }

    private let limits: Limits
    private let handle: (XMLEvent) -> Bool
    private var mode = Mode.text
    private var pending: [UInt8] = []
    private var stack: [Element] = []
    private var namespaces = XMLNamespaces()
    private var textCount = 0
    /// Text that has not been reported.
    private var held: [UInt8] = []
    /// The last byte of text since the last tag.
    private var lastByte: UInt8 = 0
    /// The number of pending bytes at which parsing continues; below it, incomplete markup waits for more bytes.
    private var wantedCount = 0
    /// The number of bytes received.
    private var byteCount = 0
    /// The number of bytes searched for the end of a tag without finding one.
    private var vainCount = 0

    /// Whether the root element has ended, or `handle` has stopped parsing; further bytes are ignored.
    package private(set) var isOver = false
    /// Whether the document ended inside its root element; false if `handle` stopped parsing.
    package private(set) var isTruncated = false

    /// Creates a parser for one document.
    /// - Parameters:
    ///   - limits: The maximum values.
    ///   - handle: Receives the events in order, and returns false to stop parsing.
    package init(limits: Limits = Limits(), _ handle: @escaping (XMLEvent) -> Bool) {
        self.limits = limits
        self.handle = handle
    }

    /// Parses a whole document in any encoding.
    ///
    /// - Returns: Whether the document has a complete root element; true if `handle` stopped parsing.
    package static func parse(_ document: some Collection<UInt8>, _ handle: @escaping (XMLEvent) -> Bool) -> Bool {
        var hasRoot = false
        var parser = LenientXMLParser { event in
            hasRoot = true
            return handle(event)
        }
        let decoder = DocumentDecoder()
        parser.parse(decoder.decode(document) + decoder.finish())
        parser.finish()
        return hasRoot && !parser.isTruncated
    }

    /// Parses the next bytes, which are UTF-8.
    package mutating func parse(_ bytes: [UInt8]) {
        pending += bytes
        byteCount += bytes.count
        if pending.count >= wantedCount { consume(isFinal: false) }
    }

    /// Parses the bytes that are still pending, and closes all open elements.
    package mutating func finish() {
        consume(isFinal: true)
        isTruncated = !isOver && !stack.isEmpty
        while !stack.isEmpty { close() }
    }

    private mutating func consume(isFinal: Bool) {
        let bytes = pending
        pending = []
        let used = bytes.withUnsafeBufferPointer { bytes -> Int in
            var place = 0
            while place < bytes.count, !isOver {
                let start = place
                switch mode {
                case .text: place = text(bytes, place, isFinal)
                case .comment: place = skip(bytes, place, isFinal, to: "-->")
                case .instruction: place = skip(bytes, place, isFinal, to: ">")
                case .characterData: place = characterData(bytes, place, isFinal)
                case .declaration(let brackets): place = declaration(bytes, place, brackets)
                }
                // The remaining bytes are incomplete markup.
                if place == start { break }
            }
            return isOver ? bytes.count : place
        }
        pending = Array(bytes[used...])
        // Parse again only once the number of pending bytes has doubled, so that the total time stays linear.
        wantedCount = 2 * pending.count
        reportText()
    }

    // MARK: Text

    private mutating func text(_ bytes: Bytes, _ start: Int, _ isFinal: Bool) -> Int {
        var place = start
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "<"):
                guard let next = markup(bytes, place, isFinal) else { return place }
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

    /// Appends text up to the limit, if an element is open.
    private mutating func emit(_ bytes: some Collection<UInt8>) {
        guard !stack.isEmpty, textCount < limits.text else { return }
        textCount += bytes.count
        Self.append(bytes, after: &lastByte, to: &held)
    }

    private mutating func report(_ event: XMLEvent) {
        if !isOver { isOver = !handle(event) }
    }

    private mutating func reportText() {
        guard !held.isEmpty else { return }
        report(.text(String(decoding: held, as: UTF8.self)))
        held.removeAll(keepingCapacity: true)
    }

    /// Reports the text before a tag.
    private mutating func endText() {
        reportText()
        textCount = 0
        lastByte = 0
    }

    private mutating func characterData(_ bytes: Bytes, _ start: Int, _ isFinal: Bool) -> Int {
        let (end, next) = Self.find("]]>", bytes, start, isFinal)
        emit(bytes[start..<end])
        if next > end { mode = .text }
        return next
    }

    // MARK: Markup

    /// Parses markup that starts with `<`.
    /// - Returns: The index after it; `nil` if its end has not arrived.
    private mutating func markup(_ bytes: Bytes, _ start: Int, _ isFinal: Bool) -> Int? {
        if !isFinal, bytes.count - start < 9 { return nil }
        func begins(_ text: StaticString) -> Bool {
            text.withUTF8Buffer { bytes[start...].starts(with: $0) }
        }
        for (text, next) in Self.beginnings where begins(text) {
            mode = next
            return start + text.utf8CodeUnitCount
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
        let tag = Bytes(rebasing: bytes[nameStart..<end])
        if isEnd { endTag(tag) } else { startTag(tag) }
        return end + 1
    }

    /// Whether too many bytes were searched for ends of tags without finding one.
    ///
    /// In `<a<a<a…`, each `<` may start a tag, whose end is searched up to the limit. To keep the total time linear, the
    /// search then ends at the next `<`, and ignores quotation marks.
    private var isHopeless: Bool { vainCount > 4 * byteCount + 4 * limits.tag }

    /// Returns the index of the `>` that ends a tag; `nil` if there is none within the limit.
    private mutating func endOfTag(_ bytes: Bytes, _ start: Int) -> Int? {
        let region = Bytes(rebasing: bytes[start..<min(bytes.count, start + limits.tag)])
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

    private mutating func startTag(_ tag: Bytes) {
        let nameEnd = tag.firstIndex { !Self.isNameByte($0) } ?? tag.count
        let written = String(decoding: tag[..<min(nameEnd, 64)], as: UTF8.self).lowercased()
        let isEmpty = tag.last == UInt8(ascii: "/")
        let attributes = attributes(Bytes(rebasing: tag[nameEnd..<(tag.count - (isEmpty ? 1 : 0))]))
        guard stack.count < limits.depth else { return }
        var declared: [(prefix: String, uri: String)] = []
        for (name, value) in attributes {
            if name == "xmlns" { declared.append(("", value)) }
            if name.hasPrefix("xmlns:") { declared.append((String(name.dropFirst(6)), value)) }
        }
        let depth = ImpliedEnds.depth(before: namespaces.name(written), stack.lazy.map(\.name))
        while stack.count > depth { close() }
        if !declared.isEmpty { namespaces.push(declared) }
        let name = namespaces.name(written)
        endText()
        stack.append(Element(name: name, written: written, hasNamespaces: !declared.isEmpty))
        var own: [String: String] = [:]
        for (written, value) in attributes where written != "xmlns" {
            let name = namespaces.attribute(written)
            if !name.hasPrefix("x."), own[name] == nil { own[name] = value }
        }
        report(.start(name: name, attributes: own))
        if isEmpty { close() }
    }

    private mutating func endTag(_ tag: Bytes) {
        let written = String(decoding: tag.prefix { Self.isNameByte($0) }.prefix(64), as: UTF8.self).lowercased()
        guard let index = stack.lastIndex(where: { $0.written == written }) else { return }
        while stack.count > index { close() }
    }

    private mutating func close() {
        guard let element = stack.popLast() else { return }
        if element.hasNamespaces { namespaces.pop() }
        endText()
        report(.end(name: element.name))
        if stack.isEmpty { isOver = true }
    }

    /// Returns the attributes of a tag, with names in lower case and resolved references.
    ///
    /// Of several attributes with the same name, the first one counts.
    private func attributes(_ bytes: Bytes) -> [(String, String)] {
        var found: [(String, String)] = []
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
                let quote = bytes[place...].first.flatMap {
                    $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") ? $0 : nil
                }
                if quote != nil { place += 1 }
                let begin = place
                skip { quote == nil ? !Self.isSpace($0) : $0 != quote }
                value = bytes[begin..<place]
                if quote != nil { place += 1 }
            }
            if name.isEmpty || found.contains(where: { $0.0 == name }) { continue }
            found.append((name, decoded(Bytes(rebasing: value))))
        }
        return found
    }

    private func decoded(_ bytes: Bytes) -> String {
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
        var text: [UInt8] = []
        var lastByte: UInt8 = 0
        Self.append(value, after: &lastByte, to: &text)
        // Tabs and ends of lines in attributes count as spaces (XML 1.0, 3.3.3).
        return String(decoding: text.lazy.map { max($0, 32) }, as: UTF8.self)
    }

    // MARK: Ignored markup

    private mutating func skip(_ bytes: Bytes, _ start: Int, _ isFinal: Bool, to end: StaticString) -> Int {
        let (found, next) = Self.find(end, bytes, start, isFinal)
        if next > found { mode = .text }
        return next
    }

    private mutating func declaration(_ bytes: Bytes, _ start: Int, _ open: Int) -> Int {
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
