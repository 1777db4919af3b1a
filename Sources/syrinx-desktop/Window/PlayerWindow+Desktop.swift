import Foundation
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxStreaming

extension PlayerWindow {
    // MARK: Beside other windows

    /// The settings, which windows share.
    var saved: SavedState {
        get { app.saved }
        set { app.saved = newValue }
    }

    /// Notes the settings of the window, for the next one and for the next start.
    func keepSettings() {
        saved.memory.window = WindowMemory.Window(
            width: window.int("default-width"),
            height: window.int("default-height"),
            isMaximized: window.isMaximized
        )
        // That of an episode is its podcast's.
        saved.volume = podcasts.playback.showSound.general?.volume ?? volume
        saved.showsQueue = widgets.get("flap").bool("reveal-flap")
        saved.showsSpectrogram = waveform.showsSpectrogram
    }

    /// Keeps the settings, and frees the window.
    func closed() {
        keepSettings()
        saved.save()
        inhibitSleep()
        tell(.closed)
        podcasts.handle(.closed)
        for connection in styleChanges { connection.disconnect() }
        styleChanges = []
        cover.close()
        queueView.close()
        startPage.close()
        app.take(.closed(number))
        window.destroy()
    }

    /// The other windows in which a recording is open.
    /// - Parameter item: The identity of the recording.
    func others(with item: String) -> [PlayerWindow] {
        app.all.filter { window in window !== self && window.opened.flatMap { key(of: $0.source) } == item }
    }

    // MARK: The desktop

    /// Keeps the computer awake while something is to be heard, and the screen lit while something is to be seen.
    func inhibitSleep() {
        let level = inhibition.update(
            wantsPlayback: page.wantsPlayback && !page.isClosed,
            showsPictures: widgets.get("video").isVisible
        )
        guard let level else { return }
        // The new one first: between the two the computer could fall asleep.
        let former = inhibitionNumber
        inhibitionNumber =
            level == .none
            ? 0 : app.application.inhibitSleep(window, idle: level == .sleepAndIdle, reason: "Playing")
        app.application.uninhibit(former)
    }

    /// Tells the desktop what happens while the window is not active.
    func tell(_ event: NotificationState.Event) {
        for action in notifications.handle(event) {
            switch action {
            case .send(let kind, let title, let body):
                let action = "app.raise(\(number))"
                app.application.notify("\(kind.rawValue)-\(number)", title: title, body: body, action: action)
            case .withdraw(let kind): app.application.withdrawNotification("\(kind.rawValue)-\(number)")
            }
        }
    }
}
