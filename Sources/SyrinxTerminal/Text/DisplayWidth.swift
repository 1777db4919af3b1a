/// The number of columns that text takes on a terminal, by the rules of `wcwidth`.
///
/// The larger number counts if terminals differ: text that is cut by it never takes more room than there is.
package enum DisplayWidth {
    /// The columns of `text`, which has no control characters.
    package static func of(_ text: some StringProtocol) -> Int {
        // Printable ASCII takes a column for each byte.
        if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// The columns of a character with all that is combined with it.
    package static func of(_ character: Character) -> Int {
        if character.isASCII { return 1 }
        return character.unicodeScalars.reduce(0) { $0 + of($1, after: $0) }
    }

    /// The columns that a scalar adds to a character whose scalars so far take `width` columns.
    static func of(_ scalar: Unicode.Scalar, after width: Int) -> Int {
        // U+FE0F asks for a coloured picture, which is wide, in place of a narrow sign.
        scalar.value == 0xFE0F && width == 1 ? 1 : of(scalar)
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 || isPlain(value) { return 1 }
        // The two halves of a flag make one picture of two columns.
        if (0x1F1E6...0x1F1FF).contains(value) { return 1 }
        // The vowels and finals of Hangul are drawn into the syllable's first letter.
        if (0x1160...0x11FF).contains(value) { return 0 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        return scalar.properties.isEmojiPresentation || isWide(value) ? 2 : 1
    }

    /// Whether the scalar is of a block whose signs all have one column: punctuation, mathematics, frames and blocks, Braille.
    static func isPlain(_ value: UInt32) -> Bool {
        (0x2010...0x2027).contains(value) || (0x2200...0x22FF).contains(value) || (0x2500...0x259F).contains(value)
            || (0x2800...0x28FF).contains(value)
    }

    private static func isWide(_ value: UInt32) -> Bool {
        guard value >= 0x1100 else { return false }
        return wideRanges.contains { $0.contains(value) }
    }

    /// The characters of East Asian Width W and F (Unicode Standard Annex #11) but for pictures, in whole blocks.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
        0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}

extension String {
    /// The text in at most `columns` columns, with `…` in place of what does not fit.
    package func fitted(to columns: Int) -> String {
        if DisplayWidth.of(self) <= columns { return self }
        var room = columns - 1
        guard room >= 0 else { return "" }
        let kept = prefix { character in
            room -= DisplayWidth.of(character)
            return room >= 0
        }
        return kept + "…"
    }

    /// The text in rows of at most `columns` columns, divided between words, and within a word that is longer than a row.
    ///
    /// - Parameter columns: At least 2, as a wide character takes.
    /// - Complexity: O(n) in the length of the text.
    package func wrapped(columns: Int) -> [String] {
        let columns = max(columns, 2)
        if DisplayWidth.of(self) <= columns { return [self] }
        var rows: [String] = []
        var (row, width) = ("", 0)
        func finish() {
            rows.append(row)
            (row, width) = ("", 0)
        }
        for word in split(separator: " ") {
            let wordWidth = DisplayWidth.of(word)
            if width > 0, width + 1 + wordWidth > columns { finish() }
            if width > 0 {
                row += " "
                width += 1
            }
            guard wordWidth > columns else {
                row += word
                width += wordWidth
                continue
            }
            for character in word {
                let characterWidth = DisplayWidth.of(character)
                if width + characterWidth > columns { finish() }
                row.append(character)
                width += characterWidth
            }
        }
        if width > 0 || rows.isEmpty { finish() }
        return rows
    }
}
