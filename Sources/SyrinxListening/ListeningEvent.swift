package import SyrinxMediaCodec

/// An event of a player, without its time.
///
/// `--json` writes it with the field names of the command-line contract.
package enum ListeningEvent: Equatable, Sendable {
    /// An input was opened.
    case opened(OpenedFields)
    /// The state of playback changed.
    case state(PlayState, time: Double)
    /// The playback position, in seconds.
    case position(time: Double)
    /// The estimate of the duration changed.
    case duration(seconds: Double, isExact: Bool)
    /// Bytes arrived.
    case download(received: Int64, total: Int64?, ranges: [Range<Int64>])
    /// Tags were found, or a live stream changed them.
    case metadata([String: String])
    /// Another chapter started; the index counts from 0, and times are in seconds.
    case chapter(index: Int, title: String?, start: Double, end: Double)
    /// A command changed a setting; the pitch is in cents, and `language` is omitted if no language was requested.
    case settings(
        rate: Double,
        pitch: Double,
        volume: Double,
        tone: Tone = Tone(),
        effects: [EffectArgument] = [],
        language: [String] = []
    )
    /// A request failed and will be retried after `delay` seconds.
    case retry(attempt: Int, delay: Double, code: String)
    /// A problem occurred, but playback continues.
    case warning(Failure)
    /// An input, the output or a command failed.
    case error(Failure)
    /// An input was played to its end.
    case ended(frames: Int64, underruns: Int, bytesReceived: Int64, timeSaved: Double? = nil)
}

/// The fields of `opened`.
package struct OpenedFields: Equatable, Sendable {
    package var url: String
    package var container: String
    package var codec: String
    package var sampleRate: Double
    package var channels: Int
    package var duration: Double?
    package var frames: Int64?
    package var seekable: Bool
    package var contentLength: Int64?
}

extension OpenedFields {
    /// Creates the fields from the decoder's information; `url` is the name that the user gave the input.
    package init(_ info: MediaInfo, url: String) {
        self.url = url
        (container, codec) = (info.container, info.codec)
        (sampleRate, channels) = (info.sampleRate, info.channelCount)
        (duration, frames) = (info.duration, info.frameCount)
        (seekable, contentLength) = (info.isSeekable, info.size)
    }
}
