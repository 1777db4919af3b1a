import Foundation

/// Languages in one form: containers and users name them by ISO 639-1, by both codes of ISO 639-2, and by BCP 47.
enum LanguageTag {
    /// Returns a tag of BCP 47 with the shortest code of the language; `nil` for one that says nothing.
    static func canonical(_ tag: String) -> String? {
        let parts = tag.split(maxSplits: 1) { $0 == "-" || $0 == "_" }
        guard let first = parts.first?.lowercased(), !nothing.contains(first) else { return nil }
        let rest = parts.dropFirst().map { $0.split(separator: "_").joined(separator: "-") }
        return ([shortest(first)] + rest).joined(separator: "-")
    }

    /// The codes of what is undetermined, several, none, or of a language without a code.
    private static let nothing: Set = ["und", "mul", "zxx", "mis"]

    /// The codes of ISO 639-1 by those of ISO 639-2 that libraries use, which Foundation does not know.
    private static let bibliographic = [
        "alb": "sq", "arm": "hy", "baq": "eu", "bur": "my", "chi": "zh", "cze": "cs", "dut": "nl", "fre": "fr",
        "geo": "ka", "ger": "de", "gre": "el", "ice": "is", "mac": "mk", "mao": "mi", "may": "ms", "per": "fa",
        "rum": "ro", "slo": "sk", "tib": "bo", "wel": "cy",
    ]

    private static func shortest(_ code: String) -> String {
        guard code.utf8.count == 3 else { return code }
        return bibliographic[code] ?? Locale.LanguageCode(code).identifier(.alpha2) ?? code
    }
}
