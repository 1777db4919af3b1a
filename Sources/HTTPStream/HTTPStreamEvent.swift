public import ByteStream

/// What happens on the network while a stream is fetched.
public enum HTTPStreamEvent: Sendable {
    /// The server answered, and its bytes begin to come. The length is `nil` while it is not known.
    case response(status: Int, length: Int64?, mimeType: String?, isSeekable: Bool)
    /// Bytes have come: how many in all so far. About ten times a second at most.
    case received(Int64)
    /// An attempt failed; after `delay` seconds attempt number `attempt` is made.
    case retry(attempt: Int, delay: Double, code: ByteStreamError.Code)
    /// Something is odd, but the stream goes on.
    case warning(code: ByteStreamError.Code, message: String)
    /// The end of the resource has been fetched.
    case completed
    /// The stream has failed for good. What is held can still be read.
    case failed(ByteStreamError)
}

extension ByteStreamError.Code {
    /// The server sent nothing.
    public static let emptyBody = ByteStreamError.Code(rawValue: "http.emptyBody")
    /// The host is known but there is no way to it.
    public static let hostUnreachable = ByteStreamError.Code(rawValue: "network.unreachable")
    /// The server says about the length of its answer two things that do not fit.
    public static let lengthMismatch = ByteStreamError.Code(rawValue: "http.lengthMismatch")
}
