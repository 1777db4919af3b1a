public import Foundation
internal import Synchronization
public import SyrinxByteStream
public import SyrinxMediaCodec

/// The status of a streamer.
public enum PlaybackStatus: Sendable, Equatable {
    /// Finding out what the input is.
    case opening
    /// Silent, because data has not arrived, or because there is no output.
    case buffering
    /// New samples of the input are reaching the output.
    case playing
    /// Silent, because it was told to be.
    case paused
    /// Not begun, or told to stop.
    case stopped
    /// The input has been heard to its end.
    case ended
    /// The input cannot be played, or not on.
    case failed
}

/// An event of a streamer.
public enum StreamingEvent: Sendable {
    /// The input is known.
    case opened(MediaInfo)
    /// The status has changed; `time` is where in the input: of one that is silent, where the sound comes to a stand, which it
    /// does once the output has played what it had been given.
    case status(PlaybackStatus, time: TimeInterval)
    /// The time in the input that is heard: about ten times a second while it plays.
    ///
    /// In a pause once, if the sound has come to a stand later than was told; and, as while data has not arrived, after a seek.
    case position(TimeInterval)
    /// The duration of the input is known, or known better.
    case duration(TimeInterval, isExact: Bool)
    /// The bytes received, the whole length if known, and the ranges that are held.
    case download(received: Int64, total: Int64?, ranges: [Range<Int64>])
    /// Title, artist and the like, as far as the input has them.
    case metadata([String: String])
    /// A request is tried again after `delay` seconds.
    case retry(attempt: Int, delay: TimeInterval, code: String)
    /// Something is not as it should be, and playing goes on.
    case warning(SyrinxError)
    /// A part of the input is missing, such as a segment of a presentation that does not come, and playing goes on.
    ///
    /// It is reported when it is decoded, which may be before it is heard. What a playlist itself leaves out is not reported.
    case missing(MissingSound)
    /// The output has gone (`device.lost`), or there is none (`device.unavailable`): playing waits where it is, with the status
    /// `buffering`, and goes on when an output appears.
    case outputLost(SyrinxError)
    /// Playing has gone on after `outputLost(_:)`, on the output of this name; `nil` if it has none for people.
    case outputFound(String?)
    /// Playing cannot go on. The status `failed` follows.
    case failed(SyrinxError)
    /// The next item of `upcoming` follows by itself: after the last status of the input that is heard, all events are about
    /// that item, beginning with the status `opening`.
    case advancing(to: StreamingItem)
    /// Nothing more of the input is played: so many frames of it have been given to the output.
    ///
    /// The status `ended` follows, or `stopped`.
    case ended(frameCount: Int64, underrunCount: Int, receivedByteCount: Int64)
}

/// The input of a streamer.
public enum StreamingInput: Sendable, Equatable {
    /// A file, or something on an HTTP or HTTPS server.
    case url(URL)
    /// Standard input.
    case standardInput
    /// A part of what a URL names, as if that were all there is: a track of a disc, in one file with the others.
    ///
    /// Its times count from its own start. What follows on the part before in the same file begins with the very next sample.
    case part(Part, of: URL)
    /// Bytes that the program supplies.
    case bytes(ByteSource)

    /// A part of a recording, in seconds of that.
    public struct Part: Sendable, Equatable {
        /// The start of the part.
        public var start: TimeInterval
        /// The end of the part; `nil` for the end of the recording.
        public var end: TimeInterval?

        /// A part from `start` to `end`.
        public init(start: TimeInterval, end: TimeInterval? = nil) {
            self.start = start
            self.end = end
        }
    }

    /// Bytes that a program supplies, each time that the input is opened.
    public struct ByteSource: Sendable, Equatable {
        /// The name of the input in messages.
        public let name: String
        /// Opens the bytes, at their start; on the thread that decodes them.
        public let open: @Sendable () throws(SyrinxError) -> any ByteStream
        private let id: Int

        /// A source, which is equal only to itself.
        /// - Parameters:
        ///   - name: The name of the input in messages.
        ///   - open: Opens the bytes; may be called more than once, on any thread.
        public init(name: String, open: @escaping @Sendable () throws(SyrinxError) -> any ByteStream) {
            self.name = name
            self.open = open
            id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        }

        private static let lastID = Atomic(0)

        /// Compares the identities.
        public static func == (a: ByteSource, b: ByteSource) -> Bool { a.id == b.id }
    }

    /// The URL, of what has one.
    public var url: URL? {
        switch self {
        case .url(let url), .part(_, let url): url
        case .standardInput, .bytes: nil
        }
    }

    /// The part that is meant; `nil` for all.
    public var part: Part? {
        if case .part(let part, _) = self { part } else { nil }
    }
}
