import DesktopModel
import GTK

extension PlayerWindow {
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
            ? 0 : application.inhibitSleep(window, idle: level == .sleepAndIdle, reason: "Playing")
        application.uninhibit(former)
    }

    /// Tells the desktop what happens while the window is not active.
    func tell(_ event: NotificationState.Event) {
        for action in notifications.handle(event) {
            switch action {
            case .send(let kind, let title, let body):
                application.notify(kind.rawValue, title: title, body: body, action: "app.raise")
            case .withdraw(let kind): application.withdrawNotification(kind.rawValue)
            }
        }
    }
}
