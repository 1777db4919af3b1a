import SyrinxListening
import SyrinxTerminal

/// The last line of the screen: an input line, or the most important keys.
struct Footer {
    /// The input line or question that is open.
    let prompt: Prompt?
    /// The keys and their meanings, the most important first.
    let hints: [(keys: String, meaning: String)]
    /// The key of the help; `nil` if it has none, or a window is open.
    let helpKey: String?
    let styles: Styles

    func draw(in area: CellArea, _ grid: inout CellGrid) {
        guard !area.isEmpty else { return }
        grid.fill(area, style: styles.text)
        let line = area.inset(columns: area.columns > 4 ? 1 : 0)
        if let prompt {
            let label = prompt.label + (prompt.hints.isEmpty ? "" : ":")
            let column =
                grid.draw(label, column: line.column, row: line.row, width: line.columns, style: styles.accent) + 1
            let hints = DisplayWidth.of(prompt.hints)
            let showsHints = line.end - column > hints + 20
            let width = line.end - column - (showsHints ? hints + 2 : 0)
            if case .confirm = prompt.kind { return }
            prompt.field.draw(into: &grid, column: column, row: line.row, width: width, style: styles.text)
            if showsHints {
                grid.draw(prompt.hints, endingAt: line.end, row: line.row, width: hints, style: styles.dim)
            }
            return
        }
        drawHints(in: line, &grid)
    }

    /// Draws the most important key hints that fit, and the key of the help.
    private func drawHints(in line: CellArea, _ grid: inout CellGrid) {
        var end = line.end
        if let key = helpKey {
            let text = "\(key) help"
            guard text.count <= line.columns else { return }
            end -= text.count
            let next = grid.draw(key, column: end, row: line.row, style: styles.accent)
            grid.draw("help", column: next + 1, row: line.row, style: styles.dim)
        }
        var column = line.column
        for (keys, meaning) in hints {
            let width = DisplayWidth.of(keys) + 1 + DisplayWidth.of(meaning)
            guard column + width + 2 <= end else { return }
            let next = grid.draw(keys, column: column, row: line.row, style: styles.accent)
            column = grid.draw(meaning, column: next + 1, row: line.row, style: styles.dim) + 3
        }
    }

    /// Returns the keys that are bound, and their meanings.
    ///
    /// - Parameters:
    ///   - pageHints: The commands of the page.
    ///   - bindings: The key bindings.
    ///   - page: The page.
    ///   - skips: The lengths of skips.
    static func hints(
        _ pageHints: [KeyHint],
        _ bindings: KeyBindings,
        on page: PlayerPage,
        skips: SkipIntervals
    ) -> [(keys: String, meaning: String)] {
        let player: [KeyHint] = [
            ([.listening(.toggle)], "pause"),
            ([.listening(.skipBack), .listening(.skipForward)], skips.brief),
            ([.listening(.volume(.by(-0.05))), .listening(.volume(.by(0.05)))], "volume"),
            ([.listening(.rate(.by(-0.1))), .listening(.rate(.by(0.1)))], "rate"),
            ([.listening(.previous(isWeak: true)), .listening(.next(isWeak: true))], "item"),
            ([.face(.nextPage)], "page"),
            ([.face(.quit)], "quit"),
        ]
        return (pageHints + player).compactMap { commands, meaning in
            let keys = commands.compactMap { bindings.hint(for: $0, on: page) }
            return keys.count == commands.count ? (keys.joined(separator: " "), meaning) : nil
        }
    }
}
