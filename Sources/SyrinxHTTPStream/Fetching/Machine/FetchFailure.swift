import SyrinxByteStream

/// A failed request, with its remedy.
struct FetchFailure: Error, Sendable {
    enum Remedy: Sendable {
        /// A retry would fail in the same way.
        case none
        /// A retry may succeed.
        case retry
        /// A retry may succeed, but the host was unreachable or silent, so fewer retries are made.
        case reconnect
        /// A retry may succeed if the body is not decoded, regardless of its stated encoding.
        case withoutDecoding
    }

    let code: SyrinxError.Code
    let message: String
    let remedy: Remedy
    /// The seconds that the server asks to wait.
    var retryAfter: Double?
    var underlying: (any Error)?
    /// Whether the server closed the connection cleanly before the announced end.
    var isEarlyEnd = false

    init(
        _ code: SyrinxError.Code,
        _ message: String,
        _ remedy: Remedy,
        retryAfter: Double? = nil,
        underlying: (any Error)? = nil,
        isEarlyEnd: Bool = false
    ) {
        self.code = code
        self.message = message
        self.remedy = remedy
        self.retryAfter = retryAfter
        self.underlying = underlying
        self.isEarlyEnd = isEarlyEnd
    }

    static let proxyAsks = "the proxy asks for a user name and password (HTTP status 407)"

    /// Returns the failure for an HTTP status.
    ///
    /// - Parameter sendsUser: Whether the request contained a user name and password.
    static func status(
        _ head: ResponseHead,
        remedy: Remedy,
        sendsUser: Bool = false,
        now: Double = 0
    ) -> FetchFailure {
        if head.status == 407 { return FetchFailure(.httpStatus(407), proxyAsks, remedy) }
        let what =
            switch head.status {
            case 401 where sendsUser: "does not accept the user name and password"
            case 401: "asks for a user name and password: write them before the host, as NAME:PASSWORD@HOST"
            case 403: "does not allow it"
            case 404: "has no such resource"
            case 410: "says that the resource is gone"
            case 408, 429: "is too busy"
            case 451: "may not give it for legal reasons"
            case 500...599: "has an internal error"
            default: "gave an unexpected answer"
            }
        return FetchFailure(
            .httpStatus(head.status),
            "the server \(what) (HTTP status \(head.status))",
            remedy,
            retryAfter: head.retryAfter(now: now)
        )
    }
}

extension HTTPByteStream.Options {
    /// Returns whether a request to `url`, possibly redirected from `original`, contains a user name and password.
    ///
    /// See `TransferRequest`.
    func sendsUser(to url: RequestURL, from original: RequestURL) -> Bool {
        guard url.hasSameOrigin(as: original) else { return url.credentials != nil }
        return original.credentials != nil || headers.contains { $0.name.lowercased() == "authorization" }
    }
}
