import SyrinxMediaCodec

/// An input of a streamer's queue, with its decoder and state.
///
/// Used with the streamer's lock held.
final class Track {
    var pump: DecodePump?
    var progress: StreamProgress
    /// Whether the start frame of the input is known, because the whole previous input was passed on.
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
    /// The meter of decoded audio, if the track is normalized.
    var meter: TrackMeter?
    /// The measurement ahead of decoding, if there is one.
    var measuredAhead: LoudnessScan.Result?
    /// The events to report when the input becomes current; `nil` after that.
    private var held: HeldEvents?

    /// A track whose events are held back if it `isAhead` of its turn.
    init(_ progress: StreamProgress, isAhead: Bool = false) {
        self.progress = progress
        held = isAhead ? HeldEvents() : nil
    }

    /// The item; `nil` until the streamer is given an input.
    var item: StreamingItem? { progress.item }

    /// Holds an event until the input becomes current.
    /// - Returns: Whether the event is held; otherwise, it must be reported now.
    func hold(_ event: StreamingEvent) -> Bool {
        guard held != nil else { return false }
        held?.append(event)
        return true
    }

    /// Returns the held events, and stops holding events.
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

/// The events of an input before it becomes current, in order: only the newest progress events, with a limited total
/// number.
struct HeldEvents {
    private(set) var events: [StreamingEvent] = []
    /// The maximum number: an input that is opened a minute ahead on an unstable network has fewer events.
    private static let limit = 100

    mutating func append(_ event: StreamingEvent) {
        // Only the newest event of a counter matters.
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
    /// Whether the event can be dropped without loss.
    fileprivate var isExpendable: Bool {
        switch self {
        case .retry, .warning, .missing, .duration, .metadata, .download: true
        default: false
        }
    }
}
