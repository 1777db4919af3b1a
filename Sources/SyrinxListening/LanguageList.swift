/// A list of languages in an option or a command, such as `de` or `pt-BR,en`, in order of preference.
package struct LanguageList: Hashable, Sendable {
    /// The language tags (BCP 47 or ISO 639).
    package let tags: [String]

    /// Parses a list separated by commas; returns `nil` if a part is not a language tag.
    package init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.drop { $0 == " " }.description }
        guard !parts.isEmpty, parts.allSatisfy(Self.isTag) else { return nil }
        tags = parts
    }

    /// Returns whether a text is a language tag: a language of two to eight letters, optionally followed by subtags.
    private static func isTag(_ text: String) -> Bool {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        let isWord = { (part: Substring) in
            (1...8).contains(part.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
        guard let language = parts.first, language.count >= 2, language.allSatisfy(\.isLetter) else { return false }
        return parts.allSatisfy(isWord)
    }
}
