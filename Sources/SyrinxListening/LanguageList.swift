/// Languages of an option or a command, such as `de` or `pt-BR,en`, the best first.
package struct LanguageList: Hashable, Sendable {
    /// The tags, as BCP 47 or ISO 639 writes them.
    package let tags: [String]

    /// Reads a list with commas; `nil` if a part of it is no tag of a language.
    package init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.drop { $0 == " " }.description }
        guard !parts.isEmpty, parts.allSatisfy(Self.isTag) else { return nil }
        tags = parts
    }

    /// Whether a text is a language of two to eight letters, with what may follow it.
    private static func isTag(_ text: String) -> Bool {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        let isWord = { (part: Substring) in
            (1...8).contains(part.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
        guard let language = parts.first, language.count >= 2, language.allSatisfy(\.isLetter) else { return false }
        return parts.allSatisfy(isWord)
    }
}
