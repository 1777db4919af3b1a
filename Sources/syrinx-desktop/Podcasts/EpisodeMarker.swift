import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxPodcastLibrary

/// Marks episodes, and undoes the last change of this page.
@MainActor
final class EpisodeMarker {
    private let worker: LibraryWorker
    /// Receives the results for the page.
    private let handle: @MainActor (PodcastsState.Event) -> Void
    /// The marks before the last change; `nil` without a change, or after it was undone.
    private var marks: EpisodeMarks?
    private var toast: ToastView?
    /// The number of offers, by which a former one that closes late differs from the current one.
    private var offerCount = 0

    /// Creates the marker of a page.
    init(_ worker: LibraryWorker, _ handle: @escaping @MainActor (PodcastsState.Event) -> Void) {
        (self.worker, self.handle) = (worker, handle)
    }

    /// Marks episodes; a change of several is reported with its number.
    func mark(_ marking: EpisodeMarking, isPlayed: Bool) {
        let selection = EpisodeSelection(marking)
        Task { [weak self, worker] in
            let result = await worker.use { library throws(PodcastError) in
                try library.mark(selection, isPlayed: isPlayed)
            }
            guard let self else { return }
            switch result {
            case .success(let marks):
                if marks.count > 0 { self.marks = marks }
                if case .listed = marking { self.handle(.marked(marks.count, isPlayed: isPlayed)) }
            case .failure(let error): self.handle(.failed("The marks could not be saved", PageState.Failure(error)))
            }
        }
    }

    /// Undoes the last change.
    func undo() {
        dismiss()
        guard let marks else { return handle(.unmarked(nil)) }
        self.marks = nil
        Task { [weak self, worker] in
            let result = await worker.use { library throws(PodcastError) in try library.undo(marks) }
            switch result {
            case .success(let count): self?.handle(.unmarked(count))
            case .failure(let error): self?.handle(.failed("The marks could not be saved", PageState.Failure(error)))
            }
        }
    }

    /// The seconds for which the offer to take back a change is shown.
    private static let seconds: UInt32 = 10

    /// Shows a message that offers to take back the last change.
    func offerUndo(_ text: String, over overlay: Widget) {
        dismiss()
        offerCount += 1
        let offer = offerCount
        let button = (label: "Undo", action: "win.podcast-undo-mark")
        toast = ToastView(text, over: overlay, button: button) { [weak self] in
            if self?.offerCount == offer { self?.toast = nil }
        }
        repeatEvery(milliseconds: Self.seconds * 1000) { [weak self] in
            if self?.offerCount == offer { self?.dismiss() }
            return false
        }
    }

    private func dismiss() {
        let former = toast
        toast = nil
        former?.dismiss()
    }
}

extension EpisodeSelection {
    /// The episodes that a page marks.
    init(_ marking: EpisodeMarking) {
        switch marking {
        case .episode(let id): self = .episodes([id])
        case .listed(let podcast, let arrangement, let date):
            self = .filtered(arrangement.libraryFilter(podcast: podcast), before: date)
        }
    }
}
