/// The kind of a failure: a dotted string that never changes its meaning.
///
/// The first word names the cause: `file`, `network`, `http`, `media`, `device` or `usage`. Codes match like the cases of an
/// enumeration, and each module adds its own. HTTP statuses are `http.` and the number.
public struct ErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The dotted string.
    public let rawValue: String

    /// Creates a code of this dotted string.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The dotted string.
    public var description: String { rawValue }
}

// Codes that several modules use.
extension ErrorCode {
    /// There is no such file, or no directory to write it in.
    public static let fileNotFound = ErrorCode(rawValue: "file.notFound")
    /// The file may not be read or written.
    public static let filePermissionDenied = ErrorCode(rawValue: "file.permissionDenied")
    /// The path names a directory.
    public static let fileIsDirectory = ErrorCode(rawValue: "file.isDirectory")
    /// The operation was cancelled.
    public static let cancelled = ErrorCode(rawValue: "usage.cancelled")
    /// The stream cannot go back to bytes that have gone by.
    public static let notSeekable = ErrorCode(rawValue: "usage.notSeekable")
    /// The object was used after it had been finished, closed or cancelled.
    public static let finished = ErrorCode(rawValue: "usage.finished")
    /// A buffer does not fit: its format, or its capacity.
    public static let badBuffer = ErrorCode(rawValue: "usage.badBuffer")
    /// The system starts no more threads for this user.
    package static let noThread = ErrorCode(rawValue: "device.noThread")
}
