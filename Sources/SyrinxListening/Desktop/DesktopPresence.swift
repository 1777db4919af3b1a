package import MediaPlayer
package import SyrinxMediaCodec

/// The player on the session bus: MPRIS for media keys and panels, and `syrinx control`.
///
/// Thread-safe.
package final class DesktopPresence: Sendable {
    /// A request from the bus.
    package enum Event: Sendable {
        /// A media key, a panel or `playerctl`.
        case desktop(DesktopPlayerCommand)
        /// A command of `syrinx control`.
        case command(ListeningCommand)
        /// Another process requests the queue.
        case queueAsked(@Sendable ([RemoteQueueEntry]) -> Void)
        /// The picture was written, so the state must be reported again.
        case pictureWritten
    }

    private let player: DesktopPlayer
    private let artwork: ArtworkFiles
    private let remote: RemoteControl

    /// Registers a player on the session bus, under the name that `syrinx control` searches for.
    ///
    /// - Parameters:
    ///   - desktopEntry: The name of the program's desktop file, without `.desktop`.
    ///   - canRaise: Whether the player has a window to bring to the front.
    ///   - post: Receives the requests, on another thread.
    /// - Throws: `BusError` if there is no session bus.
    package init(
        desktopEntry: String,
        canRaise: Bool = false,
        post: @escaping @Sendable (Event) -> Void
    ) throws(BusError) {
        let identity = DesktopPlayer.Identity(
            name: Self.name,
            title: "Syrinx",
            desktopEntry: desktopEntry,
            canRaise: canRaise
        )
        remote = RemoteControl(post: post)
        player = try DesktopPlayer(identity, control: remote.control) { post(.desktop($0)) }
        artwork = ArtworkFiles { post(.pictureWritten) }
    }

    /// The part of the bus name that all players of this project have.
    package static let name = "syrinx"

    /// Reports the playback state; call it after each change.
    /// - Parameters:
    ///   - state: The state that MPRIS shows.
    ///   - status: The state that `syrinx control status` shows.
    ///   - position: The playback position, in seconds.
    ///   - picture: The cover of the current item.
    package func update(
        _ state: DesktopPlayerState,
        _ status: RemoteStatus,
        position: Double,
        picture: MediaPicture?
    ) {
        var state = state
        state.track?.artworkURL = artwork.url(of: picture)
        remote.update(status)
        player.update(state, position: position)
    }

    /// Removes the player from the session bus.
    package func stop() { player.stop() }
}

extension ListeningCommand {
    /// Creates the command for a media key or a panel; `nil` for commands to the program, or to its settings.
    package init?(_ command: DesktopPlayerCommand) {
        switch command {
        case .play: self = .resume
        case .pause: self = .pause
        case .playPause: self = .toggle
        case .stop: self = .stop
        // As with other keys, a media key does not go beyond the first or last input.
        case .next: self = .next(isWeak: true)
        case .previous: self = .previous(isWeak: true)
        case .skip(let seconds): self = .seek(.by(Self.clamp(seconds)))
        case .seek(let time): self = .seek(.to(max(0, Self.clamp(time))))
        case .rate(let rate): self = .rate(.to(rate))
        case .volume(let volume): self = .volume(.to(volume))
        case .loop, .shuffle, .open, .raise, .quit: return nil
        }
    }

    private static func clamp(_ seconds: Double) -> Double {
        seconds.isNaN ? 0 : min(max(seconds, -ClockTime.limit), ClockTime.limit)
    }
}

extension ListeningRequest {
    /// Creates the request for a media key or a panel; `nil` for commands to the program, such as quit.
    package init?(_ command: DesktopPlayerCommand) {
        switch command {
        case .loop(.none): self = .setLoop(.none)
        case .loop(.track): self = .setLoop(.one)
        case .loop(.playlist): self = .setLoop(.all)
        case .shuffle(let isShuffled): self = .setShuffled(isShuffled)
        case .open(let url):
            guard let input = ListeningInput(location: url) else { return nil }
            self = .add([input], .lastNow)
        case .quit: self = .command(.stop)
        default:
            guard let command = ListeningCommand(command) else { return nil }
            self = .command(command)
        }
    }
}
