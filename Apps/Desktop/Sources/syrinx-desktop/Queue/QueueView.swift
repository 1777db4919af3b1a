import AudioStreaming
import DesktopModel
import Foundation
import GTK

/// The list of the queue: of the rows that are seen it reads tags and covers.
@MainActor
final class QueueView {
    /// A list of widgets: more rows than these would take seconds to make.
    private static let maximumCount = 2000

    /// Takes a row out of the queue.
    var onRemove: (Int) -> Void = { _ in }
    /// Called with true when a drag of a row begins, and with false when it ends.
    var onDrag: (Bool) -> Void = { _ in }
    /// The number of the window, which is part of the text of a dragged row.
    private let window: Int
    private let list: ListBox
    private let scroller: Widget
    private let scrolled: Widget
    private let summary: Widget
    private let reader = TagReader()
    private var tracks: [Track] = []
    /// The addresses by which tags are read.
    private var keys: [String?] = []
    private var current: Int?
    private var content: [QueueRow] = []
    private var seen = 0..<0
    private var isUpdating = false

    /// Shows an empty queue.
    /// - Parameters:
    ///   - widgets: The widgets of the window.
    ///   - window: Its number.
    init(_ widgets: Builder, window: Int) {
        self.window = window
        list = widgets.get("queueList", ListBox.self)
        scroller = widgets.get("queueScroller")
        scrolled = widgets.get("queueContent")
        summary = widgets.get("queueSummary")
        scroller.onVerticalChange { [weak self] in self?.updateSoon() }
        list.on("map") { [weak self] _ in self?.updateSoon() }
        reader.onRead = { [weak self] in self?.show($0) }
    }

    /// The rows.
    var rows: [Widget] { content.map(\.row) }

    /// The pixels from one row to the next; 0 before the list is shown.
    var pitch: Double { content.isEmpty ? 0 : list.height / Double(content.count) }

    /// Returns the number of the row that is a widget.
    func index(of widget: Widget?) -> Int? {
        guard let widget else { return nil }
        return content.firstIndex { $0.row === widget }
    }

    /// Gives the focus to a row, if there is one of this number.
    func focus(_ row: Int) {
        if content.indices.contains(row) { content[row].row.grabFocus() }
    }

    /// Lists a queue.
    /// - Parameters:
    ///   - tracks: Its recordings.
    ///   - current: The number of the one that plays.
    func show(_ tracks: [Track], current: Int?) {
        let shown = Array(tracks.prefix(Self.maximumCount))
        if tracks != self.tracks {
            let isSameList = shown == Array(self.tracks.prefix(Self.maximumCount))
            self.tracks = tracks
            keys = tracks.map(\.key)
            reader.keep(Set(keys.compactMap { $0 }))
            if !isSameList { makeRows(shown) }
            showSummary()
        }
        guard current != self.current else { return }
        if let former = self.current, content.indices.contains(former) { content[former].show(isPlaying: false) }
        if let current, content.indices.contains(current) { content[current].show(isPlaying: true) }
        self.current = current
    }

    private func makeRows(_ shown: [Track]) {
        for row in content { list.remove(row.row) }
        content = shown.enumerated().map { makeRow($0.element, $0.offset) }
        for row in content { list.appendRow(row.row) }
        current = nil
        // At once, since rows without content would be seen until the layout has been made.
        seen = seen.clamped(to: content.indices)
        fillSeen()
        updateSoon()
    }

    /// Ends reading.
    func close() { reader.close() }

    private func makeRow(_ track: Track, _ index: Int) -> QueueRow {
        let row = QueueRow(text(of: track, keys[index])) { [weak self] in
            // The button goes with its row: it must have answered before.
            repeatEvery(milliseconds: 0) {
                self?.onRemove(index)
                return false
            }
        }
        row.row.setDragged(DraggedRow(window: window, row: index).text) { [weak self] in self?.onDrag($0) }
        return row
    }

    private func text(of track: Track, _ key: String?) -> QueueRowText {
        var tags = key.flatMap { reader.value(of: $0)?.tags }
        var isPart = false
        if case .part(let part, of: _) = track.input {
            isPart = true
            tags?.duration = part.end.map { $0 - part.start }
        }
        return QueueRowText(
            name: track.title,
            keepsName: isPart || track.episode != nil,
            host: track.url.flatMap { $0.isFileURL ? nil : $0.host },
            tags: tags
        )
    }

    private func show(_ key: String) {
        for index in seen where content.indices.contains(index) && keys[index] == key { fill(index) }
        showSummary()
    }

    private func fill(_ index: Int) {
        let cover = keys[index].flatMap { reader.value(of: $0)?.cover }
        content[index].show(text(of: tracks[index], keys[index]), cover: cover)
    }

    private func showSummary() {
        summary.set(
            "label",
            .string(
                QueueRows.summary(
                    tracks.indices.lazy.map { [tracks, keys, durations = reader.durations] in
                        guard case .url = tracks[$0].input else { return nil }
                        return keys[$0].flatMap { durations[$0] }
                    }
                )
            )
        )
    }

    /// Fills the rows that are seen, when the layout that is under way has been made.
    private func updateSoon() {
        guard !isUpdating else { return }
        isUpdating = true
        // Often enough for rows to be filled before they are seen, and seldom enough for frames in between.
        repeatEvery(milliseconds: 50) { [weak self] in
            self?.isUpdating = false
            self?.update()
            return false
        }
    }

    private func update() {
        guard list.isMapped, let start = list.top(in: scrolled) else { return }
        let top = scroller.scrolledDistance - start
        let range = QueueRows.visible(top: top, height: scroller.height, pitch: pitch, count: content.count)
        guard range != seen else { return }
        for index in seen where !range.contains(index) && content.indices.contains(index) {
            content[index].setSeen(false)
        }
        seen = range
        fillSeen()
    }

    private func fillSeen() {
        for index in seen {
            content[index].setSeen(true)
            fill(index)
        }
        reader.want(seen.compactMap { keys[$0] }, side: QueueRow.coverSide * list.scaleFactor)
    }
}

extension Track {
    /// The address by which tags are read: of files alone.
    fileprivate var key: String? {
        guard let url, url.isFileURL, episode == nil else { return nil }
        return url.absoluteString
    }
}
