import NIOCore
import NIOHTTP1
import NIOPosix
import SyrinxByteStream

/// One request over plain HTTP that the HTTP client does not make, and its answer, on a connection of their own.
///
/// There are two kinds:
/// - Servers answer with `ICY 200 OK` in place of an HTTP version, as Shoutcast's first does, fold their headers, say twice how
///   long the answer is, or write lines that are none. The client refuses them; here `LenientHeadHandler` puts the head right, and the
///   rest is left to the HTTP decoder.
/// - Proxies are asked for the whole URL (RFC 9112, 3.2.2). The client asks them for a tunnel, which many give to port 443 only.
final class RawHTTP1Transfer: RunningTransfer, @unchecked Sendable {
    // Unchecked: every `var` is touched on `loop` only. What others call hops there first.
    let request: FetchRequest
    private let options: HTTPByteStream.Options
    private let headers: HTTPHeaders
    private let proxy: ProxyEnvironment.Proxy?
    private let loop: any EventLoop
    private weak var listener: (any TransferListener)?
    private var channel: (any Channel)?
    private var watch: StallTimer?
    private var isOver = false
    private var hasHead = false

    init(
        _ request: FetchRequest,
        _ options: HTTPByteStream.Options,
        headers: HTTPHeaders,
        proxy: ProxyEnvironment.Proxy?,
        loop: any EventLoop,
        listener: any TransferListener
    ) {
        self.request = request
        self.options = options
        self.headers = headers
        self.proxy = proxy
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

    /// The host to connect to.
    private var host: String { proxy?.host ?? request.url.bareHost }

    private func startOnLoop() {
        guard !isOver else { return }
        let watch = StallTimer(options, loop: loop)
        self.watch = watch
        watch.start { [weak self] in self.map { $0.fail(FetchFailure.silence($0.host, $0.options)) } }
        ClientBootstrap(group: loop)
            .connectTimeout(.clamped(seconds: options.connectTimeout))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(LenientHeadHandler())
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(HTTP1StatusValidator())
                    try pipeline.addHandler(Receiver(self))
                }
            }
            .connect(host: host, port: proxy?.port ?? request.url.port)
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
        channel.write(HTTPClientRequestPart.head(head(headers)), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }

    private func head(_ headers: HTTPHeaders) -> HTTPRequestHead {
        guard let proxy else {
            // Old servers know no later version, and would otherwise keep a connection that is of no more use.
            return HTTPRequestHead(version: .http1_0, method: .GET, uri: request.url.target, headers: headers)
        }
        var headers = headers
        headers.replaceOrAdd(name: "Connection", value: "close")
        if let authorization = proxy.authorization {
            headers.replaceOrAdd(name: "Proxy-Authorization", value: authorization)
        }
        let uri = "http://" + request.url.authority + request.url.target
        return HTTPRequestHead(version: .http1_1, method: .GET, uri: uri, headers: headers)
    }

    private func setReading(_ isReading: Bool) {
        channel?.setOption(.autoRead, value: isReading).whenFailure { _ in
            // The channel has gone; its own end is reported separately.
        }
        if isReading { channel?.read() }
    }

    private func fail(_ error: any Error) {
        guard !isOver else { return }
        end()
        listener?.transfer(self, failed: FetchFailure(network: error, host: host, hasHead: hasHead))
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
        private let transfer: RawHTTP1Transfer

        init(_ transfer: RawHTTP1Transfer) { self.transfer = transfer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { transfer.received(unwrapInboundIn(data)) }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { transfer.lost(error) }
        func channelInactive(context: ChannelHandlerContext) {
            transfer.lost(HTTPParserError.invalidEOFState)
            context.fireChannelInactive()
        }
    }
}
