import AVFAudio
import AudioDevice
import ByteStream
public import Foundation
import MediaCodec

/// An error of a stream, whichever module caused it.
public struct StreamingError: LocalizedError, Sendable, CustomStringConvertible {
    /// The kind of a failure: a dotted string that never changes its meaning.
    ///
    /// The first word tells where it happened: `http`, `network`, `media`, `file`, `device` or `usage`.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The dotted string.
        public let rawValue: String

        /// A code of this dotted string.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The dotted string.
        public var description: String { rawValue }

        /// There is nothing to play: no `url` has been set.
        public static let noInput = Code(rawValue: "usage.noInput")
        /// The stream cannot be sought.
        public static let notSeekable = Code(rawValue: "usage.notSeekable")
        /// Playing was to start at or behind the end of the input.
        public static let startBeyondEnd = Code(rawValue: "usage.startBeyondEnd")
        /// A time that is not a number.
        public static let badTime = Code(rawValue: "usage.badTime")
        /// Stopped while it was waiting.
        public static let cancelled = Code(rawValue: "usage.cancelled")
        /// Something that has no code of its own.
        public static let unknown = Code(rawValue: "usage.unknown")
    }

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
        self.message = message
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
            self.init(Code(rawValue: error.code.rawValue), error.message, name: error.name, underlying: error)
        case let error as MediaError:
            self.init(Code(rawValue: error.code.rawValue), error.message, name: error.name, underlying: error)
        case let error as DeviceError:
            self.init(Code(rawValue: error.code.rawValue), error.message, name: error.device, underlying: error)
        case let error as AVAudioEngineError:
            self.init(Code(rawValue: error.code.rawValue), error.message, name: name, underlying: error)
        default: self.init(.unknown, "\(error)", name: name, underlying: error)
        }
    }

    /// The name and the sentence.
    public var description: String { "\(name): \(message)" }

    /// The same, for `localizedDescription`.
    public var errorDescription: String? { description }
}
