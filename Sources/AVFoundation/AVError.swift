public import Foundation
public import SyrinxByteStream
internal import SyrinxMediaCodec
internal import SyrinxStreaming

/// The domain of the errors of assets, readers, writers and exports.
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"

/// An error of an asset, a reader, a writer or an export.
///
/// As an `NSError` it has the domain `AVFoundationErrorDomain` and the Apple error number with the closest meaning.
///
/// ```swift
/// do {
///     let duration = try await asset.load(.duration)
///     print(duration.seconds)
/// } catch let error as AVError where error.code == .fileFormatNotRecognized {
///     print("Not a media file: \(error.message)")
/// }
/// ```
public struct AVError: LocalizedError, CustomNSError, CustomStringConvertible, Sendable {
    /// An Apple error number of the domain `AVFoundationErrorDomain`.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The error number.
        public let rawValue: Int

        /// Creates a code from an error number.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// A failure without a code of its own: see `reason`.
        public static let unknown = Code(rawValue: -11800)
        /// There is not enough memory.
        public static let outOfMemory = Code(rawValue: -11801)
        /// The disk is full.
        public static let diskFull = Code(rawValue: -11807)
        /// The export failed.
        public static let exportFailed = Code(rawValue: -11820)
        /// The data cannot be decoded.
        public static let decodeFailed = Code(rawValue: -11821)
        /// The tracks are not suitable for the operation.
        public static let invalidSourceMedia = Code(rawValue: -11822)
        /// A file with this name already exists.
        public static let fileAlreadyExists = Code(rawValue: -11823)
        /// The tracks of a composition cannot be joined.
        public static let compositionTrackSegmentsNotContiguous = Code(rawValue: -11824)
        /// The format of the file is not recognized.
        public static let fileFormatNotRecognized = Code(rawValue: -11828)
        /// The file is damaged.
        public static let fileFailedToParse = Code(rawValue: -11829)
        /// The resource does not exist, or its server refuses it.
        public static let contentIsUnavailable = Code(rawValue: -11863)
        /// The format cannot be read or written.
        public static let formatUnsupported = Code(rawValue: -11864)
        /// The asset has no track of the requested media type.
        public static let noSourceTrack = Code(rawValue: -11869)
        /// No picture is shown at the requested time, or within the tolerances.
        public static let noImageAtTime = Code(rawValue: -11832)
        /// No decoder for the format is available.
        public static let decoderNotFound = Code(rawValue: -11833)
        /// No encoder for the format is available.
        public static let encoderNotFound = Code(rawValue: -11834)
        /// The operation is not allowed in this state or with these settings.
        public static let operationNotAllowed = Code(rawValue: -11862)
        /// The operation was cancelled.
        public static let operationCancelled = Code(rawValue: -11878)
        /// The asset does not support the operation.
        public static let operationNotSupportedForAsset = Code(rawValue: -11838)
    }

    /// The Apple error number.
    public let code: Code
    /// The Syrinx error code; that of the decoder or of the byte stream, if the failure occurred there.
    public let reason: ErrorCode
    /// A sentence that describes the problem and its remedy.
    public let message: String
    /// The URL of the resource, if known.
    public let url: URL?
    /// The underlying error, if there is one.
    public let underlying: (any Error)?

    init(_ code: Code, _ reason: ErrorCode, _ message: String, url: URL? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.reason = reason
        self.message = message.asSentence
        self.url = url
        self.underlying = underlying
    }

    init(_ error: SyrinxError, url: URL?) {
        self.init(Self.code(for: error.code), error.code, error.message, url: url, underlying: error)
    }

    /// Converts any error into an `AVError`.
    init(_ error: any Error, url: URL?) {
        switch error {
        case let error as AVError: self = error
        case let error as SyrinxError: self.init(error, url: url)
        default: self.init(.unknown, .otherFailure, error.localizedDescription, url: url, underlying: error)
        }
    }

    private static func code(for reason: ErrorCode) -> Code {
        switch reason {
        case .notAudio, .empty: .fileFormatNotRecognized
        case .corrupt, .truncated: .fileFailedToParse
        case .unsupported: .formatUnsupported
        case .outOfMemory: .outOfMemory
        case .encodeFailed, .fileWriteFailed: .exportFailed
        case .cancelled: .operationCancelled
        case let code where code.rawValue.hasPrefix("usage."): .operationNotAllowed
        case let code where ["file.", "http.", "network."].contains { code.rawValue.hasPrefix($0) }:
            .contentIsUnavailable
        default: .unknown
        }
    }

    /// The URL without its password, and the message.
    public var description: String { url.map { "\(Redaction.redact($0)): \(message)" } ?? message }
    /// The same text as `description`, for `localizedDescription`.
    public var errorDescription: String? { description }
    /// `AVFoundationErrorDomain`.
    public static var errorDomain: String { AVFoundationErrorDomain }
    /// The Apple error number.
    public var errorCode: Int { code.rawValue }
    /// The message and the underlying error.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: description]
        info[NSUnderlyingErrorKey] = underlying
        return info
    }
}

// Error codes of assets, readers, writers and exports.
extension ErrorCode {
    /// An asset has no track of the requested media type.
    public static let noTrack = ErrorCode(rawValue: "usage.noTrack")
    /// No picture is shown at the requested time, or within the tolerances.
    public static let noPicture = ErrorCode(rawValue: "usage.noPicture")
    /// The state of an object does not allow the operation.
    public static let wrongState = ErrorCode(rawValue: "usage.wrongState")
    /// The output file already exists.
    public static let fileExists = ErrorCode(rawValue: "file.exists")
    /// Code of the program failed, such as a delegate.
    public static let otherFailure = ErrorCode(rawValue: "usage.otherFailure")
}
