public import Foundation
public import SyrinxByteStream

/// An error of an analysis, or of a waveform file.
public struct AnalysisError: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    /// The type of error codes.
    public typealias Code = ErrorCode

    /// The code of the failure.
    public let code: Code
    /// A sentence that describes the problem and its remedy.
    public let message: String

    /// Creates an error with a code and a message.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message.asSentence
    }

    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }

    /// The message, for `localizedDescription`.
    public var errorDescription: String? { message }
}

// Error codes of analyses.
extension ErrorCode {
    /// The file is not a waveform, or is inconsistent.
    public static let badWaveform = ErrorCode(rawValue: "media.badWaveform")
    /// The version of the waveform file is not supported.
    public static let unsupportedWaveform = ErrorCode(rawValue: "media.unsupportedWaveform")
    /// The requested zoom is finer than that of the waveform.
    public static let zoomTooFine = ErrorCode(rawValue: "usage.zoomTooFine")
    /// A zoom, size or limit is outside of its valid range.
    public static let badParameter = ErrorCode(rawValue: "usage.badParameter")
    /// The library libchromaprint, which computes acoustic fingerprints, is not installed.
    public static let chromaprintMissing = ErrorCode(rawValue: "device.noChromaprint")
}
