import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxMediaCodec

/// Writes the cover of the input that plays to a file, which the desktop's panels open.
///
/// Pictures are written on a thread of their own. Any thread may use it.
final class ArtworkFiles: Sendable {
    private struct State {
        var picture: MediaPicture?
        /// The URL of the file, once it has been written.
        var url: String?
    }

    /// Larger pictures are not copied.
    private static let largestPicture = 16 << 20
    /// The number of pictures that are kept.
    private static let mostPictures = 64
    private static let extensions = ["image/jpeg": "jpg", "image/png": "png", "image/gif": "gif", "image/webp": "webp"]

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "syrinx.artwork")
    private let didWrite: @Sendable () -> Void

    /// Creates a writer of pictures, which calls `didWrite` on another thread when it has written one.
    init(didWrite: @escaping @Sendable () -> Void) { self.didWrite = didWrite }

    /// Returns the URL of the file of a picture; `nil` while it is being written, and if it cannot be.
    func url(of picture: MediaPicture?) -> String? {
        let (url, isNew) = state.withLock { state in
            if state.picture == picture { return (state.url, false) }
            state = State(picture: picture)
            return (nil, true)
        }
        if isNew, let picture { queue.async { [self] in write(picture) } }
        return url
    }

    private func write(_ picture: MediaPicture) {
        guard let url = Self.copy(picture) else { return }
        let isWanted = state.withLock { state in
            guard state.picture == picture else { return false }
            state.url = url
            return true
        }
        if isWanted { didWrite() }
    }

    /// Copies a picture to the user's cache, under the name of its contents.
    private static func copy(_ picture: MediaPicture) -> String? {
        // Where it cannot be written, the desktop shows none.
        guard let cache = UserFolder.cache.path(), picture.data.count <= largestPicture,
            let suffix = extensions[picture.mimeType.lowercased()]
        else { return nil }
        let directory = URL(fileURLWithPath: "\(cache)-artwork")
        let file = directory.appendingPathComponent("\(SHA256Digest.hexadecimal(of: picture.data)).\(suffix)")
        do {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            try Data(picture.data).write(to: file, options: .atomic)
            dropOldest(in: directory)
            return file.absoluteString
        } catch {
            return nil
        }
    }

    /// Removes all pictures but the newest.
    private static func dropOldest(in directory: URL) {
        let keys: Set<URLResourceKey> = [.contentModificationDateKey]
        let files =
            (try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: Array(keys)))
        let dated = (files ?? []).map { file in
            (file, (try? file.resourceValues(forKeys: keys))?.contentModificationDate ?? .distantPast)
        }
        for (file, _) in dated.sorted(by: { $0.1 > $1.1 }).dropFirst(mostPictures) {
            try? FileManager.default.removeItem(at: file)
        }
    }
}
