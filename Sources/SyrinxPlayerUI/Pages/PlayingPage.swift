import SyrinxListening
import SyrinxTerminal

/// The first page, which displays the current item.
struct PlayingPage: Sendable {
    /// Whether the remaining time is displayed too.
    var showsRemaining = true
    /// The method of displaying covers.
    var pictures: PictureProtocol
    private var cover = CoverCache()

    init(pictures: PictureProtocol) { self.pictures = pictures }

    /// Draws the page.
    ///
    /// - Parameters:
    ///   - transport: The current item, and the colors.
    ///   - meters: The level meters.
    ///   - isCovered: Whether a window covers the page, which pictures of the terminal would cover.
    ///   - area: The area of the page.
    ///   - grid: The frame.
    ///   - places: The areas that react to the mouse.
    mutating func draw(
        _ transport: TransportDrawing,
        _ meters: MeterBank,
        isCovered: Bool,
        in area: CellArea,
        _ grid: inout CellGrid,
        _ places: inout Places
    ) {
        let (view, styles) = (transport.view, transport.styles)
        var area = area.inset(columns: area.columns >= 60 ? 2 : area.columns >= 10 ? 1 : 0)
        guard !area.isEmpty else { return }
        if area.rows >= 9 { _ = area.takeTop(1) }
        if area.rows >= 11 { _ = area.takeBottom(1) }
        let channels = meters.meters.count
        if area.rows >= 8, channels > 0 {
            let place = area.takeBottom(min(channels, area.rows >= 20 ? 8 : 2))
            places.meters = place
            meters.draw(in: place, styles, &grid)
            if area.rows >= 8 { _ = area.takeBottom(1) }
        }
        if area.rows >= 2 { drawClock(transport, in: area.takeBottom(1), &grid) }
        // On a very wide screen, the queue is also beside the waveform. Four of 150 columns are margins.
        let isBeside = area.columns >= 146 && area.rows >= 12 && view.queue.count > 1
        if isBeside { drawNext(view, styles, in: area.takeRight(nextColumns(view, in: area), gap: 3), &grid) }
        if area.rows >= 2 {
            let height = waveformRows(transport, in: area)
            var bar = area.takeBottom(height)
            if height >= 2, hasMarks(view) { drawMarks(view, styles, in: bar.takeTop(1), &grid) }
            transport.drawSeekBar(in: bar, &grid, &places)
            if area.rows >= 6 { _ = area.takeBottom(1) }
        }
        drawItem(transport, hasNext: isBeside, isCovered: isCovered, in: area, &grid, &places)
    }

    /// Returns the number of rows for the waveform and its marks, which the texts leave.
    private func waveformRows(_ transport: TransportDrawing, in area: CellArea) -> Int {
        let least =
            area.rows >= 45
            ? 15 : area.rows >= 30 ? 10 : area.rows >= 20 ? 7 : area.rows >= 12 ? 5 : area.rows >= 7 ? 2 : 1
        guard area.rows >= 12, transport.view.item.cover == nil || pictures == .none else { return least }
        let lines = itemLines(transport, columns: area.columns)
        let texts = lines.count + lines.count(where: \.startsGroup) + 3
        return max(least, min(area.rows / 2, area.rows - texts))
    }

    /// Draws the cover at the left and the texts to its right.
    private mutating func drawItem(
        _ transport: TransportDrawing,
        hasNext: Bool,
        isCovered: Bool,
        in area: CellArea,
        _ grid: inout CellGrid,
        _ places: inout Places
    ) {
        let view = transport.view
        var area = area
        if let picture = view.item.cover, pictures != .none, area.rows >= 4, area.columns >= 50 {
            let most = min(area.columns * 2 / 5, 60)
            let size = picture.fittedCells(columns: most, rows: min(area.rows, 28))
            let place = area.takeLeft(size.columns)
            _ = area.takeLeft(3)
            drawCover(
                picture,
                isCovered: isCovered,
                in: CellArea(column: place.column, row: place.row, columns: size.columns, rows: size.rows),
                &grid
            )
        }
        if !hasNext, area.columns >= 100, area.rows >= 10, view.queue.count > 1 {
            drawNext(view, transport.styles, in: area.takeRight(nextColumns(view, in: area), gap: 3), &grid)
        }
        var lines = itemLines(transport, columns: area.columns)
        // If even the less important lines do not fit, lists are truncated to one row each.
        if lines.count(where: { $0.weight < 7 }) > area.rows { lines = itemLines(transport, columns: nil) }
        // Remove the least important lines until the rest fits.
        while lines.count > area.rows, let last = lines.indices.max(by: { lines[$0].weight < lines[$1].weight }) {
            lines.remove(at: last)
        }
        let gaps = area.rows - lines.count
        var row = area.row
        for (index, line) in lines.enumerated() {
            if line.startsGroup, index > 0, gaps >= lines.count(where: \.startsGroup) { row += 1 }
            var column = area.column
            for (text, style) in line.parts where column < area.end {
                column = grid.draw(text, column: column, row: row, width: area.end - column, style: style)
            }
            if line.isState { places.state = CellArea(column: area.column, row: row, columns: area.columns, rows: 1) }
            row += 1
        }
    }

