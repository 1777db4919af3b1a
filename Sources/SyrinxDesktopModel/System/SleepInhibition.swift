/// Decides whether to prevent suspension and blanking of the screen during playback.
public struct SleepInhibition: Sendable, Equatable {
    /// The kind of inhibition.
    public enum Level: Sendable, Equatable {
        /// Suspension and blanking are allowed.
        case none
        /// Suspension is prevented; the screen may be blanked.
        case sleep
        /// Suspension and blanking are prevented.
        case sleepAndIdle
    }

    /// The current level.
    public private(set) var level = Level.none

    /// Creates the state of a silent player.
    public init() {}

    /// Updates the level for the state of the player.
    /// - Parameters:
    ///   - wantsPlayback: Whether the user wants playback, even if it is waiting for data.
    ///   - showsPictures: Whether video has been displayed.
    /// - Returns: The new level; `nil` if it has not changed.
    public mutating func update(wantsPlayback: Bool, showsPictures: Bool) -> Level? {
        let wanted: Level = wantsPlayback ? (showsPictures ? .sleepAndIdle : .sleep) : .none
        guard wanted != level else { return nil }
        level = wanted
        return wanted
    }
}
