import SyrinxPlayback
package import SyrinxStreaming

/// The settings of listening by their source: the command line, the podcast of the current input, and what holds otherwise.
///
/// Pure.
struct ShowBook: Sendable {
    /// The settings where nothing else is set; changed by the listener while no episode plays.
    private(set) var general: ShowSettings
    /// The settings that the command line gives, which count before those of a podcast until the listener changes them.
    private(set) var given: ShowSettings
    private var shows: [Int64: ShowSettings] = [:]
    private var episodes: [String: EpisodeFacts] = [:]

    /// A book without podcasts.
    ///
    /// - Parameters:
    ///   - given: The settings that the command line gives.
    ///   - general: The settings where nothing else is set.
    init(given: ShowSettings = ShowSettings(), general: ShowSettings = ShowSettings()) {
        (self.given, self.general) = (given, general)
    }

    /// Takes the settings that the command line gives, and those where nothing else is set.
    mutating func begin(given: ShowSettings, general: ShowSettings) { (self.given, self.general) = (given, general) }

    /// Whether there are episodes among the inputs.
    var hasEpisodes: Bool { !episodes.isEmpty }

    /// Returns the facts about an input, if it is an episode.
    func facts(of input: ListeningInput) -> EpisodeFacts? { episodes[input.name] }

    /// Takes the facts about an episode; the settings of its podcast that the listener has changed meanwhile stay.
    mutating func add(_ facts: EpisodeFacts, of input: ListeningInput) {
        episodes[input.name] = facts
        if shows[facts.podcast] == nil { shows[facts.podcast] = facts.settings }
    }

    /// Takes the settings of a podcast, which were changed elsewhere.
    mutating func set(_ settings: ShowSettings, of podcast: Int64) { shows[podcast] = settings }

    /// Takes chapters that a document of a feed has.
    mutating func set(_ chapters: [Chapter], from source: ChapterSource, of input: ListeningInput) {
        episodes[input.name]?.chapters[source] = chapters
    }

    /// Returns the settings for an episode of a podcast, or with `nil` those for an input that is no episode.
    func settings(of podcast: Int64?) -> PlaybackSettings {
        merged(podcast).applied(to: PlaybackSettings())
    }

    /// Returns the settings that are set somewhere.
    func merged(_ podcast: Int64?) -> ShowSettings {
        let show = podcast.flatMap { shows[$0] } ?? ShowSettings()
        return general.replaced(by: show).replaced(by: given)
    }

    /// Takes a change by the listener.
    ///
    /// - Parameters:
    ///   - field: The setting.
    ///   - value: Its new value.
    ///   - podcast: The podcast of the current input; `nil` if it is no episode.
    /// - Returns: The settings of the podcast, which are to be kept.
    mutating func set<Value>(
        _ field: WritableKeyPath<ShowSettings, Value?>,
        to value: Value,
        of podcast: Int64?
    ) -> ShowSettings? {
        given[keyPath: field] = nil
        guard let podcast else {
            general[keyPath: field] = value
            return nil
        }
        var show = shows[podcast] ?? ShowSettings()
        show[keyPath: field] = value
        shows[podcast] = show
        return show
    }
}

extension SmartSpeed {
    /// The strength as a share of the strongest, 0…1.
    package var strength: Double {
        switch self {
        case .off: 0
        case .mild: 1.0 / 3
        case .medium: 2.0 / 3
        case .strong: 1
        }
    }

    /// The strength that is nearest to a share of the strongest.
    package init(strength: Double) {
        self =
            switch strength {
            case ..<(1.0 / 6): .off
            case ..<0.5: .mild
            case ..<(5.0 / 6): .medium
            default: .strong
            }
    }
}
