import Foundation

/// Normalizes language codes: containers and users write ISO 639-1, both variants of ISO 639-2, and BCP 47.
enum LanguageTag {
    /// Returns a BCP 47 tag with the shortest code of the language; `nil` for an undetermined language.
    static func canonical(_ tag: String) -> String? {
        let parts = tag.split(maxSplits: 1) { $0 == "-" || $0 == "_" }
        guard let first = parts.first?.lowercased(), !nothing.contains(first) else { return nil }
        let rest = parts.dropFirst().map { $0.split(separator: "_").joined(separator: "-") }
        return ([shortest(first)] + rest).joined(separator: "-")
    }

    /// The codes for undetermined, multiple, no and uncoded languages.
    private static let nothing: Set = ["und", "mul", "zxx", "mis"]

    /// The ISO 639-1 codes for bibliographic ISO 639-2 codes, which Foundation does not support.
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
