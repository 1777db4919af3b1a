import SyrinxGTK

/// The bar below the podcasts that shows how many feeds have been refreshed.
@MainActor
final class RefreshProgress {
    private let widgets: RefreshProgressWidgets
    /// Whether the bar moves because the length of the work is unknown.
    private var isPulsing = false
    private var pulses = false

    /// Creates the progress from the widgets of the bar.
    init(_ widgets: RefreshProgressWidgets) { self.widgets = widgets }

    /// Shows progress.
    /// - Parameters:
    ///   - text: The description of the task; `nil` hides the bar.
    ///   - share: The fraction that is done, 0…1; `nil` if it is unknown.
    func show(_ text: String?, _ share: Double?) {
        widgets.revealer.set("reveal-child", .bool(text != nil))
        if let text { widgets.label.set("label", .string(text)) }
        let bar = widgets.bar
        if let share { bar.showProgress(share) }
        pulses = text != nil && share == nil
        guard pulses, !isPulsing else { return }
        isPulsing = true
        repeatEvery(milliseconds: 120) { [weak self] in
            guard let self else { return false }
            self.isPulsing = self.pulses
            if self.isPulsing { bar.showProgress(nil) }
            return self.isPulsing
        }
    }
}

/// The widgets of the bar.
@MainActor
struct RefreshProgressWidgets {
    let revealer: Widget
    let label: Widget
    let bar: Widget

    init(_ description: Builder) {
        (revealer, label) = (description.get("progressRevealer"), description.get("progressLabel"))
        bar = description.get("progressBar")
    }
}
