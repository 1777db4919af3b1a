import Foundation
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxStreaming

extension PlayerWindow {
    /// The address under which the place and the bookmarks of the current recording are kept; `nil` if it has none.
    var placeKey: String? {
        let queue = player.session.queue
        return queue.isEmpty ? nil : app.key(of: queue.current)
    }

    // MARK: Bookmarks

    /// Reads the bookmarks of the recording, and shows them.
    func showBookmarks() {
        // Those that cannot be read are not replaced either: setting one reports why.
        recording.bookmarks = (try? storedBookmarks()) ?? BookmarkList()
    }

    private func storedBookmarks() throws -> BookmarkList? {
        guard let item = placeKey else { return nil }
        return try SavedState.bookmarks?.bookmarks(of: item, formerly: player.session.queue.current.formerIdentity)
    }

    /// Connects the list of bookmarks.
    func connectBookmarks() {
        recording.marks.onChoose = { [weak self] in self?.recording.waveform.handle(.jump($0.position)) }
        recording.marks.onRemove = { [weak self] in self?.change($0, "Bookmark removed") { $0.remove(at: $1) } }
        recording.marks.onRename = { [weak self] bookmark in
            guard let self else { return }
            BookmarkPanel.askForName(of: bookmark, self.window) { [weak self] name in
                self?.change(bookmark, "Bookmark renamed") { $0.rename(at: $1, to: name) }
            }
        }
    }

    /// Sets a bookmark at the position.
    func addBookmark() {
        let position = recording.waveform.position
        changeBookmarks("Bookmark set at \(TimeText.clock(position))") { $0.add(at: position) != nil }
    }

    /// Changes a bookmark that is listed, if it is still there.
    private func change(_ bookmark: Bookmark, _ message: String, _ body: (inout BookmarkList, Int) -> Void) {
        changeBookmarks(message) { list in
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
    private func changeBookmarks(_ message: String, _ body: (inout BookmarkList) -> Bool) {
        guard let item = placeKey else { return }
        // Another window or program may have set or removed some since the recording was opened.
        var bookmarks = (try? storedBookmarks()) ?? recording.bookmarks
        guard body(&bookmarks) else { return showBookmarks() }
        recording.bookmarks = bookmarks
        do {
            let former = player.session.queue.current.formerIdentity
            try SavedState.bookmarks?.store(bookmarks, of: item, formerly: former, title: trackTitle)
            for window in app.all where window !== self && window.placeKey == item { window.showBookmarks() }
            perform(page.handle(.warning(message)))
        } catch {
            let message = "The bookmark could not be kept: the folder of the app's state cannot be written."
            perform(page.handle(.warning(message)))
        }
    }

    // MARK: Memory

    /// The entries of the menu of recent recordings.
    static let recentCount = 8

    /// Keeps the visible part of the waveform, and the recording as the one used last.
    func rememberPlace() {
        guard let memory = shown.memory else { return }
        let viewport = recording.waveform.interaction.viewport
        saved.memory.keep(
            WindowMemory.Place(
                input: memory.address,
                visible: viewport.isWhole || viewport.start >= viewport.end ? nil : viewport.start...viewport.end,
                station: memory.station
            )
        )
        saved.save()
        shown.memory = nil
        for window in app.all { window.showRecent() }
    }

    /// Shows the part of the waveform that was visible when the recording was left, and notes the recording as used.
    func restoreView() {
        let (session, input) = (player.session, player.session.queue.current)
        guard session.episode == nil, input.part == nil, input.identity != nil else { return }
        // Without a name and password: the list of recent recordings is kept.
        let url = input.url.user == nil ? input.url : URL(string: Redaction.redact(input.url))
        guard let address = url?.absoluteString else { return }
        let title = session.item.tags["station"] ?? input.title ?? input.shortName
        // The length of a recording may not be known yet, but it can be sought in.
        let isStation = info.map { $0.duration == nil && !$0.isSeekable } ?? false
        shown.memory = (address, isStation ? title : nil)
        if let visible = saved.memory.place(of: address)?.visible { recording.waveform.show(visible) }
    }

    private var recent: [ListeningInput] {
        saved.memory.places.prefix(Self.recentCount).compactMap { ListeningInput(location: $0.input) }
    }

    /// Lists the recordings that were used last.
    func showRecent() {
        let items = recent.enumerated().map { ($0.element.shortName, "win.recent-\($0.offset)") }
        widgets.recentMenu.setItems(items.map { (label: $0.0, action: $0.1) })
    }

    func openRecent(_ index: Int) {
        if recent.indices.contains(index) { open([recent[index]]) }
    }
}
