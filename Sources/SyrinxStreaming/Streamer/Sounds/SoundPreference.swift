import SyrinxMediaCodec

/// The preferred audio track of an input with several, such as a language or a commentary.
package struct SoundPreference: Sendable, Equatable {
    /// The languages, as BCP 47 writes them, the best first; empty leaves the choice to the input.
    package var languages: [String]
    /// The name of the preferred track, among those of a preferred language if there are languages.
    package var name: String?
    /// Whether the preference was set automatically, so that only automatically selectable tracks are considered.
    package var isAutomatic: Bool

    /// Creates a preference for languages and a name.
    package init(languages: [String] = [], name: String? = nil, isAutomatic: Bool = false) {
        self.languages = languages
        self.name = name
        self.isAutomatic = isAutomatic
    }

    /// Returns the index of the option to play; `nil` if there are no options.
    package func choice(among options: [SoundOption]) -> Int? {
        for language in languages {
            // An exact tag has priority: "pt-BR" before other dialects.
            let offered = options.indices.filter { index in
                !isAutomatic || options[index].isAutomatic || options[index].isDefault
            }
            let exact = offered.filter { Self.isSameTag(options[$0].language, language) }
            let related = offered.filter { Self.isSameLanguage(options[$0].language, language) }
            if let found = best(of: exact.isEmpty ? related : exact, options) { return found }
        }
        return best(of: Array(options.indices), options)
    }

    /// Returns whether an option has a preferred language.
    func isMet(by options: [SoundOption]) -> Bool {
        languages.contains { language in options.contains { Self.isSameLanguage($0.language, language) } }
    }

    private func best(of indices: [Int], _ options: [SoundOption]) -> Int? {
        indices.first { name != nil && options[$0].name == name }
            ?? indices.first { options[$0].isDefault } ?? indices.first { options[$0].isAutomatic } ?? indices.first
    }

    /// Returns whether two tags have the same language, regardless of the region.
    package static func isSameLanguage(_ a: String?, _ b: String) -> Bool {
        guard let a = a.flatMap(LanguageTag.canonical), let b = LanguageTag.canonical(b) else { return false }
        return a.prefix { $0 != "-" } == b.prefix { $0 != "-" }
    }

    private static func isSameTag(_ a: String?, _ b: String) -> Bool {
        guard let a = a.flatMap(LanguageTag.canonical), let b = LanguageTag.canonical(b) else { return false }
        return a.lowercased() == b.lowercased()
    }

    /// The choice among the tracks of a file.
    var trackChoice: SoundTrackChoice { { tracks in choice(among: SoundOption.options(of: tracks)) } }
}

/// An audio track of an input with several.
package struct SoundOption: Sendable, Hashable {
    /// The name for people.
    package let name: String
    /// The language as BCP 47 writes it, if it is stated.
    package let language: String?
    /// Whether the track is played without any preference.
    package let isDefault: Bool
    /// Whether the track may be selected automatically by language.
    package let isAutomatic: Bool
}

extension SoundOption {
    /// Returns the tracks of a file as options; indistinguishable ones get a number as their name.
    package static func options(of tracks: [MediaSoundTrack]) -> [SoundOption] {
        var options: [SoundOption] = []
        for (index, track) in tracks.enumerated() {
            let language = track.language.flatMap(LanguageTag.canonical)
            var name = track.title ?? ""
            let isAmbiguous = options.contains { $0.name == name && $0.language == language }
            if isAmbiguous || name.isEmpty && language == nil { name = "\(index + 1)" }
            options.append(
                SoundOption(
                    name: name,
                    language: language,
                    isDefault: track.isDefault,
                    isAutomatic: !track.isSpecial
                )
            )
        }
        return options
    }
}

extension HLSMasterPlaylist.Rendition {
    /// The rendition as a choice.
    var option: SoundOption {
        SoundOption(name: name, language: language, isDefault: isDefault, isAutomatic: isAutomatic)
    }
}

extension HLSMasterPlaylist {
    /// The alternative audio renditions by name and language, without duplicates for codecs and bit rates.
    var soundOptions: [SoundOption] {
        var options: [SoundOption] = []
        for option in renditions.map(\.option)
        where !options.contains(where: { $0.name == option.name && $0.language == option.language }) {
            options.append(option)
        }
        return options
    }
}
