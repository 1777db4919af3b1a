import SyrinxListening
package import SyrinxTerminal

/// Draws the parts that all pages have: header, player strip and footer.
extension PlayerScreen {
    /// Draws a frame of a size in cells.
    ///
    /// If only the levels have changed since the last frame, only the meters are redrawn.
    package mutating func draw(_ view: PlayerView, columns: Int, rows: Int) -> CellGrid {
        let view = view.checked
        update(view)
        meters.update(view.sound.levels, at: view.now)
        let visible = messages.visible(at: view.now)
        if !isStale, lastFrame?.inputs == inputs(view, visible, columns: columns, rows: rows) {
            // Without meters, the last frame is still correct. If messages or windows cover them, redraw everything.
            guard let area = places.meters else { return lastFrame?.grid ?? CellGrid(columns: columns, rows: rows) }
            if visible.isEmpty, modal == nil, var frame = lastFrame {
                lastFrame = nil
                drawMeters(in: area, over: frame.peaks, &frame.grid)
                frame.peaks = meters.meters.map(\.peak)
                lastFrame = frame
                return frame.grid
            }
        }
        let grid = drawWhole(view, columns: columns, rows: rows)
        isStale = false
        let inputs = inputs(view, visible, columns: columns, rows: rows)
        lastFrame = LastFrame(inputs: inputs, grid: grid, peaks: meters.meters.map(\.peak))
        return grid
    }

    /// Redraws only the meters of the last frame, if the caller knows that nothing else has changed.
    /// - Parameters:
    ///   - levels: The peak level of each channel since the last frame, in dBFS.
    ///   - now: The current time of the clock of `PlayerView.now`.
    /// - Returns: The frame and the rows that may have changed; `nil` if everything must be redrawn.
    package mutating func drawMeters(_ levels: [Float], at now: Double) -> (grid: CellGrid, rows: Range<Int>)? {
        guard !isStale, modal == nil, let area = places.meters, var frame = lastFrame,
            frame.inputs.messages.isEmpty, messages.visible(at: now).isEmpty,
            levels.isEmpty || min(levels.count, MeterBank.maximumCount) == meters.meters.count
        else { return nil }
        lastFrame = nil
        meters.update(levels, at: now)
        drawMeters(in: area, over: frame.peaks, &frame.grid)
        frame.peaks = meters.meters.map(\.peak)
        lastFrame = frame
        return (frame.grid, area.row..<max(area.row, area.bottom))
    }

    private mutating func drawWhole(_ view: PlayerView, columns: Int, rows: Int) -> CellGrid {
        var grid = CellGrid(columns: columns, rows: rows, style: styles.text)
        places = Places()
        var area = grid.area
        guard !area.isEmpty else { return grid }
        if rows >= 6 { drawHeader(view, in: area.takeTop(1), &grid) }
        let footer = area.takeBottom(rows >= 3 ? 1 : 0)
        if page == .playing || rows < 8 {
            drawPlaying(view, in: area, &grid)
        } else {
            drawStrip(view, in: area.takeBottom(rows >= 12 ? 3 : 2), &grid)
            drawPage(view, in: area, &grid)
        }
        drawMessages(view, above: footer, &grid)
        drawModal(view, &grid)
        drawFooter(view, in: footer, &grid)
        return grid
    }

    private mutating func drawHeader(_ view: PlayerView, in area: CellArea, _ grid: inout CellGrid) {
        let state = stateText(view.state)
        let line = area.inset(columns: 1)
        let style = TabStyle.allCases.first { width(of: $0) <= line.columns } ?? .numbers
        let tabsEnd = drawTabs(view, in: line, style: style, &grid)
        let room = area.end - 1 - tabsEnd - 2
        guard room >= DisplayWidth.of(state) else { return }
        grid.draw(state, endingAt: area.end - 1, row: area.row, width: room, style: stateStyle(view.state.kind))
    }

    /// The tab styles, widest first.
    private enum TabStyle: CaseIterable {
        case full, tight, numbers

        /// The number of columns between number and name, and between two tabs.
        var gaps: (name: Int, tab: Int) {
            switch self {
            case .full: (1, 3)
            case .tight: (0, 1)
            case .numbers: (1, 2)
            }
        }
    }

