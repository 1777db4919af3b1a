public import Foundation

/// An error of byte streams, recordings or streamers.
///
/// An error keeps its code through all modules: an HTTP error has the same code in a byte stream and in a player.
///
/// ```swift
/// do {
///     let stream = try FileByteStream(path: "/music/song.flac")
///     print(stream.length ?? 0)
/// } catch {
///     print(error.code == .fileNotFound ? "There is no such file." : error.message)
/// }
/// ```
public struct SyrinxError: LocalizedError, Sendable, CustomStringConvertible {
    /// The type of error codes.
    public typealias Code = ErrorCode

    /// The error code.
    public let code: Code
    /// A sentence that describes the problem and its remedy, without the name.
    public let message: String
    /// The path or URL without a password, or the name of the device.
    public let name: String
    /// The underlying error, if there is one.
    public let underlying: (any Error)?

    /// Creates an error of the input, output or device `name`.
    public init(_ code: Code, _ message: String, name: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message.asSentence
        self.name = name
        self.underlying = underlying
    }

    /// The name and the message.
    public var description: String { "\(name): \(message)" }

    /// The same text as `description`, for `localizedDescription`.
    public var errorDescription: String? { description }
}

// Error codes of byte streams.
extension ErrorCode {
    /// Reading the file failed.
    public static let fileReadFailed = ErrorCode(rawValue: "file.readFailed")
    /// The file or stream has more bytes than the library reads into memory, for example for a playlist.
    ///
    /// The message states the limit in bytes.
    public static let tooLarge = ErrorCode(rawValue: "file.tooLarge")
    /// A wait for bytes was interrupted because they are no longer needed; the stream itself continues.
    public static let interrupted = ErrorCode(rawValue: "usage.interrupted")
    /// The URL is malformed, or its scheme is not supported.
    public static let badURL = ErrorCode(rawValue: "usage.badURL")
    /// The host name could not be resolved.
    public static let hostNotFound = ErrorCode(rawValue: "network.hostNotFound")
    /// The host refused the connection.
    public static let connectionRefused = ErrorCode(rawValue: "network.refused")
    /// The connection was lost, and retries failed.
    public static let connectionLost = ErrorCode(rawValue: "network.lost")
    /// No data arrived within the time limit, and retries failed.
    public static let timedOut = ErrorCode(rawValue: "network.timeout")
    /// The TLS connection failed, or the certificate is not trusted.
    public static let tlsFailed = ErrorCode(rawValue: "network.tls")
    /// The number of redirects exceeds the limit.
    public static let tooManyRedirects = ErrorCode(rawValue: "http.tooManyRedirects")
    /// A redirect to another scheme, or to an insecure one, was refused.
    public static let redirectRefused = ErrorCode(rawValue: "http.redirectRefused")
    /// The resource changed on the server between two requests, so that its parts do not match.
    public static let resourceChanged = ErrorCode(rawValue: "http.resourceChanged")
    /// The response of the server is invalid.
    public static let badResponse = ErrorCode(rawValue: "http.badResponse")
    /// The server responded with this HTTP status.
    public static func httpStatus(_ status: Int) -> ErrorCode { ErrorCode(rawValue: "http.\(status)") }
}
