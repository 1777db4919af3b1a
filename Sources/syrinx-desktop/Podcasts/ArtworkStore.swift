import Foundation
import SyrinxDesktopModel
import SyrinxGTK

/// The pictures of podcasts as textures: the files beside the library, decoded off the main thread.
@MainActor
final class ArtworkStore {
    private static let maximumTextureCount = 300
    /// Pictures that are fetched or decoded at a time.
    private static let maximumRunningCount = 3
    private nonisolated static let side = 192

    private let worker: LibraryWorker
    /// By the addresses of the pictures: a feed that names another one has another picture.
    private var textures: [String: Texture] = [:]
    private var handlers: [String: [@MainActor (Texture) -> Void]] = [:]
    private var waiting: [PodcastShow] = []
    private var runningCount = 0
    private var isCancelled = false

    init(_ worker: LibraryWorker) { self.worker = worker }

    /// Calls `handler` with the picture of a podcast, now or when it has been fetched; never if it cannot be had.
    func load(_ show: PodcastShow?, _ handler: @escaping @MainActor (Texture) -> Void) {
        guard let show, let address = show.artwork, !isCancelled else { return }
        if let texture = textures[address] { return handler(texture) }
        let isAsked = handlers[address] != nil
        handlers[address, default: []].append(handler)
        guard !isAsked else { return }
        waiting.append(show)
        startNext()
    }

    /// Ends what waits.
    func cancel() {
        isCancelled = true
        (handlers, waiting) = ([:], [])
    }

    private func startNext() {
        guard runningCount < Self.maximumRunningCount, !waiting.isEmpty else { return }
        let show = waiting.removeFirst()
        runningCount += 1
        Task { [weak self, worker] in
            let file = await worker.artworkFile(ofPodcast: show.id)
            let picture = await Task.detached(priority: .utility) {
                file.flatMap { DecodedPicture(path: $0.path, side: Self.side) }
            }.value
            self?.take(picture?.texture, of: show.artwork ?? "")
        }
    }

    private func take(_ texture: Texture?, of address: String) {
        runningCount -= 1
        startNext()
        // The handlers of a picture that could not be had stay, so that it is asked for once.
        guard let texture, !isCancelled else { return }
        if textures.count >= Self.maximumTextureCount { textures = [:] }
        textures[address] = texture
        for handler in handlers.removeValue(forKey: address) ?? [] { handler(texture) }
    }
}
