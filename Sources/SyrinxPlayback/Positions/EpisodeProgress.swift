/// Decides when the position of an episode is saved, and when it counts as played.
package struct EpisodeProgress: Sendable, Equatable {
    /// A change of the library.
    package enum Update: Sendable, Equatable {
        /// Listening goes on here, in seconds.
        case position(Double)
        /// It has been listened to.
        case played
    }

    /// Seconds between two saved positions while it plays: what a power cut may lose.
    package static let interval = 3.0
    /// An episode that is left with less than so many seconds to come has been listened to.
    package static let endSeconds = 15.0

    /// The episode.
    package let id: Int64
    /// The length in seconds, once it is known.
    package var duration: Double?
    /// The seconds at the end that are passed over.
    ///
    /// An episode that is left within them counts as played.
    package var outro = 0.0
    private var time = 0.0
    private var savedAt: Double?
    private var hasBegun = false
    private var hasEnded = false

    /// Begins an episode.
    /// - Parameter id: Its number in the library.
    package init(id: Int64) { self.id = id }

    /// Takes a position while it plays.
    /// - Parameters:
    ///   - time: The position in seconds.
    ///   - now: The present, in seconds of a clock that runs on.
    /// - Returns: The change that is due.
    package mutating func reached(_ time: Double, at now: Double) -> Update? {
        guard time.isFinite, time >= 0 else { return nil }
        (self.time, hasBegun, hasEnded) = (time, true, false)
        if let savedAt, now - savedAt < Self.interval { return nil }
        savedAt = now
        return .position(time)
    }

    /// Takes a pause, a seek, or the end of listening.
    /// - Parameters:
    ///   - time: The position in seconds.
    ///   - isLeft: Whether it is closed, so that an episode near its end counts as played.
    /// - Returns: The change that is due; `nil` if nothing has been heard.
    package mutating func settled(_ time: Double, isLeft: Bool = false) -> Update? {
        guard hasBegun, !hasEnded else { return nil }
        if time.isFinite, time > 0 { self.time = time }
        savedAt = nil
        let end = max(Self.endSeconds, outro + 1)
        guard isLeft, let duration, duration.isFinite, duration > end, duration - self.time < end
        else { return .position(self.time) }
        hasEnded = true
        return .played
    }

    /// Takes the end of a recording that begins again: it has not been listened to yet.
    /// - Returns: The change that is due.
    package mutating func beganAgain() -> Update {
        (time, savedAt) = (0, nil)
        // Until it is heard again its end has been told.
        (hasBegun, hasEnded) = (false, true)
        return .position(0)
    }

    /// Takes the end of the recording.
    /// - Returns: The change that is due.
    package mutating func ended() -> Update? {
        guard !hasEnded else { return nil }
        hasEnded = true
        return .played
    }
}
