import SyrinxMediaCodec

/// The sound to choose where an input has several: languages of a film, or a commentary.
package struct SoundPreference: Sendable, Equatable {
    /// The languages, as BCP 47 writes them, the best first; empty leaves the choice to the input.
    package var languages: [String]
    /// The name of the one to choose, among those of a language if there are languages.
    package var name: String?
    /// Whether the listener has not asked for it: then only sounds are chosen that may be chosen so.
    package var isAutomatic: Bool

    /// A preference of languages, and of a name.
    package init(languages: [String] = [], name: String? = nil, isAutomatic: Bool = false) {
        self.languages = languages
        self.name = name
        self.isAutomatic = isAutomatic
    }

    /// Returns the index of the option to hear; `nil` if there are none.
    package func choice(among options: [SoundOption]) -> Int? {
        for language in languages {
            // The exact tag first: "pt-BR" before another dialect.
            let offered = options.indices.filter { index in
                !isAutomatic || options[index].isAutomatic || options[index].isDefault
            }
            let exact = offered.filter { Self.isSameTag(options[$0].language, language) }
            let related = offered.filter { Self.isSameLanguage(options[$0].language, language) }
            if let found = best(of: exact.isEmpty ? related : exact, options) { return found }
        }
        return best(of: Array(options.indices), options)
    }

    /// Whether one of the options is in a language of the preference.
    func isMet(by options: [SoundOption]) -> Bool {
        languages.contains { language in options.contains { Self.isSameLanguage($0.language, language) } }
    }

    private func best(of indices: [Int], _ options: [SoundOption]) -> Int? {
        indices.first { name != nil && options[$0].name == name }
            ?? indices.first { options[$0].isDefault } ?? indices.first { options[$0].isAutomatic } ?? indices.first
    }

    /// Whether two tags are of one language, whatever the region.
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

/// One of several sounds of an input, of which one is heard at a time.
package struct SoundOption: Sendable, Hashable {
    /// The name for people.
    package let name: String
    /// The language as BCP 47 writes it, if it is stated.
    package let language: String?
    /// Whether it is heard where nothing else is preferred.
    package let isDefault: Bool
    /// Whether it may be chosen by language without being asked for.
    package let isAutomatic: Bool
}

extension SoundOption {
    /// Returns the tracks of a file as choices; those that a listener could not tell apart get a number for a name.
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
    /// The alternative sounds by name and language: each group has them once for each codec and bit rate.
    var soundOptions: [SoundOption] {
        var options: [SoundOption] = []
        for option in renditions.map(\.option)
        where !options.contains(where: { $0.name == option.name && $0.language == option.language }) {
            options.append(option)
        }
        return options
    }
}
