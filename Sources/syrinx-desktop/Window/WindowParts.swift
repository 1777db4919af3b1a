import SyrinxGTK
import SyrinxListening

/// The objects of a window, each of which shows a part of it and handles the user's actions there.
///
/// There are no reference cycles: a part calls others through closures or its delegate.
@MainActor
struct WindowParts {
    let control: PlayerControl
    /// The recording: its waveform, pictures, chapters and bookmarks.
    let recording: RecordingPane
    let playing: PlayingPage
    let sound: SoundPane
    let queue: QueuePane
    let startPage: StartPage
    let podcasts: PodcastPage
    let opener: InputOpener
    let dialogs: OpenDialogs
    let bookmarks: BookmarkEditor
    let recent: RecentPlaces
    let tracks: TrackMenu
    let toasts: Toasts
    let desktop: DesktopLink

    /// Creates the parts of a window.
    /// - Parameters:
    ///   - app: The program.
    ///   - window: The window, which is not shown yet.
    ///   - number: Its number in the program.
    ///   - widgets: Its widgets.
    init(_ app: DesktopApp, _ window: Window, number: Int, _ widgets: WindowWidgets) {
        let rack = EffectRack()
        control = PlayerControl(app, number: number, rack)
        rack.equalizer = control.player.tone?.equalizer
        recording = RecordingPane(widgets, control.player.streamer)
        playing = PlayingPage(widgets.player, control, recording)
        sound = SoundPane(widgets.sound, rack)
        queue = QueuePane(widgets, control, window: number)
        startPage = StartPage(widgets.startList, app.library)
        podcasts = PodcastPage(app.library, control, playing, window)
        opener = InputOpener(app, window, control, queue)
        dialogs = OpenDialogs(app, window, control, opener)
        bookmarks = BookmarkEditor(app, window, control, recording)
        recent = RecentPlaces(app, control, recording.waveform, widgets.recentMenu)
        tracks = TrackMenu(control, widgets.trackMenu)
        toasts = Toasts(control) { [podcasts] in podcasts.isShown ? podcasts.widgets.toasts : widgets.toasts }
        desktop = DesktopLink(app, window, number: number)
    }

    /// Reports what plays: below the podcasts, and to the desktop.
    func report() {
        podcasts.showNowPlaying()
        desktop.report(control, position: playing.position)
    }

    /// Keeps the computer awake during playback of sound or video.
    func inhibitSleep() { desktop.inhibitSleep(control.page, showsPictures: recording.showsVideo) }
}
