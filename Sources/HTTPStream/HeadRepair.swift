import NIOCore

/// Writes `HTTP/1.0` where an answer begins with `ICY`, unfolds its headers, leaves out a length that has been given, and lets
/// everything else through.
final class HeadRepair: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    private var head: ByteBuffer? = ByteBuffer()

    /// A head that is longer is left as it is; the decoder refuses it.
    private static let longest = 64 << 10

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        guard var start = head else { return context.fireChannelRead(data) }
        start.writeBuffer(&buffer)
        head = start
        let isWhole = start.readableBytesView.firstRange(of: "\r\n\r\n".utf8) != nil
        guard isWhole || start.readableBytes >= Self.longest else { return }
        pass(start, context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let head { pass(head, context) }
        context.fireChannelInactive()
    }

    private func pass(_ start: ByteBuffer, _ context: ChannelHandlerContext) {
        head = nil
        let repaired = Self.withoutRepeatedLength(Self.repaired(start.readableBytesView))
        context.fireChannelRead(wrapInboundOut(ByteBuffer(bytes: repaired)))
    }

    /// RFC 9110, 8.6: a length that is given again, in another line or in the same, is that length; RFC 9112, 6.3: of what comes
    /// in chunks, none counts.
    ///
    /// Two that differ are left to the decoder, which refuses them.
    private static func withoutRepeatedLength(_ bytes: [UInt8]) -> [UInt8] {
        guard let end = bytes.firstRange(of: "\r\n\r\n".utf8)?.lowerBound else { return bytes }
        var kept: [UInt8] = []
        var lengths: [String] = []
        var isChunked = false
        var rest = bytes[..<end]
        while !rest.isEmpty {
            let line = rest.firstRange(of: "\r\n".utf8).map { rest[..<$0.lowerBound] } ?? rest
            rest = rest[line.endIndex...].dropFirst(2)
            let text = String(decoding: line.prefix(64), as: UTF8.self).lowercased().filter { !$0.isWhitespace }
            if text.hasPrefix("content-length:") {
                lengths += text.dropFirst(15).split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
                continue
            }
            isChunked = isChunked || text == "transfer-encoding:chunked"
            kept += line + [13, 10]
        }
        for length in isChunked ? [] : Set(lengths) { kept += "Content-Length: \(length)\r\n".utf8 }
        return kept + bytes[(end + 2)...]
    }

    /// RFC 9112, 5.2: the end of a line and the blanks that the next begins with are blanks.
    private static func repaired(_ bytes: ByteBufferView) -> [UInt8] {
        var repaired: [UInt8] = []
        repaired.reserveCapacity(bytes.count + 8)
        var rest = bytes[...]
        if rest.starts(with: "ICY ".utf8) {
            repaired += "HTTP/1.0 ".utf8
            rest = rest.dropFirst(4)
        }
        let end = rest.firstRange(of: "\r\n\r\n".utf8)?.lowerBound ?? rest.endIndex
        while let byte = rest.first {
            let isFold =
                rest.startIndex < end && rest.starts(with: "\r\n".utf8)
                && rest.dropFirst(2).first.map { $0 == 0x20 || $0 == 0x09 } == true
            repaired.append(isFold ? 0x20 : byte)
            rest = rest.dropFirst(isFold ? 2 : 1)
        }
        return repaired
    }
}
