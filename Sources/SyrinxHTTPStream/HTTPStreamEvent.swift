package import SyrinxByteStream

/// A network event of a stream.
package enum HTTPStreamEvent: Sendable {
    /// The server responded, and the body starts to arrive; the length is `nil` if unknown.
    case response(status: Int, length: Int64?, mimeType: String?, isSeekable: Bool)
    /// Bytes arrived; the total number so far.
    ///
    /// Sent at most about ten times a second.
    case received(Int64)
    /// An attempt failed; attempt number `attempt` follows after `delay` seconds.
    case retry(attempt: Int, delay: Double, code: SyrinxError.Code)
    /// The network has been unavailable for a while; the stream waits and continues by itself.
    case waitingForNetwork
    /// Bytes arrive again after `waitingForNetwork`.
    case networkIsBack
    /// A broadcast was interrupted and resumed: bytes are missing at `offset`.
    case discontinuity(offset: Int64)
    /// Metadata of a live stream.
    ///
    /// It is reported when the reader reaches it, on the reader's thread.
    case metadata([String: String])
    /// A problem occurred that does not stop the stream.
    case warning(code: SyrinxError.Code, message: String)
    /// The end of the resource has been fetched.
    case completed
    /// The stream failed permanently; held bytes can still be read.
    case failed(SyrinxError)
}

extension ErrorCode {
    /// The response of the server has an empty body.
    package static let emptyBody = ErrorCode(rawValue: "http.emptyBody")
    /// libcurl is not installed.
    package static let libraryMissing = ErrorCode(rawValue: "network.libraryMissing")
    /// Caching on disk failed; the stream continues without it.
    package static let cacheFailed = ErrorCode(rawValue: "file.cacheFailed")
    /// The network is unavailable; the stream waits for it.
    package static let waitingForNetwork = ErrorCode(rawValue: "network.waiting")
    /// A broadcast was interrupted and resumed.
    package static let discontinuity = ErrorCode(rawValue: "network.discontinuity")
    /// The host name is known, but there is no route to the host.
    package static let hostUnreachable = ErrorCode(rawValue: "network.unreachable")
    /// The headers of a response state contradictory lengths.
    package static let lengthMismatch = ErrorCode(rawValue: "http.lengthMismatch")
    /// The server ends the response at the same offset each time, before the stated length; that offset counts as the
    /// end.
    package static let bodyTruncated = ErrorCode(rawValue: "http.truncated")
    /// Servers at the same address respond with different versions; only responses of one version are used.
    package static let mixedVersions = ErrorCode(rawValue: "http.mixedVersions")
}
