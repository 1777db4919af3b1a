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

    /// Pauses.
    public let pauseCommand = MPRemoteCommand()
    /// Plays.
    public let playCommand = MPRemoteCommand()
    /// Stops.
    public let stopCommand = MPRemoteCommand()
    /// Pauses if it plays, and plays otherwise.
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
    /// Changes the rate.
    public let changePlaybackRateCommand = MPChangePlaybackRateCommand()
    /// Changes the repetition.
    public let changeRepeatModeCommand = MPChangeRepeatModeCommand()
    /// Changes the order.
    public let changeShuffleModeCommand = MPChangeShuffleModeCommand()
    /// Brings the program's window to the front; Syrinx's own.
    ///
    /// It is offered if it has a target when the first state is reported.
    public let raiseCommand = MPRemoteCommand()
    /// Ends the program; Syrinx's own.
    ///
    /// Without a target, `stopCommand` is sent instead.
    public let quitCommand = MPRemoteCommand()

    /// The names by which the desktop shows this program; Syrinx's own.
    ///
    /// The name of the process by default. Set it before the first state is reported to `MPNowPlayingInfoCenter`: a
    /// later change has no effect.
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
