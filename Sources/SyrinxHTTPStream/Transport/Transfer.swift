import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import SyrinxByteStream

/// A request that is under way.
protocol RunningTransfer: AnyObject, Sendable {
    var request: FetchRequest { get }
    func start()
    /// Lets bytes come again after the listener said to wait.
    func resume()
    /// Ends the transfer, and its connection unless others share it; the listener hears no more of it.
    func cancel()
}

/// The receiver of a transfer's events, all of them on its event loop.
protocol TransferListener: AnyObject, Sendable {
    func transfer(_ transfer: any RunningTransfer, responded head: ResponseHead)
    /// True to go on, false to wait for `resume()`.
    func transfer(_ transfer: any RunningTransfer, received buffer: ByteBuffer) -> Bool
    func transferEnded(_ transfer: any RunningTransfer)
    func transfer(_ transfer: any RunningTransfer, failed failure: FetchFailure)
}

/// One request and its answer.
///
/// It runs on an event loop from end to end, and on no task: so it goes on also while every thread of Swift's
/// cooperative pool is blocked, by readers that wait for its very bytes.
final class Transfer: HTTPClientResponseDelegate, RunningTransfer, @unchecked Sendable {
    // Unchecked: every `var` is touched on `loop` only. What others call hops there first.
    typealias Response = Void

    let request: FetchRequest
    private let options: HTTPByteStream.Options
    private let headers: HTTPHeaders
    private let loop: any EventLoop
    private let method: HTTPMethod
    private let content: ByteBuffer?
    private weak var listener: (any TransferListener)?

    private var task: HTTPClient.Task<Void>?
    private var gate: EventLoopPromise<Void>?
    private var isOver = false
    private var hasHead = false
    private var watch: StallTimer?

    init(
        _ request: FetchRequest,
        _ options: HTTPByteStream.Options,
        headers: HTTPHeaders,
        loop: any EventLoop,
        listener: any TransferListener,
        method: HTTPMethod = .GET,
        content: ByteBuffer? = nil
    ) {
        self.request = request
        self.method = method
        self.content = content
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
            self.openGate()
        }
    }

    func cancel() {
        loop.execute { self.end() }
    }

    private func startOnLoop() {
        guard !isOver else { return }
        guard request.url.hasUTF8Path else {
            return fail(FetchFailure(.badURL, "the path of the URL is not UTF-8, which works over http: only", .none))
        }
        do {
            let request = try HTTPClient.Request(
                url: request.url.string,
                method: method,
                headers: headers,
                body: content.map { .byteBuffer($0) }
            )
            let client = try HTTPClientPool.client(for: self.request.url, options)
            // The client closes connections that a request has bound to a loop; others it keeps for the next request.
            let task = client.execute(request: request, delegate: self, eventLoop: .delegate(on: loop))
            self.task = task
            task.futureResult.hop(to: loop).whenFailure { self.fail($0) }
            let watch = StallTimer(options, loop: loop)
            self.watch = watch
            watch.start { [weak self] in self?.stalled() }
        } catch {
            fail(error)
        }
    }

    private func stalled() {
        fail(FetchFailure.silence(request.url.host, options))
        // The next attempt needs another way, unless it is this answer alone that does not come.
        let silence = TimeAmount.clamped(seconds: options.stallTimeout)
        HTTP2ConnectionRegistry.closeSilent(to: request.url.authority, for: silence)
    }

    private func fail(_ error: any Error) {
        guard !isOver else { return }
        end()
        listener?.transfer(self, failed: FetchFailure(network: error, host: request.url.host, hasHead: hasHead))
    }

    private func end() {
        guard !isOver else { return }
        isOver = true
        watch?.end()
        openGate()
        task?.cancel()
        task = nil
    }

    private func openGate() {
        // Opening it may bring the next bytes, and with them the next gate, before the call returns.
        let opened = gate
        gate = nil
        opened?.succeed()
    }

    // MARK: What the client calls, on `loop`

    func didReceiveHead(task: HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        guard !isOver else { return loop.makeSucceededVoidFuture() }
        hasHead = true
        watch?.sign(isHead: true)
        listener?.transfer(self, responded: ResponseHead(head))
        return loop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
        guard !isOver, let listener else { return loop.makeSucceededVoidFuture() }
        watch?.sign()
        if listener.transfer(self, received: buffer) { return loop.makeSucceededVoidFuture() }
        watch?.isPaused = true
        // A `resume()` that was called meanwhile comes after this, for it hops to the loop.
        let gate = loop.makePromise(of: Void.self)
        self.gate = gate
        return gate.futureResult
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) throws {
        guard !isOver else { return }
        isOver = true
        watch?.end()
        self.task = nil
        listener?.transferEnded(self)
    }
}

extension FetchRequest {
    /// The headers to send, but for `Host`.
    func headers(_ options: HTTPByteStream.Options, authorization: String?, cookie: String?) -> HTTPHeaders {
        var headers = HTTPHeaders()
        if carriesSecrets {
            for (name, value) in options.headers { headers.add(name: name, value: value) }
            if let authorization { headers.replaceOrAdd(name: "Authorization", value: authorization) }
        }
        if let cookie {
            let all = headers["Cookie"] + [cookie]
            headers.replaceOrAdd(name: "Cookie", value: all.joined(separator: "; "))
        }
        headers.replaceOrAdd(name: "User-Agent", value: options.userAgent)
        headers.replaceOrAdd(name: "Accept", value: "*/*")
        headers.replaceOrAdd(name: "Accept-Encoding", value: "identity")
        if asksForTitles { headers.replaceOrAdd(name: "Icy-MetaData", value: "1") }
        if let range { headers.replaceOrAdd(name: "Range", value: range) }
        if let ifRange { headers.replaceOrAdd(name: "If-Range", value: ifRange) }
        return headers
    }
}

extension ResponseHead {
    init(_ head: HTTPResponseHead) {
        self.init(status: Int(head.status.code), fields: head.headers.map { (name: $0.name, value: $0.value) })
    }
}

extension FetchFailure {
    static func silence(_ host: String, _ options: HTTPByteStream.Options) -> FetchFailure {
        let message = "nothing has come from \(host) for \(Int(clamped: options.stallTimeout.rounded(.up))) s"
        return FetchFailure(.timedOut, message, .reconnect)
    }
}
