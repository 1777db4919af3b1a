public import Foundation
public import SyrinxByteStream

/// A pointer to the variable that receives an error.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// The status that an input block of `AVAudioConverter` reports with its buffer.
public enum AVAudioConverterInputStatus: Int, Sendable {
    /// The returned buffer has data.
    case haveData = 0
    /// No data is available now, but more will follow.
    case noDataNow = 1
    /// No data is available, and none will follow.
    case endOfStream = 2
}

/// The outcome of a conversion.
public enum AVAudioConverterOutputStatus: Int, Sendable {
    /// The output buffer has data: all that was requested, or the end of the stream.
    case haveData = 0
    /// The input had no more data for now. The output buffer has the frames converted so far.
    case inputRanDry = 1
    /// The end of the stream is reached, and the output buffer is empty.
    case endOfStream = 2
    /// The conversion failed; the error describes the reason.
    case error = 3
}

/// The treatment of the first and last frames in a sample rate conversion, whose filter reads beyond both ends.
public enum AVAudioConverterPrimeMethod: Int, Sendable {
    /// The filter uses leading and trailing frames. The leading frames are assumed to be silent, as in `normal`.
    case pre = 0
    /// The filter uses trailing frames only: output frame 0 is input frame 0.
    case normal = 1
    /// The filter uses neither: the output is delayed by the filter's reach, and its end is missing by as much.
    case none = 2
}

/// The numbers of input frames before and after a converted frame that the filter uses.
public struct AVAudioConverterPrimeInfo: Sendable, Equatable {
    /// The number of frames before the first; for an encoder, its delay in frames.
    public var leadingFrames: AVAudioFrameCount
    /// The number of frames after the converted frame.
    public var trailingFrames: AVAudioFrameCount

    /// Creates a value with no frames on either side.
    public init() {
        self.init(leadingFrames: 0, trailingFrames: 0)
    }

    /// Creates a value with the given frame counts.
    public init(leadingFrames: AVAudioFrameCount, trailingFrames: AVAudioFrameCount) {
        self.leadingFrames = leadingFrames
        self.trailingFrames = trailingFrames
    }
}

/// A block that supplies the next input of an `AVAudioConverter`.
///
/// It receives the number of useful packets (for uncompressed audio: frames). It returns a buffer with fewer or more,
/// or `nil` if its status is not `haveData`. The converter reads the buffer before it calls the block again.
public typealias AVAudioConverterInputBlock = (
    AVAudioPacketCount, UnsafeMutablePointer<AVAudioConverterInputStatus>
) -> AVAudioBuffer?

/// An error of an `AVAudioConverter`.
public struct AVAudioConverterError: Error, Sendable, CustomStringConvertible, CustomNSError, LocalizedError {
    /// The kind of the failure.
    ///
    /// Failures of the decoder and the encoder keep their own codes, such as `media.encodeFailed`.
    public typealias Code = ErrorCode

    /// The kind of the failure.
    public let code: Code
    /// A sentence that describes the failure and a remedy.
    public let message: String
    /// The underlying error, if there is one.
    public let underlying: (any Error)?

    init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message.asSentence
        self.underlying = underlying
    }

    /// The `message`.
    public var description: String { message }

    /// The `message`.
    public var errorDescription: String? { message }

    /// The domain of Apple's errors of converters.
    public static var errorDomain: String { NSOSStatusErrorDomain }

    /// The message, under `NSLocalizedDescriptionKey`.
    ///
    /// Errors with a custom code have to supply it here.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }

    /// −50 for incorrect use of the converter; otherwise the four-character code `!dat`.
    public var errorCode: Int { code.rawValue.hasPrefix("usage.") ? -50 : 0x2164_6174 }
}

// Codes of converters.
extension ErrorCode {
    /// The conversion requires an input block.
    public static let needsInputBlock = ErrorCode(rawValue: "usage.needsInputBlock")
}
