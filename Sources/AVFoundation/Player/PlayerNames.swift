public import Foundation

/// An algorithm for rates other than 1.
public struct AVAudioTimePitchAlgorithm: RawRepresentable, Hashable, Sendable {
    /// Apple's name of the algorithm.
    public let rawValue: String

    /// The algorithm of this name; one that is not known acts as `spectral`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Pieces of the waveform joined where they fit: for speech.
    public static let timeDomain = AVAudioTimePitchAlgorithm(rawValue: "TimeDomain")
    /// A phase vocoder: for music.
    public static let spectral = AVAudioTimePitchAlgorithm(rawValue: "Spectral")
    /// The pitch goes with the rate, from a quarter to four times.
    public static let varispeed = AVAudioTimePitchAlgorithm(rawValue: "Varispeed")
    /// Acts as `timeDomain`.
    public static let lowQualityZeroLatency = AVAudioTimePitchAlgorithm(rawValue: "LowQualityZeroLatency")

    var isTimeDomain: Bool { self == .timeDomain || self == .lowQualityZeroLatency }
}

extension AVPlayer {
    /// Whether a player can be used.
    public enum Status: Int, Sendable {
        /// No item has been ready.
        case unknown = 0
        /// An item has been ready.
        case readyToPlay = 1
        /// Not used here: an item that fails leaves the player usable.
        case failed = 2
    }

    /// Whether a player plays, waits, or is paused.
    public enum TimeControlStatus: Int, Sendable {
        /// The rate is 0.
        case paused = 0
        /// The rate is not 0, and nothing is heard yet: see `reasonForWaitingToPlay`.
        case waitingToPlayAtSpecifiedRate = 1
        /// The item is heard.
        case playing = 2
    }

    /// An action at the end of an item.
    public enum ActionAtItemEnd: Int, Sendable {
        /// Play the next item; for queues.
        case advance = 0
        /// Set the rate to 0.
        case pause = 1
        /// Leave the rate as it is.
        case none = 2
    }

    /// A reason for waiting.
    public struct WaitingReason: RawRepresentable, Hashable, Sendable {
        /// Apple's name of the reason.
        public let rawValue: String

        /// The reason of this name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Data has not arrived.
        public static let toMinimizeStalls = WaitingReason(rawValue: "AVPlayerWaitingToMinimizeStallsReason")
        /// The item is being opened.
        public static let evaluatingBufferingRate = WaitingReason(
            rawValue: "AVPlayerWaitingWhileEvaluatingBufferingRateReason"
        )
        /// There is no item.
        public static let noItemToPlay = WaitingReason(rawValue: "AVPlayerWaitingWithNoItemToPlayReason")
    }

    /// Posted when the rate changes; the object is the player.
    public static let rateDidChangeNotification = Notification.Name("AVPlayerRateDidChangeNotification")
}

extension AVPlayerItem {
    /// Posted when the item has been heard to its end.
    public static let didPlayToEndTimeNotification = Notification.Name("AVPlayerItemDidPlayToEndTimeNotification")
    /// Posted when playing stops because of an error, under `AVPlayerItemFailedToPlayToEndTimeErrorKey`.
    public static let failedToPlayToEndTimeNotification = Notification.Name(
        "AVPlayerItemFailedToPlayToEndTimeNotification"
    )
    /// Posted when sound stops because data has not arrived; it goes on by itself.
    public static let playbackStalledNotification = Notification.Name("AVPlayerItemPlaybackStalledNotification")
    /// Posted when the time jumps: at a seek.
    public static let timeJumpedNotification = Notification.Name("AVPlayerItemTimeJumpedNotification")
    /// Posted when the access log has grown.
    public static let newAccessLogEntryNotification = Notification.Name("AVPlayerItemNewAccessLogEntry")
    /// Posted when the error log has grown.
    public static let newErrorLogEntryNotification = Notification.Name("AVPlayerItemNewErrorLogEntry")
}

/// The key of the error in the notification of a failure.
public let AVPlayerItemFailedToPlayToEndTimeErrorKey = "AVPlayerItemFailedToPlayToEndTimeErrorKey"

extension Notification.Name {
    /// `AVPlayerItem.didPlayToEndTimeNotification`.
    public static let AVPlayerItemDidPlayToEndTime = AVPlayerItem.didPlayToEndTimeNotification
    /// `AVPlayerItem.failedToPlayToEndTimeNotification`.
    public static let AVPlayerItemFailedToPlayToEndTime = AVPlayerItem.failedToPlayToEndTimeNotification
    /// `AVPlayerItem.playbackStalledNotification`.
    public static let AVPlayerItemPlaybackStalled = AVPlayerItem.playbackStalledNotification
    /// `AVPlayerItem.timeJumpedNotification`.
    public static let AVPlayerItemTimeJumped = AVPlayerItem.timeJumpedNotification
    /// `AVPlayerItem.newAccessLogEntryNotification`.
    public static let AVPlayerItemNewAccessLogEntry = AVPlayerItem.newAccessLogEntryNotification
    /// `AVPlayerItem.newErrorLogEntryNotification`.
    public static let AVPlayerItemNewErrorLogEntry = AVPlayerItem.newErrorLogEntryNotification
}
