public import Foundation
public import SyrinxByteStream

/// An error of an `AVAudioPlayer` or an `AVAudioRecorder` with its file.
///
/// As an `NSError` it has the domain `NSOSStatusErrorDomain` and the closest `OSStatus`, as with Apple's classes.
public struct AVAudioRecordingError: Error, Sendable, CustomStringConvertible, CustomNSError, LocalizedError {
    /// The failure to read or write the file.
    public let file: AVAudioFileError

    /// Returns the error that a player or recorder reports for an internal error: an `AVAudioRecordingError` if it
    /// concerns the file.
    static func about(_ error: any Error) -> any Error {
        (error as? AVAudioFileError).map(AVAudioRecordingError.init) ?? error
    }

    /// Does something with a file.
    /// - Throws: `AVAudioRecordingError` for an `AVAudioFileError`, other errors as they are.
    static func describing<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw about(error)
        }
    }

    /// The kind of the failure, such as `file.notFound` or `media.notAudio`.
    public var code: ErrorCode { file.code }

    /// A sentence that describes the failure and a remedy.
    public var message: String { file.message }

    /// The name of the file and the `message`.
    public var description: String { file.description }

    /// The name of the file and the `message`.
    public var errorDescription: String? { description }

    /// The domain of Apple's errors of players and recorders.
    public static var errorDomain: String { NSOSStatusErrorDomain }

    /// The closest of Apple's error codes in `AudioFile.h`.
    public var errorCode: Int { file.errorCode }

    /// The sentence, and the failure of the file as the underlying error.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: description, NSUnderlyingErrorKey: file]
    }
}
