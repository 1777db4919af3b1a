import MediaPlayer
import SyrinxStreaming

// snippet: tutorial-desktop
/// Shows an episode on the desktop, and carries out the commands of media keys and panels.
struct Desktop {
    let player: Player
    let title: String

    /// Offers the commands.
    ///
    /// Without a session bus none arrive.
    init(of player: Player, title: String) {
        (self.player, self.title) = (player, title)
        let center = MPRemoteCommandCenter.shared()
        for (command, line) in [
            (center.togglePlayPauseCommand, ""), (center.stopCommand, "q"), (center.nextTrackCommand, "+"),
            (center.previousTrackCommand, "-"),
        ] {
            _ = command.addTarget { _ in
                player.perform(line)
                return .success
            }
        }
    }

    /// Reports the state.
    ///
    /// The desktop computes the position from it until the next report.
    func report() {
        MPNowPlayingInfoCenter.default().nowPlayingInfo = [
            MPMediaItemPropertyTitle: title,
            MPMediaItemPropertyPlaybackDuration: player.streamer.duration ?? 0,
            MPNowPlayingInfoPropertyElapsedPlaybackTime: player.streamer.currentTime ?? 0,
            MPNowPlayingInfoPropertyPlaybackRate: player.streamer.state == .playing ? Double(player.streamer.rate) : 0,
        ]
    }
}
// end
