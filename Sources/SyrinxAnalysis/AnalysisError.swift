public import Foundation
public import SyrinxByteStream

/// An error of an analysis, or of reading a file with one.
public struct AnalysisError: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    /// The kind of a failure.
    public typealias Code = ErrorCode

    /// The kind of the failure.
    public let code: Code
    /// One sentence that a person can act on.
    public let message: String

    /// A failure of this kind.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message.asSentence
    }

    /// The code and the sentence.
    public var description: String { "\(code.rawValue): \(message)" }

    /// The sentence, for `localizedDescription`.
    public var errorDescription: String? { message }
}

// Codes of analyses.
extension ErrorCode {
    /// The file is no waveform, or contradicts itself.
    public static let badWaveform = ErrorCode(rawValue: "media.badWaveform")
    /// The file is a waveform of a version that is not known here.
    public static let unsupportedWaveform = ErrorCode(rawValue: "media.unsupportedWaveform")
    /// A waveform cannot be brought to a finer zoom than it was made at.
    public static let zoomTooFine = ErrorCode(rawValue: "usage.zoomTooFine")
    /// A zoom, size or limit is outside of what makes sense.
    public static let badParameter = ErrorCode(rawValue: "usage.badParameter")
    /// The system has no library that makes acoustic fingerprints.
    public static let chromaprintMissing = ErrorCode(rawValue: "device.noChromaprint")
}
