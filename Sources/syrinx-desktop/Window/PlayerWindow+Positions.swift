import Foundation
import SyrinxDesktopModel
import SyrinxListening
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxStreaming

extension PlayerWindow {
    /// The time at which a recording was left; 0 if it is to begin anew.
    func storedPosition(of track: Track) -> Double {
        if let start = podcasts.playback.start(of: track) { return start }
        guard let item = key(of: track.source) else { return 0 }
        // It may still play in another window.
        for window in others(with: item) {
            window.keep(window.progress?.stood(at: window.waveform.position))
        }
        let former = { track.source.formerIdentity.flatMap(SavedState.positions.position) }
        guard let stored = SavedState.positions.position(of: item) ?? former(), ResumeRule().resumes(stored)
        else {
            return 0
        }
        return stored.position
    }

    /// The address under which the place and the bookmarks of an input are kept; `nil` for standard input.
    ///
    /// It is the command's, without a name and a password that were typed in this session.
    func key(of source: ListeningInput) -> String? {
        guard let identity = source.identity, let url = URL(string: identity) else { return source.identity }
        let kept = app.logins.removed(from: url)
        return kept == url ? identity : kept.absoluteString
    }

    /// The present, in seconds since 1970.
    var now: Double { Date().timeIntervalSince1970 }

    /// Notes that a recording is opened.
    func beginProgress() {
        progress = opened.flatMap { key(of: $0.source) }.map { ListeningProgress(of: $0) }
        podcasts.playback.began(opened)
        keepQueue()
    }

    /// Keeps the queue and its place, of what is no podcast: the library has a queue of its own.
    func keepQueue() {
        guard opened?.episode == nil else { return }
        let session = ListeningStore.Session(count: queue.count, current: queue.currentIndex, date: now) {
            let track = queue[$0]
            guard track.episode == nil, let kept = track.source.keptInSession else { return nil }
            return (key(of: track.source) ?? kept.address, kept.title)
        }
        if let session { SavedState.positions.keep(session) }
    }

    /// Has the place kept where an event of the player asks for it.
    func notePlace(_ event: StreamingEvent) {
        let time = player.time
        switch event {
        case .opened(let info): progress?.duration = info.duration
        case .position where page.page == .player(.playing): keep(progress?.heard(time, at: now))
        case .status(.paused, _), .status(.buffering, _), .outputLost: keep(progress?.stood(at: time))
        case .failed:
            // Of a recording that could not be opened nothing has been heard.
            if let opened, info?.duration != nil, !isNextAnnounced { startPlace = (opened, time) }
            keep(progress?.stood(at: time))
        case .advancing(let next) where info != nil && isRepetition(next):
            keep(progress?.beganAgain(at: now))
        // It is about the recording before, whose end has been told.
        case .status(.ended, _) where isNextAnnounced: break
        case .status(.ended, _) where info != nil, .advancing where info != nil:
            keep(progress?.ended(at: now))
        default: break
        }
    }

    /// Keeps a place in the recording: of an episode in the library, else beside those of the command.
    func keep(_ position: StoredPosition?) {
        guard let position else { return }
        if let id = opened?.episode {
            podcasts.playback.keep(position, of: id)
        } else if position.duration != nil {
            SavedState.positions.keep(position)
        }
    }

    /// Keeps the place in a recording that is left.
    func remember() {
        keep(progress?.left(at: waveform.position))
        podcasts.playback.keepChanges()
        if progress != nil, opened?.isWhole == true, opened?.episode == nil, info != nil { rememberPlace() }
    }

    /// Reads the bookmarks of the recording, and shows them.
    func showBookmarks(of source: ListeningInput) {
        // Those that cannot be read are not replaced either: setting one reports why.
        bookmarks = (try? storedBookmarks(of: source)) ?? BookmarkList()
        waveform.bookmarks = bookmarks.bookmarks.map(\.position)
    }

    private func storedBookmarks(of source: ListeningInput) throws -> BookmarkList? {
        guard let item = key(of: source) else { return nil }
        return try SavedState.bookmarks?.bookmarks(of: item, formerly: source.formerIdentity)
    }

    /// Sets a bookmark at the position.
    func addBookmark() {
        guard let source = queue.current?.element.source, let item = key(of: source) else { return }
        let position = waveform.position
        // Another window or program may have set or removed some since the recording was opened.
        if let stored = try? storedBookmarks(of: source) { bookmarks = stored }
        guard bookmarks.add(at: position) != nil else { return }
        waveform.bookmarks = bookmarks.bookmarks.map(\.position)
        do {
            try SavedState.bookmarks?.store(bookmarks, of: item, formerly: source.formerIdentity)
            for window in others(with: item) { window.showBookmarks(of: source) }
            perform(page.handle(.warning("Bookmark set at \(TimeText.clock(position))")))
        } catch {
            perform(
                page.handle(
                    .warning(
                        "The bookmark could not be kept: the folder of the app's state cannot be written."
                    )
                )
            )
        }
    }
}
