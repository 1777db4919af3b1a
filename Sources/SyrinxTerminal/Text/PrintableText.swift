/// Text from outside as it may be shown to people: in a terminal, a log, a mail.
///
/// Tags and their names, titles, names of files and devices, URLs and messages may hold what a terminal obeys, or what shows
/// text as something else than it is. `Console` brings all that it prints for people through this.
package enum PrintableText {
    /// The text on one line.
    ///
    /// Control characters (C0, DEL, C1) and separators of lines become spaces. Invisible format characters are left out, among
    /// them those that change the direction of text. The two joiners stay: words of some languages and some emoji need them.
    package static func line(_ text: String) -> String {
        clean(text, keepsLineFeeds: false)
    }

    /// The same for text of several lines: line feeds stay.
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

    /// The scalar as it may be drawn; `nil` if it may not.
    static func printable(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch replacement(of: scalar) {
        case nil: scalar
        case .space: " "
        case .nothing: nil
        }
    }

    private enum Replacement { case space, nothing }

    /// The zero width non-joiner and joiner.
    private static let joiners: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]

    /// Returns the replacement of a character that may not be printed; `nil` for one that may.
    private static func replacement(of scalar: Unicode.Scalar) -> Replacement? {
        // Printable ASCII, which is most of all text.
        if 0x20..<0x7F ~= scalar.value || DisplayWidth.isPlain(scalar.value) { return nil }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return .space
        case .format: return joiners.contains(scalar) ? nil : .nothing
        default: return nil
        }
    }
}

extension PrintableText {
    /// JSON in which every character that may not be shown as it is stands as an escape: the values stay what they are.
    ///
    /// - Parameter json: Valid JSON, in which such characters can only be within strings.
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
