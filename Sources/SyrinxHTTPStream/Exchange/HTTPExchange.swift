package import SyrinxByteStream

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A single HTTP request with its response, whose body can be read while it arrives.
///
/// Redirects and retries before the response follow the rules of `HTTPByteStream`; secrets are sent to the URL's own
/// origin only. Compressed responses are requested and decompressed. A slow reader slows the transfer down, unless the
/// response is compressed or uses HTTP/2. For threads that may block.
package final class HTTPExchange: TransferListener {
    /// The head of a response.
    package struct Response: Sendable {
        /// The status code: 2xx, or 304.
        package let status: Int
        /// The URL after redirects, without a password.
        package let url: String
        /// The URL after initial permanent redirects (301, 308), without a password; `nil` if there were none.
        package let movedURL: String?
        private let head: ResponseHead

        init(_ head: ResponseHead, url: RequestURL, moved: RequestURL?) {
            self.head = head
            status = head.status
            self.url = url.string
            movedURL = moved?.string
        }

        /// Returns the first value of a header; `name` is in lower case.
        package func header(_ name: String) -> String? { head.value(name) }

        /// The charset in the `Content-Type` header.
        package var charset: String? {
            let parameters = header("content-type")?.split(separator: ";").dropFirst() ?? []
            let pairs = parameters.map { $0.split(separator: "=", maxSplits: 1) }
            let value = pairs.first { $0.count == 2 && $0[0].filter { !$0.isWhitespace }.lowercased() == "charset" }?[1]
            return value.map { String($0.filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }) }
        }
    }

    /// The parts of the response that have arrived, and the failures.
    private struct State {
        var transfer: Transfer?
        var head: ResponseHead?
        /// The unread body, in blocks.
        var body: [[UInt8]] = []
        var unreadCount = 0
        var isPaused = false
        /// The number of body bytes that have arrived.
        var bodyCount = 0
        var isAtEnd = false
        var hasRested = false
        var timer: TransportTimer?
        /// The failure of the current transfer.
        var failure: FetchFailure?
        /// The failure of the whole exchange, such as its cancellation.
        var end: FetchFailure?
        var response: Response?
    }

    /// The URL, without user and password.
    package let name: String
    private let original: RequestURL
    private let method: String
    private let content: [UInt8]?
    private let options: HTTPByteStream.Options
    private let limit: Int
    private let transport: Transport
    private let state = Monitor(State())

    /// Creates a request, which is sent by the first call that waits for the response.
    /// - Parameters:
    ///   - content: The request body.
    ///   - headers: Additional headers, besides those of `options`.
    ///   - limit: The maximum size of the decompressed response in bytes; 64 MiB by default.
    ///   - timeLimit: The time limit for the whole exchange in seconds, starting now.
    /// - Throws: `.badURL` if the URL is malformed or its scheme is neither `http` nor `https`;
    ///   `network.libraryMissing` if libcurl is not installed.
    package init(
        _ method: String = "GET",
        url: String,
        content: [UInt8]? = nil,
        headers: [(name: String, value: String)] = [],
        options: HTTPByteStream.Options = .init(),
        limit: Int = 64 << 20,
        timeLimit: Double = 300
    ) throws(SyrinxError) {
        do throws(RequestURL.Problem) {
            original = try RequestURL(url)
        } catch {
            throw SyrinxError(.badURL, "this is no http: or https: URL", name: Redaction.redact(url))
        }
        name = original.string
        transport = try Transport.shared(for: name)
        self.method = method
        self.content = content
        self.limit = max(0, limit)
        var options = options
        options.headers += headers
        options.cookies = options.cookies ?? CookieJar()
        self.options = options
        let timer = transport.schedule(after: timeLimit) { [weak self] in
            self?.end(FetchFailure(.timedOut, "the server takes longer than \(Int(clamped: timeLimit)) s", .none))
        }
        state.update { $0.timer = timer }
    }

    deinit { cancel() }

    /// Sends the request and blocks until the response arrives.
    /// - Throws: `SyrinxError` with the network failure, `http.` and the status if it is not a success, or
    ///   `.cancelled`.
    package func response() throws(SyrinxError) -> Response {
        if let response = state.read({ $0.response }) { return response }
        do throws(FetchFailure) {
            let response = try exchange()
            state.update { $0.response = response }
            return response
        } catch {
            end(error)
            throw SyrinxError(error.code, error.message, name: name, underlying: error.underlying)
        }
    }

    /// Returns the next bytes of the body; blocks until they arrive.
    ///
    /// Returns an empty array at the end.
    /// - Throws: The errors of `response()`, and `.badResponse` if the body exceeds the limit.
    package func read() throws(SyrinxError) -> [UInt8] {
        _ = try response()
        return try state.wait { (state) throws(SyrinxError) in
            if !state.body.isEmpty {
                let block = state.body.removeFirst()
                state.unreadCount -= block.count
                if state.isPaused, state.unreadCount < Self.window {
                    state.isPaused = false
                    state.transfer?.resume()
                }
                return block
            }
            if let error = state.end ?? state.failure {
                throw SyrinxError(error.code, error.message, name: name, underlying: error.underlying)
            }
            return state.isAtEnd ? [] : nil
        }
    }

    /// Returns the whole body; blocks until it has arrived.
    /// - Throws: The errors of `read()`.
    package func readAll() throws(SyrinxError) -> [UInt8] {
        var all: [UInt8] = []
        while case let bytes = try read(), !bytes.isEmpty { all += bytes }
        return all
    }

    /// Cancels the exchange; any thread may call it.
    ///
    /// Blocked calls throw `.cancelled`.
    package func cancel() { end(FetchFailure(.cancelled, "this was cancelled", .none)) }

    private func end(_ failure: FetchFailure) {
        state.update { state in
            if state.end == nil { state.end = failure }
            state.timer?.cancel()
            state.transfer?.cancel()
            state.transfer = nil
        }
    }

    // MARK: Requests

    /// Sends requests until a final response arrives: follows redirects, and retries failed requests if that is safe.
    private func exchange() throws(FetchFailure) -> Response {
        var current = original
        var redirects = RedirectChain()
        var moved: RequestURL?
        var isMoving = true
        var attempts = 0
        let isRepeatable = method == "GET"
        // A request that cannot be repeated must be decoded at the first attempt.
        var isDecoded = isRepeatable
        while true {
            do throws(FetchFailure) {
                let head = try answer(
                    to: current,
                    isDecoded: isDecoded,
                    needsNewConnection: attempts > 0 || !isRepeatable
                )
                switch head.status {
                case 200...299, 304: return Response(head, url: current, moved: moved)
                case 301, 302, 303, 307, 308:
                    guard isRepeatable else {
                        let message = "the server redirects the upload to another address, which is not followed"
                        throw FetchFailure(.redirectRefused, message, .none)
                    }
                    current = try redirects.next(head, from: current, options)
                    // A permanent redirect after a temporary one does not change the stored URL.
                    isMoving = isMoving && (head.status == 301 || head.status == 308)
                    if isMoving { moved = current }
                case 408, 425, 429, 500...599: throw .status(head, remedy: .retry, now: Double(time(nil)))
                default: throw .status(head, remedy: .none, sendsUser: options.sendsUser(to: current, from: original))
                }
            } catch {
                if error.remedy == .withoutDecoding, isDecoded {
                    isDecoded = false
                    continue
                }
                attempts += 1
                guard error.remedy != .none, isRepeatable, attempts < max(1, options.maximumConnectAttempts) else {
                    throw error
                }
                (current, redirects, moved, isMoving) = (original, RedirectChain(), nil, true)
                let usual = min(
                    options.initialRetryDelay * Double(1 << min(attempts - 1, 20)),
                    options.maximumRetryDelay
                )
                try rest(seconds: max(usual, min(error.retryAfter ?? 0, options.maximumServerDelay)))
            }
        }
    }

    /// The maximum number of unread bytes before the transfer pauses.
    private static let window = 256 << 10
    private static let blockSize = 64 << 10
    /// Sends one request, and waits for the head of the response and the first bytes of the body.
    private func answer(
        to url: RequestURL,
        isDecoded: Bool,
        needsNewConnection: Bool
    ) throws(FetchFailure) -> ResponseHead {
        var request = TransferRequest(url, original, options)
        // libcurl sends `Accept-Encoding` itself, with the encodings that it supports.
        if isDecoded { request.headers.set("Accept-Encoding", nil) }
        (request.method, request.content) = (method, content)
        (request.isDecoded, request.allowsHTTP2) = (isDecoded, true)
        request.needsNewConnection = needsNewConnection
        let transfer = Transfer(request, transport: transport, listener: self)
        state.update { state in
            // The body of a redirect is not needed, but its connection is.
            state.transfer?.cancel(keepsConnection: true)
            state.transfer = state.end == nil ? transfer : nil
            (state.head, state.isAtEnd, state.isPaused, state.failure) = (nil, false, false, nil)
            (state.body, state.bodyCount, state.unreadCount) = ([], 0, 0)
            state.transfer?.start()
        }
        return try state.wait { (state) throws(FetchFailure) in
            if let failure = state.end ?? state.failure { throw failure }
            guard let head = state.head else { return nil }
            return state.isAtEnd || state.bodyCount > 0 || !(200...299 ~= head.status) ? head : nil
        }
    }

    private func rest(seconds: Double) throws(FetchFailure) {
        state.update { $0.hasRested = false }
        transport.schedule(after: seconds) { [weak self] in self?.state.update { $0.hasRested = true } }
        try state.wait { (state) throws(FetchFailure) in
            if let end = state.end { throw end }
            return state.hasRested ? () : nil
        }
    }

    // MARK: TransferListener

    func transfer(_ transfer: Transfer, responded head: ResponseHead) {
        state.update { if $0.transfer === transfer { $0.head = head } }
    }

    func transfer(_ transfer: Transfer, received bytes: UnsafeRawBufferPointer) -> Bool {
        state.update { state in
            guard state.transfer === transfer else { return true }
            let taken = bytes.prefix(limit - state.bodyCount)
            state.bodyCount += taken.count
            state.unreadCount += taken.count
            if let last = state.body.indices.last, state.body[last].count < Self.blockSize {
                state.body[last] += taken
            } else {
                state.body.append(Array(taken))
            }
            if taken.count < bytes.count {
                state.failure = FetchFailure(.badResponse, "the answer is longer than \(limit) bytes", .none)
                state.transfer?.cancel()
                state.transfer = nil
            }
            // While paused, libcurl buffers decompressed bytes without a limit. In HTTP/2, a pause also stops other
            // responses.
            let mayPause = state.head.map { !$0.isCompressed && !$0.isMultiplexed } ?? false
            state.isPaused = mayPause && state.unreadCount >= Self.window
            return !state.isPaused
        }
    }

    func transferEnded(_ transfer: Transfer) {
        state.update { state in
            guard state.transfer === transfer else { return }
            (state.transfer, state.isAtEnd) = (nil, true)
        }
    }

    func transfer(_ transfer: Transfer, failed failure: FetchFailure) {
        state.update { state in
            guard state.transfer === transfer else { return }
            (state.transfer, state.failure) = (nil, failure)
        }
    }
}