    /// Returns the next items that fit into `rows` rows.
    private func next(_ view: PlayerView, rows: Int) -> ArraySlice<QueueEntry> {
        view.queue.dropFirst(view.currentIndex.map { $0 + 1 } ?? 0).prefix(rows)
    }

    /// Returns the width of the list of next items, a quarter to two fifths of the area, depending on the titles.
    private func nextColumns(_ view: PlayerView, in area: CellArea) -> Int {
        let titles = next(view, rows: area.rows).map { DisplayWidth.of($0.title.prefix(CellGrid.maximumSide)) }
        return min(max((titles.max() ?? 0) + 11, area.columns / 4), area.columns * 2 / 5)
    }

    /// Draws the next items at the right of a wide screen.
    private func drawNext(_ view: PlayerView, _ styles: Styles, in area: CellArea, _ grid: inout CellGrid) {
        var area = area
        let title = area.takeTop(2)
        grid.draw("Up next", column: title.column, row: title.row, width: title.columns, style: styles.dim)
        for (index, entry) in next(view, rows: area.rows).enumerated() {
            let row = area.row + index
            let time = entry.duration.map { ClockTime.text($0) } ?? ""
            let start = grid.draw(time, endingAt: area.end, row: row, width: 9, style: styles.dim)
            let style = entry.failure == nil ? styles.text : styles.error
            grid.draw(entry.title, column: area.column, row: row, width: start - 2 - area.column, style: style)
        }
    }

    private mutating func drawCover(
        _ picture: Picture,
        isCovered: Bool,
        in area: CellArea,
        _ grid: inout CellGrid
    ) {
        switch pictures {
        case .none: break
        case .halfBlocks:
            cover.halfBlocks(picture, columns: area.columns, rows: area.rows)
                .draw(into: &grid, column: area.column, row: area.row)
        case .sixel, .kitty: if !isCovered { grid.place(picture, in: area) }
        }
    }

    private struct Line {
        var parts: [(String, Style)]
        /// The lines with the highest weight are removed first.
        var weight: Int
        var startsGroup = false
        var isState = false
    }

    /// Returns the text lines, starting with the title.
    /// - Parameter columns: The width at which long lists are wrapped; `nil` keeps each in one line.
    private func itemLines(_ transport: TransportDrawing, columns: Int?) -> [Line] {
        let (view, styles) = (transport.view, transport.styles)
        let item = view.item
        var lines = [Line(parts: [(item.title.isEmpty ? "Nothing is open" : item.title, styles.title)], weight: 0)]
        if item.title.isEmpty {
            lines.append(
                Line(
                    parts: [("Press o to open an address or a path, 6 for files, 7 for podcasts.", styles.dim)],
                    weight: 1
                )
            )
            return lines
        }
        if let artist = item.artist, !artist.isEmpty { lines.append(Line(parts: [(artist, styles.text)], weight: 2)) }
        let album = [item.album, item.station].compactMap { $0?.isEmpty == false ? $0 : nil }.joined(separator: " · ")
        if !album.isEmpty { lines.append(Line(parts: [(album, styles.dim)], weight: 5)) }
        if let index = view.currentChapter, view.chapters.indices.contains(index) {
            let title = view.chapters[index].title.map { "  " + $0 } ?? ""
            let number = "Chapter \(index + 1)/\(view.chapters.count)"
            let left = view.chapterEnd.map { "  −" + ClockTime.text(max($0 - transport.time, 0)) } ?? ""
            let parts = [(number, styles.accent), (left, styles.dim), (title, styles.text)]
            lines.append(Line(parts: parts, weight: 3, startsGroup: true))
        }
        lines.append(
            Line(
                parts: [(transport.stateText, transport.stateStyle)] + soundParts(view.sound, styles),
                weight: 1,
                startsGroup: true,
                isState: true
            )
        )
        let modes = modeTexts(view)
        if !modes.isEmpty {
            lines += wrapped(modes.joined(separator: " · "), columns, styles.accent).map {
                Line(parts: [$0], weight: 4)
            }
        }
        let effects = view.effects.filter { $0.isEnabled && $0.isSwitchable }.map(\.name)
        if !effects.isEmpty {
            let label = "Effects  "
            let chain = wrapped(effects.joined(separator: " → "), columns.map { $0 - label.count }, styles.text)
            for (index, row) in chain.enumerated() {
                let start = index == 0 ? label : String(repeating: " ", count: label.count)
                lines.append(Line(parts: [(start, styles.dim), row], weight: 6))
            }
        }
        if let index = view.currentIndex, view.queue.count > 1 {
            var parts = [("Item \(index + 1) of \(view.queue.count)", styles.dim)]
            if view.queue.indices.contains(index + 1) {
                parts.append(("  next  " + view.queue[index + 1].title, styles.dim))
            }
            lines.append(Line(parts: parts, weight: 7, startsGroup: true))
        }
        if let format = item.format { lines.append(Line(parts: [(format, styles.dim)], weight: 8)) }
        return lines
    }

