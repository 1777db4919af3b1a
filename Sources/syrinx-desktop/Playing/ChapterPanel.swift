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

    /// Shows the name of the chapter at a time, and the time that is left in it.
    /// - Parameters:
    ///   - time: The time in seconds.
    ///   - rate: The rate, by which the time that is left is divided.
    func move(to time: Double, rate: Double) {
        let index = tracker.index(at: time)
        let text = index.map { self.text(of: $0, at: time, rate: rate) } ?? ""
        label.set("label", .string(text))
        label.isVisible = !text.isEmpty
        guard index != shown else { return }
        if let shown, rows.indices.contains(shown) { rows[shown].setClass("playing-row", false) }
        shown = index
        if let index, rows.indices.contains(index) { rows[index].setClass("playing-row") }
    }

    private func text(of index: Int, at time: Double, rate: Double) -> String {
        let (chapter, count) = (tracker.chapters[index], tracker.chapters.count)
        let end = tracker.index(after: time).map { tracker.chapters[$0].start } ?? chapter.end
        let place = TimeText.chapter(index, of: count, at: time, end: end, rate: rate)
        return [chapter.title, place].compactMap { $0?.isEmpty == false ? $0 : nil }.joined(separator: " · ")
    }
}
