import Foundation
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization
import SyrinxTestSupport

/// A server on the loopback interface that speaks HTTP/2 over TLS and nothing else, and gives parts of one long resource.
///
/// It counts a byte as sent when the client's flow control has let it out. It stops when it goes away.
final class SecureHTTP2Server: Sendable {
    /// The action for a request.
    enum Answer: Sendable {
        /// Sends what is asked for, to its end.
        case whole
        /// Sends what is asked for up to this offset, and then nothing, until the test does something.
        case until(Int64)
        /// Sends these frames, whatever is asked for and whatever the protocol says of them.
        case frames([Frame])
    }

    /// A frame that has not been checked.
    enum Frame: Sendable {
        case headers([(String, String)], ends: Bool = false)
        case data([UInt8], ends: Bool = false)
    }

    /// A request, and what has become of it.
    struct Request: Sendable {
        let range: String?
        let ifRange: String?
        /// Which of the connections, in the order in which they were made, it came on.
        let connection: Int
        let streamID: HTTP2StreamID
        var bytesSent: Int64 = 0
        /// The client's reason for resetting the stream.
        var resetCode: HTTP2ErrorCode?
        var isOver = false
    }

    fileprivate struct State {
        var requests: [Request] = []
        var streams: [any Channel] = []
        var connections: [any Channel] = []
        var frozen: Set<Int> = []
        var openConnections = 0
        var protocols: [String] = []
    }

    /// The state that the handlers share, which must not keep the server alive.
    fileprivate final class Log: Sendable {
        let state = Mutex(State())
        let length: Int64
        let plan: @Sendable (_ index: Int) -> Answer

        init(_ length: Int64, _ plan: @escaping @Sendable (Int) -> Answer) {
            self.length = length
            self.plan = plan
        }
    }

    private let own: OwnCertificate
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let listener: any Channel
    private let log: Log
    let url: String

    /// Gives a resource of `length` bytes; `plan` says what it does about each request, which are counted from 0.
    init(length: Int64, _ plan: @escaping @Sendable (_ index: Int) -> Answer = { _ in .whole }) throws {
        own = try OwnCertificate()
        let log = Log(length, plan)
        self.log = log
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(own.certificate).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: own.key, format: .pem))
        )
        tls.applicationProtocols = ["h2", "http/1.1"]
        let context = try NIOSSLContext(configuration: tls)
        listener = try ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                }.flatMap { Self.negotiate(channel, log) }
            }
            .bind(host: "127.0.0.1", port: 0).wait()
        url = "https://localhost:\(listener.localAddress?.port ?? 0)/a"
    }

    deinit { group.shutdownGracefully { _ in } }

    private static func negotiate(_ channel: any Channel, _ log: Log) -> EventLoopFuture<Void> {
        channel.configureHTTP2SecureUpgrade(
            h2ChannelConfigurator: { channel in
                let number = log.state.withLock { state in
                    state.protocols.append("h2")
                    state.connections.append(channel)
                    state.openConnections += 1
                    return state.connections.count - 1
                }
                channel.closeFuture.whenComplete { _ in log.state.withLock { $0.openConnections -= 1 } }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(LineHandler(log, number))
                    _ = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
                        mode: .server,
                        connectionConfiguration: .init(),
                        streamConfiguration: .init()
                    ) { stream in
                        stream.eventLoop.makeCompletedFuture {
                            try stream.pipeline.syncOperations.addHandler(StreamHandler(log, connection: number))
                        }
                    }
                }
            },
            http1ChannelConfigurator: { channel in
                log.state.withLock { $0.protocols.append("http/1.1") }
                return channel.close()
            }
        )
    }

    /// The environment that makes a client trust the server.
    var environment: [String: String] { ["SSL_CERT_FILE": own.certificate] }
    /// The requests so far, in order.
    var requests: [Request] { log.state.withLock { $0.requests } }
    /// The protocol of each connection, in order.
    var protocols: [String] { log.state.withLock { $0.protocols } }
    /// The number of open connections.
    var openConnections: Int { log.state.withLock { $0.openConnections } }

    /// Sends what there is up to a later offset than was planned.
    func goOn(_ index: Int, until offset: Int64) {
        let stream = log.state.withLock { $0.streams[index] }
        stream.eventLoop.execute {
            try? stream.pipeline.syncOperations.handler(type: StreamHandler.self).goOn(until: offset)
        }
    }

    /// Ends what goes on for a request, as a server does that has run into something.
    func reset(_ index: Int) {
        let stream = log.state.withLock { $0.streams[index] }
        stream.writeAndFlush(HTTP2Frame.FramePayload.rstStream(.internalError), promise: nil)
    }

    /// Says that requests after the stream `last` will not be answered on a connection.
    func goAway(_ connection: Int, last: HTTP2StreamID) {
        let payload = HTTP2Frame.FramePayload.goAway(lastStreamID: last, errorCode: .noError, opaqueData: nil)
        channel(connection).writeAndFlush(HTTP2Frame(streamID: .rootStream, payload: payload), promise: nil)
    }

    /// Closes a connection.
    func close(_ connection: Int) { channel(connection).close(promise: nil) }

    /// Hears nothing more of a connection, and keeps it: as when the way to the client is gone.
    func freeze(_ connection: Int) { log.state.withLock { _ = $0.frozen.insert(connection) } }

    private func channel(_ connection: Int) -> any Channel { log.state.withLock { $0.connections[connection] } }
}

/// Bytes that are made as they are needed, and differ from any that lie a round number of bytes away.
enum GeneratedBytes {
    /// A prime number.
    private static let period: Int64 = 65_521
    private static let pattern = {
        let once = patternedBytes(Int(period))
        return ByteBuffer(bytes: once + once)
    }()

