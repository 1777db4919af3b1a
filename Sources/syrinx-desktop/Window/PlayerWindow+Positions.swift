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

    /// Sets a bookmark at the position.
    func addBookmark() {
        guard let item = placeKey else { return }
        let position = recording.waveform.position
        // Another window or program may have set or removed some since the recording was opened.
        var bookmarks = (try? storedBookmarks()) ?? recording.bookmarks
        guard bookmarks.add(at: position) != nil else { return }
        recording.bookmarks = bookmarks
        do {
            let former = player.session.queue.current.formerIdentity
            try SavedState.bookmarks?.store(bookmarks, of: item, formerly: former)
            for window in app.all where window !== self && window.placeKey == item { window.showBookmarks() }
            perform(page.handle(.warning("Bookmark set at \(TimeText.clock(position))")))
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
        widgets.get("recentMenu", Menu.self).setItems(items.map { (label: $0.0, action: $0.1) })
    }

    func openRecent(_ index: Int) {
        if recent.indices.contains(index) { open([recent[index]]) }
    }
}
