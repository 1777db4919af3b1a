import SyrinxTerminal

/// The pages that are lists.
extension PlayerScreen {
    mutating func drawPage(_ view: PlayerView, in area: CellArea, _ grid: inout CellGrid) {
        guard let id = listID else { return }
        var area = area
        if area.rows >= 8 { _ = area.takeTop(1) }
        if area.rows >= 4 { drawTitle(view, id, in: area.takeTop(1), &grid) }
        lists[id].window.resize(count: lists[id].window.count, height: area.rows)
        if id == .transcript, followsTranscript, prompt == nil, let passage = view.currentPassage {
            lists[.transcript].select(entry: passage)
        }
        let list = lists[id]
        guard list.window.count > 0 else {
            let text = emptyText(view, id)
            let place = area.inset(columns: 2)
            grid.draw(text, column: place.column, row: place.row, width: place.columns, style: styles.dim)
            return
        }
        places.list = (id, area)
        let columns = Columns(id, view, width: area.columns - 4)
        for index in list.window.visible {
            let row = area.row + index - list.window.offset
            let entry = list.entry(at: index)
            let line = CellArea(column: area.column, row: row, columns: area.columns - 1, rows: 1)
            drawEntry(entry, id, view, columns, in: line, &grid)
            if index == list.window.selection { highlight(line, &grid) }
        }
        if let thumb = list.window.thumb(rows: area.rows) {
            for row in thumb { grid.put("▐", column: area.end - 1, row: area.row + row, style: styles.dim) }
        }
    }

    private func highlight(_ line: CellArea, _ grid: inout CellGrid) {
        let (background, text, standard) = (styles.selection, styles.selectionText, styles.text.foreground)
        grid.restyle(line) { style in
            style.background = background
            // Colours that mean something stay, and without colours the row is bold.
            if style.foreground == standard || style.foreground == styles.dim.foreground { style.foreground = text }
            style.attributes.insert(.bold)
        }
    }

    /// The name of the list, its length and its filter.
    private func drawTitle(_ view: PlayerView, _ id: ListID, in area: CellArea, _ grid: inout CellGrid) {
        let line = area.inset(columns: 2)
        let list = lists[id]
        let total = id.count(in: view)
        var count =
            switch id {
            case .effects: "\(view.effects.count)"
            case .transcript: "\(view.transcript.passageCount)"
            default: "\(total)"
            }
        if !list.filter.isEmpty { count = "\(list.window.count) of \(total)  “\(list.filter)”" }
        if id == .files, view.files.isReading { count += "…" }
        if id == .queue, list.filter.isEmpty, total > 0 {
            let sum = queueTotal.total
            if sum > 0, sum.isFinite { count += "  \(FloatText.clock(sum))" }
        }
        let start = grid.draw(count, endingAt: line.end, row: line.row, width: line.columns / 2, style: styles.dim)
        let room = start - line.column - 2
        grid.draw(title(view, id), column: line.column, row: line.row, width: max(room, 0), style: styles.title)
    }

    private func title(_ view: PlayerView, _ id: ListID) -> String {
        switch id {
        case .files: return view.files.path.isEmpty ? "Files" : view.files.path
        case .shows: return "Podcasts"
        case .episodes:
            guard let open = view.podcasts.openShow else { return "Episodes found" }
            return view.podcasts.shows.first { $0.id == open }?.title ?? "Episodes"
        case .transcript:
            return followsTranscript && view.currentPassage != nil ? "Transcript, following" : "Transcript"
        default: return page.title
        }
    }

    private func emptyText(_ view: PlayerView, _ id: ListID) -> String {
        if !lists[id].filter.isEmpty { return "No entry contains “\(lists[id].filter)”. Escape shows all." }
        return switch id {
        case .queue: "The queue is empty. Press o to open an address or a path, or go to the files on page 6."
        case .chapters: "The item has no chapters."
        case .bookmarks: "No bookmarks yet. Press b to set one at the present time."
        case .effects: "No effects are in the graph. The option --effect puts them there."
        case .files:
            view.files.isReading
                ? "The folder is being read…" : view.files.failure ?? "The folder has no audio files."
        case .shows:
            view.podcasts.isAvailable
                ? "No podcasts yet. Press a to subscribe to the address of a feed."
                : "The library of podcasts is not open."
        case .episodes: view.podcasts.openShow == nil ? "No episode was found." : "The podcast has no episodes."
        case .transcript:
            view.transcript.isLoading
                ? "The transcript is being looked for…" : view.transcript.failure ?? "The item has no transcript."
        }
    }

    // MARK: Entries

