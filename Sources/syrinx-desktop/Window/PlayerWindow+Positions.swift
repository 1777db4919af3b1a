import Foundation
import SyrinxDesktopModel
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxStreaming

extension PlayerWindow {
    /// The time at which a recording was left; 0 if it is to begin anew.
    func storedPosition(of track: Track) -> Double {
        if let start = podcasts.playback.start(of: track) { return start }
        guard case .url = track.input, let url = track.url else { return 0 }
        // It may still play in another window.
        for window in others(with: url) { window.remember() }
        guard let stored = SavedState.positions?.position(of: url.absoluteString), ResumeRule().resumes(stored) else {
            return 0
        }
        return stored.position
    }

    /// Keeps the position in the recording.
    func remember(isFinished: Bool = false) {
        if isFinished { heard.moved(at: Date().timeIntervalSince1970) }
        guard !podcasts.playback.remember(opened, at: waveform.position, isFinished: isFinished) else { return }
        guard case .url? = opened?.input, let url = opened?.url, let duration = info?.duration else { return }
        defer { rememberPlace() }
        let item = url.absoluteString
        let stored = SavedState.positions?.position(of: item)?.date
        guard let date = heard.date, heard.replaces(stored, now: Date().timeIntervalSince1970) else { return }
        let position = StoredPosition(
            item: item,
            position: waveform.position,
            duration: duration,
            isFinished: isFinished,
            date: date
        )
        // A position that cannot be kept is no reason to disturb the listener.
        try? SavedState.positions?.store(position)
    }

    /// Reads the bookmarks of the recording, and shows them.
    func showBookmarks(of url: URL) {
        // Those that cannot be read are not replaced either: setting one reports why.
        bookmarks = (try? SavedState.bookmarks?.bookmarks(of: url.absoluteString)) ?? BookmarkList()
        waveform.bookmarks = bookmarks.bookmarks.map(\.position)
    }

    /// Sets a bookmark at the position.
    func addBookmark() {
        guard case .url? = queue.current?.element.input, let url = queue.current?.element.url else { return }
        let position = waveform.position
        // Another window or program may have set or removed some since the recording was opened.
        if let stored = try? SavedState.bookmarks?.bookmarks(of: url.absoluteString) { bookmarks = stored }
        guard bookmarks.add(at: position) != nil else { return }
        waveform.bookmarks = bookmarks.bookmarks.map(\.position)
        do {
            try SavedState.bookmarks?.store(bookmarks, of: url.absoluteString)
            for window in others(with: url) { window.showBookmarks(of: url) }
            perform(page.handle(.warning("Bookmark set at \(TimeText.clock(position))")))
        } catch {
            perform(
                page.handle(
                    .warning("The bookmark could not be kept: the folder of the app's state cannot be written.")
                )
            )
        }
    }
}
