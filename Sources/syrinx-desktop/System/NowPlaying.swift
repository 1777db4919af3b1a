import Foundation
import MediaPlayer
import SyrinxDesktopModel

/// The player in the desktop's panels, and its media keys.
@MainActor
final class NowPlaying {
    /// A command of a media key or a panel.
    enum Command: Sendable {
        case play, pause, toggle, stop, next, previous, raise, quit
        case skip(Double)
        case seek(Double)
        case rate(Double)
        case repetition(PlayOrder.Repetition)
        case shuffle(Bool)
    }

    /// The recording and its state, as they are shown.
    struct State: Equatable {
        var title = ""
        var artist: String?
        var album: String?
        var duration: Double?
        var url: URL?
        var isPlaying = false
        var isStopped = true
        var rate = 1.0
        var repetition = PlayOrder.Repetition.none
        var isShuffled = false
    }

    private var shown = State()

    /// Offers the commands.
    func start(_ handler: @escaping @MainActor (Command) -> Void) {
        let center = MPRemoteCommandCenter.shared()
        center.desktopIdentity = MPDesktopIdentity(title: "Syrinx", desktopEntry: DesktopApp.id)
        func add(_ command: MPRemoteCommand, _ make: @escaping @Sendable (MPRemoteCommandEvent) -> Command?) {
            _ = command.addTarget { event in
                guard let made = make(event) else { return .commandFailed }
                // The targets are called on the main queue.
                MainActor.assumeIsolated { handler(made) }
                return .success
            }
        }
        add(center.playCommand) { _ in .play }
        add(center.pauseCommand) { _ in .pause }
        add(center.togglePlayPauseCommand) { _ in .toggle }
        add(center.stopCommand) { _ in .stop }
        add(center.nextTrackCommand) { _ in .next }
        add(center.previousTrackCommand) { _ in .previous }
        add(center.raiseCommand) { _ in .raise }
        add(center.quitCommand) { _ in .quit }
        add(center.skipForwardCommand) { ($0 as? MPSkipIntervalCommandEvent).map { .skip($0.interval) } }
        add(center.skipBackwardCommand) { ($0 as? MPSkipIntervalCommandEvent).map { .skip(-$0.interval) } }
        add(center.changePlaybackPositionCommand) {
            ($0 as? MPChangePlaybackPositionCommandEvent).map { .seek($0.positionTime) }
        }
        add(center.changePlaybackRateCommand) {
            ($0 as? MPChangePlaybackRateCommandEvent).map { .rate(Double($0.playbackRate)) }
        }
        add(center.changeRepeatModeCommand) {
            ($0 as? MPChangeRepeatModeCommandEvent).map { .repetition(PlayOrder.Repetition($0.repeatType)) }
        }
        add(center.changeShuffleModeCommand) {
            ($0 as? MPChangeShuffleModeCommandEvent).map { .shuffle($0.shuffleType != .off) }
        }
    }

    /// Shows a state.
    /// - Parameters:
    ///   - state: The recording and whether it plays.
    ///   - position: Seconds; the desktop carries it on by itself.
    ///   - hasJumped: Whether the position has changed otherwise than by playing.
    func show(_ state: State, position: Double, hasJumped: Bool = false) {
        guard state != shown || hasJumped else { return }
        let former = shown
        shown = state
        showOrder(state, former)
        let center = MPNowPlayingInfoCenter.default()
        center.nowPlayingInfo = [
            MPMediaItemPropertyTitle: state.title,
            MPMediaItemPropertyArtist: state.artist as Any?,
            MPMediaItemPropertyAlbumTitle: state.album as Any?,
            MPMediaItemPropertyPlaybackDuration: state.duration as Any?,
            MPNowPlayingInfoPropertyAssetURL: state.url as Any?,
            MPNowPlayingInfoPropertyElapsedPlaybackTime: position,
            MPNowPlayingInfoPropertyPlaybackRate: state.isPlaying ? state.rate : 0,
            MPNowPlayingInfoPropertyDefaultPlaybackRate: state.rate,
        ].compactMapValues { $0 }
        center.playbackState = state.isStopped ? .stopped : state.isPlaying ? .playing : .paused
    }

    private func showOrder(_ state: State, _ former: State) {
        let center = MPRemoteCommandCenter.shared()
        // Each of them is a message on the bus.
        if state.repetition != former.repetition {
            center.changeRepeatModeCommand.currentRepeatType = MPRepeatType(state.repetition)
        }
        if state.isShuffled != former.isShuffled {
            center.changeShuffleModeCommand.currentShuffleType = state.isShuffled ? .items : .off
        }
    }
}

extension PlayOrder.Repetition {
    fileprivate init(_ type: MPRepeatType) {
        switch type {
        case .off: self = .none
        case .one: self = .one
        case .all: self = .all
        }
    }
}

extension MPRepeatType {
    fileprivate init(_ repetition: PlayOrder.Repetition) {
        switch repetition {
        case .none: self = .off
        case .one: self = .one
        case .all: self = .all
        }
    }
}
