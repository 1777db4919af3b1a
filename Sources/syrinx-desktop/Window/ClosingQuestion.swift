import SyrinxDesktopModel
import SyrinxGTK

/// Asks before the last window closes, or all windows, while downloads run, which would end with the program.
@MainActor
final class ClosingQuestion {
    private let window: Window
    private var isAnswered = false
    private var isAsked = false

    /// Makes the question of a window.
    init(_ window: Window) { self.window = window }

    /// Returns whether the window stays open for now, because the listener is asked.
    /// - Parameters:
    ///   - downloads: The number of downloads that would end.
    ///   - proceed: Closes the window or the program, after the listener has agreed.
    func holds(_ downloads: Int, then proceed: @escaping () -> Void) -> Bool {
        guard downloads > 0, !isAnswered else { return false }
        if !isAsked { ask(downloads, then: proceed) }
        return true
    }

    private func ask(_ downloads: Int, then proceed: @escaping () -> Void) {
        isAsked = true
        let builder = Builder(
            """
            <interface><object class="AdwMessageDialog" id="dialog">
              <responses>
                <response id="stay">_Keep Open</response>
                <response id="close" appearance="destructive">_Close</response>
              </responses>
              <property name="default-response">stay</property>
              <property name="close-response">stay</property>
            </object></interface>
            """
        )
        let dialog: Window = builder.get("dialog")
        let texts = ClosingText(downloads: downloads)
        dialog.set("heading", .string(texts.heading))
        dialog.set("body", .string(texts.body))
        dialog.setParent(window)
        dialog.on("response") { [weak self] arguments in
            guard let self else { return }
            self.isAsked = false
            guard arguments.string(0) == "close" else { return }
            self.isAnswered = true
            proceed()
        }
        dialog.present()
    }
}
