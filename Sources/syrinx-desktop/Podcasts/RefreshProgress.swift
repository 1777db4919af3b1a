import SyrinxGTK

/// The bar below the podcasts that shows how many feeds have been refreshed.
@MainActor
final class RefreshProgress {
    private let widgets: Builder
    /// Whether the bar moves because the length of the work is unknown.
    private var isPulsing = false
    private var pulses = false

    /// Takes the widgets of `PodcastDescription`.
    init(_ widgets: Builder) { self.widgets = widgets }

    /// Shows progress.
    /// - Parameters:
    ///   - text: What is being done; `nil` hides the bar.
    ///   - share: The fraction that is done, 0…1; `nil` if it is unknown.
    func show(_ text: String?, _ share: Double?) {
        widgets.get("progressRevealer").set("reveal-child", .bool(text != nil))
        if let text { widgets.get("progressLabel").set("label", .string(text)) }
        let bar = widgets.get("progressBar")
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
