import Foundation

/// The commands that media keys, panels and `playerctl` send to this program, through the session bus (MPRIS).
///
/// A command is available while it is enabled and has a handler. Without a session bus no commands arrive. Callable
/// from any thread.
///
/// ```swift
/// let center = MPRemoteCommandCenter.shared()
/// _ = center.playCommand.addTarget { _ in
///     player.play()
///     return .success
/// }
/// _ = center.changePlaybackPositionCommand.addTarget { event in
///     guard let event = event as? MPChangePlaybackPositionCommandEvent else { return .commandFailed }
///     print("seek to", event.positionTime, "seconds")
///     return .success
/// }
/// ```
public final class MPRemoteCommandCenter: @unchecked Sendable {
    // Unchecked: `lock` guards all mutable state.
    private static let center = MPRemoteCommandCenter()
    private let lock = NSLock()
    private var player: DesktopPlayer?
    private var hasTried = false

    /// The command that pauses.
    public let pauseCommand = MPRemoteCommand()
    /// The command that plays.
    public let playCommand = MPRemoteCommand()
    /// The command that stops.
    public let stopCommand = MPRemoteCommand()
    /// The command that pauses, or plays if playback is paused.
    public let togglePlayPauseCommand = MPRemoteCommand()
    /// The command that skips to the next track.
    public let nextTrackCommand = MPRemoteCommand()
    /// The command that returns to the previous track.
    public let previousTrackCommand = MPRemoteCommand()
    /// The command that skips forward by an interval.
    public let skipForwardCommand = MPSkipIntervalCommand()
    /// The command that skips back by an interval.
    public let skipBackwardCommand = MPSkipIntervalCommand()
    /// The command that seeks to a position.
    public let changePlaybackPositionCommand = MPChangePlaybackPositionCommand()
    /// The command that changes the rate.
    public let changePlaybackRateCommand = MPChangePlaybackRateCommand()
    /// The command that changes the repeat mode.
    public let changeRepeatModeCommand = MPChangeRepeatModeCommand()
    /// The command that changes the shuffle mode.
    public let changeShuffleModeCommand = MPChangeShuffleModeCommand()
    /// The command that brings the program's window to the front; an addition to Apple's interface.
    ///
    /// The desktop offers it if it has a handler when the program first reports its state.
    public let raiseCommand = MPRemoteCommand()
    /// The command that ends the program; an addition to Apple's interface.
    ///
    /// Without a handler, `stopCommand` is sent instead.
    public let quitCommand = MPRemoteCommand()

    /// The name under which the desktop shows this program; an addition to Apple's interface.
    ///
    /// The default is the name of the process. Set it before you first use `MPNowPlayingInfoCenter`: a later change has
    /// no effect.
    public var desktopIdentity: MPDesktopIdentity {
        get { lock.withLock { identity } }
        set { lock.withLock { identity = newValue } }
    }

    private var identity = MPDesktopIdentity(title: ProcessInfo.processInfo.processName)

    private init() {}

    /// Returns the commands of this program.
    public static func shared() -> MPRemoteCommandCenter { center }

    /// Reports the player's state and the available commands to the desktop.
    func report(_ state: DesktopPlayerState, position: Double) {
        var state = state
        state.canGoNext = nextTrackCommand.isAvailable
        state.canGoPrevious = previousTrackCommand.isAvailable
        state.canSeek = changePlaybackPositionCommand.isAvailable || skipForwardCommand.isAvailable
        state.isShuffled = changeShuffleModeCommand.currentShuffleType != .off
        switch changeRepeatModeCommand.currentRepeatType {
        case .off: state.loop = .none
        case .one: state.loop = .track
        case .all: state.loop = .playlist
        }
        offer()?.update(state, position: position)
    }

    /// Offers the player on the bus, once.
    private func offer() -> DesktopPlayer? {
        lock.withLock {
            guard !hasTried else { return player }
            hasTried = true
            let name = ProcessInfo.processInfo.processName
            let identity = DesktopPlayer.Identity(
                name: name,
                title: identity.title,
                desktopEntry: identity.desktopEntry,
                canRaise: raiseCommand.isAvailable
            )
            // Without a session bus nothing is reported.
            player = try? DesktopPlayer(identity) { [weak self] in self?.send($0) }
            return player
        }
    }

    private func send(_ command: DesktopPlayerCommand) {
        switch command {
        case .play: playCommand.send(MPRemoteCommandEvent(playCommand))
        case .pause: pauseCommand.send(MPRemoteCommandEvent(pauseCommand))
        case .stop: stopCommand.send(MPRemoteCommandEvent(stopCommand))
        case .quit:
            let command = quitCommand.isAvailable ? quitCommand : stopCommand
            command.send(MPRemoteCommandEvent(command))
        case .raise: raiseCommand.send(MPRemoteCommandEvent(raiseCommand))
        case .playPause: togglePlayPauseCommand.send(MPRemoteCommandEvent(togglePlayPauseCommand))
        case .next: nextTrackCommand.send(MPRemoteCommandEvent(nextTrackCommand))
        case .previous: previousTrackCommand.send(MPRemoteCommandEvent(previousTrackCommand))
        case .skip(let seconds):
            let command = seconds < 0 ? skipBackwardCommand : skipForwardCommand
            command.send(MPSkipIntervalCommandEvent(command, interval: abs(seconds)))
        case .seek(let time):
            let command = changePlaybackPositionCommand
            command.send(MPChangePlaybackPositionCommandEvent(command, positionTime: time))
        case .rate(let rate):
            let command = changePlaybackRateCommand
            command.send(MPChangePlaybackRateCommandEvent(command, playbackRate: Float(rate)))
        case .loop(let loop):
            let type: MPRepeatType =
                switch loop {
                case .none: .off
                case .track: .one
                case .playlist: .all
                }
            changeRepeatModeCommand.send(MPChangeRepeatModeCommandEvent(changeRepeatModeCommand, repeatType: type))
        case .shuffle(let isOn):
            let command = changeShuffleModeCommand
            command.send(MPChangeShuffleModeCommandEvent(command, shuffleType: isOn ? .items : .off))
        // Apple's command center has no such commands.
        case .volume, .open: break
        }
    }
}
