import NIOCore
import Synchronization

/// The connections that several requests share, as they do in HTTP/2.
///
/// The client gives one of them every further request as long as it is open. One whose way is gone stays open until the system
/// gives up sending, which takes a quarter of an hour: so it is closed as soon as it is found out.
enum HTTP2ConnectionRegistry {
    private static let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

    /// Takes note of a connection.
    static func add(_ channel: any Channel) -> EventLoopFuture<Void> {
        let id = ObjectIdentifier(channel)
        // At once: the client loses count of a connection that ends before this is over.
        return channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(ActivityHandler(), position: .first)
            channels.withLock { $0[id] = channel }
            channel.closeFuture.whenComplete { _ in _ = channels.withLock { $0.removeValue(forKey: id) } }
        }
    }

    /// Takes note of where a connection leads.
    static func note(_ authority: String, of channel: any Channel) {
        ActivityHandler.of(channel)?.authorities.insert(authority.lowercased())
    }

    /// Closes those to `authority` on which nothing at all has come for so long.
    static func closeSilent(to authority: String, for silence: TimeAmount) {
        for channel in channels.withLock({ Array($0.values) }) {
            channel.eventLoop.execute {
                guard let sign = ActivityHandler.of(channel), sign.authorities.contains(authority.lowercased()),
                    NIODeadline.now() - sign.last >= silence
                else { return }
                sign.close()
            }
        }
    }
}

/// Notes when something has come on a connection, and to whom it leads.
private final class ActivityHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private(set) var last = NIODeadline.now()
    var authorities: Set<String> = []
    private var context: ChannelHandlerContext?

    static func of(_ channel: any Channel) -> ActivityHandler? {
        try? channel.pipeline.syncOperations.handler(type: ActivityHandler.self)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        last = .now()
        context.fireChannelRead(data)
    }

    /// From here on, below TLS, which would wait for the other side's closing message.
    func close() { context?.close(promise: nil) }
}
