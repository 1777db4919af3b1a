import SyrinxTerminal

/// The parts over a page: messages, the help, the list of messages.
extension PlayerScreen {
    func drawMessages(_ view: PlayerView, above footer: CellArea, _ grid: inout CellGrid) {
        guard modal == nil, grid.rows >= 4 else { return }
        var row = max(footer.row - 1, 0)
        for message in messages.visible(at: view.now).reversed() where row >= 1 {
            let text = " \(sign(message.kind))\(PrintableText.line(message.text)) "
            let width = min(DisplayWidth.of(text), max(grid.columns - 2, 0))
            let style = style(message.kind).adding(.reversed)
            grid.draw(text, endingAt: grid.columns - 1, row: row, width: width, style: style)
            row -= 1
        }
    }

    private func sign(_ kind: Message.Kind) -> String {
        switch kind {
        case .note: ""
        case .warning: "Warning: "
        case .error: "Error: "
        }
    }

    private func style(_ kind: Message.Kind) -> Style {
        switch kind {
        case .note: styles.accent
        case .warning: styles.warning
        case .error: styles.error
        }
    }

    mutating func drawModal(_ view: PlayerView, _ grid: inout CellGrid) {
        switch modal {
        case nil: return
        case .help(let window):
            let lines = helpLines(view.sound.skips, columns: min(grid.columns - 4, 96))
            modal = .help(drawWindow("Keys: \(page.title)", lines, window, &grid))
        case .messages(let window):
            let lines = messages.messages.reversed().map { [(sign($0.kind) + $0.text, style($0.kind))] }
            modal = .messages(drawWindow("Messages", lines, window, &grid))
        }
    }

    /// Draws a frame with lines in it, and returns the window with its size.
    private func drawWindow(
        _ title: String,
        _ lines: [[(String, Style)]],
        _ window: ListWindow,
        _ grid: inout CellGrid
    ) -> ListWindow {
        var window = window
        let width = min(grid.columns, 100)
        let area = CellArea(columns: grid.columns, rows: max(grid.rows - 1, 0))
            .centered(columns: width, rows: max(lines.count, 1) + 2)
        grid.fill(area, style: styles.text)
        grid.cursor = nil
        let hasFrame = area.rows >= 3 && area.columns >= 4
        let inner = hasFrame ? area.inset(columns: 2, rows: 1) : area
        if hasFrame { drawFrame(area, title, &grid) }
        window.resize(count: lines.count, height: inner.rows)
        if lines.isEmpty {
            grid.draw("Nothing yet.", column: inner.column, row: inner.row, width: inner.columns, style: styles.dim)
        }
        for index in window.visible {
            var column = inner.column
            for (text, style) in lines[index] where column < inner.end {
                column = grid.draw(
                    text,
                    column: column,
                    row: inner.row + index - window.offset,
                    width: inner.end - column,
                    style: style
                )
            }
        }
        if hasFrame, let thumb = window.thumb(rows: inner.rows) {
            for row in thumb { grid.put("▐", column: area.end - 1, row: inner.row + row, style: styles.accent) }
        }
        return window
    }

    private func drawFrame(_ area: CellArea, _ title: String, _ grid: inout CellGrid) {
        let (left, right, top, bottom) = (area.column, area.end - 1, area.row, area.bottom - 1)
        for column in left...right {
            grid.put("─", column: column, row: top, style: styles.dim)
            grid.put("─", column: column, row: bottom, style: styles.dim)
        }
        for row in top...bottom {
            grid.put("│", column: left, row: row, style: styles.dim)
            grid.put("│", column: right, row: row, style: styles.dim)
        }
        grid.put("╭", column: left, row: top, style: styles.dim)
        grid.put("╮", column: right, row: top, style: styles.dim)
        grid.put("╰", column: left, row: bottom, style: styles.dim)
        grid.put("╯", column: right, row: bottom, style: styles.dim)
        grid.draw(
            " \(title) ",
            column: left + 2,
            row: top,
            width: max(area.columns - 4, 0),
            style: styles.accent.adding(.bold)
        )
    }

    /// The keys of the page, in two columns where there is space for them.
    private func helpLines(_ skips: SkipIntervals, columns: Int) -> [[(String, Style)]] {
        let entries = bindings.help(for: page, skips: skips)
        let keyWidth = min(entries.map { DisplayWidth.of($0.keys) }.max() ?? 0, min(max(columns / 3, 8), 20))
        var lines: [[(String, Style)]] = []
        var context: KeyContext?
        let isDouble = columns >= 92
        let half = columns / 2
        var waiting: [(String, Style)]?
        func parts(_ entry: (context: KeyContext, keys: String, meaning: String), width: Int) -> [(String, Style)] {
            let keys = entry.keys.fitted(to: keyWidth)
            let space = String(repeating: " ", count: keyWidth - DisplayWidth.of(keys) + 2)
            let meaning = entry.meaning.fitted(to: max(width - keyWidth - 3, 0))
            let rest = String(repeating: " ", count: max(width - keyWidth - 2 - DisplayWidth.of(meaning), 0))
            return [(keys, styles.accent), (space, styles.dim), (meaning + rest, styles.text)]
        }
        for entry in entries {
            if entry.context != context {
                if let left = waiting { lines.append(left) }
                waiting = nil
                if context != nil { lines.append([]) }
                context = entry.context
                lines.append([(entry.context.heading, styles.title)])
            }
            if !isDouble {
                lines.append(parts(entry, width: columns))
            } else if let left = waiting {
                lines.append(left + parts(entry, width: half))
                waiting = nil
            } else {
                waiting = parts(entry, width: half)
            }
        }
        if let left = waiting { lines.append(left) }
        return lines
    }
}

extension KeyContext {
    /// The heading in the help.
    fileprivate var heading: String {
        switch self {
        case .player: "Everywhere"
        case .list: "In lists"
        case .queue: "Queue"
        case .chapters: "Chapters"
        case .bookmarks: "Bookmarks"
        case .effects: "Effects"
        case .files: "Files"
        case .podcasts: "Podcasts"
        case .transcript: "Transcript"
        }
    }
}
