import SyrinxPlayback
package import SyrinxStreaming

/// The playback settings by source: the command line, the owner of the current input, and the defaults.
///
/// The owner is the podcast of an episode, or a folder or recording with saved settings.
///
/// Pure.
struct ShowBook: Sendable {
    /// The settings where nothing else is set; changed by the listener while no episode plays.
    private(set) var general: ShowSettings
    /// The settings that the command line gives, which count before those of a podcast until the listener changes them.
    private(set) var given: ShowSettings
    private var shows: [Int64: ShowSettings] = [:]
    /// The settings of folders and recordings, by the keys of their places.
    private var places: [String: KeptSettings] = [:]
    private var episodes: [String: EpisodeFacts] = [:]

    /// A book without podcasts.
    ///
    /// - Parameters:
    ///   - given: The settings that the command line gives.
    ///   - general: The settings where nothing else is set.
    init(given: ShowSettings = ShowSettings(), general: ShowSettings = ShowSettings()) {
        (self.given, self.general) = (given, general)
    }

    /// Takes the settings that the command line gives, those where nothing else is set, and those of folders and recordings.
    mutating func begin(given: ShowSettings, general: ShowSettings, places: [String: KeptSettings]) {
        (self.given, self.general, self.places) = (given, general, places)
    }

    /// Whether there are episodes among the inputs.
    var hasEpisodes: Bool { !episodes.isEmpty }

    /// Returns the facts about an input, if it is an episode.
    func facts(of input: ListeningInput) -> EpisodeFacts? { episodes[input.name] }

    /// Adds the facts about an episode; settings of its podcast that the listener changed since are kept.
    mutating func add(_ facts: EpisodeFacts, of input: ListeningInput) {
        episodes[input.name] = facts
        if shows[facts.podcast] == nil { shows[facts.podcast] = facts.settings }
    }

    /// Sets the settings of a podcast after a change elsewhere.
    mutating func set(_ settings: ShowSettings, of podcast: Int64) { shows[podcast] = settings }

    /// Sets the chapters from a document of a feed.
    mutating func set(_ chapters: [Chapter], from source: ChapterSource, of input: ListeningInput) {
        episodes[input.name]?.chapters[source] = chapters
    }

    /// Returns the settings for an input of an owner, or with `nil` those for an input without one.
    func settings(of owner: SettingsOwner?) -> PlaybackSettings {
        merged(owner).applied(to: PlaybackSettings())
    }

    /// Returns the position in seconds at which playback of an input begins if it skips the intro; `nil` if no intro is skipped.
    func introEnd(of input: ListeningInput, from time: Double) -> Double? {
        let settings = settings(of: facts(of: input).map { .podcast($0.podcast) })
        return ItemSkips(settings).start(of: input.duration, from: time)
    }

    /// Returns the settings that are set somewhere.
    func merged(_ owner: SettingsOwner?) -> ShowSettings {
        general.replaced(by: own(owner)).replaced(by: given)
    }

    /// Returns the settings that an owner has of its own.
    func own(_ owner: SettingsOwner?) -> ShowSettings {
        switch owner {
        case .podcast(let podcast): shows[podcast] ?? ShowSettings()
        case .place(let place): places[place.key]?.sound ?? ShowSettings()
        case nil: ShowSettings()
        }
    }

    /// Returns the saved settings of a folder or a recording; `nil` without saved settings.
    func kept(_ place: KeptPlace) -> KeptSettings? { places[place.key] }

    /// Applies a change by the listener.
    ///
    /// - Parameters:
    ///   - field: The setting.
    ///   - value: Its new value.
    ///   - owner: The owner of the setting; `nil` if the input has none.
    /// - Returns: The action that keeps the settings of the owner; `nil` without an owner.
    mutating func set<Value>(
        _ field: WritableKeyPath<ShowSettings, Value?>,
        to value: Value,
        of owner: SettingsOwner?
    ) -> SessionAction? {
        given[keyPath: field] = nil
        switch owner {
        case .podcast(let podcast):
            var show = shows[podcast] ?? ShowSettings()
            show[keyPath: field] = value
            shows[podcast] = show
            return .keepShow(podcast, show)
        case .place(let place): return change(place) { $0.sound[keyPath: field] = value }
        case nil:
            general[keyPath: field] = value
            return nil
        }
    }

    /// Applies a change of the repeat mode in a folder or a recording.
    /// - Returns: The action that keeps it.
    mutating func set(_ loop: LoopMode, of place: KeptPlace) -> SessionAction { change(place) { $0.loop = loop } }

    private mutating func change(_ place: KeptPlace, _ body: (inout KeptSettings) -> Void) -> SessionAction {
        var changes = KeptSettings()
        body(&changes)
        places[place.key] = (places[place.key] ?? KeptSettings()).replaced(by: changes)
        return .keepPlace(place, changes)
    }

    /// Deletes the sound settings of an owner; the skip intervals of a podcast are kept.
    /// - Returns: The action that keeps the change; `nil` if the owner has no such settings.
    mutating func forget(_ owner: SettingsOwner) -> SessionAction? {
        switch owner {
        case .podcast(let podcast):
            let former = shows[podcast] ?? ShowSettings()
            let show = former.withoutSound
            guard show != former else { return nil }
            shows[podcast] = show
            return .keepShow(podcast, show)
        case .place(let place):
            return places.removeValue(forKey: place.key).map { _ in .keepPlace(place, nil) }
        }
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
