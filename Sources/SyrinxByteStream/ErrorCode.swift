/// An error code: a dotted string whose meaning never changes.
///
/// The first word is the category: `file`, `network`, `http`, `media`, `device` or `usage`. Codes can be used in
/// `switch` like cases of an enumeration, and each module adds its own. HTTP statuses are `http.` and the number.
///
/// ```swift
/// import SyrinxStreaming
///
/// do {
///     let stream = try HTTPByteStream(url: url)
///     try stream.waitForResponse()
/// } catch {
///     switch error.code {
///     case .hostNotFound, .timedOut: print("Check the network.")
///     case .httpStatus(404): print("The server has no such file.")
///     default: print(error.message)
///     }
/// }
/// ```
public struct ErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The dotted string.
    public let rawValue: String

    /// Creates a code from a dotted string.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The dotted string.
    public var description: String { rawValue }
}

// Codes that several modules use.
extension ErrorCode {
    /// The file, or the directory for it, does not exist.
    public static let fileNotFound = ErrorCode(rawValue: "file.notFound")
    /// Permission to read or write the file is denied.
    public static let filePermissionDenied = ErrorCode(rawValue: "file.permissionDenied")
    /// The path names a directory.
    public static let fileIsDirectory = ErrorCode(rawValue: "file.isDirectory")
    /// The operation was cancelled.
    public static let cancelled = ErrorCode(rawValue: "usage.cancelled")
    /// The stream cannot seek back to bytes that were discarded.
    public static let notSeekable = ErrorCode(rawValue: "usage.notSeekable")
    /// The object was used after it was finished, closed or cancelled.
    public static let finished = ErrorCode(rawValue: "usage.finished")
    /// The format or the capacity of a buffer is not suitable.
    public static let badBuffer = ErrorCode(rawValue: "usage.badBuffer")
    /// The system cannot start another thread for this user.
    package static let noThread = ErrorCode(rawValue: "device.noThread")
}
