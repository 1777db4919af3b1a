public import Foundation
import Synchronization

/// An item in the queue of a streamer: an input, or a part of it, with its own settings.
///
/// ```swift
/// var item = StreamingItem(.url(url), startTime: 90, endTime: 150)
/// item.preferredLanguages = ["fr", "en"]
/// item.headers["Authorization"] = "Bearer \(token)"
/// streamer.upcoming.append(item)
/// ```
public struct StreamingItem: Sendable, Equatable, Identifiable {
    /// The identity of the item in the queue; two items with the same input have different identities.
    public let id: Int
    /// The input to play.
    public var input: StreamingInput
    /// The position in the input at which playback starts, in seconds; 0 by default.
    ///
    /// Broadcasts ignore it.
    public var startTime: TimeInterval {
        didSet { startTime = Self.clamped(startTime) ?? 0 }
    }
    /// The position in the input at which playback ends, in seconds; the default, `nil`, is the end of the input.
    public var endTime: TimeInterval? {
        didSet { endTime = endTime.flatMap(Self.clamped) }
    }

    /// HTTP headers for this item, by name, in addition to those of the streamer's `network`; empty by default.
    ///
    /// `User-Agent` replaces the value of the streamer.
    public var headers: [String: String] = [:]

    /// The preferred languages as BCP 47 tags, most preferred first, for inputs with several audio tracks.
    ///
    /// The default is empty: the default track of the input is played. HTTP Live Streaming and files can have several
    /// audio tracks.
    public var preferredLanguages: [String] {
        get { preference.languages }
        set { preference.languages = newValue }
    }

    /// The audio track to select if the input has several.
    package var preference = SoundPreference()

    /// Creates an item for `input`.
    /// - Parameters:
    ///   - input: The input to play.
    ///   - startTime: The start of playback in seconds. Negative and non-finite values mean 0.
    ///   - endTime: The end of playback in seconds; `nil` and non-finite values mean the end of the input.
    ///   - id: An identity that the caller chooses; `nil`, the default, generates a unique number.
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