    private func width(of style: TabStyle) -> Int {
        let names = PlayerPage.allCases.map { style != .numbers || $0 == page ? style.gaps.name + $0.title.count : 0 }
        return names.reduce(0) { $0 + 1 + $1 } + style.gaps.tab * (names.count - 1)
    }

    private mutating func drawTabs(
        _ view: PlayerView,
        in area: CellArea,
        style: TabStyle,
        _ grid: inout CellGrid
    ) -> Int {
        var column = area.column
        for tab in PlayerPage.allCases {
            let isOpen = tab == page
            let start = column
            let look = isOpen ? styles.openTab : styles.dim
            // Without a space before the name, the number is distinguished by its color.
            let number = style == .tight && !isOpen ? styles.accent : look
            column = grid.draw("\(tab.rawValue + 1)", column: column, row: area.row, style: number)
            if isOpen || style != .numbers {
                let text = String(repeating: " ", count: style.gaps.name) + tab.title
                column = grid.draw(text, column: column, row: area.row, style: look)
            }
            places.tabs.append((tab, CellArea(column: start, row: area.row, columns: column - start, rows: 1)))
            column += style.gaps.tab
        }
        return column
    }

    /// Draws the player strip of two or three lines on other pages: title, time and seek bar.
    private mutating func drawStrip(_ view: PlayerView, in area: CellArea, _ grid: inout CellGrid) {
        var area = area.inset(columns: 1)
        if area.rows == 3 {
            let line = area.takeTop(1)
            for column in line.column..<line.end {
                grid.put("─", column: column, row: line.row, style: styles.seekBar.missing)
            }
        }
        let line = area.takeTop(1)
        let (left, right) = clockTexts(view)
        let clock = right.isEmpty ? left : left + " / " + right
        let start = grid.draw(clock, endingAt: line.end, row: line.row, width: line.columns, style: styles.text)
        let room = start - line.column - 2
        if room > 4 {
            let kind = view.state.kind
            let isUsual = kind == .playing || kind == .paused
            let state = isUsual ? String(stateText(view.state).prefix(1)) : stateText(view.state) + " "
            let start =
                grid.draw(
                    state,
                    column: line.column,
                    row: line.row,
                    width: room / 2,
                    style: stateStyle(kind)
                ) + 1
            let width = max(line.column + room - start, 0)
            grid.draw(headline(view), column: start, row: line.row, width: width, style: styles.title)
            places.state = CellArea(column: line.column, row: line.row, columns: room, rows: 1)
        }
        drawSeekBar(view, in: area, &grid)
    }

    // MARK: Footer

    private func drawFooter(_ view: PlayerView, in area: CellArea, _ grid: inout CellGrid) {
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
        drawHints(view.sound.skips, in: line, &grid)
    }

    /// Draws the most important key hints that fit, and the key of the help.
    private func drawHints(_ skips: SkipIntervals, in line: CellArea, _ grid: inout CellGrid) {
        var end = line.end
        if modal == nil, let key = bindings.hint(for: .face(.help), on: page) {
            let text = "\(key) help"
            guard text.count <= line.columns else { return }
            end -= text.count
            let next = grid.draw(key, column: end, row: line.row, style: styles.accent)
            grid.draw("help", column: next + 1, row: line.row, style: styles.dim)
        }
        var column = line.column
        for (keys, meaning) in hints(skips) {
            let width = DisplayWidth.of(keys) + 1 + DisplayWidth.of(meaning)
            guard column + width + 2 <= end else { return }
            let next = grid.draw(keys, column: column, row: line.row, style: styles.accent)
            column = grid.draw(meaning, column: next + 1, row: line.row, style: styles.dim) + 3
        }
    }

    private func hints(_ skips: SkipIntervals) -> [(keys: String, meaning: String)] {
        if case .outputs = modal { return [("↑↓", "select"), ("Enter", "play there"), ("any other key", "close")] }
        if modal != nil { return [("↑↓", "scroll"), ("any key", "close")] }
        return (pageHints + playerHints(skips)).compactMap { commands, meaning in
            let keys = commands.compactMap { bindings.hint(for: $0, on: page) }
            return keys.count == commands.count ? (keys.joined(separator: " "), meaning) : nil
        }
    }

