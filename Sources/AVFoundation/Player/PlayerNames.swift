public import Foundation

/// An algorithm for rates other than 1.
public struct AVAudioTimePitchAlgorithm: RawRepresentable, Hashable, Sendable {
    /// Apple's name of the algorithm.
    public let rawValue: String

    /// Creates an algorithm from its name; an unknown name behaves like `spectral`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Overlap-add of waveform segments: for speech.
    public static let timeDomain = AVAudioTimePitchAlgorithm(rawValue: "TimeDomain")
    /// A phase vocoder: for music.
    public static let spectral = AVAudioTimePitchAlgorithm(rawValue: "Spectral")
    /// Resampling: the pitch changes with the rate, from 1/4 to 4.
    public static let varispeed = AVAudioTimePitchAlgorithm(rawValue: "Varispeed")
    /// Behaves like `timeDomain`.
    public static let lowQualityZeroLatency = AVAudioTimePitchAlgorithm(rawValue: "LowQualityZeroLatency")

    var isTimeDomain: Bool { self == .timeDomain || self == .lowQualityZeroLatency }
}

extension AVPlayer {
    /// The status of a player.
    public enum Status: Int, Sendable {
        /// No item has been ready.
        case unknown = 0
        /// An item has been ready.
        case readyToPlay = 1
        /// Not used on Linux: the player stays usable after an item fails.
        case failed = 2
    }

    /// Whether a player plays, waits or is paused.
    public enum TimeControlStatus: Int, Sendable {
        /// The rate is 0.
        case paused = 0
        /// The rate is not 0, but nothing is heard yet: see `reasonForWaitingToPlay`.
        case waitingToPlayAtSpecifiedRate = 1
        /// The item is being heard.
        case playing = 2
    }

    /// The action at the end of an item.
    public enum ActionAtItemEnd: Int, Sendable {
        /// Play the next item of the queue.
        case advance = 0
        /// Set the rate to 0.
        case pause = 1
        /// Keep the rate.
        case none = 2
    }

    /// The reason why a player waits.
    public struct WaitingReason: RawRepresentable, Hashable, Sendable {
        /// Apple's name of the reason.
        public let rawValue: String

        /// Creates a reason from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Data has not arrived.
        public static let toMinimizeStalls = WaitingReason(rawValue: "AVPlayerWaitingToMinimizeStallsReason")
        /// The item is being opened.
        public static let evaluatingBufferingRate = WaitingReason(
            rawValue: "AVPlayerWaitingWhileEvaluatingBufferingRateReason"
        )
        /// The player has no current item.
        public static let noItemToPlay = WaitingReason(rawValue: "AVPlayerWaitingWithNoItemToPlayReason")
    }

    /// Posted when the rate changes; the object is the player.
    public static let rateDidChangeNotification = Notification.Name("AVPlayerRateDidChangeNotification")
}

extension AVPlayerItem {
    /// Posted when the item was played to its end.
    ///
    /// ```swift
    /// NotificationCenter.default.addObserver(
    ///     forName: AVPlayerItem.didPlayToEndTimeNotification, object: item, queue: .main
    /// ) { _ in print("ended") }
    /// ```
    public static let didPlayToEndTimeNotification = Notification.Name("AVPlayerItemDidPlayToEndTimeNotification")
    /// Posted when playback stops because of an error; `userInfo` has it under
    /// `AVPlayerItemFailedToPlayToEndTimeErrorKey`.
    public static let failedToPlayToEndTimeNotification = Notification.Name(
        "AVPlayerItemFailedToPlayToEndTimeNotification"
    )
    /// Posted when playback stalls because data has not arrived; it resumes by itself.
    public static let playbackStalledNotification = Notification.Name("AVPlayerItemPlaybackStalledNotification")
    /// Posted when the playback position jumps, as at a seek.
    public static let timeJumpedNotification = Notification.Name("AVPlayerItemTimeJumpedNotification")
    /// Posted when the access log has a new entry.
    public static let newAccessLogEntryNotification = Notification.Name("AVPlayerItemNewAccessLogEntry")
    /// Posted when the error log has a new entry.
    public static let newErrorLogEntryNotification = Notification.Name("AVPlayerItemNewErrorLogEntry")
}

/// The key of the error in `userInfo` of a failure notification.
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