    /// The widths of a list's columns.
    private struct Columns {
        /// The digits of the greatest number.
        var number: Int
        /// The width of the second text, 0 if it is not shown.
        var detail: Int
        var isWide: Bool

        init(_ id: ListID, _ view: PlayerView, width: Int) {
            number = String(max(id.count(in: view), 1)).count
            isWide = width >= 60
            detail = width >= 76 ? min(width / 3, 48) : 0
        }
    }

    private func drawEntry(
        _ entry: Int,
        _ id: ListID,
        _ view: PlayerView,
        _ columns: Columns,
        in area: CellArea,
        _ grid: inout CellGrid
    ) {
        switch id {
        case .queue:
            let item = view.queue[entry]
            let isCurrent = entry == view.currentIndex
            let duration = item.failure == nil ? item.duration.map { FloatText.clock($0) } ?? "" : "failed"
            row(
                sign: isCurrent ? "►" : item.failure == nil ? " " : "!",
                number: entry + 1,
                item.title,
                detail: item.failure ?? item.detail,
                end: duration,
                style: item.failure != nil ? styles.error : isCurrent ? styles.accent : styles.text,
                columns,
                in: area,
                &grid
            )
        case .chapters:
            let isCurrent = entry == view.currentChapter
            let chapter = view.chapters[entry]
            let next = view.chapters.indices.contains(entry + 1) ? view.chapters[entry + 1].start : view.state.duration
            let length = next.map { FloatText.clock($0 - chapter.start) } ?? ""
            row(
                sign: isCurrent ? "►" : " ",
                number: entry + 1,
                chapter.title ?? "Chapter \(entry + 1)",
                detail: columns.isWide ? "lasts " + length : nil,
                end: FloatText.clock(chapter.start, like: view.state.duration ?? 0),
                style: isCurrent ? styles.accent : styles.text,
                columns,
                in: area,
                &grid
            )
        case .bookmarks:
            let mark = view.bookmarks[entry]
            row(
                sign: " ",
                number: entry + 1,
                mark.title,
                detail: mark.item,
                end: FloatText.clock(mark.time),
                style: styles.text,
                columns,
                in: area,
                &grid
            )
        case .files:
            let file = view.files.entries[entry]
            row(
                sign: " ",
                number: nil,
                file.isFolder ? file.name + "/" : file.name,
                detail: nil,
                end: file.detail ?? "",
                style: file.isFolder ? styles.accent : styles.text,
                columns,
                in: area,
                &grid
            )
        case .shows:
            let show = view.podcasts.shows[entry]
            let count = show.isRefreshing ? "refreshing…" : "\(show.unplayedCount) new / \(show.episodeCount)"
            row(
                sign: show.failure != nil ? "!" : show.unplayedCount > 0 ? "•" : " ",
                number: nil,
                show.title,
                detail: show.failure ?? show.author,
                end: count,
                style: show.failure == nil ? styles.text : styles.warning,
                columns,
                in: area,
                &grid
            )
        case .episodes: drawEpisode(view.podcasts.episodes[entry], columns, in: area, &grid)
        case .effects: drawEffect(EffectRow.all(view.effects)[entry], view, in: area, &grid)
        case .transcript:
            let passage = view.transcript.lines[entry]
            let isCurrent = view.isHeard(row: entry, passage: view.currentPassage)
            let text = (passage.speaker.map { $0 + ": " } ?? "") + passage.text
            var column = area.column + 2
            if let start = passage.start {
                let clock = passage.isContinued ? "" : FloatText.clock(start, like: view.state.duration ?? 0)
                grid.draw(clock, endingAt: area.column + 10, row: area.row, width: 8, style: styles.dim)
                column = area.column + 12
            }
            grid.draw(
                text,
                column: column,
                row: area.row,
                width: area.end - 1 - column,
                style: isCurrent ? styles.accent.adding(.bold) : styles.text
            )
        }
    }

    private func drawEpisode(
        _ episode: PodcastsView.Episode,
        _ columns: Columns,
        in area: CellArea,
        _ grid: inout CellGrid
    ) {
        let sign = episode.isPlayed ? "✓" : episode.position > 0 ? "◐" : "•"
        var end = episode.duration.map { FloatText.clock($0) } ?? ""
        if !episode.isPlayed, episode.position > 0, let duration = episode.duration, columns.isWide {
            end = "−" + FloatText.clock(duration - episode.position) + " / " + end
        }
        let file =
            switch episode.download {
            case .none: ""
            case .waiting: "waiting  "
            case .done: "↓  "
            case .failed: "failed  "
            case .running(let fraction):
                fraction.map { "↓ \(FloatText.text(min(max($0, 0), 1) * 100, decimals: 0)) %  " } ?? "↓ …  "
            }
        let detail = [episode.published, episode.show].compactMap(\.self).joined(separator: "  ")
        row(
            sign: sign,
            number: nil,
            episode.title,
            detail: detail.isEmpty ? nil : detail,
            end: file + end,
            style: episode.isPlayed ? styles.dim : styles.text,
            columns,
            in: area,
            &grid
        )
    }

