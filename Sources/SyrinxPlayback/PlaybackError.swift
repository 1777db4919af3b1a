public import Foundation
public import SyrinxByteStream

/// An error of reading chapters or transcripts, or of storing positions or bookmarks.
public struct PlaybackError: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    /// The code of the error: a dotted string that never changes its meaning.
    public let code: ErrorCode
    /// A message for the user.
    public let message: String

    /// Creates an error.
    init(_ code: ErrorCode, _ message: String) {
        self.code = code
        self.message = message.asSentence
    }

    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }

    /// The message, used for `localizedDescription`.
    public var errorDescription: String? { message }
}

// Error codes of this module.
extension ErrorCode {
    /// A chapter document cannot be parsed.
    public static let badChapters = ErrorCode(rawValue: "media.badChapters")
    /// A transcript cannot be parsed.
    public static let badTranscript = ErrorCode(rawValue: "media.badTranscript")
    /// A position cannot be written.
    public static let positionNotWritten = ErrorCode(rawValue: "file.positionNotWritten")
    /// A file of positions or bookmarks cannot be read; it is neither replaced nor removed.
    public static let recordUnreadable = ErrorCode(rawValue: "file.recordUnreadable")
}
