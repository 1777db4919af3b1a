import SyrinxListening
import SyrinxTerminal

/// The pages that contain a list.
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
        let thumb = list.window.thumb(rows: area.rows)
        let isWide = area.columns >= 64
        let texts = list.window.visible.map { rowText(list.entry(at: $0), id, view, isWide: isWide) }
        let columns = RowColumns(
            texts.compactMap(\.self),
            greatest: id.count(in: view),
            isNumbered: isWide && texts.first??.number != nil,
            columns: area.columns - 1
        )
        for (line, text) in texts.enumerated() {
            let row = CellArea(column: area.column, row: area.row + line, columns: area.columns - 1, rows: 1)
            let index = list.window.offset + line
            let entry = list.entry(at: index)
            switch id {
            case .effects: drawEffect(EffectRow.all(view.effects)[entry], view, in: row, &grid)
            case .transcript: drawPassage(entry, view, in: row, &grid)
            case .notes: drawNote(view.notes.lines[entry], in: row, &grid)
            default: if let text { draw(text, columns, in: row, &grid) }
            }
            guard index == list.window.selection else { continue }
            // The bar spans the row, except for the scroll bar.
            let bar = thumb == nil ? CellArea(column: row.column, row: row.row, columns: area.columns, rows: 1) : row
            grid.restyle(bar, styles.select)
        }
        if let thumb {
            for row in thumb { grid.put("▐", column: area.end - 1, row: area.row + row, style: styles.dim) }
        }
    }

    /// Draws the name of the list, its length and its filter.
    private func drawTitle(_ view: PlayerView, _ id: ListID, in area: CellArea, _ grid: inout CellGrid) {
        let line = area.inset(columns: 2)
        let list = lists[id]
        let total = id.count(in: view)
        var count =
            switch id {
            case .effects: "\(view.effects.count)"
            case .transcript: "\(view.transcript.passageCount)"
            case .notes: ""
            default: "\(total)"
            }
        if !list.filter.isEmpty { count = "\(list.window.count) of \(total)  “\(list.filter)”" }
        if id == .files, view.files.isReading { count += "…" }
        if id == .queue, list.filter.isEmpty, total > 0 {
            let sum = queueTotal.total
            if sum > 0, sum.isFinite { count += "  \(ClockTime.text(sum))" }
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
            let arrangement = view.podcasts.arrangement
            guard let open = view.podcasts.openShow else { return arrangement?.inboxTitle ?? "Episodes found" }
            let show = view.podcasts.shows.first { $0.id == open }?.title ?? "Episodes"
            return ([show] + (arrangement?.words ?? [])).joined(separator: ", ")
        case .bookmarks where view.allBookmarks != nil: return "Bookmarks of all recordings"
        case .transcript:
            return followsTranscript && view.currentPassage != nil ? "Transcript, following" : "Transcript"
        case .notes: return view.notes.title.isEmpty ? "Notes" : view.notes.title
        default: return page.title
        }
    }

    private func emptyText(_ view: PlayerView, _ id: ListID) -> String {
        if !lists[id].filter.isEmpty { return "No entry contains “\(lists[id].filter)”. Escape shows all." }
        return switch id {
        case .queue: "The queue is empty. Press o to open an address or a path, or go to the files on page 6."
        case .chapters: "The item has no chapters."
        case .bookmarks:
            view.allBookmarks == nil
                ? "No bookmarks yet. Press b to set one at the present time." : "No recording has a bookmark yet."
        case .effects: "No effects are in the graph. The option --effect puts them there."
        case .files:
            view.files.isReading
                ? "The folder is being read…" : view.files.failure ?? "The folder has no audio files."
        case .shows:
            view.podcasts.isAvailable
                ? "No podcasts yet. Press a to subscribe to the address of a feed."
                : "The library of podcasts is not open."
        case .episodes: view.podcasts.emptyText
        case .transcript:
            view.transcript.isLoading
                ? "The transcript is being looked for…" : view.transcript.failure ?? "The item has no transcript."
        case .notes: view.notes.isLoading ? "The notes are being read…" : view.notes.failure ?? "There are no notes."
        }
    }

    // MARK: Entries

    /// The texts of a list row.
    private struct RowText {
        var sign: String
        var number: Int?
        var title: String
        /// The secondary text.
        var detail: String?
        /// The text at the end of the row.
        var end: String
        var style: Style
        /// Whether the secondary text is an error message, which is longer than in other rows.
        var isFailed = false

        /// Returns the width of a text in columns, limited to the maximum that is considered.
        static func width(_ text: String?) -> Int {
            DisplayWidth.of(PrintableText.line(String((text ?? "").prefix(CellGrid.maximumSide))))
        }
    }

    /// The column layout of a list, computed from the visible rows.
    private struct RowColumns {
        /// The number of digits of the largest number.
        var number = 0
        /// The start columns of titles and secondary texts, relative to the row, and their ends.
        var title = 3
        var detail: Int?
        var end = 0

        /// Computes the layout of `rows` in a number of columns.
        ///
        /// A title is not truncated to make room for a secondary text that is shorter than its column.
        init(_ rows: [RowText], greatest: Int, isNumbered: Bool, columns: Int) {
            if isNumbered {
                number = String(max(greatest, 1)).count
                title += number + 2
            }
            let last = columns - 1
            let ends = rows.map { RowText.width($0.end) }.max() ?? 0
            end = max(ends == 0 ? last : last - ends - 2, title)
            guard columns >= 76, end - title >= 30, rows.contains(where: { $0.detail != nil }) else { return }
            let details = rows.map { $0.isFailed ? 0 : RowText.width($0.detail) }.max() ?? 0
            let titles = rows.map { RowText.width($0.title) }.max() ?? 0
            let detailWidth = min(details, max(room * 2 / 5, room - titles))
            detail = title + 2 + min(max(titles, room * 2 / 5), room - detailWidth)
        }

        /// The total width of a title and a secondary text.
        private var room: Int { end - title - 2 }

        /// Returns the start column of a row's secondary text, which a longer text may move left, up to the end of the
        /// title.
        func detail(of row: RowText) -> Int? {
            guard let detail, let text = row.detail, !text.isEmpty else { return nil }
            let least = title + 2 + min(RowText.width(row.title), room * 2 / 5)
            return min(detail, max(end - RowText.width(text), least))
        }
    }

    private func rowText(_ entry: Int, _ id: ListID, _ view: PlayerView, isWide: Bool) -> RowText? {
        switch id {
        case .queue:
            let item = view.queue[entry]
            let isCurrent = entry == view.currentIndex
            return RowText(
                sign: isCurrent ? "►" : item.failure == nil ? " " : "!",
                number: entry + 1,
                title: item.title,
                detail: item.failure ?? item.detail,
                end: item.failure == nil ? item.duration.map { ClockTime.text($0) } ?? "" : "failed",
                style: item.failure != nil ? styles.error : isCurrent ? styles.accent : styles.text,
                isFailed: item.failure != nil
            )
        case .chapters:
            let isCurrent = entry == view.currentChapter
            let chapter = view.chapters[entry]
            let next = view.chapters.indices.contains(entry + 1) ? view.chapters[entry + 1].start : view.state.duration
            return RowText(
                sign: isCurrent ? "►" : " ",
                number: entry + 1,
                title: chapter.title ?? "Chapter \(entry + 1)",
                detail: next.map { "lasts " + ClockTime.text($0 - chapter.start) },
                end: ClockTime.text(chapter.start, like: view.state.duration ?? 0),
                style: isCurrent ? styles.accent : styles.text
            )
        case .bookmarks:
            let mark = view.listedBookmarks[entry]
            return RowText(
                sign: " ",
                number: entry + 1,
                title: mark.title,
                detail: mark.item,
                end: ClockTime.text(mark.time),
                style: styles.text
            )
        case .files:
            let file = view.files.entries[entry]
            return RowText(
                sign: " ",
                title: file.isFolder ? file.name + "/" : file.name,
                end: file.detail ?? "",
                style: file.isFolder ? styles.accent : styles.text
            )
        case .shows:
            let show = view.podcasts.shows[entry]
            return RowText(
                sign: show.failure != nil ? "!" : show.unplayedCount > 0 ? "•" : " ",
                title: show.title,
                detail: show.failure ?? show.author,
                end: show.isRefreshing ? "refreshing…" : "\(show.unplayedCount) new / \(show.episodeCount)",
                style: show.failure == nil ? styles.text : styles.warning,
                isFailed: show.failure != nil
            )
        case .episodes: return rowText(view.podcasts.episodes[entry], isWide: isWide)
        case .effects, .transcript, .notes: return nil
        }
    }

    private func rowText(_ episode: PodcastsView.Episode, isWide: Bool) -> RowText {
        var end = episode.duration.map { ClockTime.text($0) } ?? ""
        if !episode.isPlayed, episode.position > 0, let duration = episode.duration, isWide {
            end = "−" + ClockTime.text(duration - episode.position) + " / " + end
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
        return RowText(
            sign: episode.isPlayed ? "✓" : episode.position > 0 ? "◐" : "•",
            title: episode.title,
            detail: detail.isEmpty ? nil : detail,
            end: file + end,
            style: episode.isPlayed ? styles.dim : styles.text
        )
    }

    private func draw(_ text: RowText, _ columns: RowColumns, in area: CellArea, _ grid: inout CellGrid) {
        let row = area.row
        let signStyle = text.style == styles.text ? styles.accent : text.style
        grid.draw(text.sign, column: area.column + 1, row: row, width: 1, style: signStyle)
        if let number = text.number, columns.number > 0 {
            let end = area.column + 3 + columns.number
            grid.draw(String(number), endingAt: end, row: row, width: columns.number, style: styles.dim)
        }
        let column = area.column + columns.title
        let last = area.end - 1
        let isEndShown = !text.end.isEmpty && DisplayWidth.of(text.end) * 2 <= last - column
        var titleEnd = last
        if isEndShown {
            let start = grid.draw(text.end, endingAt: last, row: row, width: last - column, style: styles.dim)
            titleEnd = min(start - 2, columns.detail == nil ? last : area.column + columns.end)
        }
        if let place = columns.detail(of: text) {
            let start = area.column + place
            grid.draw(text.detail ?? "", column: start, row: row, width: max(titleEnd - start, 0), style: styles.dim)
            titleEnd = start - 2
        }
        grid.draw(text.title, column: column, row: row, width: max(titleEnd - column, 0), style: text.style)
    }

    private func drawPassage(_ entry: Int, _ view: PlayerView, in area: CellArea, _ grid: inout CellGrid) {
        let passage = view.transcript.lines[entry]
        let isCurrent = view.isHeard(row: entry, passage: view.currentPassage)
        let text = (passage.speaker.map { $0 + ": " } ?? "") + passage.text
        var column = area.column + 2
        if let start = passage.start {
            let clock = passage.isContinued ? "" : ClockTime.text(start, like: view.state.duration ?? 0)
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

    private func drawNote(_ line: NotesView.Line, in area: CellArea, _ grid: inout CellGrid) {
        let style = line.time != nil || line.hasLink ? styles.accent : styles.text
        grid.draw(line.text, column: area.column + 2, row: area.row, width: area.columns - 3, style: style)
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

extension EpisodeArrangement {
    /// The differences from the usual list of a podcast, for its title.
    fileprivate var words: [String] {
        (filter == .all ? [] : [filter.title.lowercased()]) + (isOldestFirst ? ["oldest first"] : [])
    }

    /// The title of the list of all podcasts.
    fileprivate var inboxTitle: String { "\(filter.title) episodes" + (isOldestFirst ? ", oldest first" : "") }
}

extension PodcastsView {
    /// The text of an empty list of episodes.
    fileprivate var emptyText: String {
        switch (arrangement?.filter, openShow) {
        case (nil, nil): "No episode was found."
        case (.all, nil): "The podcasts have no episodes."
        case (.new, _): "No episode is new. Press F to see others."
        case (.started, _): "No episode was started and not finished. Press F to see others."
        case (.downloaded, _): "No episode is downloaded. Press F to see others."
        default: "The podcast has no episodes."
        }
    }
}
