package import MediaPlayer

extension DesktopPlayerState {
    /// The state of a player as the desktop's panels show it.
    package init(_ state: ListeningState) {
        self.init()
        switch state.state {
        case .paused: status = .paused
        case .stopped: status = .stopped
        case .ended, .failed: status = state.isIdle ? .stopped : .playing
        case .opening, .buffering, .playing: status = state.wantsPlayback ? .playing : .paused
        }
        (rate, volume) = (state.sound.rate, state.sound.isMuted ? 0 : state.sound.volume)
        let repeatsPart = state.partStart != nil && state.partEnd != nil
        loop = repeatsPart ? .track : state.queue.loop.desktopLoop
        isShuffled = state.queue.isShuffled
        (canGoNext, canGoPrevious) = (state.queue.canGoNext, state.queue.canGoPrevious)
        canSeek = state.item?.duration != nil
        track = state.item.map(Track.init)
    }
}

extension DesktopPlayerState.Track {
    fileprivate init(_ item: ListeningState.Item) {
        let text = { (name: String) in item.tags[name].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 } }
        self.init(id: item.turn)
        duration = item.duration
        title = text("title") ?? item.shortName
        artists = [text("artist") ?? text("album_artist")].compactMap(\.self)
        album = text("album") ?? text("station")
        albumArtists = [text("album_artist")].compactMap(\.self)
        genres = [text("genre")].compactMap(\.self)
        trackNumber = text("track").flatMap { Int($0.prefix { $0.isNumber }) }
        url = item.url
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
