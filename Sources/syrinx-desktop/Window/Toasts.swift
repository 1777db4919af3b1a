import SyrinxDesktopModel
import SyrinxGTK

/// Shows the messages of a window, one at a time.
@MainActor
final class Toasts {
    private let control: PlayerControl
    private let overlay: @MainActor () -> Widget
    private var shown: (view: ToastView, toast: Toast)?

    /// Shows no message yet.
    /// - Parameters:
    ///   - control: The control whose page has the messages.
    ///   - overlay: Returns the overlay of the page that is shown.
    init(_ control: PlayerControl, overlay: @escaping @MainActor () -> Widget) {
        (self.control, self.overlay) = (control, overlay)
    }

    /// Shows the message that is due.
    func show() {
        let former = shown
        guard let toast = control.page.toasts.shown else {
            shown = nil
            former?.view.dismiss()
            return
        }
        let id = toast.id
        if let former, id == former.toast.id || toast.setting != nil && toast.setting == former.toast.setting {
            former.view.set(toast.title)
            shown = (former.view, toast)
            if id == former.toast.id { return }
        } else {
            shown = nil
            former?.view.dismiss()
            let undo = toast.offersUndo ? (label: "Undo", action: "win.queue-undo") : nil
            let view = ToastView(toast.title, over: overlay(), button: undo) { [weak self] in
                // One that makes way for another has been forgotten already.
                guard let self, let shown = self.shown else { return }
                self.shown = nil
                self.control.tell(.toastEnded(id: shown.toast.id))
            }
            shown = (view, toast)
        }
        repeatEvery(milliseconds: UInt32(toast.seconds * 1000)) { [weak control] in
            control?.tell(.toastEnded(id: id))
            return false
        }
    }
}
