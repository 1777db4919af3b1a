import NIOCore
import NIOHTTP1
import NIOPosix

/// Serves one file from this machine to this machine, each connection held to a rate.
final class Server {
    /// The content to serve, and its rate.
    struct Content: Sendable {
        /// The path, with its slash.
        var path: String
        var mediaType: String
        var body: ByteBuffer
        /// For each connection.
        var bytesPerSecond: Int
    }

    /// The URL of the file.
    let url: String

    private let group: MultiThreadedEventLoopGroup
    private let channel: any Channel

    /// Listens on a free port of 127.0.0.1.
    ///
    /// - Throws: What binding a socket may: no port is free, or the system forbids it.
    init(_ content: Content) throws {
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            channel = try ServerBootstrap(group: group)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                        try channel.pipeline.syncOperations.addHandler(ContentHandler(content))
                    }
                }
                .bind(host: "127.0.0.1", port: 0)
                .wait()
        } catch {
            // Nothing is left to report if this fails, too: the error that matters is the one thrown below.
            try? group.syncShutdownGracefully()
            throw error
        }
        url = "http://127.0.0.1:\(channel.localAddress?.port ?? 0)\(content.path)"
    }

    /// Closes every connection.
    func stop() {
        // The process ends after this; a socket that would not close is closed by the system.
        try? group.syncShutdownGracefully()
    }
}

/// Answers the requests of one connection.
private final class ContentHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let content: Server.Content
    private var request: HTTPRequestHead?
    private var pacer = Pacer(byteCount: 0, bytesPerSecond: 1)
    private var rest = ByteBuffer()
    private var isClosed = false

    init(_ content: Server.Content) {
        self.content = content
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            request = head
        case .body:
            break
        case .end:
            if let request { respond(to: request, context: context) }
            request = nil
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        isClosed = true
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A client that goes away in the middle is nothing to report: it ended, or sought elsewhere.
        context.close(promise: nil)
    }

    private func respond(to request: HTTPRequestHead, context: ChannelHandlerContext) {
        let size = content.body.readableBytes
        var headers = HTTPHeaders([("Accept-Ranges", "bytes")])
        var status = HTTPResponseStatus.ok
        var range = 0..<0
        if request.method != .GET && request.method != .HEAD {
            status = .methodNotAllowed
            headers.add(name: "Allow", value: "GET, HEAD")
        } else if request.uri != content.path {
            status = .notFound
        } else {
            headers.add(name: "Content-Type", value: content.mediaType)
            // The body never changes while this server lives, so its size and the server's life identify it.
            headers.add(name: "ETag", value: "\"\(size)\"")
            switch RangeRequest(header: request.headers.first(name: "Range"), size: size) {
            case .whole:
                range = 0..<size
            case .part(let part):
                status = .partialContent
                headers.add(name: "Content-Range", value: "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)")
                range = part
            case .unsatisfiable:
                status = .rangeNotSatisfiable
                headers.add(name: "Content-Range", value: "bytes */\(size)")
            }
        }
        headers.add(name: "Content-Length", value: String(range.count))
        let head = HTTPResponseHead(version: request.version, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)

        let start = content.body.readerIndex + range.lowerBound
        rest = content.body.getSlice(at: start, length: range.count) ?? ByteBuffer()
        let byteCount = request.method == .HEAD ? 0 : rest.readableBytes
        pacer = Pacer(byteCount: byteCount, bytesPerSecond: content.bytesPerSecond)
        pump(context: context)
    }

    /// Sends what is due and comes back when more is.
    private func pump(context: ChannelHandlerContext) {
        guard !isClosed else { return }
        let loop = context.eventLoop.assumeIsolated()
        switch pacer.next(at: Int64(NIODeadline.now().uptimeNanoseconds)) {
        case .send(let count):
            guard let slice = rest.readSlice(length: count) else { return }
            // The next slice waits until this one has left, so a slow reader costs no memory here.
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(slice)))).assumeIsolated().whenSuccess {
                self.pump(context: context)
            }
        case .wait(let nanoseconds):
            loop.scheduleTask(in: .nanoseconds(nanoseconds)) { self.pump(context: context) }
        case .finish:
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
