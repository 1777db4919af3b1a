import SyrinxGTK

/// The entry in which the words of a search in the queue are typed, and the button that shows it.
@MainActor
final class QueueSearchBar {
    /// Called with the words when they have changed.
    var onQuery: (String) -> Void = { _ in }
    /// Called when the button is pressed, with true to begin a search.
    var onToggle: (Bool) -> Void = { _ in }
    /// Called for Return.
    var onReturn: () -> Void = {}
    /// Called for the Down key.
    var onDown: () -> Void = {}
    private let widgets: QueueSearchWidgets

    /// Connects the widgets.
    init(_ widgets: QueueSearchWidgets) {
        self.widgets = widgets
        let (button, revealer, entry) = (widgets.button, widgets.revealer, widgets.entry)
        // Unlike `toggled`, only the listener causes it.
        button.on("clicked") { [weak self] _ in
            guard let self else { return }
            self.onToggle(!self.isOpen)
        }
        // Unlike `search-changed`, this signal has no delay.
        entry.observe("changed") { [weak self] in self?.onQuery($0.string("text")) }
        revealer.on("notify::child-revealed") { [weak self] _ in
            // Else screen readers would still find it.
            if let self, !self.isOpen { self.widgets.entry.isVisible = false }
        }
        entry.on("activate") { [weak self] _ in self?.onReturn() }
        entry.onKey { [weak self] key, _, modifiers in
            guard key == "Down" || key == "KP_Down", modifiers.isEmpty else { return false }
            self?.onDown()
            return true
        }
    }

    /// Whether the search is open.
    private(set) var isOpen = false

    /// Whether the entry has the focus.
    var hasFocus: Bool { widgets.entry.containsFocus }

    /// Focuses the entry and selects its text.
    func focus() { widgets.entry.grabFocusSelectingText() }

    /// Shows or hides the entry; one that is hidden is empty.
    func setOpen(_ isOpen: Bool) {
        self.isOpen = isOpen
        if isOpen { widgets.entry.isVisible = true }
        widgets.revealer.set("reveal-child", .bool(isOpen))
        widgets.button.set("active", .bool(isOpen))
        if !isOpen { widgets.entry.set("text", .string("")) }
    }

    /// Returns the logical pixels from the upper edge of a widget around it down to its lower edge; `nil` while it is
    /// in no window.
    func bottom(in other: Widget) -> Double? {
        widgets.revealer.top(in: other).map { $0 + widgets.revealer.height }
    }

    /// Focuses the button.
    func focusButton() { widgets.button.grabFocus() }
}
