import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxPlayback

/// Reads the bookmarks of the recording, and changes them as the listener asks.
@MainActor
final class BookmarkEditor {
    private unowned let app: DesktopApp
    private let window: Window
    private let control: PlayerControl
    private let recording: RecordingPane

    /// Connects the list of bookmarks.
    /// - Parameters:
    ///   - app: The program.
    ///   - window: The window that dialogs belong to.
    ///   - control: The control of the player.
    ///   - recording: The pane that has the list.
    init(_ app: DesktopApp, _ window: Window, _ control: PlayerControl, _ recording: RecordingPane) {
        (self.app, self.window, self.control, self.recording) = (app, window, control, recording)
        recording.marks.onChoose = { [weak recording] in recording?.waveform.handle(.jump($0.position)) }
        recording.marks.onRemove = { [weak self] in self?.change($0, "Bookmark removed") { $0.remove(at: $1) } }
        recording.marks.onRename = { [weak self] bookmark in
            guard let self else { return }
            BookmarkPanel.askForName(of: bookmark, self.window) { [weak self] name in
                self?.change(bookmark, "Bookmark renamed") { $0.rename(at: $1, to: name) }
            }
        }
    }

    /// The address under which the place and the bookmarks of the current recording are kept; `nil` if it has none.
    private var key: String? {
        let queue = control.session.queue
        return queue.isEmpty ? nil : app.key(of: queue.current)
    }

    /// Reads the bookmarks of the recording, and shows them.
    func show() {
        // Those that cannot be read are not replaced either: setting one reports why.
        recording.bookmarks = (try? stored()) ?? BookmarkList()
    }

    /// Shows the bookmarks that another window has changed.
    /// - Parameter key: The address of the recording.
    func changed(of key: String) { if key == self.key { show() } }

    private func stored() throws -> BookmarkList? {
        guard let key else { return nil }
        return try SavedState.bookmarks?.bookmarks(of: key, formerly: control.session.queue.current.formerIdentity)
    }

    /// Sets a bookmark at the position.
    func add() {
        let position = recording.waveform.position
        change("Bookmark set at \(TimeText.clock(position))") { $0.add(at: position) != nil }
    }

    /// Changes a bookmark that is listed, if it is still there.
    private func change(_ bookmark: Bookmark, _ message: String, _ body: (inout BookmarkList, Int) -> Void) {
        change(message) { list in
            guard let index = list.bookmarks.firstIndex(where: { $0.position == bookmark.position }) else {
                return false
            }
            body(&list, index)
            return true
        }
    }

    /// Changes the bookmarks of the recording, and reports it.
    /// - Parameters:
    ///   - message: The report.
    ///   - body: Changes the bookmarks, and returns whether it has.
    private func change(_ message: String, _ body: (inout BookmarkList) -> Bool) {
        guard let key else { return }
        // Another window or program may have set or removed some since the recording was opened.
        var bookmarks = (try? stored()) ?? recording.bookmarks
        guard body(&bookmarks) else { return show() }
        recording.bookmarks = bookmarks
        do {
            let former = control.session.queue.current.formerIdentity
            try SavedState.bookmarks?.store(bookmarks, of: key, formerly: former, title: control.track.title)
            app.bookmarksChanged(of: key, by: self)
            control.tell(.warning(message))
        } catch {
            control.tell(.warning("The bookmark could not be kept: the folder of the app's state cannot be written."))
        }
    }
}
