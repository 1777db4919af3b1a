/// Skips forward and back, and the intro and outro of a show that are passed over.
public struct Skipping: Sendable, Equatable {
    /// An action that the owner carries out.
    public enum Action: Sendable, Equatable {
        /// Moves to this position in seconds.
        case seek(Double)
        /// Ends the item, as if it had been played to its end.
        case finish
    }

    /// Seconds of a skip forward, of a skip back, of the intro and of the outro.
    public var settings: PlaybackSettings
    /// The length of the item in seconds; `nil` while it is not known.
    public var duration: Double?
    private var position = 0.0
    private var target: Double?
    /// Whether playback has come to the outro by itself, so that it may end there.
    private var watchesOutro = true

    /// Skips by these settings.
    public init(settings: PlaybackSettings = PlaybackSettings(), duration: Double? = nil) {
        self.settings = settings
        self.duration = duration
    }

    /// Returns the place at which an item is opened, in seconds, so that nothing of its intro is heard.
    ///
    /// - Parameters:
    ///   - duration: The length in seconds as it is stated before the item is open. It may be wrong, so only an intro of less than half
    ///     of it counts.
    ///   - position: The place at which the item would begin, in seconds.
    /// - Returns: The end of the intro; `nil` if the item begins at `position`.
    public func start(of duration: Double?, from position: Double) -> Double? {
        guard let duration, duration.isFinite, position < settings.introDuration,
            settings.introDuration < duration / 2
        else { return nil }
        return settings.introDuration
    }

    /// An item begins, at the stored position if there is one.
    ///
    /// The intro is passed over only if playback would begin inside of it.
    public mutating func started(at stored: Double = 0) -> [Action] {
        position = stored.isFinite ? max(stored, 0) : 0
        target = nil
        watchesOutro = position < outroStart
        guard position < settings.introDuration, settings.introDuration < outroStart else { return [] }
        return go(to: settings.introDuration)
    }

    /// Playback has reached this position.
    public mutating func reached(_ position: Double) -> [Action] {
        guard position.isFinite else { return [] }
        // Positions from before a seek that has not been carried out yet say nothing.
        guard target == nil else { return [] }
        self.position = position
        guard watchesOutro, position >= outroStart else { return [] }
        watchesOutro = false
        return [.finish]
    }

    /// A seek has been carried out, by the owner's own wish or by an action of this value.
    ///
    /// After a seek into the outro the item plays to its end. If a seek has failed, pass the position at which playback is.
    public mutating func seeked(to position: Double) {
        guard position.isFinite else { return }
        target = nil
        self.position = max(position, 0)
        watchesOutro = self.position < outroStart
    }

    /// Skips forward; several skips before the first seek is done add up.
    ///
    /// A skip that leads past the end finishes the item.
    public mutating func forward() -> [Action] {
        let wanted = (target ?? position) + settings.skipForward
        if let duration, duration.isFinite, wanted >= duration {
            target = nil
            watchesOutro = false
            return [.finish]
        }
        return go(to: wanted)
    }

    /// Skips back, to the start at most.
    public mutating func back() -> [Action] { go(to: max((target ?? position) - settings.skipBack, 0)) }

    private mutating func go(to wanted: Double) -> [Action] {
        target = wanted
        return [.seek(wanted)]
    }

    /// An outro that is longer than the item would end it at once, so it does not count.
    private var outroStart: Double {
        guard let duration, duration.isFinite, settings.outroDuration > 0, duration > settings.outroDuration else {
            return .infinity
        }
        return duration - settings.outroDuration
    }
}
