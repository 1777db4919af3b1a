import SyrinxListening
import SyrinxTerminal

/// The page of the transcript.
struct TranscriptPage: ListPage {
    var list = ListState()
    /// Whether the transcript scrolls with playback.
    private var followsPlayback = true

    static func count(in view: PlayerView) -> Int { view.transcript.lines.count }

    static func text(of entry: Int, in view: PlayerView) -> String { view.transcript.lines[entry].text }

    static func isSame(in left: PlayerView, _ right: PlayerView) -> Bool {
        left.transcript.lines == right.transcript.lines
    }

    static func current(in view: PlayerView) -> Int? { view.currentPassage }

    mutating func didMove(toCurrent: Bool) { followsPlayback = toCurrent }

    mutating func carryOut(_ command: FaceCommand, in view: PlayerView) -> PageAnswer {
        guard command == .activate, let entry = list.selectedEntry, let start = view.transcript.lines[entry].start
        else { return .nothing }
        followsPlayback = true
        return .actions([.command(.seek(.to(start)))])
    }

    func title(in view: PlayerView) -> String {
        followsPlayback && view.currentPassage != nil ? "Transcript, following" : PlayerPage.transcript.title
    }

    func countText(in view: PlayerView) -> String { "\(view.transcript.passageCount)" }

    func emptyText(in view: PlayerView) -> String {
        view.transcript.isLoading
            ? "The transcript is being looked for…" : view.transcript.failure ?? "The item has no transcript."
    }

    var hints: [KeyHint] {
        [([.face(.activate)], "go"), ([.face(.selectCurrent)], "follow"), ([.face(.filter)], "find")]
    }

    mutating func follow(_ view: PlayerView) {
        if followsPlayback, let passage = view.currentPassage { list.select(entry: passage) }
    }

    func draw(_ entry: Int, in view: PlayerView, styles: Styles, area: CellArea, _ grid: inout CellGrid) {
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
}

/// The notes of an episode or of a podcast.
struct NotesPage: ListPage {
    var list = ListState()

    static func count(in view: PlayerView) -> Int { view.notes.lines.count }

    static func text(of entry: Int, in view: PlayerView) -> String { view.notes.lines[entry].text }

    static func isSame(in left: PlayerView, _ right: PlayerView) -> Bool { left.notes.lines == right.notes.lines }

    mutating func carryOut(_ command: FaceCommand, in view: PlayerView) -> PageAnswer {
        guard command == .activate, let entry = list.selectedEntry, let time = view.notes.lines[entry].time,
            let id = view.notes.episode
        else { return .nothing }
        return .actions([.playEpisodeAt(id, time)])
    }

    func title(in view: PlayerView) -> String { view.notes.title.isEmpty ? "Notes" : view.notes.title }

    func countText(in view: PlayerView) -> String { "" }

    func emptyText(in view: PlayerView) -> String {
        view.notes.isLoading ? "The notes are being read…" : view.notes.failure ?? "There are no notes."
    }

    var hints: [KeyHint] {
        [([.face(.activate)], "to the time"), ([.face(.filter)], "find"), ([.face(.back)], "back")]
    }

    func draw(_ entry: Int, in view: PlayerView, styles: Styles, area: CellArea, _ grid: inout CellGrid) {
        let line = view.notes.lines[entry]
        let style = line.time != nil || line.hasLink ? styles.accent : styles.text
        grid.draw(line.text, column: area.column + 2, row: area.row, width: area.columns - 3, style: style)
    }
}
