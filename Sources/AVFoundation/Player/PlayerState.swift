internal import SyrinxStreaming

/// The state of a player without its sound: what a program has set, and the status of the streamer.
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
    /// Whether the current item has been heard to its end, and nothing has sought since.
    var isAtEnd = false
    /// Whether an item has been ready to play.
    var hasBeenReady = false
    /// Whether the pitch was set for the rate.
    var pitchFollowsRate = false
    /// Whether the player selects among sounds by languages, and by which, in place of those of the system.
    var selectsByCriteria = true
    var selectionCriteria: AVPlayerMediaSelectionCriteria?

    var currentItem: AVPlayerItem? { items.first }

    var timeControlStatus: AVPlayer.TimeControlStatus {
        guard rate != 0 else { return .paused }
        guard currentItem != nil else { return .waitingToPlayAtSpecifiedRate }
        // At its end with nothing to do: the rate holds, and so does the time.
        return streamStatus == .playing || isAtEnd ? .playing : .waitingToPlayAtSpecifiedRate
    }

    var reasonForWaiting: AVPlayer.WaitingReason? {
        guard timeControlStatus == .waitingToPlayAtSpecifiedRate else { return nil }
        guard currentItem != nil else { return .noItemToPlay }
        return streamStatus == .opening ? .evaluatingBufferingRate : .toMinimizeStalls
    }

    /// Returns a rate in the range of players: 0, or 1/32…32.
    static func clamped(_ rate: Float) -> Float {
        // A number that is none is not greater than 0.
        rate > 0 ? min(max(1 / 32, rate), 32) : 0
    }

    /// Whether the rate may be set now: at the end of an item and after a failure nothing is played before a seek or another item.
    func mayTake(_ rate: Float) -> Bool {
        guard rate > 0 else { return true }
        if let currentItem, currentItem.status == .failed { return false }
        return !isAtEnd || actionAtItemEnd == .none
    }

    /// The steps after the end, or a failure, of an item.
    enum Conclusion: Equatable {
        /// The item stays the current one.
        case stay
        /// The next item is the current one, and the streamer plays it already.
        case follow
        /// Another item is the current one, or none, and has to be opened.
        case open
    }

    /// Goes over to the next item, or stays at the current one, because that has ended or failed.
    /// - Parameter nextInStream: The item that the streamer goes over to by itself.
    mutating func conclude(failed: Bool, nextInStream: Int?) -> Conclusion {
        // The last one that failed stays, so that its error is seen.
        guard actionAtItemEnd == .advance, !items.isEmpty, !failed || items.count > 1 else {
            (isAtEnd, streamStatus) = (!failed, failed ? .failed : .ended)
            if failed || actionAtItemEnd == .pause { rate = 0 }
            return .stay
        }
        items.removeFirst()
        return items.first.map { $0.streamID == nextInStream } ?? false ? .follow : .open
    }

    var status: AVPlayer.Status { hasBeenReady ? .readyToPlay : .unknown }

    /// The properties of a player that observers can name.
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
