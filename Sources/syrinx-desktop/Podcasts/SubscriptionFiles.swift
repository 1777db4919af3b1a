import Foundation
import SyrinxByteStream
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxPodcastLibrary

/// Reads and writes lists of subscriptions (OPML).
@MainActor
final class SubscriptionFiles {
    /// The largest list of subscriptions that is read, in bytes.
    private nonisolated static let maximumImport = 32 << 20

    private let worker: LibraryWorker
    private let toasts: Widget
    /// Receives the results for the page.
    private let handle: @MainActor (PodcastsState.Event) -> Void

    /// Creates the dialogs of a page.
    /// - Parameters:
    ///   - worker: The library.
    ///   - toasts: The overlay of the page's messages.
    ///   - handle: Receives the results for the page.
    init(_ worker: LibraryWorker, _ toasts: Widget, _ handle: @escaping @MainActor (PodcastsState.Event) -> Void) {
        (self.worker, self.toasts, self.handle) = (worker, toasts, handle)
    }

    /// Asks for a file, and subscribes to its feeds.
    func importSubscriptions(_ window: Window) {
        let filters = [
            ("Subscriptions (OPML)", ["text/x-opml+xml", "text/xml", "application/xml"]), ("All Files", ["*/*"]),
        ]
        window.chooseFiles("Import Subscriptions", filters: filters) { [weak self] urls in
            guard let self, let url = urls.first.flatMap({ URL(string: $0) }) else { return }
            Task { [weak self, worker = self.worker] in
                let result = await worker.use { library throws(PodcastError) in
                    // The library reports an unreadable file as an invalid list.
                    let path = FilePath(location: url.absoluteString)
                    let list = path.flatMap { try? FileByteStream(path: $0).readAll(limit: Self.maximumImport) }
                    let name = path?.displayName ?? url.lastPathComponent
                    return try library.importOPML(Data(list ?? []), name: name).map(\.id)
                }
                switch result {
                case .success(let ids):
                    self?.handle(.imported(ids.count))
                    // The feeds were added without their episodes.
                    for id in ids { self?.handle(.refresh(id)) }
                case .failure(let error):
                    self?.handle(.failed("The subscriptions could not be imported", PageState.Failure(error)))
                }
            }
        }
    }

    /// Asks for a place, and writes the list of subscriptions there.
    func exportSubscriptions(_ window: Window) {
        window.chooseDestination("Export Subscriptions", name: "podcasts.opml") { [weak self] text in
            guard let self, let url = URL(string: text) else { return }
            Task { [weak self, worker = self.worker] in
                let result = await worker.use { library throws(PodcastError) -> Bool in
                    let data = try library.exportOPML()
                    // Not atomically: that would put another file in the place of a link.
                    return (try? data.write(to: url)) != nil
                }
                switch result {
                case .success(true): self?.toasts.addToast("The subscriptions are in \(url.lastPathComponent).")
                case .success(false):
                    self?.toasts.addToast("\(url.lastPathComponent) could not be written. Choose another folder.")
                case .failure(let error):
                    self?.handle(.failed("The subscriptions could not be exported", PageState.Failure(error)))
                }
            }
        }
    }
}