    /// An entry: sign, number, title, a second text and a text at the end of the row.
    private func row(
        sign: String,
        number: Int?,
        _ title: String,
        detail: String?,
        end: String,
        style: Style,
        _ columns: Columns,
        in area: CellArea,
        _ grid: inout CellGrid
    ) {
        let row = area.row
        grid.draw(
            sign,
            column: area.column + 1,
            row: row,
            width: 1,
            style: style == styles.text ? styles.accent : style
        )
        var column = area.column + 3
        if let number, columns.isWide {
            column += columns.number
            grid.draw(String(number), endingAt: column, row: row, width: columns.number, style: styles.dim)
            column += 2
        }
        let room = area.end - 1 - column
        let last =
            DisplayWidth.of(end) * 2 <= room
            ? grid.draw(end, endingAt: area.end - 1, row: row, width: room, style: styles.dim) : area.end - 1
        var titleEnd = end.isEmpty ? area.end - 1 : last - 2
        if columns.detail > 0, let detail, !detail.isEmpty {
            // The second text stands in a column of its own, which ends where the longest end texts begin.
            let start = area.end - 22 - columns.detail
            let width = min(columns.detail, titleEnd - start)
            if start > column + 10, width > 4 {
                grid.draw(detail, column: start, row: row, width: width, style: styles.dim)
                titleEnd = start - 2
            }
        }
        grid.draw(title, column: column, row: row, width: max(titleEnd - column, 0), style: style)
    }

    private func drawEffect(_ effectRow: EffectRow, _ view: PlayerView, in area: CellArea, _ grid: inout CellGrid) {
        switch effectRow {
        case .effect(let index):
            let effect = view.effects[index]
            let sign = effect.isSwitchable ? effect.isEnabled ? "●" : "○" : "·"
            grid.draw(sign, column: area.column + 1, row: area.row, style: effect.isEnabled ? styles.good : styles.dim)
            let end = grid.draw(
                effect.name,
                column: area.column + 3,
                row: area.row,
                width: area.columns - 4,
                style: effect.isEnabled ? styles.title : styles.dim
            )
            if !effect.isEnabled { grid.draw("off", column: end + 2, row: area.row, style: styles.dim) }
        case .parameter(let index, let place):
            drawParameter(
                view.effects[index].parameters[place],
                isEnabled: view.effects[index].isEnabled,
                in: area,
                &grid
            )
        }
    }

    private func drawParameter(
        _ parameter: EffectView.Parameter,
        isEnabled: Bool,
        in area: CellArea,
        _ grid: inout CellGrid
    ) {
        let nameWidth = min(max(area.columns / 3, 10), 24)
        let isChanged = parameter.value != parameter.initial
        let style = !isEnabled ? styles.dim : isChanged ? styles.accent : styles.text
        grid.draw(
            parameter.name,
            column: area.column + 5,
            row: area.row,
            width: nameWidth - 5,
            style: isEnabled ? styles.text : styles.dim
        )
        let column = area.column + nameWidth + 1
        if !parameter.choices.isEmpty {
            let name =
                parameter.choices.indices.first { Double($0) == parameter.value }.map { parameter.choices[$0] } ?? "–"
            grid.draw("‹ \(name) ›", column: column, row: area.row, width: max(area.end - column - 1, 0), style: style)
            return
        }
        let text = FloatText.text(parameter.value) + (parameter.unit.isEmpty ? "" : " " + parameter.unit)
        let barWidth = min(area.end - 1 - column - 16, 60)
        if barWidth >= 8 {
            let knob = Int((parameter.fraction * Double(barWidth - 1)).rounded())
            for place in 0..<barWidth {
                let isFilled = place < knob
                let glyph: Unicode.Scalar = place == knob ? "●" : isFilled ? "━" : "─"
                grid.put(
                    glyph,
                    column: column + place,
                    row: area.row,
                    style: place <= knob ? style : styles.seekBar.missing
                )
            }
        }
        grid.draw(text, endingAt: area.end - 1, row: area.row, width: 15, style: style)
    }
}