    /// At most `period` bytes.
    static func buffer(_ range: Range<Int64>) -> ByteBuffer {
        pattern.getSlice(at: Int(range.lowerBound % period), length: range.count) ?? ByteBuffer()
    }

    /// Whether `bytes` are those that lie at `offset`.
    static func match(_ bytes: [UInt8], at offset: Int64) -> Bool {
        let period = Int(Self.period)
        return stride(from: 0, to: bytes.count, by: period).allSatisfy { start in
            let piece = bytes[start..<min(bytes.count, start + period)]
            let first = offset + Int64(start)
            let count = piece.count
            return buffer(first..<first + Int64(count)).withUnsafeReadableBytes { expected in
                piece.withUnsafeBytes { piece in
                    guard let piece = piece.baseAddress, let expected = expected.baseAddress else { return false }
                    return memcmp(piece, expected, count) == 0
                }
            }
        }
    }
}

/// Stands between TLS and HTTP/2: keeps from the server what comes when it is to hear nothing, and sends what it would not.
private final class LineHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let log: SecureHTTP2Server.Log
    private let connection: Int
    private var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
    private var context: ChannelHandlerContext?

    init(_ log: SecureHTTP2Server.Log, _ connection: Int) {
        self.log = log
        self.connection = connection
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let isFrozen = log.state.withLock { $0.frozen.contains(connection) }
        if !isFrozen { context.fireChannelRead(data) }
    }

    /// RFC 9113, 4.1.
    func send(_ frame: SecureHTTP2Server.Frame, on streamID: HTTP2StreamID) {
        var payload = ByteBuffer()
        let type: UInt8
        let flags: UInt8
        switch frame {
        case .headers(let fields, let ends):
            var headers = HPACKHeaders()
            // In the table of the other encoder there must be nothing that it does not know of.
            for (name, value) in fields { headers.add(name: name, value: value, indexing: .nonIndexable) }
            try? encoder.encode(headers: headers, to: &payload)
            (type, flags) = (1, ends ? 5 : 4)
        case .data(let bytes, let ends):
            payload.writeBytes(bytes)
            (type, flags) = (0, ends ? 1 : 0)
        }
        var whole = ByteBuffer()
        whole.writeBytes([UInt8(payload.readableBytes >> 16)])
        whole.writeInteger(UInt16(payload.readableBytes & 0xFFFF))
        whole.writeBytes([type, flags])
        whole.writeInteger(UInt32(Int(streamID)))
        whole.writeBuffer(&payload)
        context?.writeAndFlush(wrapOutboundOut(whole), promise: nil)
    }
}

/// Answers one request.
private final class StreamHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let log: SecureHTTP2Server.Log
    private let connection: Int
    private var index: Int?
    private var position: Int64 = 0
    private var stop: Int64 = 0
    private var isPumping = false
    private var context: ChannelHandlerContext?

    init(_ log: SecureHTTP2Server.Log, connection: Int) {
        self.log = log
        self.connection = connection
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func goOn(until offset: Int64) {
        stop = min(offset, log.length)
        if let context { pump(context) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .headers(let head) = unwrapInboundIn(data), index == nil,
            let streamID = try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
        else { return }
        let range = head.headers.first(name: "range")
        let request = SecureHTTP2Server.Request(
            range: range,
            ifRange: head.headers.first(name: "if-range"),
            connection: connection,
            streamID: streamID
        )
        let index = log.state.withLock { state in
            state.requests.append(request)
            state.streams.append(context.channel)
            return state.requests.count - 1
        }
        self.index = index
        answer(log.plan(index), range, streamID, context)
    }

    private func answer(
        _ answer: SecureHTTP2Server.Answer,
        _ range: String?,
        _ streamID: HTTP2StreamID,
        _ context: ChannelHandlerContext
    ) {
        position = range.flatMap { Int64($0.dropFirst("bytes=".count).prefix { $0 != "-" }) } ?? 0
        stop = log.length
        switch answer {
        case .whole: break
        case .until(let offset): stop = min(offset, stop)
        case .frames(let frames):
            let line = try? context.channel.parent?.pipeline.syncOperations.handler(type: LineHandler.self)
            for frame in frames { line?.send(frame, on: streamID) }
            return
        }
        let headers: HPACKHeaders = [
            ":status": range == nil ? "200" : "206", "content-type": "audio/mpeg", "etag": "\"one\"",
            "accept-ranges": "bytes", "content-length": "\(log.length - position)",
            "content-range": "bytes \(position)-\(log.length - 1)/\(log.length)",
        ]
        context.writeAndFlush(wrapOutboundOut(.headers(.init(headers: headers))), promise: nil)
        pump(context)
    }

    /// Writes as long as the client's flow control takes it.
    private func pump(_ context: ChannelHandlerContext) {
        // A write may report that there is room before it returns.
        guard !isPumping, let index else { return }
        isPumping = true
        defer { isPumping = false }
        while position < stop, context.channel.isActive, context.channel.isWritable {
            let end = min(stop, position + 16_384)
            let count = end - position
            let data = HTTP2Frame.FramePayload.Data(
                data: .byteBuffer(GeneratedBytes.buffer(position..<end)),
                endStream: end == log.length
            )
            position = end
            let sent = context.eventLoop.makePromise(of: Void.self)
            sent.futureResult.whenSuccess { [log] in log.state.withLock { $0.requests[index].bytesSent += count } }
            context.writeAndFlush(wrapOutboundOut(.data(data)), promise: sent)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) { pump(context) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let index, let error = error as? NIOHTTP2Errors.StreamClosed else { return }
        log.state.withLock { $0.requests[index].resetCode = error.errorCode }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let index { log.state.withLock { $0.requests[index].isOver = true } }
    }
}
