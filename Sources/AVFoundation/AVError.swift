public import Foundation
public import SyrinxByteStream
internal import SyrinxMediaCodec
internal import SyrinxStreaming

/// The domain of the errors of assets, readers, writers and exports.
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"

/// An error of an asset, a reader, a writer or an export.
///
/// As an `NSError` it has the domain `AVFoundationErrorDomain` and Apple's number that comes nearest.
public struct AVError: LocalizedError, CustomNSError, CustomStringConvertible, Sendable {
    /// Apple's number of a failure.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number.
        public let rawValue: Int

        /// The code of this number.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Another failure: see `reason`.
        public static let unknown = Code(rawValue: -11800)
        /// There is not enough memory.
        public static let outOfMemory = Code(rawValue: -11801)
        /// The disk is full.
        public static let diskFull = Code(rawValue: -11807)
        /// The export failed.
        public static let exportFailed = Code(rawValue: -11820)
        /// The data cannot be decoded.
        public static let decodeFailed = Code(rawValue: -11821)
        /// The tracks do not fit what is to be done with them.
        public static let invalidSourceMedia = Code(rawValue: -11822)
        /// A file of that name exists.
        public static let fileAlreadyExists = Code(rawValue: -11823)
        /// The tracks of a composition cannot be joined.
        public static let compositionTrackSegmentsNotContiguous = Code(rawValue: -11824)
        /// The file is of no kind that is known.
        public static let fileFormatNotRecognized = Code(rawValue: -11828)
        /// The file is damaged.
        public static let fileFailedToParse = Code(rawValue: -11829)
        /// The resource is not there, or its server does not give it.
        public static let contentIsUnavailable = Code(rawValue: -11863)
        /// The format cannot be read or written.
        public static let formatUnsupported = Code(rawValue: -11864)
        /// The asset has no track of that kind.
        public static let noSourceTrack = Code(rawValue: -11869)
        /// No picture is shown at that time, or near enough to it.
        public static let noImageAtTime = Code(rawValue: -11832)
        /// Nothing here decodes the format.
        public static let decoderNotFound = Code(rawValue: -11833)
        /// Nothing here encodes the format.
        public static let encoderNotFound = Code(rawValue: -11834)
        /// The operation does not fit the state or the settings.
        public static let operationNotAllowed = Code(rawValue: -11862)
        /// The operation was cancelled.
        public static let operationCancelled = Code(rawValue: -11878)
        /// The operation is not possible with this asset.
        public static let operationNotSupportedForAsset = Code(rawValue: -11838)
    }

    /// Apple's number.
    public let code: Code
    /// The kind of the failure; that of the decoder or of the bytes beneath, where they failed.
    public let reason: ErrorCode
    /// One sentence that a person can act on.
    public let message: String
    /// The resource, if there is one.
    public let url: URL?
    /// The cause, if another error is the cause.
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

    /// The error of a failure of any kind.
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

    /// The resource, without a password, and the sentence.
    public var description: String { url.map { "\(Redaction.redact($0)): \(message)" } ?? message }
    /// The same, for `localizedDescription`.
    public var errorDescription: String? { description }
    /// `AVFoundationErrorDomain`.
    public static var errorDomain: String { AVFoundationErrorDomain }
    /// Apple's number.
    public var errorCode: Int { code.rawValue }
    /// The sentence and the cause.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: description]
        info[NSUnderlyingErrorKey] = underlying
        return info
    }
}

// Codes of assets and what is made of them.
extension ErrorCode {
    /// An asset has no track of the kind that is wanted.
    public static let noTrack = ErrorCode(rawValue: "usage.noTrack")
    /// No picture is shown at a time, or near enough to it.
    public static let noPicture = ErrorCode(rawValue: "usage.noPicture")
    /// An object was asked for what its state does not allow.
    public static let wrongState = ErrorCode(rawValue: "usage.wrongState")
    /// A file that would be written exists.
    public static let fileExists = ErrorCode(rawValue: "file.exists")
    /// Code of the program failed: a delegate, for example.
    public static let otherFailure = ErrorCode(rawValue: "usage.otherFailure")
}
