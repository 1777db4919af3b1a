import SyrinxListening
import SyrinxTerminal

/// The parts that cover a page: messages, help, and the message list.
extension PlayerScreen {
    func drawMessages(_ view: PlayerView, above footer: CellArea, _ grid: inout CellGrid) {
        guard modal == nil, grid.rows >= 4 else { return }
        var row = max(footer.row - 1, 0)
        // A long message takes more rows, but at most an eighth of the screen.
        let most = max(grid.rows / 8, 1)
        for message in messages.visible(at: view.now).reversed() where row >= 1 {
            let text = "\(sign(message.kind))\(PrintableText.line(message.text))"
            let style = style(message.kind).adding(.reversed)
            let rows = text.wrapped(columns: grid.columns - 4)
            let shown = rows.count > most ? rows.prefix(most - 1) + [rows[(most - 1)...].joined(separator: " ")] : rows
            let width = min(shown.map { DisplayWidth.of($0) + 2 }.max() ?? 0, max(grid.columns - 2, 0))
            for line in shown.reversed() where row >= 1 {
                let column = max(grid.columns - 1 - width, 0)
                grid.fill(CellArea(column: column, row: row, columns: width, rows: 1), style: style)
                grid.draw(line, column: column + 1, row: row, width: width - 2, style: style)
                row -= 1
            }
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
            let lines = helpLines(view.sound.skips, columns: min(grid.columns, Self.windowColumns) - 4)
            modal = .help(drawWindow("Keys: \(page.title)", lines, window, &grid))
        case .messages(let window):
            let columns = min(grid.columns, Self.windowColumns) - 4
            let lines = messages.messages.reversed().flatMap { message in
                let text = sign(message.kind) + PrintableText.line(message.text)
                return text.wrapped(columns: columns - 2).enumerated().map { index, row in
                    [((index == 0 ? "" : "  ") + row, style(message.kind))]
                }
            }
            modal = .messages(drawWindow("Messages", lines, window, &grid))
        case .outputs(let window):
            let title = view.outputs.isReading ? "Outputs…" : "Outputs"
            modal = .outputs(drawWindow(title, outputLines(view.outputs, window, columns: grid.columns), window, &grid))
        }
    }

    /// Returns the lines of the list of outputs, with a bar on the selected one.
    private func outputLines(_ outputs: OutputsView, _ window: ListWindow, columns: Int) -> [[(String, Style)]] {
        let width = max(min(columns, Self.windowColumns) - 4, 0)
        let selection = max(min(window.selection, outputs.entries.count - 1), 0)
        let texts = outputs.entries.map { entry in
            (entry.name == outputs.current ? "► " : "  ") + PrintableText.line(entry.title)
        }
        var bar = styles.text
        styles.select(&bar)
        let titles = min(texts.map { DisplayWidth.of($0) }.max() ?? 0, width)
        return outputs.entries.enumerated().map { index, entry in
            let title = texts[index] + String(repeating: " ", count: max(titles - DisplayWidth.of(texts[index]), 0))
            let detail = "  " + PrintableText.line(entry.detail ?? "")
            let rest = String(repeating: " ", count: max(width - titles - DisplayWidth.of(detail), 0))
            if index == selection { return [(title + detail + rest, bar)] }
            return [(title, entry.name == outputs.current ? styles.accent : styles.text), (detail, styles.dim)]
        }
    }

    /// The maximum width of a window, because long lines are hard to read.
    private static let windowColumns = 100

    /// Draws a window with a frame and lines of text, and returns its area and size.
    private func drawWindow(
        _ title: String,
        _ lines: [[(String, Style)]],
        _ window: ListWindow,
        _ grid: inout CellGrid
    ) -> ListWindow {
        var window = window
        let width = min(grid.columns, Self.windowColumns)
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

    /// Returns the key help of the page, in two columns if there is space.
    private func helpLines(_ skips: SkipIntervals, columns: Int) -> [[(String, Style)]] {
        let entries = bindings.help(for: page, skips: skips)
        let widest = entries.map { DisplayWidth.of($0.keys) }.max() ?? 0
        let keyWidth = min(widest, min(max(columns / 3, 8), 24))
        var lines: [[(String, Style)]] = []
        var context: KeyContext?
        let isDouble = columns >= 92
        let half = columns / 2
        var waiting: [[(String, Style)]] = []
        /// Returns keys and their meaning, wrapped to several rows if necessary.
        func cell(_ entry: (context: KeyContext, keys: String, meaning: String), width: Int) -> [[(String, Style)]] {
            let room = max(width - keyWidth - 3, 2)
            let (keys, meaning) = (entry.keys.wrapped(columns: keyWidth), entry.meaning.wrapped(columns: room))
            func padded(_ texts: [String], _ index: Int, _ width: Int) -> String {
                let text = index < texts.count ? texts[index] : ""
                return text + String(repeating: " ", count: max(width - DisplayWidth.of(text), 0))
            }
            return (0..<max(keys.count, meaning.count)).map { index in
                [
                    (padded(keys, index, keyWidth + 2), styles.accent),
                    (padded(meaning, index, width - keyWidth - 2), styles.text),
                ]
            }
        }
        /// Joins two cells side by side.
        func pair(_ left: [[(String, Style)]], _ right: [[(String, Style)]]) -> [[(String, Style)]] {
            let blank = [(String(repeating: " ", count: half), styles.text)]
            return (0..<max(left.count, right.count)).map { index in
                (index < left.count ? left[index] : blank) + (index < right.count ? right[index] : [])
            }
        }
        for entry in entries {
            if entry.context != context {
                lines += waiting
                waiting = []
                if context != nil { lines.append([]) }
                context = entry.context
                lines.append([(entry.context.heading, styles.title)])
            }
            if !isDouble {
                lines += cell(entry, width: columns)
            } else if !waiting.isEmpty {
                lines += pair(waiting, cell(entry, width: half))
                waiting = []
            } else {
                waiting = cell(entry, width: half)
            }
        }
        return lines + waiting
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
