import SyrinxListening
import SyrinxTerminal

/// Draws the state, the time and the seek bar of the current item.
struct TransportDrawing {
    let view: PlayerView
    let styles: Styles
    /// The time at the pointer during a drag on the seek bar, in seconds.
    let draggedTime: Double?

    /// The displayed time, in seconds.
    var time: Double { draggedTime ?? view.state.time }

    /// The state in words, with a sign.
    var stateText: String {
        let state = view.state
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

    /// The color of the state.
    var stateStyle: Style {
        switch view.state.kind {
        case .playing: styles.good
        case .paused, .stopped, .ended: styles.text
        case .opening, .buffering, .waiting, .retrying: styles.warning
        case .failed: styles.error
        }
    }

    /// The artist and the title as one line.
    private var headline: String {
        let title = view.item.title.isEmpty ? "Nothing is open" : view.item.title
        return [view.item.artist, title].compactMap { $0?.isEmpty == false ? $0 : nil }.joined(separator: " – ")
    }

    /// The position, and the duration or the remaining time.
    var clockTexts: (position: String, total: String) {
        let state = view.state
        let position = ClockTime.text(time, like: state.duration ?? 0)
        guard let duration = state.duration, duration.isFinite, duration > 0 else {
            let behind = state.behind.flatMap { $0 > 0 ? "\(ClockTime.text($0)) behind live" : nil }
            return (position, behind ?? (view.item.isLive ? "live" : ""))
        }
        return (position, (state.isDurationEstimated ? "~" : "") + ClockTime.text(duration))
    }

    func drawSeekBar(in area: CellArea, _ grid: inout CellGrid, _ places: inout Places) {
        guard !area.isEmpty else { return }
        let state = view.state
        let duration = state.duration.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        let bar = SeekBar(
            peaks: state.peaks,
            received: state.received,
            position: duration.map { time / $0 } ?? 0
        )
        bar.draw(into: &grid, area: area, styles: styles.seekBar)
        places.seekBar = duration == nil ? nil : area
        places.barColumns = area.columns
    }

    /// Draws the player strip of two or three lines on other pages: title, time and seek bar.
    func drawStrip(in area: CellArea, _ grid: inout CellGrid, _ places: inout Places) {
        var area = area.inset(columns: 1)
        if area.rows == 3 {
            let line = area.takeTop(1)
            for column in line.column..<line.end {
                grid.put("─", column: column, row: line.row, style: styles.seekBar.missing)
            }
        }
        let line = area.takeTop(1)
        let (left, right) = clockTexts
        let clock = right.isEmpty ? left : left + " / " + right
        let start = grid.draw(clock, endingAt: line.end, row: line.row, width: line.columns, style: styles.text)
        let room = start - line.column - 2
        if room > 4 {
            let kind = view.state.kind
            let isUsual = kind == .playing || kind == .paused
            let state = isUsual ? String(stateText.prefix(1)) : stateText + " "
            let start =
                grid.draw(
                    state,
                    column: line.column,
                    row: line.row,
                    width: room / 2,
                    style: stateStyle
                ) + 1
            let width = max(line.column + room - start, 0)
            grid.draw(headline, column: start, row: line.row, width: width, style: styles.title)
            places.state = CellArea(column: line.column, row: line.row, columns: room, rows: 1)
        }
        drawSeekBar(in: area, &grid, &places)
    }
}
