import SyrinxGTK
import SyrinxListening

/// The menu of the audio tracks of what plays, such as the languages of a film.
@MainActor
final class TrackMenu {
    /// The entries of the menu.
    static let count = 16
    private let control: PlayerControl
    private let menu: Menu
    private var shown: AudioTracks?

    /// Makes the menu of a window.
    init(_ control: PlayerControl, _ menu: Menu) { (self.control, self.menu) = (control, menu) }

    /// Lists the tracks, if the item has several.
    func show() {
        guard control.session.item.isOpen else { return set(nil) }
        let tracks = AudioTracks(of: control.player.streamer)
        set(tracks.names.count > 1 ? tracks : nil)
    }

    private func set(_ tracks: AudioTracks?) {
        guard tracks != shown else { return }
        shown = tracks
        menu.setItems(
            (tracks?.names ?? []).prefix(Self.count).enumerated().map { index, name in
                (label: (index == tracks?.current ? "✓ " : "") + name, action: "win.track-\(index)")
            }
        )
    }
}
