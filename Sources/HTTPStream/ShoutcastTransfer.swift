import ByteStream
import NIOCore
import NIOHTTP1
import NIOPosix

/// One request to a server that answers with `ICY 200 OK` in place of an HTTP version, folds its headers, or says twice how
/// long its answer is, and that answer.
///
/// Shoutcast's first version does the first, servers of HTTP/1.0 and those behind careless proxies the others, and an HTTP
/// client refuses all. Here the head is put right and the rest is left to the HTTP decoder. Only for plain HTTP, without a
/// proxy, one connection a request.
final class ShoutcastTransfer: RunningTransfer, @unchecked Sendable {
    // Unchecked: every `var` is touched on `loop` only. What others call hops there first.
    let request: FetchMachine.Request
    private let options: HTTPByteStream.Options
    private let headers: HTTPHeaders
    private let loop: any EventLoop
    private weak var listener: (any TransferListener)?
    private var channel: (any Channel)?
    private var watch: StallWatch?
    private var isOver = false
    private var hasHead = false

    init(
        _ request: FetchMachine.Request,
        _ options: HTTPByteStream.Options,
        headers: HTTPHeaders,
        loop: any EventLoop,
        listener: any TransferListener
    ) {
        self.request = request
        self.options = options
        self.headers = headers
        self.loop = loop
        self.listener = listener
    }

    func start() {
        loop.execute { self.startOnLoop() }
    }

    func resume() {
        loop.execute {
            self.watch?.isPaused = false
            self.setReading(true)
        }
    }

    func cancel() {
        loop.execute { self.end() }
    }

    private func startOnLoop() {
        guard !isOver else { return }
        let watch = StallWatch(options, loop: loop)
        self.watch = watch
        watch.start { [weak self] in self.map { $0.fail(FetchFailure.silence($0.request.url.host, $0.options)) } }
        ClientBootstrap(group: loop)
            .connectTimeout(.nanoseconds(Int64(options.connectTimeout * 1e9)))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(HeadRepair())
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(Receiver(self))
                }
            }
            .connect(host: request.url.bareHost, port: request.url.port)
            .whenComplete { result in
                switch result {
                case .success(let channel): self.connected(channel)
                case .failure(let error): self.fail(error)
                }
            }
    }

    private func connected(_ channel: any Channel) {
        guard !isOver else {
            channel.close(promise: nil)
            return
        }
        self.channel = channel
        var headers = headers
        headers.replaceOrAdd(name: "Host", value: request.url.authority)
        // Old servers know no later version, and would otherwise keep a connection that is of no more use.
        let head = HTTPRequestHead(version: .http1_0, method: .GET, uri: request.url.target, headers: headers)
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }

    private func setReading(_ isReading: Bool) {
        channel?.setOption(.autoRead, value: isReading).whenFailure { _ in
            // The channel has gone, which is told by its own end.
        }
        if isReading { channel?.read() }
    }

    private func fail(_ error: any Error) {
        guard !isOver else { return }
        end()
        listener?.transfer(self, failed: FetchFailure(network: error, host: request.url.host, hasHead: hasHead))
    }

    private func end() {
        isOver = true
        watch?.end()
        channel?.close(promise: nil)
        channel = nil
    }

    fileprivate func received(_ part: HTTPClientResponsePart) {
        guard !isOver, let listener else { return }
        watch?.sign(isHead: true)
        switch part {
        case .head(let head):
            hasHead = true
            listener.transfer(self, responded: ResponseHead(head))
        case .body(let buffer):
            guard !listener.transfer(self, received: buffer) else { return }
            watch?.isPaused = true
            setReading(false)
        case .end:
            end()
            listener.transferEnded(self)
        }
    }

    fileprivate func lost(_ error: any Error) { fail(error) }

    /// Hands on what the decoder makes of the answer.
    private final class Receiver: ChannelInboundHandler {
        typealias InboundIn = HTTPClientResponsePart
        private let transfer: ShoutcastTransfer

        init(_ transfer: ShoutcastTransfer) { self.transfer = transfer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { transfer.received(unwrapInboundIn(data)) }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { transfer.lost(error) }
        func channelInactive(context: ChannelHandlerContext) {
            transfer.lost(HTTPParserError.invalidEOFState)
            context.fireChannelInactive()
        }
    }
}

/// Writes `HTTP/1.0` where an answer begins with `ICY`, unfolds its headers, leaves out a length that has been given, and lets
/// everything else through.
private final class HeadRepair: ChannelInboundHandler {
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

    /// RFC 9110, 8.6: a length that is given again is that length.
    ///
    /// Two that differ are left to the decoder, which refuses them.
    private static func withoutRepeatedLength(_ bytes: [UInt8]) -> [UInt8] {
        guard let end = bytes.firstRange(of: "\r\n\r\n".utf8)?.lowerBound else { return bytes }
        var first: String?
        var kept: [UInt8] = []
        var rest = bytes[..<end]
        while !rest.isEmpty {
            let line = rest.firstRange(of: "\r\n".utf8).map { rest[..<$0.upperBound] } ?? rest
            rest = rest[line.endIndex...]
            let text = String(decoding: line.prefix(64), as: UTF8.self).lowercased().filter { !$0.isWhitespace }
            if text.hasPrefix("content-length:") {
                if text == first { continue }
                first = first ?? text
            }
            kept += line
        }
        if kept.suffix(2) != [13, 10] { kept += [13, 10] }
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
