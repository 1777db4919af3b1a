import SyrinxByteStream

/// Separates the metadata of a Shoutcast or Icecast broadcast from its audio.
///
/// After every `interval` bytes of audio, one byte states the length of a metadata block in units of 16 bytes. The
/// block follows, such as `StreamTitle='...';`, padded with zeros.
///
/// If the first block is invalid, the server does not send the announced metadata. From there on, all bytes including
/// that block are audio, and `isBroken` is true. A later invalid block is ignored.
struct ICYDemultiplexer: Sendable {
    /// A part of the received bytes.
    enum Piece: Equatable {
        /// Audio: a range of the pushed bytes.
        case audio(Range<Int>)
        /// Audio that was held back because it could have been metadata.
        case heldAudio([UInt8])
        /// Metadata, by name, that differs from the previous metadata.
        case metadata([String: String])
    }

    private enum Place {
        case audio(left: Int)
        case length
        case block(size: Int)
    }

    private let interval: Int
    private var place: Place
    private var block: [UInt8] = []
    private(set) var isBroken = false
    private var hasFound = false
    /// The latest values, by name.
    private var last: [String: String] = [:]

    /// The maximum number of names whose values are stored.
    static let mostNames = 16

    /// Creates a demultiplexer for metadata after every `interval` bytes, at least 1.
    /// - Parameter earlier: The demultiplexer of an earlier connection to the same broadcast, whose titles still apply.
    init(interval: Int, after earlier: ICYDemultiplexer? = nil) {
        self.interval = max(1, interval)
        place = .audio(left: self.interval)
        last = earlier?.last ?? [:]
    }

    /// Returns the parts of the next bytes, in order.
    mutating func push(_ bytes: UnsafeRawBufferPointer) -> [Piece] {
        var pieces: [Piece] = []
        var index = 0
        while index < bytes.count {
            if isBroken {
                pieces.append(.audio(index..<bytes.count))
                break
            }
            switch place {
            case .audio(let left):
                let count = min(left, bytes.count - index)
                pieces.append(.audio(index..<(index + count)))
                index += count
                place = count == left ? .length : .audio(left: left - count)
            case .length:
                let size = Int(bytes[index]) * 16
                block = [bytes[index]]
                index += 1
                place = size == 0 ? .audio(left: interval) : .block(size: size)
            case .block(let size):
                // At most 255 × 16 bytes, whatever the server says.
                let count = min(size + 1 - block.count, bytes.count - index)
                block += bytes[index..<(index + count)]
                index += count
                if block.count == size + 1 { pieces += finishBlock() }
            }
        }
        return pieces
    }

    private mutating func finishBlock() -> [Piece] {
        place = .audio(left: interval)
        let text = block.dropFirst().prefix { $0 != 0 }
        if text.isEmpty { return [] }
        guard let fields = Self.fields(text) else {
            if hasFound { return [] }
            isBroken = true
            return [.heldAudio(block)]
        }
        hasFound = true
        // An empty value revokes an earlier one, and has no meaning otherwise.
        let said = fields.filter { !$0.value.isEmpty || last[$0.key]?.isEmpty == false }
        // Many stations repeat the same metadata in every block.
        let isNews = said.contains { last[$0.key] != $0.value }
        for (name, value) in fields where last[name] != nil || last.count < Self.mostNames { last[name] = value }
        return isNews ? [.metadata(said)] : []
    }

    /// Parses a sequence of `Name='value';`, or a single `Name=value` with other quotes or none; returns `nil` for
    /// anything else.
    ///
    /// Values may contain unescaped quotes and semicolons: a value ends at a `';` that is followed by a name or by the
    /// end.
    static func fields(_ bytes: some Sequence<UInt8>) -> [String: String]? {
        let text = String(utf8OrWindows1252: Array(bytes))
        var rest = text[...]
        var fields: [String: String] = [:]
        var hasFound = false
        while let start = rest.firstRange(of: "='") {
            let name = rest[..<start.lowerBound]
            guard isName(name) else { break }
            hasFound = true
            rest = rest[start.upperBound...]
            let end = valueEnd(rest)
            fields[String(name)] = String(rest[..<end])
            rest = rest[end...].drop { $0 == "'" || $0 == ";" || $0 == " " }
        }
        return hasFound ? fields : loosely(text)
    }

    private static func loosely(_ text: String) -> [String: String]? {
        guard let sign = text.firstIndex(of: "=") else { return nil }
        let name = text[..<sign].trimming { $0.isWhitespace }
        guard name.count >= 3, name.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
        let value = text[text.index(after: sign)...].trimming { $0.isWhitespace || $0 == ";" }
        return [String(name): String(value.trimming { $0 == "'" || $0 == "\"" })]
    }

    private static func isName(_ text: Substring) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) }
    }

    private static func valueEnd(_ text: Substring) -> Substring.Index {
        var from = text.startIndex
        while let mark = text[from...].firstRange(of: "';") {
            let next = text[mark.upperBound...]
            let name = next.prefix(64).prefix { $0 != "=" }
            if next.isEmpty || isName(name) && next.dropFirst(name.count).hasPrefix("='") { return mark.lowerBound }
            from = mark.upperBound
        }
        return text.hasSuffix("'") ? text.index(before: text.endIndex) : text.endIndex
    }
}
