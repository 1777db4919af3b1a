import CSyrinxCurl
import Synchronization
import SyrinxByteStream

/// The receiver of a transfer's events, all on the transport's thread.
protocol TransferListener: AnyObject, Sendable {
    func transfer(_ transfer: Transfer, responded head: ResponseHead)
    /// Takes the next bytes of the body; returns false to pause the transfer until `resume()`.
    func transfer(_ transfer: Transfer, received bytes: UnsafeRawBufferPointer) -> Bool
    func transferEnded(_ transfer: Transfer)
    func transfer(_ transfer: Transfer, failed failure: FetchFailure)
}

/// A request with its response.
///
/// It uses no Swift task, so it makes progress even if readers block every thread of the cooperative pool.
final class Transfer: @unchecked Sendable {
    // Unchecked: only the transport's thread accesses a `var`; methods for other threads post a command.
    let request: TransferRequest
    private let transport: Transport
    private weak var listener: (any TransferListener)?

    /// libcurl's handle while the transfer is running.
    private(set) var handle: OpaquePointer?
    private var loop: TransportLoop?
    private var headers: UnsafeMutablePointer<CSyrinxList>?
    private var aliases: UnsafeMutablePointer<CSyrinxList>?
    private var errorText: UnsafeMutablePointer<CChar>?
    private var silence = SilenceLimit()
    private var head = ResponseHeadParser()
    /// A 401 head that was not reported yet.
    ///
    /// If the request is repeated with Digest authentication, this head is discarded.
    private var pendingHead: ResponseHead?
    private var authentication = Authentication.none
    private var isPaused = false
    private var isOver = false
    /// Whether the rest of the body is not needed.
    private let isDropped = Atomic(false)
    private var hasHead = false
    /// The failure that the transfer detected itself; libcurl then only reports that it was stopped.
    private var failure: FetchFailure?

    /// The ways to send a user and password.
    private enum Authentication { case none, basic, digest }

    init(_ request: TransferRequest, transport: Transport, listener: any TransferListener) {
        self.request = request
        self.transport = transport
        self.listener = listener
    }

    func start() { transport.post(.start(self)) }

    /// Resumes the transfer after the listener paused it.
    func resume() { transport.post(.resume(self)) }

    /// Cancels the transfer; its listener receives no further events.
    ///
    /// The connection is closed, unless other transfers share it.
    /// - Parameter keepsConnection: Whether an HTTP/2 connection stays open for the next request.
    func cancel(keepsConnection: Bool = false) {
        // A few compressed bytes may expand to gigabytes, which libcurl would continue to decompress.
        if !keepsConnection { isDropped.store(true, ordering: .relaxed) }
        transport.post(.cancel(self, keepsConnection: keepsConnection))
    }

    // MARK: On the transport's thread

    /// Creates libcurl's handle; returns `nil` if the transfer was cancelled.
    func prepare(on loop: TransportLoop) throws(FetchFailure) -> OpaquePointer? {
        guard !isOver else { return nil }
        self.loop = loop
        let key = HandlePool.Key(request)
        if key != nil { authentication = loop.handles.usesDigest(key) ? .digest : .basic }
        guard let handle = loop.handles.take(for: key) else {
            throw FetchFailure(.connectionLost, "there is not enough memory for the request", .none)
        }
        self.handle = handle
        try configure(handle)
        silence.note(isWanted: true, at: Uptime.now)
        return handle
    }

