/// Filters untrusted text for display in a terminal, a log or an e-mail.
///
/// Tags, titles, names of files and devices, URLs and messages may contain control sequences, or characters that
/// disguise text. `Console` filters all output for people with this type.
package enum PrintableText {
    /// Returns the text as a single line.
    ///
    /// Control characters (C0, DEL, C1) and line separators become spaces. Invisible format characters are removed,
    /// including those that change the writing direction. The zero-width joiner and non-joiner are kept, because some
    /// languages and emoji need them.
    package static func line(_ text: String) -> String {
        clean(text, keepsLineFeeds: false)
    }

    /// Returns the text with its line feeds, otherwise filtered like `line(_:)`.
    package static func lines(_ text: String) -> String {
        clean(text, keepsLineFeeds: true)
    }

    private static func clean(_ text: String, keepsLineFeeds: Bool) -> String {
        if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text }
        guard text.unicodeScalars.contains(where: { replacement(of: $0) != nil }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch replacement(of: scalar) {
            case nil: result.append(scalar)
            case .space where keepsLineFeeds && scalar == "\n": result.append(scalar)
            case .space: result.append(" ")
            case .nothing: break
            }
        }
        return String(result)
    }

    /// Returns the scalar if it is printable; otherwise `nil`.
    static func printable(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch replacement(of: scalar) {
        case nil: scalar
        case .space: " "
        case .nothing: nil
        }
    }

    private enum Replacement { case space, nothing }

    /// The zero-width non-joiner and joiner.
    private static let joiners: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]

    /// Returns the replacement of an unprintable character; `nil` for a printable one.
    private static func replacement(of scalar: Unicode.Scalar) -> Replacement? {
        // Printable ASCII is the most frequent case.
        if 0x20..<0x7F ~= scalar.value || DisplayWidth.isPlain(scalar.value) { return nil }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return .space
        case .format: return joiners.contains(scalar) ? nil : .nothing
        default: return nil
        }
    }
}

extension PrintableText {
    /// Returns JSON in which unprintable characters are escaped, so that its values do not change.
    ///
    /// - Parameter json: Valid JSON, in which such characters occur only within strings.
    package static func escaped(json: String) -> String {
        guard json.unicodeScalars.contains(where: { replacement(of: $0) != nil }) else { return json }
        var result = ""
        for scalar in json.unicodeScalars {
            guard replacement(of: scalar) != nil else {
                result.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return result
    }
}
