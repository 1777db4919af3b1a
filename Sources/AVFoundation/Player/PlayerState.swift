internal import SyrinxStreaming

/// The state of a player: the settings of the program, and the status of the streamer.
struct PlayerState {
    var rate: Float = 0
    var defaultRate: Float = 1
    var volume: Float = 1
    var isMuted = false
    var waitsToMinimizeStalling = true
    var actionAtItemEnd: AVPlayer.ActionAtItemEnd
    /// The items, the current one first.
    var items: [AVPlayerItem] = []
    var streamStatus = PlaybackStatus.stopped
    /// Whether the current item was played to its end, without a seek since.
    var isAtEnd = false
    /// Whether an item has been ready to play.
    var hasBeenReady = false
    /// Whether the pitch was derived from the rate.
    var pitchFollowsRate = false
    /// Whether the player selects audio tracks by language, and the languages that replace those of the system.
    var selectsByCriteria = true
    var selectionCriteria: AVPlayerMediaSelectionCriteria?

    var currentItem: AVPlayerItem? { items.first }

    var timeControlStatus: AVPlayer.TimeControlStatus {
        guard rate != 0 else { return .paused }
        guard currentItem != nil else { return .waitingToPlayAtSpecifiedRate }
        // At the end with the action `none`: the rate and the position keep their values.
        return streamStatus == .playing || isAtEnd ? .playing : .waitingToPlayAtSpecifiedRate
    }

    var reasonForWaiting: AVPlayer.WaitingReason? {
        guard timeControlStatus == .waitingToPlayAtSpecifiedRate else { return nil }
        guard currentItem != nil else { return .noItemToPlay }
        return streamStatus == .opening ? .evaluatingBufferingRate : .toMinimizeStalls
    }

    /// Clamps a rate to the range of players: 0, or 1/32…32.
    static func clamped(_ rate: Float) -> Float {
        // NaN is not greater than 0.
        rate > 0 ? min(max(1 / 32, rate), 32) : 0
    }

    /// Whether the rate may be set now: after the end or failure of an item, playback needs a seek or another item
    /// first.
    func mayTake(_ rate: Float) -> Bool {
        guard rate > 0 else { return true }
        if let currentItem, currentItem.status == .failed { return false }
        return !isAtEnd || actionAtItemEnd == .none
    }

    /// The result of the end or failure of an item.
    enum Conclusion: Equatable {
        /// The item stays the current one.
        case stay
        /// The next item is current, and the streamer is already playing it.
        case follow
        /// Another item, or none, is current and has to be opened.
        case open
    }

    /// Advances to the next item, or keeps the current one, after its end or failure.
    /// - Parameter nextInStream: The item to which the streamer advances by itself.
    mutating func conclude(failed: Bool, nextInStream: Int?) -> Conclusion {
        // A failed last item stays current, so that its error is visible.
        guard actionAtItemEnd == .advance, !items.isEmpty, !failed || items.count > 1 else {
            (isAtEnd, streamStatus) = (!failed, failed ? .failed : .ended)
            if failed || actionAtItemEnd == .pause { rate = 0 }
            return .stay
        }
        items.removeFirst()
        return items.first.map { $0.streamID == nextInStream } ?? false ? .follow : .open
    }

    var status: AVPlayer.Status { hasBeenReady ? .readyToPlay : .unknown }

    /// The properties of a player that can be observed.
    private static let properties: [ObservedProperty<AVPlayer, PlayerState>] = [
        ObservedProperty(\.rate, \.rate), ObservedProperty(\.defaultRate, \.defaultRate),
        ObservedProperty(\.volume, \.volume), ObservedProperty(\.status, \.status),
        ObservedProperty(\.isMuted, \.isMuted), ObservedProperty(\.currentItem, \.currentItem),
        ObservedProperty(\.timeControlStatus, \.timeControlStatus),
        ObservedProperty(\.reasonForWaitingToPlay, \.reasonForWaiting),
        ObservedProperty(\.automaticallyWaitsToMinimizeStalling, \.waitsToMinimizeStalling),
        ObservedProperty(\.actionAtItemEnd, \.actionAtItemEnd),
    ]

    /// Returns the properties of a player that differ from those of `old`.
    func changes(from old: PlayerState) -> [ObservedProperty<AVPlayer, PlayerState>] {
        Self.properties.filter { $0.differs(old, self) }
    }
}
