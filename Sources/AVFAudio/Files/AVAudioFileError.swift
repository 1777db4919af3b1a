public import Foundation
public import SyrinxByteStream
internal import SyrinxMediaCodec

/// An error of reading or writing a file.
///
/// As an `NSError` it has the domain `com.apple.coreaudio.avfaudio` and the closest `OSStatus`.
public struct AVAudioFileError: Error, Sendable, CustomStringConvertible, CustomNSError, LocalizedError {
    /// The kind of the failure.
    ///
    /// Failures of the decoder and the encoder keep their own codes, such as `media.notAudio` or `file.notFound`.
    public typealias Code = ErrorCode

    /// The kind of the failure.
    public let code: Code
    /// A sentence that describes the failure and a remedy.
    public let message: String
    /// The URL of the file.
    public let url: URL
    /// The underlying error, if there is one.
    public let underlying: (any Error)?

    init(_ code: Code, _ message: String, _ url: URL) {
        self.code = code
        self.message = message.asSentence
        self.url = url
        underlying = nil
    }

    init(_ error: SyrinxError, _ url: URL) {
        code = error.code
        message = error.message
        self.url = url
        underlying = error
    }

    /// The name of the file and the `message`.
    public var description: String { "\(FilePath(url)?.name ?? url.absoluteString): \(message)" }

    /// The name of the file and the `message`.
    public var errorDescription: String? { description }

    /// The domain of Apple's errors of files.
    public static var errorDomain: String { "com.apple.coreaudio.avfaudio" }

    /// The message, under `NSLocalizedDescriptionKey`.
    ///
    /// Errors with a custom code have to supply it here.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }

    /// The closest of Apple's error codes in `AudioFile.h`.
    public var errorCode: Int {
        switch code {
        // Apple's code for a missing file, although fnfErr (−43) would be more specific.
        case .fileNotFound: Int(bigEndian("wht?"))
        case .filePermissionDenied: -54
        case .notAudio, .empty: Int(bigEndian("typ?"))
        case .unsupported: Int(bigEndian("fmt?"))
        case .corrupt, .truncated: Int(bigEndian("dta?"))
        case let code where code.rawValue.hasPrefix("usage."): -50
        default: Int(bigEndian("wht?"))
        }
    }

    private func bigEndian(_ text: StaticString) -> UInt32 {
        text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }
}

// Codes of audio files.
extension ErrorCode {
    /// The URL is not a `file:` URL.
    public static let notAFile = ErrorCode(rawValue: "usage.notAFile")
    /// The settings of a new file are incomplete or contradictory.
    public static let badSettings = ErrorCode(rawValue: "usage.badSettings")
    /// A read from a file that is open for writing, or a write to a file that is open for reading.
    public static let wrongMode = ErrorCode(rawValue: "usage.wrongMode")
}
