import SyrinxListening

/// One event of `--json`: what it says, without when.
///
/// The names of the fields are those of the command-line contract. A field that the contract calls "or null" is written
/// as `null` when there is nothing to say; none is ever left out.
enum CommandEvent: Equatable, Sendable {
    /// An input was opened.
    case opened(OpenedFields)
    /// The state of playback changed.
    case state(PlayState, time: Double)
    /// The time that is heard, in seconds of the input.
    case position(time: Double)
    /// The estimate of the duration changed.
    case duration(seconds: Double, isExact: Bool)
    /// Bytes arrived.
    case download(received: Int64, total: Int64?, ranges: [Range<Int64>])
    /// Tags were found, or a live stream changed them.
    case metadata([String: String])
    /// Another chapter begins to be heard; its place in the list from 0 on, its times in seconds.
    case chapter(index: Int, title: String?, start: Double, end: Double)
    /// A command has changed a setting; the pitch is in cents, and `language` is left out while none has been asked for.
    case settings(
        rate: Double,
        pitch: Double,
        volume: Double,
        tone: Tone = Tone(),
        effects: [EffectArgument] = [],
        language: [String] = []
    )
    /// A request failed and will be made again.
    case retry(attempt: Int, delay: Double, code: String)
    /// Something is not as asked, and playback goes on.
    case warning(Failure)
    /// Something failed.
    case error(Failure)
    /// An input was played to its end.
    case ended(frames: Int64, underruns: Int, bytesReceived: Int64, timeSaved: Double? = nil)
}

/// The fields of `opened`.
struct OpenedFields: Equatable, Sendable {
    var url: String
    var container: String
    var codec: String
    var sampleRate: Double
    var channels: Int
    var duration: Double?
    var frames: Int64?
    var seekable: Bool
    var contentLength: Int64?
}
