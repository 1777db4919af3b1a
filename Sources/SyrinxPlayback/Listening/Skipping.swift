/// Handles skips forward and back, and skips the intro and outro of an item.
///
/// ```swift
/// var settings = PlaybackSettings()
/// settings.skipForward = 30  // seconds
/// var skipping = Skipping(settings: settings, duration: 1_800)
/// for action in skipping.forward() {
///     switch action {
///     case .seek(let seconds): print("seek to", seconds)
///     case .finish: print("play the next item")
///     }
/// }
/// ```
public struct Skipping: Sendable, Equatable {
    /// An action for the player.
    public enum Action: Sendable, Equatable {
        /// Seek to this position, in seconds.
        case seek(Double)
        /// End the item, as if it had played to its end.
        case finish
    }

    /// The lengths of skips, of the intro and of the outro.
    public var settings: PlaybackSettings
    /// The duration of the item in seconds; `nil` while it is unknown.
    public var duration: Double?
    private var position = 0.0
    private var target: Double?
    /// Whether the item ends when playback reaches the outro; false after a seek into the outro.
    private var watchesOutro = true

    /// Creates a value with these settings.
    public init(settings: PlaybackSettings = PlaybackSettings(), duration: Double? = nil) {
        self.settings = settings
        self.duration = duration
    }

    /// Returns the position at which to open an item so that its intro is not heard.
    ///
    /// - Parameters:
    ///   - duration: The duration in seconds that is known before the item is open. It may be wrong, so an intro longer
    ///     than half
    ///     of it is ignored.
    ///   - position: The position at which the item would start, in seconds.
    /// - Returns: The end of the intro in seconds; `nil` if the item starts at `position`.
    public func start(of duration: Double?, from position: Double) -> Double? {
        guard let duration, duration.isFinite, position < settings.introDuration,
            settings.introDuration < duration / 2
        else { return nil }
        return settings.introDuration
    }

    /// Processes the start of an item, at the stored position if there is one.
    ///
    /// The intro is skipped only if playback would start inside it.
    public mutating func started(at stored: Double = 0) -> [Action] {
        position = stored.isFinite ? max(stored, 0) : 0
        target = nil
        watchesOutro = position < outroStart
        guard position < settings.introDuration, settings.introDuration < outroStart else { return [] }
        return go(to: settings.introDuration)
    }

    /// Processes a playback position, in seconds.
    public mutating func reached(_ position: Double) -> [Action] {
        guard position.isFinite else { return [] }
        // Ignore positions from before a pending seek.
        guard target == nil else { return [] }
        self.position = position
        guard watchesOutro, position >= outroStart else { return [] }
        watchesOutro = false
        return [.finish]
    }

    /// Processes a completed seek, whether or not this value requested it.
    ///
    /// After a seek into the outro, the item plays to its end. If a seek failed, pass the current playback position.
    public mutating func seeked(to position: Double) {
        guard position.isFinite else { return }
        target = nil
        self.position = max(position, 0)
        watchesOutro = self.position < outroStart
    }

    /// Skips forward; skips during a pending seek add up.
    ///
    /// A skip past the end finishes the item.
    public mutating func forward() -> [Action] {
        let wanted = (target ?? position) + settings.skipForward
        if let duration, duration.isFinite, wanted >= duration {
            target = nil
            watchesOutro = false
            return [.finish]
        }
        return go(to: wanted)
    }

    /// Skips back, but not before the start.
    public mutating func back() -> [Action] { go(to: max((target ?? position) - settings.skipBack, 0)) }

    private mutating func go(to wanted: Double) -> [Action] {
        target = wanted
        return [.seek(wanted)]
    }

    /// The start of the outro; an outro longer than the item is ignored, because it would end the item at once.
    private var outroStart: Double {
        guard let duration, duration.isFinite, settings.outroDuration > 0, duration > settings.outroDuration else {
            return .infinity
        }
        return duration - settings.outroDuration
    }
}
