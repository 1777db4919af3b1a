import Foundation
package import MediaPlayer

extension DesktopPlayerState {
    /// The state of a session as the desktop sees it.
    package init(_ session: ListeningSession) {
        self.init()
        let (queue, settings, progress) = (session.queue, session.settings, session.item.progress)
        switch progress.state {
        case .paused: status = .paused
        case .stopped: status = .stopped
        case .ended, .failed: status = session.isIdle ? .stopped : .playing
        case .opening, .buffering, .playing: status = session.wantsPlayback ? .playing : .paused
        }
        rate = settings.rate
        volume = settings.gain
        loop = session.repetition.part == nil ? settings.loop.desktopLoop : .track
        isShuffled = queue.isShuffled
        let wraps = settings.loop == .all
        canGoNext = queue.index(after: queue.index, wraps: wraps) != nil
        canGoPrevious = queue.index(before: queue.index, wraps: wraps) != nil
        canSeek = progress.duration != nil
        track = queue.isEmpty ? nil : Track(session)
    }
}

extension DesktopPlayerState.Track {
    fileprivate init(_ session: ListeningSession) {
        let (input, tags) = (session.queue.current, session.item.tags)
        let text = { (name: String) in tags[name].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 } }
        self.init(id: session.queue.currentTurnID)
        duration = session.item.progress.duration
        title = text("title") ?? input.shortName
        artists = [text("artist") ?? text("album_artist")].compactMap(\.self)
        album = text("album") ?? text("station")
        albumArtists = [text("album_artist")].compactMap(\.self)
        genres = [text("genre")].compactMap(\.self)
        trackNumber = text("track").flatMap { Int($0.prefix { $0.isNumber }) }
        url = input.shownURL
    }
}

extension LoopMode {
    fileprivate var desktopLoop: DesktopPlayerState.Loop {
        switch self {
        case .none: .none
        case .one: .track
        case .all: .playlist
        }
    }
}
