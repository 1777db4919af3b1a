import NIOCore
import NIOHTTP1
import NIOHTTP2

/// Refuses answers with a status that is none, and those that come in an order in which HTTP knows none.
///
/// What makes HTTP/1 out of the frames, and the HTTP client behind it, trap on many of them.
final class HTTP2ResponseValidator: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload
    typealias OutboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private enum Place { case head, body, over }
    private var place = Place.head

    /// Puts one into a stream, before everything else.
    static func add(to channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(HTTP2ResponseValidator(), position: .first)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .headers(let head) = unwrapOutboundIn(data), let connection = context.channel.parent,
            let authority = head.headers.first(where: { $0.name == ":authority" })?.value
        {
            HTTP2ConnectionRegistry.note(authority, of: connection)
        }
        context.write(data, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // What belongs to an answer that is refused is of no use either.
        guard place != .over else { return }
        if isInPlace(unwrapInboundIn(data)) {
            context.fireChannelRead(data)
        } else {
            place = .over
            context.fireErrorCaught(HTTPParserError.invalidStatus)
        }
    }

    private func isInPlace(_ payload: HTTP2Frame.FramePayload) -> Bool {
        switch (place, payload) {
        case (.head, .headers(let head)):
            // The status of an upgrade is not there (RFC 9113, 8.6).
            guard let status = Self.status(head), status != 101 else { return false }
            // Nothing would follow what only announces the answer, and the client would wait for it.
            if status < 200 { return !head.endStream }
            place = head.endStream ? .over : .body
        case (.body, .headers(let trailers)):
            place = .over
            return trailers.endStream
        case (.body, .data(let data)):
            if data.endStream { place = .over }
        case (_, .headers), (_, .data):
            return false
        default: break
        }
        return true
    }

    /// RFC 9113, 8.3.2, and RFC 9110, 15.
    private static func status(_ head: HTTP2Frame.FramePayload.Headers) -> Int? {
        let all = head.headers.filter { $0.name == ":status" }
        guard let value = all.first?.value, all.count == 1, value.utf8.count == 3 else { return nil }
        return Int(value).flatMap { $0 >= 100 ? $0 : nil }
    }
}