    /// Sets every option that differs between requests, because a reused handle has those of its last request.
    private func configure(_ handle: OpaquePointer) throws(FetchFailure) {
        func set(_ option: Int, _ value: String?) { csyrinx_easy_set_string(handle, Int32(option), value) }
        func set(_ option: Int, _ value: Bool) { csyrinx_easy_set_long(handle, Int32(option), value ? 1 : 0) }
        func set(_ option: Int, _ value: Int) { csyrinx_easy_set_long(handle, Int32(option), value) }
        func set(_ option: Int, pointer: UnsafeMutableRawPointer?) {
            csyrinx_easy_set_pointer(handle, Int32(option), pointer)
        }
        let context = Unmanaged.passUnretained(self).toOpaque()
        csyrinx_easy_set_receiver(handle, Int32(CSYRINX_OPT_WRITEFUNCTION), receiveBytes)
        csyrinx_easy_set_receiver(handle, Int32(CSYRINX_OPT_HEADERFUNCTION), receiveLine)
        set(CSYRINX_OPT_WRITEDATA, pointer: context)
        set(CSYRINX_OPT_HEADERDATA, pointer: context)
        let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CSYRINX_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CSYRINX_ERROR_SIZE))
        self.errorText = errorText
        set(CSYRINX_OPT_ERRORBUFFER, pointer: errorText)
        // No signals, because other threads of the program may use them.
        set(CSYRINX_OPT_NOSIGNAL, true)
        // A cancelled transfer does not wait for a hanging name lookup; the lookup's thread ends by itself.
        set(CSYRINX_OPT_QUICK_EXIT, true)

        set(CSYRINX_OPT_URL, request.url.string)
        set(CSYRINX_OPT_PROTOCOLS_STR, "http,https")
        set(CSYRINX_OPT_PATH_AS_IS, true)
        set(CSYRINX_OPT_HTTP_VERSION, request.allowsHTTP2 ? CSYRINX_HTTP_2_TLS : CSYRINX_HTTP_1_1)
        set(CSYRINX_OPT_FRESH_CONNECT, request.needsNewConnection)
        set(CSYRINX_OPT_FORBID_REUSE, false)
        set(CSYRINX_OPT_MAXAGE_CONN, Int(TransportLoop.idleTime))
        let milliseconds = min(max(request.connectTimeout * 1_000, 1), Double(Int32.max))
        set(CSYRINX_OPT_CONNECTTIMEOUT_MS, Int(clamped: milliseconds))
        setMethod(handle)
        // Shoutcast's first server starts its responses like this.
        aliases = csyrinx_slist_append(nil, "ICY ")
        set(CSYRINX_OPT_HTTP200ALIASES, pointer: aliases)
        for line in request.headers.lines { headers = csyrinx_slist_append(headers, line) }
        set(CSYRINX_OPT_HTTPHEADER, pointer: headers)
        set(CSYRINX_OPT_ACCEPT_ENCODING, request.isDecoded ? "" : nil)

        set(CSYRINX_OPT_COOKIE, request.headers.cookie)
        csyrinx_easy_set_pointer(
            handle,
            Int32(CSYRINX_OPT_SHARE),
            request.cookies?.pointer(on: transport).map(UnsafeMutableRawPointer.init)
        )
        set(CSYRINX_OPT_USERNAME, request.credentials?.user)
        set(CSYRINX_OPT_PASSWORD, request.credentials?.password)
        setAuthentication(handle)

        let proxy = ProxyEnvironment(environment: request.environment).proxy(for: request.url)
        set(CSYRINX_OPT_PROXY, proxy.url)
        set(CSYRINX_OPT_NOPROXY, proxy.exemptions)
        set(CSYRINX_OPT_SUPPRESS_CONNECT_HEADERS, true)
        guard request.url.scheme == "https" else { return }
        let certificates = try CertificateEnvironment(request.environment)
        if certificates.isSet {
            set(CSYRINX_OPT_CAINFO, certificates.file)
            set(CSYRINX_OPT_CAPATH, certificates.directory)
        }
    }

    private func setMethod(_ handle: OpaquePointer) {
        if let content = request.content {
            csyrinx_easy_set_long(handle, Int32(CSYRINX_OPT_POST), 1)
            csyrinx_easy_set_long(handle, Int32(CSYRINX_OPT_POSTFIELDSIZE), content.count)
            // libcurl copies the bytes.
            var bytes = content
            bytes.withUnsafeMutableBytes { bytes in
                var none: UInt8 = 0
                withUnsafeMutableBytes(of: &none) { empty in
                    _ = csyrinx_easy_set_pointer(
                        handle,
                        Int32(CSYRINX_OPT_COPYPOSTFIELDS),
                        bytes.baseAddress ?? empty.baseAddress
                    )
                }
            }
        } else {
            csyrinx_easy_set_long(handle, Int32(CSYRINX_OPT_HTTPGET), 1)
        }
        let isUsual = request.method == (request.content == nil ? "GET" : "POST")
        csyrinx_easy_set_string(handle, Int32(CSYRINX_OPT_CUSTOMREQUEST), isUsual ? nil : request.method)
    }

    private func setAuthentication(_ handle: OpaquePointer) {
        let ways = authentication == .digest ? CSYRINX_AUTH_DIGEST : CSYRINX_AUTH_BASIC
        csyrinx_easy_set_long(handle, Int32(CSYRINX_OPT_HTTPAUTH), ways)
    }

    func resumeOnLoop() {
        guard let handle, !isOver, isPaused else { return }
        isPaused = false
        silence.note(isWanted: true, at: Uptime.now)
        csyrinx_easy_pause(handle, Int32(CSYRINX_PAUSE_CONT))
    }

    /// The time at which the silence limit ends; before the head arrives, the connect timeout is added.
    var stallDeadline: Double? { silence.due(after: request.stallTimeout + (hasHead ? 0 : request.connectTimeout)) }

    /// Ends the transfer because of the silence limit.
    func stalled() {
        let loop = loop
        let seconds = request.stallTimeout + (hasHead ? 0 : request.connectTimeout)
        let failure = FetchFailure.silence(request.url.host, seconds: seconds)
        let listener = listener
        loop?.cancel(self)
        listener?.transfer(self, failed: failure)
    }

    /// Ends the transfer with an error that occurred before its request was sent.
    func fail(_ failure: FetchFailure) {
        guard !isOver else { return }
        release()
        listener?.transfer(self, failed: failure)
    }

    /// Frees all resources of libcurl.
    ///
    /// The handle must not be in use.
    func release() {
        isOver = true
        if let handle {
            if head.setsCookies { CookieJar.trim(handle) }
            csyrinx_easy_set_pointer(handle, Int32(CSYRINX_OPT_ERRORBUFFER), nil)
            csyrinx_easy_set_pointer(handle, Int32(CSYRINX_OPT_HTTPHEADER), nil)
            csyrinx_easy_set_pointer(handle, Int32(CSYRINX_OPT_HTTP200ALIASES), nil)
            loop?.handles.put(handle, for: HandlePool.Key(request))
        }
        handle = nil
        loop = nil
        csyrinx_slist_free_all(headers)
        csyrinx_slist_free_all(aliases)
        (headers, aliases) = (nil, nil)
        errorText?.deallocate()
        errorText = nil
    }

    /// Returns whether the server refused Basic and requires Digest; the handle is then ready to repeat the request.
    func asksAgainWithDigest(_ result: Int32) -> Bool {
        guard result == CSYRINX_E_OK, authentication == .basic, let pendingHead, pendingHead.asksForDigest,
            let handle, let key = HandlePool.Key(request)
        else { return false }
        loop?.handles.noteDigest(key)
        authentication = .digest
        self.pendingHead = nil
        setAuthentication(handle)
        return true
    }

    /// Reports the end of the transfer with libcurl's result.
    func finish(_ result: Int32) {
        guard !isOver, let handle else { return }
        reportPendingHead()
        var error: FetchFailure?
        if result != CSYRINX_E_OK || failure != nil {
            error = failure ?? FetchFailure(CurlResult(result, handle, errorText), request, hasHead: hasHead)
        } else if !hasHead {
            error = FetchFailure(.badResponse, "the answer of \(request.url.host) is not HTTP", .retry)
        }
        let listener = isDropped.load(ordering: .relaxed) ? nil : listener
        release()
        if let error {
            listener?.transfer(self, failed: error)
        } else {
            listener?.transferEnded(self)
        }
    }

    // MARK: Called by libcurl

    /// Takes a line of a head, including its line break; returns false to end the transfer.
    fileprivate func received(line: UnsafeRawBufferPointer) -> Bool {
        do throws(FetchFailure) {
            guard let found = try head.push(line) else {
                silence.sign(at: Uptime.now)
                return true
            }
            // The request is repeated with Digest, by libcurl or `asksAgainWithDigest`, so the body of this 401 is not
            // needed.
            if found.status == 401, authentication == .digest || authentication == .basic && found.asksForDigest {
                pendingHead = found
                silence.sign(at: Uptime.now)
            } else {
                report(found)
            }
            return true
        } catch {
            failure = error
            return false
        }
    }

    private func reportPendingHead() {
        if let pendingHead { report(pendingHead) }
    }

    private func report(_ found: ResponseHead) {
        pendingHead = nil
        hasHead = true
        if found.status == 401, !found.asksForDigest { loop?.handles.forget(HandlePool.Key(request)) }
        silence.sign(at: Uptime.now)
        listener?.transfer(self, responded: found)
    }

    /// Takes bytes of the body; returns the result for libcurl.
    fileprivate func received(bytes: UnsafeRawBufferPointer) -> Int {
        if isPaused { return Int(CSYRINX_WRITEFUNC_PAUSE) }
        if let pendingHead {
            if authentication == .basic, pendingHead.asksForDigest { return bytes.count }
            reportPendingHead()
        }
        guard let listener, !isDropped.load(ordering: .relaxed) else {
            if let handle { csyrinx_easy_set_long(handle, Int32(CSYRINX_OPT_FORBID_REUSE), 1) }
            return 0
        }
        silence.sign(at: Uptime.now)
        if !listener.transfer(self, received: bytes) {
            isPaused = true
            silence.note(isWanted: false, at: Uptime.now)
        }
        return bytes.count
    }
}

private let receiveBytes: CSyrinxReceiver = { bytes, size, count, context in
    guard let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.received(bytes: UnsafeRawBufferPointer(start: bytes, count: size * count))
}

private let receiveLine: CSyrinxReceiver = { bytes, size, count, context in
    guard let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return transfer.received(line: line) ? line.count : 0
}
