import Foundation
import MediaPlayer
import SyrinxListening

/// The effects of the desktop's commands.
extension PlaySession {
    mutating func carryOut(_ command: DesktopPlayerCommand, at now: Double) -> [Action] {
        switch command {
        case .loop(let loop):
            settings.setLoop(LoopMode(loop))
            return []
        case .shuffle(let isShuffled): return setShuffled(isShuffled)
        case .open(let url):
            guard let input = ListeningInput(location: url) else { return [] }
            dropOffer()
            guard queue.append(input) else { return [] }
            return end(.move(to: queue.count - 1), at: now)
        case .quit: return carryOut(ListeningCommand.stop, at: now)
        default: return ListeningCommand(command).map { carryOut($0, at: now) } ?? []
        }
    }

    /// The state as the desktop sees it.
    var desktopState: DesktopPlayerState {
        var state = DesktopPlayerState()
        switch progress.state {
        case .paused: state.status = .paused
        case .stopped: state.status = .stopped
        // Between two inputs it goes on.
        case .opening, .buffering, .playing, .ended, .failed: state.status = .playing
        }
        state.rate = settings.rate
        state.volume = settings.gain
        state.loop = repetition.part == nil ? settings.loop.desktopLoop : .track
        state.isShuffled = queue.isShuffled
        let wraps = settings.loop == .all
        state.canGoNext = queue.index(after: queue.index, wraps: wraps) != nil
        state.canGoPrevious = queue.index(before: queue.index, wraps: wraps) != nil
        state.canSeek = progress.duration != nil
        state.track = queue.isEmpty ? nil : desktopTrack
        return state
    }

    private var desktopTrack: DesktopPlayerState.Track {
        let tags = nowPlaying.tags
        let text = { (name: String) in tags[name].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 } }
        var track = DesktopPlayerState.Track(id: currentTurn.id)
        track.duration = progress.duration
        track.title = text("title") ?? nowPlaying.name
        track.artists = [text("artist") ?? text("album_artist")].compactMap(\.self)
        track.album = text("album") ?? text("station")
        track.albumArtists = [text("album_artist")].compactMap(\.self)
        track.genres = [text("genre")].compactMap(\.self)
        track.trackNumber = text("track").flatMap { Int($0.prefix { $0.isNumber }) }
        track.url = queue.current.shownURL
        return track
    }
}

extension LoopMode {
    /// The mode of that name on the desktop.
    init(_ loop: DesktopPlayerState.Loop) {
        switch loop {
        case .none: self = .none
        case .track: self = .one
        case .playlist: self = .all
        }
    }

    fileprivate var desktopLoop: DesktopPlayerState.Loop {
        switch self {
        case .none: .none
        case .one: .track
        case .all: .playlist
        }
    }
}
