import Foundation
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxPlayback

/// The window that lists the bookmarks of all recordings, from which the listener goes to one, renames it or removes it.
@MainActor
final class AllBookmarksWindow {
    /// The actions of the listener on a bookmark.
    struct Actions {
        /// Opens a recording at a position in seconds.
        var open: @MainActor (ListeningInput, Double) -> Void
        /// Takes note of changed bookmarks of a recording, by its address.
        var changed: @MainActor (String) -> Void
        /// Reports a failure.
        var failed: @MainActor (String) -> Void
    }

    private let window: Window
    private let list: PlaceListWidgets
    private let empty: Widget
    private let actions: Actions
    private let didClose: () -> Void
    private var rows: [Widget] = []
    private var entries: [BookmarkEntries.Entry] = []

    /// Shows the window.
    /// - Parameters:
    ///   - parent: The window in front of which it is shown.
    ///   - actions: The actions of the listener.
    ///   - didClose: Called when the window has been closed.
    init(_ parent: Window, _ actions: Actions, didClose: @escaping () -> Void) {
        (self.actions, self.didClose) = (actions, didClose)
        let description = Builder(Self.description)
        window = description.get("window")
        list = PlaceListWidgets(description, "bookmarks")
        empty = description.get("empty")
        list.list.onActivate { [weak self] in self?.open($0) }
        window.on("close-request") { [weak self] _ in self?.didClose() }
        window.setParent(parent)
        read()
        window.present()
    }

    /// Reads the bookmarks anew, which may have changed elsewhere.
    func read() {
        Task { [weak self] in
            let found = await Task.detached { BookmarkEntries(SavedState.bookmarks?.all() ?? []).entries }.value
            self?.show(found)
        }
    }

    private func show(_ new: [BookmarkEntries.Entry]) {
        entries = new
        let former = rows
        rows = new.map(row)
        list.replace(former, with: rows)
        empty.isVisible = new.isEmpty
    }

    private func row(_ entry: BookmarkEntries.Entry) -> Widget {
        let time = TimeText.clock(entry.bookmark.position)
        let buttons = [
            PlaceButton(icon: "document-edit-symbolic", label: "Rename") { [weak self] in self?.rename(entry) },
            PlaceButton(icon: "user-trash-symbolic", label: "Remove") { [weak self] in
                self?.change(entry) { $0.remove(at: $1) }
            },
        ]
        return PlaceRow(entry.text, time, spoken: "Bookmark \(entry.text), \(time)", buttons: buttons).row
    }

    private func open(_ index: Int) {
        guard entries.indices.contains(index) else { return }
        let entry = entries[index]
        guard let input = ListeningInput(location: entry.item) else {
            return actions.failed("The recording of this bookmark cannot be opened.")
        }
        window.close()
        actions.open(input, entry.bookmark.position)
    }

    private func rename(_ entry: BookmarkEntries.Entry) {
        BookmarkPanel.askForName(of: entry.bookmark, window) { [weak self] name in
            self?.change(entry) { $0.rename(at: $1, to: name) }
        }
    }

    /// Changes a bookmark, if it is still there.
    private func change(_ entry: BookmarkEntries.Entry, _ body: (inout BookmarkList, Int) -> Void) {
        do {
            var bookmarks = try SavedState.bookmarks?.bookmarks(of: entry.item) ?? BookmarkList()
            if let index = bookmarks.bookmarks.firstIndex(where: { $0.position == entry.bookmark.position }) {
                body(&bookmarks, index)
                try SavedState.bookmarks?.store(bookmarks, of: entry.item)
                actions.changed(entry.item)
            }
        } catch {
            actions.failed("The bookmark could not be kept: the folder of the app's state cannot be written.")
        }
        read()
    }

    private static let description = """
        <interface><object class="AdwWindow" id="window">
          <property name="title">All Bookmarks</property><property name="modal">True</property>
          <property name="default-width">480</property><property name="default-height">520</property>
          <property name="content"><object class="GtkBox">
            <property name="orientation">vertical</property>
            <child><object class="AdwHeaderBar"/></child>
            <child><object class="AdwStatusPage" id="empty">
              <property name="title">No Bookmarks</property><property name="visible">False</property>
              <property name="description">b sets one at the present time.</property>
              <property name="icon-name">user-bookmarks-symbolic</property><property name="vexpand">True</property>
            </object></child>
            <child><object class="GtkScrolledWindow">
              <property name="vexpand">True</property><property name="hscrollbar-policy">never</property>
              <property name="child"><object class="GtkBox">
                <property name="orientation">vertical</property>
                \(PlaceListWidgets.description("Bookmarks of All Recordings", id: "bookmarks"))
              </object></property>
            </object></child>
          </object></property>
        </object></interface>
        """
}
