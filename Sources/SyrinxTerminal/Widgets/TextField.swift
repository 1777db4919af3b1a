/// A single-line text field.
package struct TextField: Equatable, Sendable {
    /// The maximum number of characters; the rest is dropped.
    package static let maximumLength = 4_096

    private var characters: [Character] = []
    /// The number of characters before the cursor.
    private(set) var cursor = 0

    /// Creates a field with text and the cursor at its end.
    package init(_ text: String = "") { insert(text) }

    package var text: String { String(characters) }

    /// Inserts filtered text at the cursor, as a single line.
    package mutating func insert(_ text: String) {
        let room = Self.maximumLength - characters.count
        let new = PrintableText.line(String(text.prefix(room)))
        characters.insert(contentsOf: new, at: cursor)
        cursor += new.count
    }

    /// Processes a key.
    ///
    /// - Returns: Whether the key has a function in a text field.
    package mutating func handle(_ key: KeyPress) -> Bool {
        switch (key.code, key.modifiers) {
        case (.character(let character), []): insert(String(character))
        case (.backspace, []): delete(from: cursor - 1, to: cursor)
        case (.backspace, .alt), (.character("w"), .control): delete(from: wordStart, to: cursor)
        case (.delete, []), (.character("d"), .control): delete(from: cursor, to: cursor + 1)
        case (.character("u"), .control): delete(from: 0, to: cursor)
        case (.character("k"), .control): delete(from: cursor, to: characters.count)
        case (.left, []), (.character("b"), .control): cursor = max(cursor - 1, 0)
        case (.right, []), (.character("f"), .control): cursor = min(cursor + 1, characters.count)
        case (.left, .control), (.character("b"), .alt): cursor = wordStart
        case (.right, .control), (.character("f"), .alt): cursor = wordEnd
        case (.home, []), (.character("a"), .control): cursor = 0
        case (.end, []), (.character("e"), .control): cursor = characters.count
        default: return false
        }
        return true
    }

    /// Draws the text, scrolled so that the cursor is visible, and shows the cursor.
    package func draw(into grid: inout CellGrid, column: Int, row: Int, width: Int, style: Style) {
        guard width > 0 else { return }
        // Fit as many characters before the cursor as possible, and a column for the cursor.
        var start = cursor
        var room = width - 1
        while start > 0 {
            let columns = DisplayWidth.of(characters[start - 1])
            guard columns <= room else { break }
            room -= columns
            start -= 1
        }
        grid.fill(CellArea(column: column, row: row, columns: width, rows: 1), style: style)
        let before = grid.draw(String(characters[start..<cursor]), column: column, row: row, width: width, style: style)
        let rest = String(characters[cursor...].prefix(width))
        grid.draw(rest, column: before, row: row, width: column + width - before, style: style)
        grid.cursor = (min(before, grid.columns - 1), row)
    }

    private mutating func delete(from start: Int, to end: Int) {
        let range = (max(start, 0)..<max(start, end, 0)).clamped(to: 0..<characters.count)
        characters.removeSubrange(range)
        if cursor > range.lowerBound { cursor = max(cursor - range.count, range.lowerBound) }
    }

    private var wordStart: Int {
        var index = cursor
        while index > 0, characters[index - 1].isWhitespace { index -= 1 }
        while index > 0, !characters[index - 1].isWhitespace { index -= 1 }
        return index
    }

    private var wordEnd: Int {
        var index = cursor
        while index < characters.count, characters[index].isWhitespace { index += 1 }
        while index < characters.count, !characters[index].isWhitespace { index += 1 }
        return index
    }
}
