import SyrinxListening
package import SyrinxTerminal

/// Draws frames.
extension PlayerScreen {
    /// Draws a frame of a size in cells.
    ///
    /// If only the levels have changed since the last frame, only the meters are redrawn.
    package mutating func draw(_ view: PlayerView, columns: Int, rows: Int) -> CellGrid {
        let view = view.checked
        update(view)
        meters.update(view.sound.levels, at: view.now)
        let visible = messages.visible(at: view.now)
        if frames.shows(inputs(view, visible, columns: columns, rows: rows)) {
            // Without meters, the last frame is still correct. If messages or windows cover them, redraw everything.
            guard let area = places.meters else { return frames.grid ?? CellGrid(columns: columns, rows: rows) }
            if visible.isEmpty, modal == nil, let grid = frames.redraw(meters, in: area, styles) { return grid }
        }
        let grid = drawWhole(view, columns: columns, rows: rows)
        frames.keep(grid, inputs(view, visible, columns: columns, rows: rows), meters)
        return grid
    }

    /// Returns the state that decides how a frame looks.
    private func inputs(_ view: PlayerView, _ messages: [Message], columns: Int, rows: Int) -> FrameInputs {
        FrameInputs(
            view,
            messages,
            columns: columns,
            rows: rows,
            time: draggedTime ?? view.state.time,
            barColumns: places.barColumns,
            meterCount: meters.meters.count,
            page: page
        )
    }

    /// Redraws only the meters of the last frame, if the caller knows that nothing else has changed.
    /// - Parameters:
    ///   - levels: The peak level of each channel since the last frame, in dBFS.
    ///   - now: The current time of the clock of `PlayerView.now`.
    /// - Returns: The frame and the rows that may have changed; `nil` if everything must be redrawn.
    package mutating func drawMeters(_ levels: [Float], at now: Double) -> (grid: CellGrid, rows: Range<Int>)? {
        guard modal == nil, let area = places.meters, frames.messages?.isEmpty == true,
            messages.visible(at: now).isEmpty,
            levels.isEmpty || min(levels.count, MeterBank.maximumCount) == meters.meters.count
        else { return nil }
        meters.update(levels, at: now)
        return frames.redraw(meters, in: area, styles).map { ($0, area.row..<max(area.row, area.bottom)) }
    }

    private mutating func drawWhole(_ view: PlayerView, columns: Int, rows: Int) -> CellGrid {
        var grid = CellGrid(columns: columns, rows: rows, style: styles.text)
        places = Places()
        var area = grid.area
        guard !area.isEmpty else { return grid }
        let transport = TransportDrawing(view: view, styles: styles, draggedTime: draggedTime)
        if rows >= 6 { drawHeader(transport, in: area.takeTop(1), &grid) }
        let footer = area.takeBottom(rows >= 3 ? 1 : 0)
        if page == .playing || rows < 8 {
            playing.draw(transport, meters, isCovered: modal != nil, in: area, &grid, &places)
        } else {
            transport.drawStrip(in: area.takeBottom(rows >= 12 ? 3 : 2), &grid, &places)
            if let id = listID {
                let rows = pages[id].draw(view, styles, isFollowing: prompt == nil, in: area, &grid)
                places.list = rows.map { (id, $0) }
            }
        }
        if modal == nil { messages.draw(above: footer, at: view.now, styles, &grid) }
        drawModal(view, &grid)
        Footer(prompt: prompt, hints: hints(view), helpKey: helpKey, styles: styles).draw(in: footer, &grid)
        return grid
    }

    private mutating func drawHeader(_ transport: TransportDrawing, in area: CellArea, _ grid: inout CellGrid) {
        let state = transport.stateText
        let tabsEnd = TabBar(page: page, styles: styles).draw(in: area.inset(columns: 1), &grid, &places)
        let room = area.end - 1 - tabsEnd - 2
        guard room >= DisplayWidth.of(state) else { return }
        grid.draw(state, endingAt: area.end - 1, row: area.row, width: room, style: transport.stateStyle)
    }

    private mutating func drawModal(_ view: PlayerView, _ grid: inout CellGrid) {
        guard var window = modal else { return }
        let columns = ModalWindow.textColumns(on: grid.columns)
        switch window.content {
        case .help:
            let lines = bindings.helpLines(for: page, skips: view.sound.skips, columns: columns, styles)
            window.draw("Keys: \(page.title)", lines, styles, &grid)
        case .messages: window.draw("Messages", messages.lines(columns: columns, styles), styles, &grid)
        case .outputs:
            let lines = view.outputs.lines(selection: window.selection, columns: columns, styles)
            window.draw(view.outputs.isReading ? "Outputs…" : "Outputs", lines, styles, &grid)
        case .saved:
            let lines = view.saved.lines(selection: window.selection, columns: columns, styles)
            let title = "Stations, playlists and titles"
            window.draw(view.saved.isReading ? title + "…" : title, lines, styles, &grid)
        }
        modal = window
    }

    // MARK: Keys

    /// The key of the help; `nil` if it has none, or a window is open.
    private var helpKey: String? { modal == nil ? bindings.hint(for: .face(.help), on: page) : nil }

    /// Returns the keys for the footer.
    private func hints(_ view: PlayerView) -> [(keys: String, meaning: String)] {
        let own = listID.map { pages[$0].hints } ?? []
        return modal?.hints ?? Footer.hints(own, bindings, on: page, skips: view.sound.skips)
    }
}
