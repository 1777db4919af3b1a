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
            let exact = offered.filter { options[$0].language?.lowercased() == language.lowercased() }
            let related = offered.filter { Self.isSameLanguage(options[$0].language, language) }
            if let found = best(of: exact.isEmpty ? related : exact, options) { return found }
        }
        return best(of: Array(options.indices), options)
    }

    private func best(of indices: [Int], _ options: [SoundOption]) -> Int? {
        indices.first { name != nil && options[$0].name == name }
            ?? indices.first { options[$0].isDefault } ?? indices.first { options[$0].isAutomatic } ?? indices.first
    }

    /// Whether two tags are of one language, whatever the region.
    package static func isSameLanguage(_ a: String?, _ b: String) -> Bool {
        guard let a = a?.lowercased().prefix(while: { $0 != "-" && $0 != "_" }) else { return false }
        return a == b.lowercased().prefix { $0 != "-" && $0 != "_" }
    }
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
