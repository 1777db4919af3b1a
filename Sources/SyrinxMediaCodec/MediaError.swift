internal import CSyrinxFFmpeg
public import Foundation
public import SyrinxByteStream

/// An error of reading or writing a recording.
public struct MediaError: LocalizedError, Sendable, CustomStringConvertible {
    /// The kind of a failure.
    ///
    /// A failure of the bytes beneath keeps the code that the byte stream gave it.
    public typealias Code = ErrorCode

    /// The kind of the failure.
    public let code: Code
    /// One sentence that a person can act on, without the name.
    public let message: String
    /// The path or URL.
    public let name: String
    /// The cause, if another error is the cause: the `ByteStreamError` of a failed read.
    public let underlying: (any Error)?

    /// A failure with the recording `name`.
    public init(_ code: Code, _ message: String, name: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message.asSentence
        self.name = name
        self.underlying = underlying
    }

    /// A failed read of the bytes beneath: its code and its sentence, as they are.
    public init(_ error: ByteStreamError) {
        self.init(error.code, error.message, name: error.name, underlying: error)
    }

    /// The name and the sentence.
    public var description: String { "\(name): \(message)" }

    /// The same, for `localizedDescription`.
    public var errorDescription: String? { description }
}

// Codes of reading and writing recordings.
extension ErrorCode {
    /// The bytes are not a recording: a web page, text, or nothing that is known.
    public static let notAudio = ErrorCode(rawValue: "media.notAudio")
    /// The recording has no moving pictures.
    public static let notVideo = ErrorCode(rawValue: "media.notVideo")
    /// There are no bytes.
    public static let empty = ErrorCode(rawValue: "media.empty")
    /// The data end before the length that the recording states of itself.
    public static let truncated = ErrorCode(rawValue: "media.truncated")
    /// The recording is of a known kind, but nothing in it can be decoded.
    public static let corrupt = ErrorCode(rawValue: "media.corrupt")
    /// The kind, the rate or the channels are known, but cannot be read or written here.
    public static let unsupported = ErrorCode(rawValue: "media.unsupported")
    /// The encoder or the writer of the container refused the samples.
    public static let encodeFailed = ErrorCode(rawValue: "media.encodeFailed")
    /// The memory that was needed could not be had.
    public static let outOfMemory = ErrorCode(rawValue: "media.outOfMemory")
    /// Writing the file failed.
    public static let fileWriteFailed = ErrorCode(rawValue: "file.writeFailed")
}

extension MediaError {
    static func outOfMemory(_ name: String) -> MediaError {
        MediaError(.outOfMemory, "There is not enough memory.", name: name)
    }
}

/// Returns FFmpeg's text for one of its error numbers.
func describe(averror: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
        guard let base = text.baseAddress, av_strerror(averror, base, text.count) == 0 else {
            return "error \(averror)"
        }
        return String(cString: base)
    }
}
