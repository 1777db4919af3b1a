public import Foundation
internal import Synchronization
public import SyrinxByteStream
public import SyrinxMediaCodec

/// The detailed status of a streamer.
public enum PlaybackStatus: Sendable, Equatable {
    /// The streamer is opening the input and detecting its format.
    case opening
    /// Playback is interrupted, because data has not arrived or no output device exists.
    case buffering
    /// Samples of the input are reaching the output.
    case playing
    /// Playback is paused by the program.
    case paused
    /// Playback has not started, or was stopped by the program.
    case stopped
    /// The input was played to its end.
    case ended
    /// The input cannot be played, or cannot be played further; the event `failed` has the error.
    case failed
}

/// An event of a streamer, such as a change of status or position.
public enum StreamingEvent: Sendable {
    /// The input is open and its format is known.
    case opened(MediaInfo)
    /// The status changed at `time`, the playback position in seconds.
    ///
    /// For a pause or an interruption, `time` is the position at which the output falls silent after it has played its
    /// buffered audio.
    case status(PlaybackStatus, time: TimeInterval)
    /// The playback position in seconds, about ten times a second during playback.
    ///
    /// While paused or buffering, it is reported after a seek. While paused, it is also reported once if playback
    /// stopped later than first reported.
    case position(TimeInterval)
    /// The duration of the input in seconds is known, or a better estimate of it.
    case duration(TimeInterval, isExact: Bool)
    /// The download progressed: bytes received, total length in bytes if known, and the byte ranges that are held.
    case download(received: Int64, total: Int64?, ranges: [Range<Int64>])
    /// Metadata, such as title and artist; the keys are those of `MediaInfo`.
    case metadata([String: String])
    /// A failed request is retried after `delay` seconds; `code` is the code of the failure.
    case retry(attempt: Int, delay: TimeInterval, code: String)
    /// A problem occurred that does not stop playback.
    case warning(SyrinxError)
    /// A part of the input is missing, such as a segment that the server does not deliver; playback continues after it.
    ///
    /// The event is sent when the gap is decoded, which may be before it is heard. Gaps that a playlist declares are
    /// not reported.
    case missing(MissingSound)
    /// The output device was lost (`device.lost`), or none exists (`device.unavailable`).
    ///
    /// Playback holds its position with the status `buffering`, and continues when an output device appears.
    case outputLost(SyrinxError)
    /// Playback continued after `outputLost(_:)`, on the output device with this name; `nil` if the device has no
    /// display name.
    case outputFound(String?)
    /// Playback failed; the status `failed` follows.
    case failed(SyrinxError)
    /// The streamer advances to the next item of `upcoming`.
    ///
    /// This event follows the last status of the previous item. All later events are about the new item; the first one
    /// is the status `opening`.
    case advancing(to: StreamingItem)
    /// Playback of the input is over, with totals for it.
    ///
    /// `frameCount` is the number of frames sent to the output. The status `ended` or `stopped` follows.
    case ended(frameCount: Int64, underrunCount: Int, receivedByteCount: Int64)
}

/// An input of a streamer: a URL, a part of a recording, standard input, or bytes from the program.
public enum StreamingInput: Sendable, Equatable {
    /// A file, or a resource on an HTTP or HTTPS server.
    case url(URL)
    /// Standard input.
    case standardInput
    /// A part of the resource at a URL, such as one track of a disc image, presented as a complete input.
    ///
    /// Times count from the start of the part. Consecutive parts of one file play without a gap.
    case part(Part, of: URL)
    /// Bytes that the program supplies.
    case bytes(ByteSource)

    /// A time range of a recording, in seconds.
    public struct Part: Sendable, Equatable {
        /// The start of the part in seconds.
        public var start: TimeInterval
        /// The end of the part in seconds; `nil` is the end of the recording.
        public var end: TimeInterval?

        /// Creates a part from `start` to `end`, in seconds; `nil` is the end of the recording.
        public init(start: TimeInterval, end: TimeInterval? = nil) {
            self.start = start
            self.end = end
        }
    }

    /// A source of bytes that a program supplies each time the input is opened.
    ///
    /// ```swift
    /// let source = StreamingInput.ByteSource(name: "attachment.mp3") { () throws(SyrinxError) in
    ///     try FileByteStream(url: url)
    /// }
    /// streamer.open(.bytes(source), andPlay: true)
    /// ```
    public struct ByteSource: Sendable, Equatable {
        /// The name of the input in messages.
        public let name: String
        /// Opens the bytes at offset 0, on the decoding thread.
        public let open: @Sendable () throws(SyrinxError) -> any ByteStream
        private let id: Int

        /// Creates a source, which is equal only to itself and its copies.
        /// - Parameters:
        ///   - name: The name of the input in messages.
        ///   - open: Opens the bytes. It may be called more than once, on any thread.
        public init(name: String, open: @escaping @Sendable () throws(SyrinxError) -> any ByteStream) {
            self.name = name
            self.open = open
            id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        }

        private static let lastID = Atomic(0)

        /// Returns whether both values are copies of the same source.
        public static func == (a: ByteSource, b: ByteSource) -> Bool { a.id == b.id }
    }

    /// The URL; `nil` for standard input and for bytes from the program.
    public var url: URL? {
        switch self {
        case .url(let url), .part(_, let url): url
        case .standardInput, .bytes: nil
        }
    }

    /// The part of the resource; `nil` if the input is the whole resource.
    public var part: Part? {
        if case .part(let part, _) = self { part } else { nil }
    }
}
