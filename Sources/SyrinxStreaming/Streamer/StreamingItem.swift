public import Foundation
import Synchronization

/// An input in the queue of a streamer, or a part of it.
public struct StreamingItem: Sendable, Equatable, Identifiable {
    /// The identity of the item in the queue, which differs for the same input twice.
    public let id: Int
    /// The input.
    public var input: StreamingInput
    /// The time in the input at which playing starts, in seconds; default 0.
    ///
    /// Ignored for a broadcast.
    public var startTime: TimeInterval {
        didSet { startTime = Self.clamped(startTime) ?? 0 }
    }
    /// The time in the input at which playing ends, in seconds; `nil`, the default, is its end.
    public var endTime: TimeInterval? {
        didSet { endTime = endTime.flatMap(Self.clamped) }
    }

    /// HTTP headers of its own, by name, beside those of the streamer's `network`; default none.
    ///
    /// `User-Agent` takes the place of the streamer's.
    public var headers: [String: String] = [:]

    /// The languages to prefer where the input has its sound in several, as BCP 47 writes them, the best first.
    ///
    /// Empty by default: the input's own default is heard. HTTP Live Streaming offers a choice, and so do files with several tracks
    /// of sound.
    public var preferredLanguages: [String] {
        get { preference.languages }
        set { preference.languages = newValue }
    }

    /// The sound to choose where the input has several.
    package var preference = SoundPreference()

    /// An item of `input`.
    /// - Parameters:
    ///   - input: The input of the item.
    ///   - startTime: Where playing starts, in seconds; what is no number, or less than 0, is the beginning.
    ///   - endTime: Where it ends; what is no number is the end.
    ///   - id: The caller's own mark; `nil` is a number that no other item has that was made so.
    public init(
        _ input: StreamingInput,
        startTime: TimeInterval = 0,
        endTime: TimeInterval? = nil,
        id: Int? = nil
    ) {
        self.id = id ?? Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        self.input = input
        self.startTime = Self.clamped(startTime) ?? 0
        self.endTime = endTime.flatMap(Self.clamped)
    }

    private static let lastID = Atomic(0)

    private static func clamped(_ time: TimeInterval) -> TimeInterval? {
        time.isFinite ? min(max(0, time), PlaybackTimeline.longest) : nil
    }
}