    private func wrapped(_ text: String, _ columns: Int?, _ style: Style) -> [(String, Style)] {
        (columns.map { text.wrapped(columns: $0) } ?? [text]).map { ($0, style) }
    }

    private func soundParts(_ sound: SoundView, _ styles: Styles) -> [(String, Style)] {
        let rate = FloatText.text(sound.rate, decimals: sound.rate < 0.1 ? 3 : 2) + "×"
        var parts = [("   " + rate, sound.rate == 1 ? styles.text : styles.accent)]
        if sound.pitch != 0 { parts.append(("   " + pitchText(sound.pitch), styles.accent)) }
        if sound.isMuted {
            parts.append(("   muted", styles.warning))
        } else {
            parts.append(("   volume \(FloatText.text(sound.volume * 100, decimals: 0)) %", styles.text))
        }
        return parts
    }

    /// Returns the pitch shift in semitones if it is a whole number of them, otherwise in cents.
    private func pitchText(_ cents: Double) -> String {
        let sign = cents > 0 ? "+" : ""
        if cents.truncatingRemainder(dividingBy: 100) == 0 {
            return "\(sign)\(FloatText.text(cents / 100, decimals: 0)) st"
        }
        return "\(sign)\(FloatText.text(cents, decimals: 0)) ct"
    }

    private func modeTexts(_ view: PlayerView) -> [String] {
        var texts: [String] = []
        if view.sound.loop != .none { texts.append("repeat " + view.sound.loop.rawValue) }
        if view.sound.isShuffled { texts.append("shuffle") }
        if let start = view.state.loopStart {
            texts.append("A–B \(ClockTime.text(start))–\(view.state.loopEnd.map { ClockTime.text($0) } ?? "?")")
        }
        switch view.sound.sleep {
        case .time(let left): texts.append("sleep in \(ClockTime.text(left))")
        case .endOfChapter: texts.append("sleep after the chapter")
        case .endOfItem: texts.append("sleep after the item")
        case nil: break
        }
        if view.sound.smartSpeed == true {
            let saved = view.state.timeSaved.map { $0 >= 1 ? ", \(ClockTime.text($0)) saved" : "" } ?? ""
            texts.append("silences shortened" + saved)
        }
        if view.sound.voiceBoost == true { texts.append("voice boost") }
        if view.sound.normalization == true { texts.append("even loudness") }
        return texts + view.sound.tone
    }

    // MARK: Time and levels

    private func drawClock(_ transport: TransportDrawing, in area: CellArea, _ grid: inout CellGrid) {
        let (view, styles) = (transport.view, transport.styles)
        let (position, total) = transport.clockTexts
        let style = transport.draggedTime == nil ? styles.title : styles.accent
        let end = grid.draw(position, column: area.column, row: area.row, width: area.columns, style: style)
        var right = total
        if showsRemaining, let duration = view.state.duration, duration.isFinite, duration > 0 {
            let left = transport.time.isFinite ? duration - transport.time : duration
            let rate = view.sound.rate
            right = "−\(ClockTime.text(left, like: duration)) / \(total)"
            if rate != 1, rate.isFinite, rate > 0, area.columns >= 60 {
                right = "\(ClockTime.text(left / rate)) at \(FloatText.text(rate, decimals: 2))×   " + right
            }
        }
        let room = area.end - end - 2
        if room >= DisplayWidth.of(right) {
            grid.draw(right, endingAt: area.end, row: area.row, width: room, style: styles.dim)
        } else if room >= DisplayWidth.of(total) {
            grid.draw(total, endingAt: area.end, row: area.row, width: room, style: styles.dim)
        }
    }

    private func hasMarks(_ view: PlayerView) -> Bool {
        (view.state.duration ?? 0) > 0
            && (view.chapters.count > 1 || view.state.loopStart != nil || !view.bookmarks.isEmpty)
    }

    /// Draws marks above the waveform for chapters, bookmarks, and the ends of the A-B loop.
    private func drawMarks(_ view: PlayerView, _ styles: Styles, in area: CellArea, _ grid: inout CellGrid) {
        guard let duration = view.state.duration, duration.isFinite, duration > 0 else { return }
        func column(_ time: Double) -> Int? {
            SeekBar.column(at: time / duration, columns: area.columns).map { area.column + $0 }
        }
        // With more chapters than columns, the marks would form a solid line.
        if view.chapters.count <= area.columns {
            for (index, chapter) in view.chapters.enumerated() {
                let isCurrent = index == view.currentChapter
                guard let column = column(chapter.start) else { continue }
                grid.put(
                    isCurrent ? "▾" : "╷",
                    column: column,
                    row: area.row,
                    style: isCurrent ? styles.accent : styles.dim
                )
            }
        }
        if view.bookmarks.count <= area.columns {
            for column in view.bookmarks.compactMap({ column($0.time) }) {
                grid.put("◆", column: column, row: area.row, style: styles.accent)
            }
        }
        for (name, time) in [("A", view.state.loopStart), ("B", view.state.loopEnd)] {
            if let column = time.flatMap(column) {
                grid.draw(name, column: column, row: area.row, style: styles.seekBar.mark)
            }
        }
    }
}
