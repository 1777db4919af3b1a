public import Foundation
public import SyrinxByteStream

/// The place where a function stores the error that it reports.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// The statement of an input block of `AVAudioConverter` about the buffer that it returns.
public enum AVAudioConverterInputStatus: Int, Sendable {
    /// There is data in it.
    case haveData = 0
    /// There is none now, but more will come.
    case noDataNow = 1
    /// There is none, and none will come.
    case endOfStream = 2
}

/// The outcome of a conversion.
public enum AVAudioConverterOutputStatus: Int, Sendable {
    /// The output buffer holds data: all that was asked for, or the last of it.
    case haveData = 0
    /// The input had no more data now; the output buffer holds what could be made of it.
    case inputRanDry = 1
    /// The end has been reached, and the output buffer is empty.
    case endOfStream = 2
    /// It failed, and the error says why.
    case error = 3
}

/// The treatment of the first and last frames when the rate changes, where the filter needs samples that do not exist.
public enum AVAudioConverterPrimeMethod: Int, Sendable {
    /// With leading and trailing input: what lies before is taken to be silent, as in `normal`.
    case pre = 0
    /// With trailing input only: output frame 0 is input frame 0.
    case normal = 1
    /// With neither: the output is late by the filter's reach, and ends that much before the input's end.
    case none = 2
}

/// Frames of input around the frame that is converted.
public struct AVAudioConverterPrimeInfo: Sendable, Equatable {
    /// Frames before it; of an encoder those that it puts before the first.
    public var leadingFrames: AVAudioFrameCount
    /// Frames after it.
    public var trailingFrames: AVAudioFrameCount

    /// None on either side.
    public init() {
        self.init(leadingFrames: 0, trailingFrames: 0)
    }

    /// So many frames on each side.
    public init(leadingFrames: AVAudioFrameCount, trailingFrames: AVAudioFrameCount) {
        self.leadingFrames = leadingFrames
        self.trailingFrames = trailingFrames
    }
}

/// Gives an `AVAudioConverter` its next input.
///
/// It gets the number of packets (of samples: frames) that would be of use, and returns a buffer, which may hold fewer or more, or
/// `nil` if its status is not `haveData`. The buffer is read before the block is called again.
public typealias AVAudioConverterInputBlock = (
    AVAudioPacketCount, UnsafeMutablePointer<AVAudioConverterInputStatus>
) -> AVAudioBuffer?

/// An error of a conversion.
public struct AVAudioConverterError: Error, Sendable, CustomStringConvertible, CustomNSError, LocalizedError {
    /// The kind of a failure.
    ///
    /// Those of the decoder and the encoder keep their own, such as `media.encodeFailed`.
    public typealias Code = ErrorCode

    /// The kind of the failure.
    public let code: Code
    /// One sentence that a person can act on.
    public let message: String
    /// The cause, if another error is the cause.
    public let underlying: (any Error)?

    init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message.asSentence
        self.underlying = underlying
    }

    /// The sentence.
    public var description: String { message }

    /// The sentence.
    public var errorDescription: String? { message }

    /// The domain of Apple's errors of converters.
    public static var errorDomain: String { NSOSStatusErrorDomain }

    /// The sentence: with a number of its own an error is asked for it here.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }

    /// −50 for a wrong use, else the four characters `!dat`.
    public var errorCode: Int { code.rawValue.hasPrefix("usage.") ? -50 : 0x2164_6174 }
}

// Codes of converters.
extension ErrorCode {
    /// The simple form was asked for more than it can do.
    public static let needsInputBlock = ErrorCode(rawValue: "usage.needsInputBlock")
}
