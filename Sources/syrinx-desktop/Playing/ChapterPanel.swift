import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxMediaCodec

/// The list of chapters, and the name of the chapter that plays.
@MainActor
final class ChapterPanel {
    /// Receives the place of a chapter that the listener chooses.
    var onChoose: (Int) -> Void = { _ in }
    private let (list, heading, label): (ListBox, Widget, Widget)
    private var rows: [Widget] = []
    private var tracker = ChapterTracker()
    private var shown: Int?

    /// Connects the list of a window.
    init(_ widgets: Builder) {
        list = widgets.get("chapterList", ListBox.self)
        (heading, label) = (widgets.get("chaptersHeading"), widgets.get("chapterLabel"))
        list.onActivate { [weak self] in self?.onChoose($0) }
    }

    /// Lists chapters.
    /// - Parameter duration: The length of the recording in seconds, for the form of the times.
    func show(_ chapters: [MediaChapter], duration: Double?) {
        for row in rows { list.remove(row) }
        tracker = ChapterTracker(chapters)
        rows = chapters.enumerated().map { index, chapter in
            Self.row(chapter.title ?? "Chapter \(index + 1)", TimeText.clock(chapter.start, of: duration))
        }
        for row in rows { list.appendRow(row) }
        list.isVisible = !rows.isEmpty
        heading.isVisible = !rows.isEmpty
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

    private static func row(_ title: String, _ end: String) -> Widget {
        let builder = Builder(
            """
            <interface><object class="GtkListBoxRow" id="row"><property name="child"><object class="GtkBox">
              <property name="spacing">12</property>
              <child><object class="GtkLabel" id="title">
                <property name="xalign">0</property><property name="hexpand">True</property>
                <property name="ellipsize">end</property><property name="single-line-mode">True</property>
              </object></child>
              <child><object class="GtkLabel" id="end">
                <style><class name="numeric"/><class name="dim-label"/></style>
              </object></child>
            </object></property></object></interface>
            """
        )
        builder.get("title").set("label", .string(title))
        builder.get("end").set("label", .string(end))
        let row = builder.get("row")
        row.tooltip = title
        row.setAccessibleLabel("\(title), \(end)")
        return row
    }
}
