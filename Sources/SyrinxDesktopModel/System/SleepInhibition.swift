/// Decides what the session is kept from while a recording is to be heard or seen.
public struct SleepInhibition: Sendable, Equatable {
    /// The things that the session does not do by itself.
    public enum Level: Sendable, Equatable {
        /// Sleep and the saver of the screen are left alone.
        case none
        /// The computer does not sleep; the screen may go dark.
        case sleep
        /// The computer does not sleep, and the screen stays lit.
        case sleepAndIdle
    }

    /// The level that was asked for last.
    public private(set) var level = Level.none

    /// Creates the state of a player that is silent.
    public init() {}

    /// Takes the state of the player.
    /// - Parameters:
    ///   - wantsPlayback: Whether something is to be heard, if only after a wait for data.
    ///   - showsPictures: Whether moving pictures have been shown.
    /// - Returns: The level to ask for; `nil` if it stays.
    public mutating func update(wantsPlayback: Bool, showsPictures: Bool) -> Level? {
        let wanted: Level = wantsPlayback ? (showsPictures ? .sleepAndIdle : .sleep) : .none
        guard wanted != level else { return nil }
        level = wanted
        return wanted
    }
}
