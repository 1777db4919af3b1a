public import SyrinxPlayback

/// The settings of the sound that a podcast can have of its own.
public struct ListeningSound: Sendable, Equatable {
    /// The rate, 1 is as recorded.
    public var rate: Double
    /// The volume, 0…1.
    public var volume: Double
    /// The strength with which silences are shortened, 0…1.
    public var smartSpeed: Double
    /// Whether speech is brought to an even loudness.
    public var voiceBoost: Bool
    /// Whether all channels sound alike.
    public var isMono: Bool
    /// The balance of two channels, −1…1, from the left one alone to the right one alone.
    public var balance: Double
    /// The name of the equalizer's preset; `nil` if its bands are the listener's own.
    public var equalizer: String?

    /// Creates settings.
    /// - Parameters:
    ///   - rate: The rate; default: 1.
    ///   - volume: The volume, 0…1; default: 1.
    ///   - smartSpeed: The strength with which silences are shortened, 0…1; default: 0.
    ///   - voiceBoost: Whether speech is brought to an even loudness; default: `false`.
    ///   - isMono: Whether all channels sound alike; default: `false`.
    ///   - balance: The balance of two channels, −1…1; default: 0.
    ///   - equalizer: The name of the equalizer's preset, `nil` for other bands; default: `flat`.
    public init(
        rate: Double = 1,
        volume: Double = 1,
        smartSpeed: Double = 0,
        voiceBoost: Bool = false,
        isMono: Bool = false,
        balance: Double = 0,
        equalizer: String? = "flat"
    ) {
        (self.rate, self.volume, self.smartSpeed, self.voiceBoost) = (rate, volume, smartSpeed, voiceBoost)
        (self.isMono, self.balance, self.equalizer) = (isMono, balance, equalizer)
    }

    /// Returns the sound with the settings of a podcast in its place, where the podcast sets them.
    /// - Parameter settings: The settings of the podcast; each is brought into its range.
    public func replaced(by settings: ShowSettings) -> ListeningSound {
        let limited = settings.applied(to: PlaybackSettings())
        var result = self
        if settings.rate != nil { result.rate = limited.rate }
        if settings.volume != nil { result.volume = limited.volume }
        if settings.smartSpeed != nil { result.smartSpeed = limited.smartSpeed }
        if settings.voiceBoost != nil { result.voiceBoost = limited.voiceBoost }
        if settings.isMono != nil { result.isMono = limited.isMono }
        if settings.balance != nil { result.balance = limited.balance }
        if settings.equalizer != nil { result.equalizer = limited.equalizer }
        return result
    }

    /// Returns what differs from another sound, as settings of a podcast.
    ///
    /// Bands of the equalizer that are no preset are left out: a podcast keeps the name of a preset.
    /// - Parameter other: The sound before.
    public func changes(from other: ListeningSound) -> ShowSettings {
        var settings = ShowSettings()
        if rate != other.rate { settings.rate = rate }
        if volume != other.volume { settings.volume = volume }
        if smartSpeed != other.smartSpeed { settings.smartSpeed = smartSpeed }
        if voiceBoost != other.voiceBoost { settings.voiceBoost = voiceBoost }
        if isMono != other.isMono { settings.isMono = isMono }
        if balance != other.balance { settings.balance = balance }
        if equalizer != other.equalizer { settings.equalizer = equalizer }
        return settings
    }
}

/// The sound while episodes play: that of their podcast, and after them the one before.
public struct ShowSound: Sendable, Equatable {
    /// The sound that was in force before an episode was played; `nil` while none plays.
    public private(set) var general: ListeningSound?
    private var applied: ListeningSound?

    /// Creates the state in which no episode plays.
    public init() {}

    /// Returns the sound for an episode.
    /// - Parameters:
    ///   - settings: The settings of its podcast.
    ///   - current: The sound that is in force.
    public mutating func begin(_ settings: ShowSettings, current: ListeningSound) -> ListeningSound {
        let general = general ?? current
        self.general = general
        return general.replaced(by: settings)
    }

    /// Takes the sound that is in force after that of an episode was applied, as controls round it.
    /// - Parameter sound: The sound.
    public mutating func settled(_ sound: ListeningSound) { if general != nil { applied = sound } }

    /// Ends the sound of episodes.
    /// - Returns: The sound that was in force before them; `nil` if none played.
    public mutating func end() -> ListeningSound? {
        defer { (general, applied) = (nil, nil) }
        return general
    }

    /// Returns what the listener has changed since the last call while an episode played, which is kept for its podcast.
    /// - Parameter current: The sound that is in force.
    public mutating func takeChanges(_ current: ListeningSound) -> ShowSettings? {
        guard let before = applied, before != current else { return nil }
        applied = current
        let changes = current.changes(from: before)
        return changes == ShowSettings() ? nil : changes
    }
}
