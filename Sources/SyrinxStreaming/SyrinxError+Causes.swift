import AVFAudio
public import SyrinxByteStream
import SyrinxDevice

extension SyrinxError {
    /// Any error of the modules below, in one form.
    ///
    /// `name` is used where the error has none of its own.
    public init(_ error: any Error, name: String) {
        switch error {
        case let error as SyrinxError: self = error
        case let error as DeviceError:
            self.init(error.code, error.message, name: error.device, underlying: error)
        case let error as AVAudioEngineError:
            self.init(error.code, error.message, name: name, underlying: error)
        default: self.init(.unknown, "\(error)", name: name, underlying: error)
        }
    }
}

// Codes of streamers.
extension ErrorCode {
    /// There is nothing to play: no `url` has been set.
    public static let noInput = ErrorCode(rawValue: "usage.noInput")
    /// Playing was to start at or behind the end of the input.
    public static let startBeyondEnd = ErrorCode(rawValue: "usage.startBeyondEnd")
    /// Another sound of the input, such as another language, cannot be played: the one before goes on.
    public static let soundUnavailable = ErrorCode(rawValue: "media.soundUnavailable")
    /// A recording is quieter than its normalization asks for, because its peaks leave no room for more gain, or the gain is the largest.
    public static let loudnessNotReached = ErrorCode(rawValue: "media.loudnessNotReached")
    /// A playlist that is longer than is read, or stands for more than is taken.
    public static let playlistTooLarge = ErrorCode(rawValue: "media.playlistTooLarge")
    /// An entry of a playlist may not be opened, or cannot be: it leads to a file though the playlist came from a server, say.
    public static let playlistEntry = ErrorCode(rawValue: "media.playlistEntry")
    /// A part of a stream is missing.
    public static let incomplete = ErrorCode(rawValue: "media.incomplete")
    /// A time that is not a number.
    public static let badTime = ErrorCode(rawValue: "usage.badTime")
    /// Something that has no code of its own.
    public static let unknown = ErrorCode(rawValue: "usage.unknown")
}
