import Foundation
import MediaPlayer
import SyrinxByteStream
import SyrinxMediaCodec

/// The player on the desktop: reports what a session plays, and passes its commands on.
final class DesktopPresence {
    private let player: DesktopPlayer
    private let artwork: ArtworkFiles
    private let remote: RemoteControl

    /// Offers the player on the session bus; `post` gets its commands, on another thread.
    /// - Throws: `BusError` if there is no session bus.
    init(post: @escaping @Sendable (PlaySession.Event) -> Void) throws(BusError) {
        let identity = DesktopPlayer.Identity(name: "syrinx", title: "Syrinx", desktopEntry: "syrinx")
        remote = RemoteControl(post: post)
        player = try DesktopPlayer(identity, control: remote.control) { post(.desktop($0)) }
        artwork = ArtworkFiles { post(.tick) }
    }

    /// Reports the state of `session`.
    /// - Parameters:
    ///   - time: The time that is heard, in seconds; `nil` takes the one that the session was told of.
    ///   - picture: The picture that has come with the input that is heard.
    func update(_ session: PlaySession, time: Double?, picture: MediaPicture?) {
        var state = session.desktopState
        state.track?.artworkURL = artwork.url(of: session.queue.current, received: picture)
        remote.update(session.remoteStatus)
        player.update(state, position: time ?? session.progress.time)
    }

    /// Takes the player off the session bus.
    func stop() { player.stop() }
}
