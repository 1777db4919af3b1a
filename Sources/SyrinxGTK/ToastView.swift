import CSyrinxGTK

/// A toast in an `AdwToastOverlay` that stays until it is dismissed.
@MainActor
package final class ToastView {
    private let toast: Object
    private let label: Widget
    /// The width beside the text in pixels: margins and the close button.
    private static let margin = 120.0
    /// The width of the text in a window that is not shown yet, in pixels.
    private static let usualWidth = 320.0

    /// Shows a message, wrapping it if it is long.
    /// - Parameters:
    ///   - text: The message, as plain text.
    ///   - overlay: The overlay.
    ///   - button: The label of a button and the action that it activates; `nil` for none.
    ///   - didClose: Called when the toast is closed, by the user or by ``dismiss()``.
    package init(
        _ text: String,
        over overlay: Widget,
        button: (label: String, action: String)? = nil,
        didClose: @escaping @MainActor () -> Void
    ) {
        guard let toast = adw_toast_new(""), let label = gtk_label_new(text) else { fatalError("GTK made no message") }
        (self.toast, self.label) = (Object(UnsafeMutableRawPointer(toast)), Widget(UnsafeMutableRawPointer(label)))
        // The overlay allocates the height for the natural width, so the natural width must fit into the window.
        var natural: gint = 0
        gtk_widget_measure(label, GTK_ORIENTATION_HORIZONTAL, -1, nil, &natural, nil, nil)
        let character = max(Double(natural) / Double(max(text.count, 1)), 1) * 1.2
        let room = overlay.width > 0 ? overlay.width - Self.margin : Self.usualWidth
        gtk_label_set_max_width_chars(self.label.opaque, gint(clamping: Int(min(max(room / character, 12), 80))))
        gtk_label_set_wrap(self.label.opaque, 1)
        gtk_label_set_wrap_mode(self.label.opaque, PANGO_WRAP_WORD_CHAR)
        gtk_label_set_xalign(self.label.opaque, 0)
        adw_toast_set_custom_title(toast, label)
        if let button {
            adw_toast_set_button_label(toast, button.label)
            adw_toast_set_action_name(toast, button.action)
        }
        adw_toast_set_timeout(toast, 0)
        self.toast.on("dismissed") { _ in didClose() }
        // The overlay takes over a reference.
        g_object_ref(UnsafeMutableRawPointer(toast))
        adw_toast_overlay_add_toast(overlay.opaque, toast)
    }

    /// Replaces the message.
    package func set(_ text: String) { gtk_label_set_label(label.opaque, text) }

    /// Closes the toast.
    package func dismiss() { adw_toast_dismiss(toast.opaque) }
}
