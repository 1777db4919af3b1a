public import Foundation

/// A failure of bytes, of recordings, or of streams.
///
/// A failure keeps its code through all modules: that of a server is the same for a byte stream and for the player that reads it.
///
/// ```swift
/// do { try streamer.open(url) } catch let error as SyrinxError where error.code == .fileNotFound { … }
/// ```
public struct SyrinxError: LocalizedError, Sendable, CustomStringConvertible {
    /// The kind of a failure.
    public typealias Code = ErrorCode

    /// The kind of the failure.
    public let code: Code
    /// One sentence that a person can act on, without the name.
    public let message: String
    /// The path or URL, without any password, or the device.
    public let name: String
    /// The cause, if another error is the cause.
    public let underlying: (any Error)?

    /// A failure of the input, the output or the device `name`.
    public init(_ code: Code, _ message: String, name: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message.asSentence
        self.name = name
        self.underlying = underlying
    }

    /// The name and the sentence.
    public var description: String { "\(name): \(message)" }

    /// The same, for `localizedDescription`.
    public var errorDescription: String? { description }
}

// Codes of byte streams.
extension ErrorCode {
    /// Reading the file failed.
    public static let fileReadFailed = ErrorCode(rawValue: "file.readFailed")
    /// There are more bytes than are read of such a file.
    public static let tooLarge = ErrorCode(rawValue: "file.tooLarge")
    /// A wait for bytes was broken off, because they are not wanted any more; the stream itself goes on.
    public static let interrupted = ErrorCode(rawValue: "usage.interrupted")
    /// The URL cannot be used: malformed, or of a scheme that is not supported.
    public static let badURL = ErrorCode(rawValue: "usage.badURL")
    /// The host's name could not be resolved.
    public static let hostNotFound = ErrorCode(rawValue: "network.hostNotFound")
    /// The host refused the connection.
    public static let connectionRefused = ErrorCode(rawValue: "network.refused")
    /// The connection was lost, and trying again did not help.
    public static let connectionLost = ErrorCode(rawValue: "network.lost")
    /// Nothing came in time, and trying again did not help.
    public static let timedOut = ErrorCode(rawValue: "network.timeout")
    /// The secure connection could not be made, or its certificate is not trusted.
    public static let tlsFailed = ErrorCode(rawValue: "network.tls")
    /// More redirects than allowed.
    public static let tooManyRedirects = ErrorCode(rawValue: "http.tooManyRedirects")
    /// A redirect that may not be followed: to another scheme, or to an insecure one.
    public static let redirectRefused = ErrorCode(rawValue: "http.redirectRefused")
    /// The resource changed on the server between two requests: its parts do not belong together.
    public static let resourceChanged = ErrorCode(rawValue: "http.resourceChanged")
    /// The server's answer makes no sense.
    public static let badResponse = ErrorCode(rawValue: "http.badResponse")
    /// The server answered with this status.
    public static func httpStatus(_ status: Int) -> ErrorCode { ErrorCode(rawValue: "http.\(status)") }
}
