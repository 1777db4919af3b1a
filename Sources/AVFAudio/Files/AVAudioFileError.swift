internal import ByteStream
public import Foundation
internal import MediaCodec

/// An error of reading or writing a file.
///
/// As an `NSError` it has the domain `com.apple.coreaudio.avfaudio` and the `OSStatus` that comes nearest.
public struct AVAudioFileError: Error, Sendable, CustomStringConvertible, CustomNSError, LocalizedError {
    /// The kind of a failure: a dotted string that never changes its meaning.
    ///
    /// Those of the decoder and the encoder keep their own, such as `media.notAudio` or `file.notFound`.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The dotted string.
        public let rawValue: String

        /// A code of this dotted string.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The URL is not one of a file.
        public static let notAFile = Code(rawValue: "usage.notAFile")
        /// The format of a buffer is not the file's processing format.
        public static let badBuffer = Code(rawValue: "usage.badBuffer")
        /// The settings of a new file do not say what is needed, or contradict each other.
        public static let badSettings = Code(rawValue: "usage.badSettings")
        /// A file that is open for writing was read, or the other way round.
        public static let wrongMode = Code(rawValue: "usage.wrongMode")
        /// The file has been closed.
        public static let closed = Code(rawValue: "usage.finished")
    }

    /// The kind of the failure.
    public let code: Code
    /// One sentence that a person can act on.
    public let message: String
    /// The file.
    public let url: URL
    /// The cause, if another error is the cause.
    public let underlying: (any Error)?

    init(_ code: Code, _ message: String, _ url: URL) {
        self.code = code
        self.message = message
        self.url = url
        underlying = nil
    }

    init(_ error: MediaError, _ url: URL) {
        code = Code(rawValue: error.code.rawValue)
        message = error.message
        self.url = url
        underlying = error
    }

    /// The file and the sentence.
    public var description: String { "\(FilePath(url)?.name ?? url.absoluteString): \(message)" }

    /// The file and the sentence.
    public var errorDescription: String? { description }

    /// The domain of Apple's errors of files.
    public static var errorDomain: String { "com.apple.coreaudio.avfaudio" }

    /// The sentence: with a number of its own an error is asked for it here.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }

    /// The nearest of Apple's numbers, from `AudioFile.h`.
    public var errorCode: Int {
        switch code.rawValue {
        // What Apple gives for a missing file, although fnfErr (-43) would say more.
        case "file.notFound": Int(bigEndian("wht?"))
        case "file.permissionDenied": -54
        case "media.notAudio", "media.empty": Int(bigEndian("typ?"))
        case "media.unsupported": Int(bigEndian("fmt?"))
        case "media.corrupt", "media.truncated": Int(bigEndian("dta?"))
        case let code where code.hasPrefix("usage."): -50
        default: Int(bigEndian("wht?"))
        }
    }

    private func bigEndian(_ text: StaticString) -> UInt32 {
        text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }
}
