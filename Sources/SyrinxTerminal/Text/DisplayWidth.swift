/// Computes the number of columns of text in a terminal, with the rules of `wcwidth`.
///
/// If terminals disagree, the larger width is used, so that truncated text always fits.
package enum DisplayWidth {
    /// Returns the width of `text`, which must not contain control characters.
    package static func of(_ text: some StringProtocol) -> Int {
        // Each byte of printable ASCII takes one column.
        if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// Returns the width of a character including combining marks.
    package static func of(_ character: Character) -> Int {
        if character.isASCII { return 1 }
        return character.unicodeScalars.reduce(0) { $0 + of($1, after: $0) }
    }

    /// Returns the number of columns that a scalar adds to a character, whose previous scalars take `width` columns.
    static func of(_ scalar: Unicode.Scalar, after width: Int) -> Int {
        // U+FE0F selects emoji presentation, which is wide, for a narrow symbol.
        scalar.value == 0xFE0F && width == 1 ? 1 : of(scalar)
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 || isPlain(value) { return 1 }
        // The two halves of a flag form one character of two columns.
        if (0x1F1E6...0x1F1FF).contains(value) { return 1 }
        // Vowels and final consonants of Hangul are combined with the first consonant.
        if (0x1160...0x11FF).contains(value) { return 0 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        return scalar.properties.isEmojiPresentation || isWide(value) ? 2 : 1
    }

    /// Whether a scalar is in a block of narrow characters: punctuation, mathematics, frames, blocks, or Braille.
    static func isPlain(_ value: UInt32) -> Bool {
        (0x2010...0x2027).contains(value) || (0x2200...0x22FF).contains(value) || (0x2500...0x259F).contains(value)
            || (0x2800...0x28FF).contains(value)
    }

    private static func isWide(_ value: UInt32) -> Bool {
        guard value >= 0x1100 else { return false }
        return wideRanges.contains { $0.contains(value) }
    }

    /// Blocks of East Asian Width W and F (Unicode Standard Annex #11), except emoji.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
        0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}

extension String {
    /// Returns the text truncated to `columns` columns, with `…` if it does not fit.
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

    /// Returns the text wrapped to rows of at most `columns` columns, between words if possible.
    ///
    /// - Parameter columns: At least 2, the width of a wide character.
    /// - Complexity: O(*n*) in the length of the text.
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