    private func playerHints(_ skips: SkipIntervals) -> [([BoundCommand], String)] {
        [
            ([.listening(.toggle)], "pause"),
            ([.listening(.skipBack), .listening(.skipForward)], skips.brief),
            ([.listening(.volume(.by(-0.05))), .listening(.volume(.by(0.05)))], "volume"),
            ([.listening(.rate(.by(-0.1))), .listening(.rate(.by(0.1)))], "rate"),
            ([.listening(.previous(isWeak: true)), .listening(.next(isWeak: true))], "item"),
            ([.face(.nextPage)], "page"),
            ([.face(.quit)], "quit"),
        ]
    }

    private var pageHints: [([BoundCommand], String)] {
        func one(_ command: FaceCommand) -> [BoundCommand] { [.face(command)] }
        return switch page {
        case .playing: []
        case .queue:
            [
                (one(.activate), "play"), (one(.remove), "remove"),
                ([.face(.moveUp), .face(.moveDown)], "move"),
                (one(.filter), "filter"),
            ]
        case .chapters: [(one(.activate), "go"), (one(.filter), "filter")]
        case .bookmarks: [(one(.activate), "go"), (one(.addBookmark), "add"), (one(.remove), "remove")]
        case .effects:
            [
                ([.face(.lower), .face(.raise)], "change"), (one(.toggleEffect), "on/off"),
                (one(.reset), "reset"),
            ]
        case .files:
            [(one(.activate), "open"), (one(.enqueue), "append"), (one(.back), "up"), (one(.filter), "filter")]
        case .podcasts where showsNotes:
            [(one(.activate), "to the time"), (one(.filter), "find"), (one(.back), "back")]
        case .podcasts where showsEpisodes:
            [
                (one(.activate), "play"), (one(.notes), "notes"), (one(.enqueue), "append"),
                (one(.download), "download"), (one(.markPlayed), "played"), (one(.back), "back"),
            ]
        case .podcasts:
            [
                (one(.activate), "open"), (one(.newEpisodes), "new"), (one(.subscribe), "subscribe"),
                (one(.refresh), "refresh"), (one(.search), "search"),
            ]
        case .transcript: [(one(.activate), "go"), (one(.selectCurrent), "follow"), (one(.filter), "find")]
        }
    }
}

// MARK: - Texts

extension PlayerScreen {
    func stateText(_ state: StateView) -> String {
        let sign =
            switch state.kind {
            case .playing: "► "
            case .paused: "‖ "
            case .stopped, .ended: "■ "
            case .failed: "! "
            case .opening, .buffering, .waiting, .retrying: "… "
            }
        return sign + state.kind.rawValue + (state.detail.map { ", " + $0 } ?? "")
    }

    func stateStyle(_ kind: StateView.Kind) -> Style {
        switch kind {
        case .playing: styles.good
        case .paused, .stopped, .ended: styles.text
        case .opening, .buffering, .waiting, .retrying: styles.warning
        case .failed: styles.error
        }
    }

    /// Returns the artist and the title as one line.
    func headline(_ view: PlayerView) -> String {
        let title = view.item.title.isEmpty ? "Nothing is open" : view.item.title
        return [view.item.artist, title].compactMap { $0?.isEmpty == false ? $0 : nil }.joined(separator: " – ")
    }

    /// Returns the position, and the duration or the remaining time.
    func clockTexts(_ view: PlayerView) -> (String, String) {
        let state = view.state
        let time = draggedTime ?? state.time
        let position = ClockTime.text(time, like: state.duration ?? 0)
        guard let duration = state.duration, duration.isFinite, duration > 0 else {
            return (position, view.item.isLive ? "live" : "")
        }
        return (position, (state.isDurationEstimated ? "~" : "") + ClockTime.text(duration))
    }

    mutating func drawSeekBar(_ view: PlayerView, in area: CellArea, _ grid: inout CellGrid) {
        guard !area.isEmpty else { return }
        let state = view.state
        let duration = state.duration.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        let time = draggedTime ?? state.time
        let bar = SeekBar(
            peaks: state.peaks,
            received: state.received,
            position: duration.map { time / $0 } ?? 0
        )
        bar.draw(into: &grid, area: area, styles: styles.seekBar)
        places.seekBar = duration == nil ? nil : area
        places.barColumns = area.columns
    }
}
