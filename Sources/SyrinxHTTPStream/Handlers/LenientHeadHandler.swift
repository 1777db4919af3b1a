import NIOCore

/// Puts right a head that a strict decoder refuses, and lets everything else through.
///
/// A connection it is put on has one answer only, so that none of another can hide in what is passed over here.
final class LenientHeadHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    private var head = HeadAccumulator()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let buffer = head.push(unwrapInboundIn(data)) else { return }
        context.fireChannelRead(wrapInboundOut(buffer))
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let buffer = head.finish() { context.fireChannelRead(wrapInboundOut(buffer)) }
        context.fireChannelInactive()
    }
}

/// Collects the bytes of a connection until the head is whole.
struct HeadAccumulator {
    /// `nil` once it has been handed on.
    private var start: ByteBuffer? = ByteBuffer()
    /// Bytes of `start` that no head ends in.
    private var searched = 0

    /// A head that is longer is left as it is; the decoder refuses it.
    private static let longest = 64 << 10

    /// Takes what has come, and gives what is to be handed on.
    mutating func push(_ buffer: ByteBuffer) -> ByteBuffer? {
        guard var start else { return buffer }
        start.writeImmutableBuffer(buffer)
        self.start = start
        let bytes = start.readableBytesView
        guard let end = Self.end(in: bytes.dropFirst(searched)), end - bytes.startIndex <= Self.longest else {
            // The end of a line may be the beginning of the head's.
            searched = max(0, bytes.count - 2)
            return bytes.count < Self.longest ? nil : finish()
        }
        self.start = nil
        let head = HeadLines(bytes[..<end]).repaired
        guard !head.elementsEqual(bytes[..<end]) else { return start }
        var repaired = ByteBuffer(bytes: head)
        repaired.writeBytes(bytes[end...])
        return repaired
    }

    /// Gives what has been collected, as it came.
    mutating func finish() -> ByteBuffer? {
        defer { start = nil }
        return start.flatMap { $0.readableBytes > 0 ? $0 : nil }
    }

    /// The index behind the empty line that ends a head.
    ///
    /// RFC 9112, 2.2: a line may end without the carriage return.
    static func end<Bytes: Collection<UInt8>>(in bytes: Bytes) -> Bytes.Index? {
        var rest = bytes[...]
        while let feed = rest.firstIndex(of: 10) {
            rest = rest[feed...].dropFirst()
            let line = rest.first == 13 ? rest.dropFirst() : rest
            if line.first == 10 { return bytes.index(after: line.startIndex) }
        }
        return nil
    }
}

/// The head of an answer, as it should have been written.
struct HeadLines {
    private var status: [UInt8] = []
    private var fields: [[UInt8]] = []
    private var lengths: [String] = []
    /// Which of the fields has the first of the lengths.
    private var lengthIndex: Int?
    private var isChunked = false

    /// Takes a head apart, the empty line at its end included.
    init(_ head: some Collection<UInt8>) {
        var lines = head.split(separator: 10, omittingEmptySubsequences: false).map { line in
            Array(line.last == 13 ? line.dropLast() : line)
        }[...]
        status = Self.statusLine(lines.popFirst() ?? [])
        var field: [UInt8]?
        for line in lines {
            if line.first == 0x20 || line.first == 0x09 {
                // RFC 9112, 5.2: the end of a line and the blanks that the next begins with are blanks.
                field? += [0x20] + line
            } else {
                if let field { take(field) }
                field = line.isEmpty ? nil : line
            }
        }
        if let field { take(field) }
    }

    var repaired: [UInt8] {
        var fields = fields
        if let lengthIndex, isChunked {
            // RFC 9112, 6.3: of what comes in chunks, no length counts.
            fields.remove(at: lengthIndex)
        } else {
            // Those that differ are left to the decoder, which refuses them.
            fields += lengths.dropFirst().map { Array("Content-Length: \($0)".utf8) }
        }
        return ([status] + fields + [[]]).flatMap { $0 + [13, 10] }
    }

    /// `HTTP/1.0` in place of `ICY`, capital letters, and one space at a time; what is no status line stays as it is.
    private static func statusLine(_ line: [UInt8]) -> [UInt8] {
        let parts = line.split(separator: 0x20, maxSplits: 1)
        guard parts.count == 2 else { return line }
        let version = String(decoding: parts[0], as: UTF8.self).uppercased()
        let rest = parts[1].drop { $0 == 0x20 }
        guard version == "ICY" || version.hasPrefix("HTTP/"), line.first != 0x20 else { return line }
        return Array((version == "ICY" ? "HTTP/1.0 " : version + " ").utf8) + printable(rest)
    }

    /// Takes a field over, unless its name is none.
    private mutating func take(_ line: [UInt8]) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        // RFC 9112, 5.1: blanks between the name and the colon are taken out of an answer.
        var name = line[..<colon]
        while name.last == 0x20 || name.last == 0x09 { name.removeLast() }
        guard !name.isEmpty, name.allSatisfy(Self.isTokenByte) else { return }
        var written = Self.printable(line[(colon + 1)...])
        let value = String(decoding: written, as: UTF8.self).lowercased()[...].trimming(\.isWhitespace)
        switch String(decoding: name, as: UTF8.self).lowercased() {
        case "content-length":
            let isFirst = lengths.isEmpty
            // RFC 9110, 8.6: a length that is given again, in another line or in the same, is that length.
            for length in value.split(separator: ",", omittingEmptySubsequences: false) {
                let length = String(length.trimming(\.isWhitespace))
                if lengths.count < 2, !lengths.contains(length) { lengths.append(length) }
            }
            guard isFirst else { return }
            lengthIndex = fields.count
            if value != lengths[0] { written = Array(" \(lengths[0])".utf8) }
        // RFC 9112 has it no more: the body as it is.
        case "transfer-encoding" where value == "identity": return
        case "transfer-encoding" where value == "chunked": isChunked = true
        default: break
        }
        fields.append(name + [UInt8(ascii: ":")] + written)
    }

    /// RFC 9110, 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// RFC 9110, 5.5: blanks in place of what must not be in a value.
    private static func printable(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.map { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F ? 0x20 : $0 }
    }
}
