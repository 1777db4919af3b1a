import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening

/// The requests of a window to the desktop: panels, notifications, and that the computer stays awake.
@MainActor
final class DesktopLink {
    private unowned let app: DesktopApp
    private let number: Int
    private let window: Window
    private var inhibition = SleepInhibition()
    private var inhibitionNumber: UInt32 = 0
    private var notifications = NotificationState()

    /// Creates the requests of a window.
    /// - Parameter number: The number of the window in the program.
    init(_ app: DesktopApp, _ window: Window, number: Int) {
        (self.app, self.window, self.number) = (app, window, number)
    }

    /// Reports to the desktop what plays, if its panels are for this window.
    /// - Parameter position: The position that is shown, in seconds.
    func report(_ control: PlayerControl, position: Double) {
        app.take(.sound(number, control.page.sound))
        guard app.isSpeaker(number) else { return }
        if let presence = app.presence { control.player.report(to: presence, position: position) }
    }

    /// Keeps the computer awake during playback, and the screen on while video plays.
    func inhibitSleep(_ page: PageState, showsPictures: Bool) {
        let level = inhibition.update(wantsPlayback: page.wantsPlayback && !page.isClosed, showsPictures: showsPictures)
        guard let level else { return }
        // The new one first: between the two the computer could fall asleep.
        let former = inhibitionNumber
        inhibitionNumber =
            level == .none
            ? 0 : app.application.inhibitSleep(window, idle: level == .sleepAndIdle, reason: "Playing")
        app.application.uninhibit(former)
    }

    /// Reports to the desktop what happens while the window is not active.
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
