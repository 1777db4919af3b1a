import AVFAudio
public import Foundation
public import SyrinxByteStream
import SyrinxDevice
import SyrinxMediaCodec

/// An error of a stream, whichever module caused it.
public struct StreamingError: LocalizedError, Sendable, CustomStringConvertible {
    /// The kind of a failure.
    public typealias Code = ErrorCode

    /// The kind of the failure.
    public let code: Code
    /// One sentence that a person can act on, without the name of the input.
    public let message: String
    /// The URL or file, without any password, or the device.
    public let name: String
    /// The cause, if another error is the cause.
    public let underlying: (any Error)?

    /// A failure of the input `name`.
    public init(_ code: Code, _ message: String, name: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message.asSentence
        self.name = name
        self.underlying = underlying
    }

    /// Any error of the modules below, in one form.
    ///
    /// `name` is used where the error has none of its own.
    public init(_ error: any Error, name: String) {
        switch error {
        case let error as StreamingError: self = error
        case let error as ByteStreamError:
            self.init(error.code, error.message, name: error.name, underlying: error)
        case let error as MediaError:
            self.init(error.code, error.message, name: error.name, underlying: error)
        case let error as DeviceError:
            self.init(error.code, error.message, name: error.device, underlying: error)
        case let error as AVAudioEngineError:
            self.init(error.code, error.message, name: name, underlying: error)
        default: self.init(.unknown, "\(error)", name: name, underlying: error)
        }
    }

    /// The name and the sentence.
    public var description: String { "\(name): \(message)" }

    /// The same, for `localizedDescription`.
    public var errorDescription: String? { description }
}

// Codes of streamers.
extension ErrorCode {
    /// There is nothing to play: no `url` has been set.
    public static let noInput = ErrorCode(rawValue: "usage.noInput")
    /// Playing was to start at or behind the end of the input.
    public static let startBeyondEnd = ErrorCode(rawValue: "usage.startBeyondEnd")
    /// Another sound of the input, such as another language, cannot be played: the one before goes on.
    public static let soundUnavailable = ErrorCode(rawValue: "media.soundUnavailable")
    /// A playlist that is longer than is read, or stands for more than is taken.
    public static let playlistTooLarge = ErrorCode(rawValue: "media.playlistTooLarge")
    /// A time that is not a number.
    public static let badTime = ErrorCode(rawValue: "usage.badTime")
    /// Something that has no code of its own.
    public static let unknown = ErrorCode(rawValue: "usage.unknown")
}
