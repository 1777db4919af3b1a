import SyrinxByteStream

/// The failure of a request, and the remedy.
struct FetchFailure: Error, Sendable {
    enum Remedy: Sendable {
        /// Trying again would bring the same.
        case none
        /// Trying again may help.
        case retry
        /// Trying again may help, but the host could not be reached or said nothing: not for long.
        case reconnect
        /// Trying again may help if the body is then taken as it is, whatever encoding the server states.
        case withoutDecoding
    }

    let code: SyrinxError.Code
    let message: String
    let remedy: Remedy
    /// Seconds that the server asks to wait.
    var retryAfter: Double?
    var underlying: (any Error)?
    /// Whether the server closed the connection in good order before the end that it had announced.
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

    /// Returns the failure for a status.
    ///
    /// - Parameter sendsUser: Whether the request had a user name and password.
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
            case 500...599: "has a failure of its own"
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
    /// Whether a request to `url`, which redirects may have led to from `original`, has a user name and password: see `TransferRequest`.
    func sendsUser(to url: RequestURL, from original: RequestURL) -> Bool {
        guard url.hasSameOrigin(as: original) else { return url.credentials != nil }
        return original.credentials != nil || headers.contains { $0.name.lowercased() == "authorization" }
    }
}
