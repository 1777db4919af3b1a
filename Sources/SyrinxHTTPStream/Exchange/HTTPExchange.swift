import NIOCore
import NIOHTTP1
package import SyrinxByteStream

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A single request to a server and its answer, whose body is read as it arrives.
///
/// Redirects are followed, and what fails before the answer is tried again, by the rules of `HTTPByteStream`; secrets go to the URL's
/// own origin only. Compressed answers are asked for and decompressed. For threads that may wait.
package final class HTTPExchange: TransferListener {
    /// The head of an answer.
    package struct Response: Sendable {
        /// The status: one of success, or 304.
        package let status: Int
        /// The URL that redirects have led to, without a password.
        package let url: String
        /// The address that permanent redirects (301, 308) lead to, if the way begins with one; without a password.
        package let movedURL: String?
        /// Whether that address is on the same server, which the credentials of the old one are meant for.
        package let hasMovedWithinOrigin: Bool
        private let head: ResponseHead

        init(_ head: ResponseHead, url: RequestURL, moved: RequestURL?, original: RequestURL) {
            self.head = head
            status = head.status
            self.url = url.string
            movedURL = moved?.string
            hasMovedWithinOrigin = moved.map { $0.hasSameOrigin(as: original) } ?? false
        }

        /// The first value of a header, by its name in lower case.
        package func header(_ name: String) -> String? { head.value(name) }

        /// The encoding that `Content-Type` states.
        package var charset: String? {
            let parameters = header("content-type")?.split(separator: ";").dropFirst() ?? []
            let pairs = parameters.map { $0.split(separator: "=", maxSplits: 1) }
            let value = pairs.first { $0[0].filter { !$0.isWhitespace }.lowercased() == "charset" && $0.count == 2 }?[1]
            return value.map { String($0.filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }) }
        }
    }

    private struct State {
        var machine: ExchangeMachine
        var transfer: (any RunningTransfer)?
        var timer: Scheduled<Void>?
        var response: Response?
        var body: [ByteBuffer] = []
        var bodyCount = 0
        var isWaiting = false
        var isAtEnd = false
        var error: ByteStreamError?
    }

    /// Bytes held at most before the network waits.
    private static let window = 256 << 10

    /// The URL, without user and password.
    package let name: String
    private let original: RequestURL
    private let method: String
    private let content: [UInt8]?
    private let options: HTTPByteStream.Options
    private let loop: any EventLoop
    private let state: Monitor<State>

    /// A request, which is sent at once.
    /// - Parameters:
    ///   - content: The body.
    ///   - headers: Headers beside those of `options`.
    ///   - timeLimit: Seconds that all of it may take.
    /// - Throws: `.badURL` if the URL is malformed or its scheme is neither `http` nor `https`.
    package init(
        _ method: String = "GET",
        url: String,
        content: [UInt8]? = nil,
        headers: [(name: String, value: String)] = [],
        options: HTTPByteStream.Options = .init(),
        timeLimit: Double = 300
    ) throws(ByteStreamError) {
        do throws(RequestURL.Problem) {
            original = try RequestURL(url)
        } catch {
            throw ByteStreamError(.badURL, "this is no http: or https: URL", name: Redaction.redact(url))
        }
        name = original.string
        self.method = method
        self.content = content
        var options = options
        options.headers += headers
        options.decompresses = true
        self.options = options
        loop = HTTPClientPool.loop(for: original)
        state = Monitor(State(machine: ExchangeMachine(original, options: options, isRepeatable: method == "GET")))
        state.update { send(&$0) }
        let timer = loop.scheduleTask(in: .clamped(seconds: timeLimit)) { [weak self] in
            guard let self else { return }
            fail(FetchFailure(.timedOut, "the server takes longer than \(Int(clamped: timeLimit)) s", .none))
        }
        state.update { $0.timer = timer }
    }

    deinit { cancel() }

    /// Waits for the head of the answer.
    /// - Throws: `ByteStreamError` with the failure of the network, `http.` and the status of another than success, or `.cancelled`.
    package func response() throws(ByteStreamError) -> Response {
        try state.wait { (state) throws(ByteStreamError) in
            if let response = state.response { return response }
            if let error = state.error { throw error }
            return nil
        }
    }

    /// Waits for the next bytes of the body; none at its end.
    package func read() throws(ByteStreamError) -> [UInt8] {
        try state.wait { (state) throws(ByteStreamError) in
            guard state.body.isEmpty else {
                let buffers = state.body
                state.body.removeAll(keepingCapacity: true)
                state.bodyCount = 0
                if state.isWaiting {
                    state.isWaiting = false
                    state.transfer?.resume()
                }
                return buffers.flatMap { Array($0.readableBytesView) }
            }
            if let error = state.error { throw error }
            return state.isAtEnd ? [] : nil
        }
    }

    /// Waits for the whole body.
    /// - Throws: As `read()`, and `.badResponse` if it is longer than `limit` bytes.
    package func readAll(limit: Int) throws(ByteStreamError) -> [UInt8] {
        _ = try response()
        var all: [UInt8] = []
        while case let bytes = try read(), !bytes.isEmpty {
            all += bytes
            guard all.count <= limit else {
                cancel()
                throw ByteStreamError(.badResponse, "the answer is longer than \(limit) bytes", name: name)
            }
        }
        return all
    }

    /// Ends it at once, from any thread; waits throw `.cancelled`.
    package func cancel() { fail(FetchFailure(.cancelled, "this was cancelled", .none)) }

    // MARK: Acting

    private func send(_ state: inout State) {
        let request = state.machine.request
        let authorization = request.carriesSecrets ? original.authorization : request.url.authorization
        let cookie = state.machine.cookies.header(for: request.url, now: Self.now)
        var headers = request.headers(options, authorization: authorization, cookie: cookie)
        let proxy = options.proxy(for: request.url)
        let transfer: any RunningTransfer
        switch request.transport(through: proxy) {
        case .raw where method == "GET":
            transfer = RawHTTP1Transfer(request, options, headers: headers, proxy: proxy, loop: loop, listener: self)
        case .raw, .client:
            headers.replaceOrAdd(name: "Accept-Encoding", value: "gzip, deflate")
            transfer = Transfer(
                request,
                options,
                headers: headers,
                loop: loop,
                listener: self,
                method: HTTPMethod(rawValue: method),
                content: content.map(ByteBuffer.init(bytes:))
            )
        }
        state.transfer = transfer
        transfer.start()
    }

    private func perform(_ step: ExchangeMachine.Step, _ state: inout State) {
        switch step {
        case .deliver: break
        case .send:
            state.transfer?.cancel()
            send(&state)
        case .wait(let seconds):
            state.transfer?.cancel()
            state.transfer = nil
            loop.scheduleTask(in: .clamped(seconds: seconds)) { [weak self] in
                guard let self else { return }
                self.state.update { if $0.error == nil { self.send(&$0) } }
            }
        case .fail(let failure): end(failure, &state)
        }
    }

    private func fail(_ failure: FetchFailure) { state.update { end(failure, &$0) } }

    private func end(_ failure: FetchFailure, _ state: inout State) {
        guard state.error == nil, !state.isAtEnd else { return }
        state.error = ByteStreamError(failure.code, failure.message, name: name, underlying: failure.underlying)
        state.transfer?.cancel()
        state.transfer = nil
        state.timer?.cancel()
    }

    private static var now: Double { Double(time(nil)) }

    // MARK: TransferListener

    func transfer(_ transfer: any RunningTransfer, responded head: ResponseHead) {
        state.update { state in
            guard state.transfer === transfer else { return }
            let step = state.machine.responded(head, now: Self.now)
            if case .deliver = step {
                let url = state.machine.request.url
                state.response = Response(head, url: url, moved: state.machine.moved, original: original)
            }
            perform(step, &state)
        }
    }

    func transfer(_ transfer: any RunningTransfer, received buffer: ByteBuffer) -> Bool {
        state.update { state in
            guard state.transfer === transfer, state.response != nil else { return true }
            state.body.append(buffer)
            state.bodyCount += buffer.readableBytes
            state.isWaiting = state.bodyCount >= Self.window
            return !state.isWaiting
        }
    }

    func transferEnded(_ transfer: any RunningTransfer) {
        state.update { state in
            guard state.transfer === transfer else { return }
            state.transfer = nil
            state.isAtEnd = state.response != nil
            state.timer?.cancel()
        }
    }

    func transfer(_ transfer: any RunningTransfer, failed failure: FetchFailure) {
        state.update { state in
            guard state.transfer === transfer else { return }
            state.transfer = nil
            // A part of the body may have been used already.
            perform(state.response == nil ? state.machine.failed(failure) : .fail(failure), &state)
        }
    }
}
