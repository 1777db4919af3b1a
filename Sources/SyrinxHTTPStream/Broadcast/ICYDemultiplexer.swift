import SyrinxByteStream

/// Takes the metadata out of a broadcast that weaves them into its audio.
///
/// After every `interval` bytes of audio comes one byte that gives the length of a block in sixteens, and then the block:
/// `StreamTitle='...';` and the like, filled up with zeros. The form is Shoutcast's, which Icecast shares.
///
/// If the first block is none, the server does not do what it announced: from there on everything is audio, that block
/// included, and `isBroken` says so. A later one that cannot be read is left out.
struct ICYDemultiplexer: Sendable {
    /// A piece of the bytes that have arrived.
    enum Piece: Equatable {
        /// Audio: where in the bytes that were pushed.
        case audio(Range<Int>)
        /// Audio that was held back because it could have been metadata.
        case heldAudio([UInt8])
        /// Metadata that differ from the last ones, by name.
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
    /// The values of the last blocks, by name.
    private var last: [String: String] = [:]

    /// More names than these are not taken back.
    static let mostNames = 16

    /// For metadata every `interval` bytes; 1 at least.
    /// - Parameter earlier: What came before of the same broadcast, whose titles still hold.
    init(interval: Int, after earlier: ICYDemultiplexer? = nil) {
        self.interval = max(1, interval)
        place = .audio(left: self.interval)
        last = earlier?.last ?? [:]
    }

    /// Returns the pieces of the next bytes, in order.
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
                // At most 255 times 16, whatever the server says.
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
        // An empty value takes back an earlier one, and says nothing otherwise.
        let said = fields.filter { !$0.value.isEmpty || last[$0.key]?.isEmpty == false }
        // Many stations send the same with every block.
        let isNews = said.contains { last[$0.key] != $0.value }
        for (name, value) in fields where last[name] != nil || last.count < Self.mostNames { last[name] = value }
        return isNews ? [.metadata(said)] : []
    }

    /// `Name='value';` as often as there is, or one `Name=value` in other quotes or none; `nil` if it is nothing of the kind.
    ///
    /// Values may hold unescaped quotes and semicolons: a value ends at the `';` that a name or the end follows.
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
