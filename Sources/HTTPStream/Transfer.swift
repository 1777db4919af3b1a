import AsyncHTTPClient
import ByteStream
import NIOCore
import NIOHTTP1

/// One request and its answer.
///
/// It runs on an event loop from end to end, and on no task: so it goes on also while every thread of Swift's
/// cooperative pool is blocked, by readers that wait for its very bytes.
final class Transfer: HTTPClientResponseDelegate, @unchecked Sendable {
    // Unchecked: every `var` is touched on `loop` only. What others call hops there first.
    typealias Response = Void

    /// What a transfer tells, all of it on `loop`.
    protocol Listener: AnyObject, Sendable {
        func transfer(_ transfer: Transfer, responded head: ResponseHead)
        /// True to go on, false to wait for `resume()`.
        func transfer(_ transfer: Transfer, received buffer: ByteBuffer) -> Bool
        func transferEnded(_ transfer: Transfer)
        func transfer(_ transfer: Transfer, failed failure: FetchFailure)
    }

    let request: FetchMachine.Request
    private let options: HTTPByteStream.Options
    private let authorization: String?
    private let loop: any EventLoop
    private weak var listener: (any Listener)?

    private var task: HTTPClient.Task<Void>?
    private var gate: EventLoopPromise<Void>?
    private var isOver = false
    private var hasHead = false
    private var lastSign = NIODeadline.now()
    private var watch: Scheduled<Void>?

    init(
        _ request: FetchMachine.Request,
        _ options: HTTPByteStream.Options,
        authorization: String?,
        loop: any EventLoop,
        listener: any Listener
    ) {
        self.request = request
        self.options = options
        self.authorization = authorization
        self.loop = loop
        self.listener = listener
    }

    func start() {
        loop.execute { self.startOnLoop() }
    }

    /// Lets bytes come again after the listener said to wait.
    func resume() {
        loop.execute {
            self.lastSign = .now()
            self.openGate()
        }
    }

    /// Ends the transfer and its connection; the listener hears no more of it.
    func cancel() {
        loop.execute { self.end() }
    }

    private func startOnLoop() {
        guard !isOver else { return }
        do {
            let request = try makeRequest()
            lastSign = .now()
            let client = try HTTPClients.client(for: self.request.url, options)
            let task = client.execute(request: request, delegate: self, eventLoop: .delegateAndChannel(on: loop))
            self.task = task
            task.futureResult.hop(to: loop).whenFailure { self.fail($0) }
            watchForStall()
        } catch {
            fail(error)
        }
    }

    private func makeRequest() throws -> HTTPClient.Request {
        var headers = HTTPHeaders()
        if request.carriesSecrets {
            for (name, value) in options.headers { headers.add(name: name, value: value) }
            if let authorization { headers.replaceOrAdd(name: "Authorization", value: authorization) }
        }
        headers.replaceOrAdd(name: "User-Agent", value: options.userAgent)
        headers.replaceOrAdd(name: "Accept", value: "*/*")
        headers.replaceOrAdd(name: "Accept-Encoding", value: "identity")
        if let range = request.range { headers.replaceOrAdd(name: "Range", value: range) }
        if let ifRange = request.ifRange { headers.replaceOrAdd(name: "If-Range", value: ifRange) }
        return try HTTPClient.Request(url: request.url.string, headers: headers)
    }

    /// Looks again when the time would be over, rather than setting a new timer for every packet.
    private func watchForStall() {
        let connecting = hasHead ? 0 : options.connectTimeout
        let allowed = TimeAmount.nanoseconds(Int64((options.stallTimeout + connecting) * 1e9))
        let due = (gate == nil ? lastSign : .now()) + allowed
        guard due > .now() else {
            let message = "nothing has come from \(request.url.host) for \(Int(options.stallTimeout.rounded(.up))) s"
            fail(FetchFailure(.timedOut, message, .reconnect))
            return
        }
        watch = loop.scheduleTask(deadline: due) { self.watchForStall() }
    }

    private func fail(_ error: any Error) {
        guard !isOver else { return }
        end()
        listener?.transfer(self, failed: FetchFailure(network: error, host: request.url.host, hasHead: hasHead))
    }

    private func end() {
        guard !isOver else { return }
        isOver = true
        watch?.cancel()
        watch = nil
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
        lastSign = .now()
        let fields = head.headers.map { (name: $0.name, value: $0.value) }
        listener?.transfer(self, responded: ResponseHead(status: Int(head.status.code), fields: fields))
        return loop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
        guard !isOver, let listener else { return loop.makeSucceededVoidFuture() }
        lastSign = .now()
        if listener.transfer(self, received: buffer) { return loop.makeSucceededVoidFuture() }
        // A `resume()` that was called meanwhile comes after this, for it hops to the loop.
        let gate = loop.makePromise(of: Void.self)
        self.gate = gate
        return gate.futureResult
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) throws {
        guard !isOver else { return }
        isOver = true
        watch?.cancel()
        watch = nil
        self.task = nil
        listener?.transferEnded(self)
    }
}
