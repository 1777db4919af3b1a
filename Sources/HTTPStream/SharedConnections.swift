import NIOCore
import NIOHTTP1
import Synchronization

/// The connections that several requests share, as they do in HTTP/2.
///
/// The client gives one of them every further request as long as it is open. One whose way is gone stays open until the system
/// gives up sending, which takes a quarter of an hour: so it is closed as soon as it is found out.
enum SharedConnections {
    private static let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

    /// Takes note of a connection.
    static func add(_ channel: any Channel) -> EventLoopFuture<Void> {
        let id = ObjectIdentifier(channel)
        // At once: the client loses count of a connection that ends before this is over.
        return channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(LifeSign(), position: .first)
            channels.withLock { $0[id] = channel }
            channel.closeFuture.whenComplete { _ in _ = channels.withLock { $0.removeValue(forKey: id) } }
        }
    }

    /// Closes those to `authority` on which nothing at all has come for so long; call it on their loop.
    static func closeSilent(to authority: String, for silence: TimeAmount, on loop: any EventLoop) {
        let here = channels.withLock { $0.values.filter { $0.eventLoop === loop } }
        for channel in here {
            guard let sign = LifeSign.of(channel), sign.authorities.contains(authority.lowercased()),
                NIODeadline.now() - sign.last >= silence
            else { continue }
            sign.close()
        }
    }
}

/// Notes when something has come on a connection, and to whom it leads.
private final class LifeSign: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private(set) var last = NIODeadline.now()
    var authorities: Set<String> = []
    private var context: ChannelHandlerContext?

    static func of(_ channel: any Channel) -> LifeSign? {
        try? channel.pipeline.syncOperations.handler(type: LifeSign.self)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        last = .now()
        context.fireChannelRead(data)
    }

    /// From here on, beneath TLS, which would wait for the other side to say farewell.
    func close() { context?.close(promise: nil) }
}

/// Refuses answers that come in an order in which HTTP knows none, and statuses that HTTP/2 does not have.
///
/// The HTTP client traps on what comes before the head, or after the end.
final class StreamGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private enum Place { case head, body, over }
    private var place = Place.head

    /// Puts one into a stream.
    static func add(to channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            // The codec is the first handler there is, of a type that can only be named with the whole of HTTP/2 as a dependency.
            let codec = try pipeline.context(name: "handler0").handler
            try pipeline.addHandler(StreamGuard(), position: .after(codec))
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .head(let head) = unwrapOutboundIn(data), let host = head.headers.first(name: "Host") {
            context.channel.parent.flatMap(LifeSign.of)?.authorities.insert(host.lowercased())
        }
        context.write(data, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (place, unwrapInboundIn(data)) {
        // The status of an upgrade is not there (RFC 9113, 8.6).
        case (.head, .head(let head)) where head.status.code >= 100 && head.status.code != 101:
            if head.status.code >= 200 { place = .body }
        case (.body, .body): break
        case (.body, .end): place = .over
        // What belongs to an answer that is refused is of no use either.
        case (.over, _): return
        default:
            place = .over
            return context.fireErrorCaught(HTTPParserError.invalidStatus)
        }
        context.fireChannelRead(data)
    }
}
