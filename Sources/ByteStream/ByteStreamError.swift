public import Foundation

/// An error of a source of bytes.
public struct ByteStreamError: LocalizedError, Sendable, CustomStringConvertible {
    /// The kind of a failure: a dotted string that never changes its meaning.
    ///
    /// It matches like an enumeration and grows like a struct. HTTP statuses are `http.` and the number.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The dotted string.
        public let rawValue: String

        /// A code of this dotted string.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The dotted string.
        public var description: String { rawValue }

        /// There is no such file.
        public static let fileNotFound = Code(rawValue: "file.notFound")
        /// The file may not be read.
        public static let filePermissionDenied = Code(rawValue: "file.permissionDenied")
        /// The path names a directory.
        public static let fileIsDirectory = Code(rawValue: "file.isDirectory")
        /// Reading the file failed.
        public static let fileReadFailed = Code(rawValue: "file.readFailed")
        /// The stream was cancelled.
        public static let cancelled = Code(rawValue: "usage.cancelled")
        /// A wait for bytes was broken off, because they are not wanted any more; the stream itself goes on.
        public static let interrupted = Code(rawValue: "usage.interrupted")
        /// The bytes asked for have gone by, and the stream cannot go back.
        public static let notSeekable = Code(rawValue: "usage.notSeekable")
        /// The URL cannot be used: malformed, or of a scheme that is not supported.
        public static let badURL = Code(rawValue: "usage.badURL")
        /// The host's name could not be resolved.
        public static let hostNotFound = Code(rawValue: "network.hostNotFound")
        /// The host refused the connection.
        public static let connectionRefused = Code(rawValue: "network.refused")
        /// The connection was lost, and trying again did not help.
        public static let connectionLost = Code(rawValue: "network.lost")
        /// Nothing came in time, and trying again did not help.
        public static let timedOut = Code(rawValue: "network.timeout")
        /// The secure connection could not be made, or its certificate is not trusted.
        public static let tlsFailed = Code(rawValue: "network.tls")
        /// More redirects than allowed.
        public static let tooManyRedirects = Code(rawValue: "http.tooManyRedirects")
        /// A redirect that may not be followed: to another scheme, or to an insecure one.
        public static let redirectRefused = Code(rawValue: "http.redirectRefused")
        /// The resource changed on the server between two requests: its parts do not belong together.
        public static let resourceChanged = Code(rawValue: "http.resourceChanged")
        /// The server's answer makes no sense.
        public static let badResponse = Code(rawValue: "http.badResponse")
        /// The server answered with this status.
        public static func httpStatus(_ status: Int) -> Code { Code(rawValue: "http.\(status)") }
    }

    /// The kind of the failure.
    public let code: Code
    /// One sentence that a person can act on, without the name of the stream.
    public let message: String
    /// The path or URL, without any password.
    public let name: String
    /// The cause, if another error is the cause.
    public let underlying: (any Error)?

    /// A failure of the stream `name`.
    public init(_ code: Code, _ message: String, name: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.name = name
        self.underlying = underlying
    }

    /// The name and the sentence.
    public var description: String { "\(name): \(message)" }

    /// The same, for `localizedDescription`.
    public var errorDescription: String? { description }
}
