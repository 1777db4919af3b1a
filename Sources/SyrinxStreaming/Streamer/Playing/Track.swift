import SyrinxMediaCodec

/// One input of a streamer's queue: what decodes it, and what is known of it.
///
/// Touched under the streamer's lock only.
final class Track {
    var pump: DecodePump?
    var progress: StreamProgress
    /// Whether the frame at which the input begins is known: all of the input before has been handed on.
    var isJoined = false
    /// Set when the input has been opened ahead.
    var preparedInfo: MediaInfo?
    /// The items before it that failed to open.
    var failedBefore: [FailedItem] = []
    /// The gain that it is played with.
    var gain = TrackGain()
    /// Whether it began with the gain of the piece of the same album before it.
    var keepsAlbumGain = false
    /// The target, in LUFS, of the last warning that it is not reached.
    var reportedTarget: Double?
    /// The meter of what is decoded, if it is normalised.
    var meter: TrackMeter?
    /// The measurement ahead of what is decoded, if there is one.
    var measuredAhead: LoudnessScan.Result?
    /// The events that are reported when the input is heard; `nil` from then on.
    private var held: HeldEvents?

    /// A track whose events are held back if it `isAhead` of its turn.
    init(_ progress: StreamProgress, isAhead: Bool = false) {
        self.progress = progress
        held = isAhead ? HeldEvents() : nil
    }

    /// `nil` until the streamer is given something to play.
    var item: StreamingItem? { progress.item }

    /// Keeps an event for the input's turn.
    /// - Returns: Whether the turn is still to come; else the event is to be reported now.
    func hold(_ event: StreamingEvent) -> Bool {
        guard held != nil else { return false }
        held?.append(event)
        return true
    }

    /// Returns what has been held back, and holds nothing back from now on.
    func takeHeldEvents() -> [StreamingEvent] {
        defer { held = nil }
        return held?.events ?? []
    }
}

/// An item that failed to open ahead of its turn.
struct FailedItem {
    var item: StreamingItem
    var failure: SyrinxError
}

/// The events of an input before it is heard, in order: the newest of each kind of progress, and a bounded number in all.
struct HeldEvents {
    private(set) var events: [StreamingEvent] = []
    /// An input that is opened a minute ahead, on a line that breaks all the time, has fewer to tell.
    private static let limit = 100

    mutating func append(_ event: StreamingEvent) {
        // Only the newest of what counts up is news.
        if case .download = event {
            events.removeAll { if case .download = $0 { true } else { false } }
        }
        if events.count >= Self.limit, let oldest = events.firstIndex(where: \.isExpendable) {
            events.remove(at: oldest)
        }
        if events.count < Self.limit { events.append(event) }
    }
}

extension StreamingEvent {
    /// Whether nothing is lost for good if it is not told.
    fileprivate var isExpendable: Bool {
        switch self {
        case .retry, .warning, .missing, .duration, .metadata, .download: true
        default: false
        }
    }
}
