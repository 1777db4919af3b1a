import AVFAudio
public import SyrinxByteStream
import SyrinxDevice

extension SyrinxError {
    /// Converts any error into a `SyrinxError`, and keeps the original as the underlying error.
    ///
    /// A `SyrinxError` is taken unchanged. A device error keeps its code and message. Any other error gets the code
    /// `usage.unknown`.
    /// - Parameter name: The name of the input, for errors that do not contain a name.
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

// Error codes of streamers.
extension ErrorCode {
    /// Playback was started before an input was set: set `url`, or call `open(_:andPlay:)`.
    public static let noInput = ErrorCode(rawValue: "usage.noInput")
    /// The start time is at or after the end of the input.
    public static let startBeyondEnd = ErrorCode(rawValue: "usage.startBeyondEnd")
    /// The selected audio track, such as another language, cannot be played; the previous track continues.
    public static let soundUnavailable = ErrorCode(rawValue: "media.soundUnavailable")
    /// A recording stays quieter than the target loudness, because its peaks, or the maximum gain of 24 dB, limit the
    /// gain.
    public static let loudnessNotReached = ErrorCode(rawValue: "media.loudnessNotReached")
    /// A playlist exceeds `Playlist.largestSize`, or has more entries than are accepted.
    public static let playlistTooLarge = ErrorCode(rawValue: "media.playlistTooLarge")
    /// A playlist entry cannot be opened, or is not allowed, such as a local file in a playlist from a server.
    public static let playlistEntry = ErrorCode(rawValue: "media.playlistEntry")
    /// A part of a stream is missing.
    public static let incomplete = ErrorCode(rawValue: "media.incomplete")
    /// A time is not a number.
    public static let badTime = ErrorCode(rawValue: "usage.badTime")
    /// The error has no code of its own.
    public static let unknown = ErrorCode(rawValue: "usage.unknown")
}
