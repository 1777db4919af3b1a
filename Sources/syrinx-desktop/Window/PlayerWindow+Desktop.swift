import Foundation
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxPlayback
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
        // The volume of an episode is its podcast's.
        saved.volume = player.session.generalSettings.volume
        saved.showsQueue = widgets.flap.bool("reveal-flap")
        saved.showsSpectrogram = recording.waveform.showsSpectrogram
    }

    /// Keeps the settings, and frees the window.
    func closed() {
        keepSettings()
        rememberPlace()
        saved.save()
        player.keepPlace(isLeaving: true)
        player.stop()
        recording.close()
        inhibitSleep()
        tell(.closed)
        podcasts.handle(.closed)
        for connection in styleChanges { connection.disconnect() }
        styleChanges = []
        recording.cover.close()
        queueView.close()
        startPage.close()
        app.take(.closed(number))
        window.destroy()
    }

    // MARK: The desktop

    /// Keeps the computer awake while something is to be heard, and the screen lit while something is to be seen.
    func inhibitSleep() {
        let level = desktop.inhibition.update(
            wantsPlayback: page.wantsPlayback && !page.isClosed,
            showsPictures: recording.showsVideo
        )
        guard let level else { return }
        // The new one first: between the two the computer could fall asleep.
        let former = desktop.inhibitionNumber
        desktop.inhibitionNumber =
            level == .none
            ? 0 : app.application.inhibitSleep(window, idle: level == .sleepAndIdle, reason: "Playing")
        app.application.uninhibit(former)
    }

    /// Tells the desktop what happens while the window is not active.
    func tell(_ event: NotificationState.Event) {
        for action in desktop.notifications.handle(event) {
            switch action {
            case .send(let kind, let title, let body):
                let action = "app.raise(\(number))"
                app.application.notify("\(kind.rawValue)-\(number)", title: title, body: body, action: action)
            case .withdraw(let kind): app.application.withdrawNotification("\(kind.rawValue)-\(number)")
            }
        }
    }
}
