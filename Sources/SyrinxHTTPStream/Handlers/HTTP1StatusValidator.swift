import NIOCore
import NIOHTTP1

/// Refuses answers with a status below 100, which is none (RFC 9110, 15).
///
/// The HTTP client takes everything below 200 for an announcement of the answer, and traps when a body follows.
final class HTTP1StatusValidator: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    private var hasRefused = false

    /// Puts one behind the decoder of a connection.
    static func add(to channel: any Channel) -> EventLoopFuture<Void> {
        // At once: the client has to hear of the connection before it hears of its end.
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
            try pipeline.addHandler(HTTP1StatusValidator(), position: .after(decoder))
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data), head.status.code < 100 {
            hasRefused = true
            context.fireErrorCaught(HTTPParserError.invalidStatus)
        }
        // What belongs to it is of no use either.
        if !hasRefused { context.fireChannelRead(data) }
    }
}
