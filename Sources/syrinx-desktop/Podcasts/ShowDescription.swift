import SyrinxGTK
import SyrinxPodcastLibrary

/// The description of a podcast above its episodes: its beginning, or all of it.
@MainActor
final class ShowDescription {
    private static let (allLines, firstLines) = (-1, 3)
    /// Bytes that fit into the first lines at most widths.
    private static let shortText = 120

    private let label: Widget
    private let button: Widget
    private let worker: LibraryWorker
    private var reading: Task<Void, Never>?
    private var showsAll = false

    /// Takes the widgets of `PodcastDescription`.
    init(_ widgets: Builder, _ worker: LibraryWorker) {
        (label, button, self.worker) = (widgets.get("showNotes"), widgets.get("showMore"), worker)
        label.followTargets { _ in false }
        button.on("clicked") { [weak self] _ in
            guard let self else { return }
            self.showsAll.toggle()
            self.show()
        }
    }

    /// Shows the description of a podcast, or none, as soon as it has been read.
    func read(_ id: Podcast.ID?) {
        reading?.cancel()
        label.set("label", .string(""))
        showsAll = false
        show()
        guard let id else { return }
        reading = Task { [weak self, worker] in
            let found = await worker.use { library throws(PodcastError) in
                ShowNotes(try library.podcast(id).summary, hasTimes: false)
            }
            // A description that cannot be read is no reason to say anything: the list of episodes says it.
            guard !Task.isCancelled, let self, case .success(let notes) = found else { return }
            self.label.set("label", .string(notes.markup))
            self.show()
        }
    }

    private func show() {
        let text = label.string("label")
        label.isVisible = !text.isEmpty
        label.set("lines", .int(showsAll ? Self.allLines : Self.firstLines))
        // Pango's values: none, and at the end.
        label.set("ellipsize", .int(showsAll ? 0 : 3))
        button.isVisible = text.utf8.count > Self.shortText || text.contains("\n")
        button.set("label", .string(showsAll ? "Less" : "More"))
    }
}
