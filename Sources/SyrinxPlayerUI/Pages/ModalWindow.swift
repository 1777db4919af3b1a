import SyrinxListening
import SyrinxTerminal

/// The texts of a line, and their styles.
typealias StyledLine = [(String, Style)]

/// A window that covers the page.
struct ModalWindow: Sendable {
    enum Content: Sendable {
        case help, messages, outputs, saved

        /// Whether a line is selected, instead of a text scrolled.
        var isList: Bool { self == .outputs || self == .saved }
    }

    /// The result of a key.
    enum Answer {
        case stays([PlayerAction])
        case closes([PlayerAction])
        case asks(Prompt)
    }

    /// The maximum width of a window, because long lines are hard to read.
    private static let columns = 100

    let content: Content
    private var window = ListWindow()

    init(_ content: Content) { self.content = content }

    /// Creates the window of the outputs, with the current one selected.
    init(_ outputs: OutputsView) {
        content = .outputs
        window.resize(count: outputs.entries.count)
        window.select(outputs.entries.firstIndex { $0.name == outputs.current } ?? 0)
    }

    /// Creates the window of the stations, playlists and titles.
    init(_ saved: SavedView) {
        content = .saved
        window.resize(count: saved.entries.count)
    }

    /// Returns the width of the text in a window on a screen of `columns` columns.
    static func textColumns(on columns: Int) -> Int { min(columns, Self.columns) - 4 }

    /// The selected line.
    var selection: Int { window.selection }

    /// The keys for the footer.
    var hints: [(keys: String, meaning: String)] {
        switch content {
        case .outputs: [("↑↓", "select"), ("Enter", "play there"), ("any other key", "close")]
        case .saved: [("↑↓", "select"), ("Enter", "open"), ("r", "rename"), ("d", "delete"), ("Esc", "close")]
        case .help, .messages: [("↑↓", "scroll"), ("any key", "close")]
        }
    }

    // MARK: Keys

    mutating func press(_ key: KeyPress, in view: PlayerView) -> Answer {
        let (outputs, saved) = (view.outputs, view.saved.entries)
        let entry = content == .saved && saved.indices.contains(window.selection) ? saved[window.selection] : nil
        let page = max(window.height - 1, 1)
        switch key.code {
        case .up, .character("k"): move(by: -1)
        case .down, .character("j"): move(by: 1)
        case .pageUp: move(by: -page)
        case .pageDown: move(by: page)
        case .character(" ") where !content.isList: move(by: page)
        case .home: move(by: -window.count)
        case .end: move(by: window.count)
        case .character("c") where key.modifiers == .control: return .stays([.quit])
        case .enter where content == .outputs && outputs.entries.indices.contains(window.selection):
            return .closes([.command(.output(outputs.entries[window.selection].name))])
        case .enter where entry != nil: return .closes(entry?.opening ?? [])
        case .character(let letter) where entry?.prompt(for: letter) != nil:
            if let prompt = entry?.prompt(for: letter) { return .asks(prompt) }
        default: return .closes([])
        }
        return .stays([])
    }

    /// Moves the selection, or scrolls a text.
    private mutating func move(by rows: Int) {
        if content.isList { window.move(by: rows) } else { window.move(to: window.offset + rows) }
    }

    // MARK: Drawing

    /// Draws the window with a frame and lines of text.
    mutating func draw(_ title: String, _ lines: [StyledLine], _ styles: Styles, _ grid: inout CellGrid) {
        let width = min(grid.columns, Self.columns)
        let area = CellArea(columns: grid.columns, rows: max(grid.rows - 1, 0))
            .centered(columns: width, rows: max(lines.count, 1) + 2)
        grid.fill(area, style: styles.text)
        grid.cursor = nil
        let hasFrame = area.rows >= 3 && area.columns >= 4
        let inner = hasFrame ? area.inset(columns: 2, rows: 1) : area
        if hasFrame { drawFrame(area, title, styles, &grid) }
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
    }

    private func drawFrame(_ area: CellArea, _ title: String, _ styles: Styles, _ grid: inout CellGrid) {
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
}

extension ListWindow {
    /// Scrolls so that an entry is the first visible one, if the list is long enough.
    fileprivate mutating func move(to first: Int) {
        let last = max(count - height, 0)
        let target = min(max(first, 0), last)
        select(target < offset ? target : target + max(height - 1, 0))
    }
}

extension SavedView {
    /// Returns the lines of the window, with a bar on the selected entry.
    func lines(selection: Int, columns: Int, _ styles: Styles) -> [StyledLine] {
        let selection = max(min(selection, entries.count - 1), 0)
        var bar = styles.text
        styles.select(&bar)
        return entries.enumerated().map { index, entry in
            let sign =
                switch entry.kind {
                case .station(_, let isFavorite): isFavorite ? "★ " : "  "
                case .playlist: "≡ "
                case .title: "  "
                }
            let (title, detail) = (sign + PrintableText.line(entry.title), "  " + PrintableText.line(entry.detail))
            let rest = max(columns - DisplayWidth.of(title) - DisplayWidth.of(detail), 0)
            let space = String(repeating: " ", count: rest)
            if index == selection { return [(title + space + detail, bar)] }
            return [(title, entry.kind == .title ? styles.dim : styles.text), (space + detail, styles.dim)]
        }
    }
}

extension OutputsView {
    /// Returns the lines of the window, with a bar on the selected output.
    func lines(selection: Int, columns: Int, _ styles: Styles) -> [StyledLine] {
        let width = max(columns, 0)
        let selection = max(min(selection, entries.count - 1), 0)
        let texts = entries.map { entry in
            (entry.name == current ? "► " : "  ") + PrintableText.line(entry.title)
        }
        var bar = styles.text
        styles.select(&bar)
        let titles = min(texts.map { DisplayWidth.of($0) }.max() ?? 0, width)
        return entries.enumerated().map { index, entry in
            let title = texts[index] + String(repeating: " ", count: max(titles - DisplayWidth.of(texts[index]), 0))
            let detail = "  " + PrintableText.line(entry.detail ?? "")
            let rest = String(repeating: " ", count: max(width - titles - DisplayWidth.of(detail), 0))
            if index == selection { return [(title + detail + rest, bar)] }
            return [(title, entry.name == current ? styles.accent : styles.text), (detail, styles.dim)]
        }
    }
}
