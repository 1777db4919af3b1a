import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxMediaCodec

/// The list of chapters, and the name of the chapter that plays.
@MainActor
final class ChapterPanel {
    /// Receives the place of a chapter that the listener chooses.
    var onChoose: (Int) -> Void = { _ in }
    private let list: PlaceListWidgets
    private let label: Widget
    private var rows: [Widget] = []
    private var tracker = ChapterTracker()
    private var shown: Int?

    /// Connects the list of a window.
    /// - Parameter label: The label of the chapter that plays.
    init(_ list: PlaceListWidgets, label: Widget) {
        (self.list, self.label) = (list, label)
        list.list.onActivate { [weak self] in self?.onChoose($0) }
    }

    /// Lists chapters.
    /// - Parameter duration: The length of the recording in seconds, for the form of the times.
    func show(_ chapters: [MediaChapter], duration: Double?) {
        let former = rows
        tracker = ChapterTracker(chapters)
        rows = chapters.enumerated().map { index, chapter in
            let (title, time) = (chapter.title ?? "Chapter \(index + 1)", TimeText.clock(chapter.start, of: duration))
            return PlaceRow(title, time, spoken: "\(title), \(time)").row
        }
        list.replace(former, with: rows)
        shown = nil
        label.isVisible = false
    }

    /// Shows the name of the chapter at a time, in seconds.
    func move(to time: Double) {
        let index = tracker.index(at: time)
        guard index != shown else { return }
        if let shown, rows.indices.contains(shown) { rows[shown].setClass("playing-row", false) }
        shown = index
        let title = index.flatMap { tracker.chapters[$0].title } ?? ""
        label.set("label", .string(title))
        label.isVisible = !title.isEmpty
        if let index, rows.indices.contains(index) { rows[index].setClass("playing-row") }
    }
}
