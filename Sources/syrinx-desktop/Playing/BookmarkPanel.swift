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
    private let list: PlaceListWidgets
    private var rows: [Widget] = []
    private var shown: [Bookmark] = []

    /// Connects the list of a window.
    init(_ list: PlaceListWidgets) {
        self.list = list
        list.list.onActivate { [weak self] index in
            guard let self, self.shown.indices.contains(index) else { return }
            self.onChoose(self.shown[index])
        }
    }

    /// Lists bookmarks.
    func show(_ bookmarks: BookmarkList) {
        guard bookmarks.bookmarks != shown else { return }
        shown = bookmarks.bookmarks
        let former = rows
        rows = shown.map(row)
        list.replace(former, with: rows)
    }

    private func row(_ bookmark: Bookmark) -> Widget {
        let (title, time) = (BookmarkText.title(bookmark), TimeText.clock(bookmark.position))
        let buttons = [
            PlaceButton(icon: "document-edit-symbolic", label: "Rename") { [weak self] in self?.onRename(bookmark) },
            PlaceButton(icon: "user-trash-symbolic", label: "Remove") { [weak self] in self?.onRemove(bookmark) },
        ]
        return PlaceRow(title, time, spoken: "Bookmark \(title), \(time)", buttons: buttons).row
    }

    /// Asks for the name of a bookmark.
    /// - Parameters:
    ///   - bookmark: The bookmark.
    ///   - window: The window that the dialog belongs to.
    ///   - onName: Receives the name; an empty text removes the name.
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
}
