import SyrinxDesktopModel
import SyrinxGTK
import SyrinxPlayback

/// The list of the recording's bookmarks, each with a button that renames it and one that removes it.
@MainActor
final class BookmarkPanel {
    /// Receives the bookmark that the listener goes to.
    var onChoose: (Bookmark) -> Void = { _ in }
    /// Receives the bookmark that the listener renames.
    var onRename: (Bookmark) -> Void = { _ in }
    /// Receives the bookmark that the listener removes.
    var onRemove: (Bookmark) -> Void = { _ in }
    private let (list, heading): (ListBox, Widget)
    private var rows: [Widget] = []
    private var shown: [Bookmark] = []

    /// Connects the list of a window.
    init(_ widgets: Builder) {
        (list, heading) = (widgets.get("bookmarkList", ListBox.self), widgets.get("bookmarksHeading"))
        list.onActivate { [weak self] index in
            guard let self, self.shown.indices.contains(index) else { return }
            self.onChoose(self.shown[index])
        }
    }

    /// Lists bookmarks.
    func show(_ bookmarks: BookmarkList) {
        guard bookmarks.bookmarks != shown else { return }
        for row in rows { list.remove(row) }
        shown = bookmarks.bookmarks
        rows = shown.map(row)
        for row in rows { list.appendRow(row) }
        list.isVisible = !rows.isEmpty
        heading.isVisible = !rows.isEmpty
    }

    private func row(_ bookmark: Bookmark) -> Widget {
        let builder = Builder(Self.description)
        let (title, end) = (BookmarkText.title(bookmark), TimeText.clock(bookmark.position))
        builder.get("title").set("label", .string(title))
        builder.get("end").set("label", .string(end))
        let (rename, remove) = (builder.get("rename"), builder.get("remove"))
        rename.setAccessibleLabel("Rename \(title)")
        remove.setAccessibleLabel("Remove \(title)")
        rename.on("clicked") { [weak self] _ in self?.onRename(bookmark) }
        remove.on("clicked") { [weak self] _ in self?.onRemove(bookmark) }
        let row = builder.get("row")
        row.tooltip = title
        row.setAccessibleLabel("Bookmark \(title), \(end)")
        return row
    }

    /// Asks for the name of a bookmark.
    /// - Parameters:
    ///   - bookmark: The bookmark.
    ///   - window: The window that the dialog belongs to.
    ///   - onName: Gets the name; an empty text stands for none.
    static func askForName(
        of bookmark: Bookmark,
        _ window: Window,
        _ onName: @escaping @MainActor (String) -> Void
    ) {
        TextPrompt(
            heading: "Rename Bookmark",
            label: "Name of the Bookmark",
            text: bookmark.title ?? "",
            action: "_Rename",
            entry: "<property name=\"max-length\">\(BookmarkList.maximumTitleLength)</property>"
        ).ask(window, onName)
    }

    private static let description = """
        <interface><object class="GtkListBoxRow" id="row"><property name="child"><object class="GtkBox">
          <property name="spacing">6</property>
          <child><object class="GtkLabel" id="title">
            <property name="xalign">0</property><property name="hexpand">True</property>
            <property name="ellipsize">end</property><property name="single-line-mode">True</property>
          </object></child>
          <child><object class="GtkLabel" id="end">
            <style><class name="numeric"/><class name="dim-label"/></style>
          </object></child>
          <child><object class="GtkButton" id="rename">
            <property name="icon-name">document-edit-symbolic</property>
            <property name="tooltip-text">Rename</property>
            <style><class name="flat"/></style>
          </object></child>
          <child><object class="GtkButton" id="remove">
            <property name="icon-name">user-trash-symbolic</property>
            <property name="tooltip-text">Remove</property>
            <style><class name="flat"/></style>
          </object></child>
        </object></property></object></interface>
        """
}
