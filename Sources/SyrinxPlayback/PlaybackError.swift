public import Foundation
public import SyrinxByteStream

/// An error of reading chapters or a transcript, or of storing positions.
public struct PlaybackError: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    /// The kind of the failure: a dotted string that never changes its meaning.
    public let code: ErrorCode
    /// One sentence that a person can act on.
    public let message: String

    /// A failure of this kind.
    init(_ code: ErrorCode, _ message: String) {
        self.code = code
        self.message = message.asSentence
    }

    /// The code and the sentence.
    public var description: String { "\(code.rawValue): \(message)" }

    /// The sentence, for `localizedDescription`.
    public var errorDescription: String? { message }
}

// Codes of this module.
extension ErrorCode {
    /// A document of chapters cannot be read.
    public static let badChapters = ErrorCode(rawValue: "media.badChapters")
    /// A transcript cannot be read.
    public static let badTranscript = ErrorCode(rawValue: "media.badTranscript")
    /// A position cannot be written.
    public static let positionNotWritten = ErrorCode(rawValue: "file.positionNotWritten")
    /// A file of positions or bookmarks cannot be read, and is neither replaced nor removed.
    public static let recordUnreadable = ErrorCode(rawValue: "file.recordUnreadable")
}
