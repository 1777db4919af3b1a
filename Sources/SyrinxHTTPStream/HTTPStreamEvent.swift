package import SyrinxByteStream

/// An event of the network while a stream is fetched.
package enum HTTPStreamEvent: Sendable {
    /// The server answered, and its bytes begin to come. The length is `nil` while it is not known.
    case response(status: Int, length: Int64?, mimeType: String?, isSeekable: Bool)
    /// Bytes have come: how many in all so far. About ten times a second at most.
    case received(Int64)
    /// An attempt failed; after `delay` seconds attempt number `attempt` is made.
    case retry(attempt: Int, delay: Double, code: SyrinxError.Code)
    /// The network has been gone for a while; the stream waits for it, and goes on by itself.
    case waitingForNetwork
    /// Bytes come again after `waitingForNetwork`.
    case networkIsBack
    /// A broadcast was cut off and taken up again: what came between is missing at byte `offset`.
    case discontinuity(offset: Int64)
    /// Metadata of a live stream.
    ///
    /// It is reported when the reader reaches it, on the reader's thread.
    case metadata([String: String])
    /// Something is odd, but the stream goes on.
    case warning(code: SyrinxError.Code, message: String)
    /// The end of the resource has been fetched.
    case completed
    /// The stream has failed for good. What is held can still be read.
    case failed(SyrinxError)
}

extension ErrorCode {
    /// The server sent nothing.
    package static let emptyBody = ErrorCode(rawValue: "http.emptyBody")
    /// libcurl is not installed.
    package static let libraryMissing = ErrorCode(rawValue: "network.libraryMissing")
    /// Nothing more can be kept on disk; the stream goes on without.
    package static let cacheFailed = ErrorCode(rawValue: "file.cacheFailed")
    /// The network is gone, and is being waited for.
    package static let waitingForNetwork = ErrorCode(rawValue: "network.waiting")
    /// A broadcast was cut off and taken up again.
    package static let discontinuity = ErrorCode(rawValue: "network.discontinuity")
    /// The host is known but there is no way to it.
    package static let hostUnreachable = ErrorCode(rawValue: "network.unreachable")
    /// The server says about the length of its answer two things that do not fit.
    package static let lengthMismatch = ErrorCode(rawValue: "http.lengthMismatch")
    /// The server ends its answer at the same place each time, before the length that it states: that is taken for the end.
    package static let bodyTruncated = ErrorCode(rawValue: "http.truncated")
    /// Servers that share an address give different versions by turns; the answers of one version are used.
    package static let mixedVersions = ErrorCode(rawValue: "http.mixedVersions")
}
