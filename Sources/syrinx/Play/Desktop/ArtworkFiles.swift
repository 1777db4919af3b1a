import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxMediaCodec

/// The pictures of inputs that are played, as files that the desktop can open.
///
/// Those of files are read, and all are written, on a thread of their own. Those of what comes over a network are taken from what the
/// player has received.
final class ArtworkFiles: Sendable {
    private struct State {
        var input: InputArgument?
        var url: String?
        /// Whether the picture is being read, or has been: that of the file, and one that was received.
        var isRead = false
        var hasTakenReceived = false
    }

    /// Larger pictures are not copied.
    private static let largestPicture = 16 << 20
    /// The number of pictures that are kept.
    private static let mostPictures = 64
    private static let extensions = ["image/jpeg": "jpg", "image/png": "png", "image/gif": "gif", "image/webp": "webp"]

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "syrinx.artwork")
    private let didFind: @Sendable () -> Void

    /// Creates a reader of pictures, which calls `didFind` on another thread when it has found one.
    init(didFind: @escaping @Sendable () -> Void) { self.didFind = didFind }

    /// Returns the URL of the picture of `input`; `nil` while it is being read, and if there is none.
    /// - Parameter received: The picture that has come with the input, if it is not a file.
    func url(of input: InputArgument, received: MediaPicture?) -> String? {
        let path = if case .file(let path) = input.location { path } else { nil as FilePath? }
        let (url, isNew) = state.withLock { state in
            if state.input != input { state = State(input: input) }
            let isFirst = !state.isRead && path != nil
            // One that comes later is for where the file has none.
            let isLate = state.url == nil && !state.hasTakenReceived && received != nil
            guard isFirst || isLate else { return (state.url, false) }
            state.isRead = true
            if received != nil { state.hasTakenReceived = true }
            return (nil, true)
        }
        if isNew { queue.async { [self] in find(input, path, received) } }
        return url
    }

    private func find(_ input: InputArgument, _ path: FilePath?, _ received: MediaPicture?) {
        guard let picture = path.flatMap(Self.picture) ?? received, let url = Self.copy(picture) else { return }
        let isWanted = state.withLock { state in
            guard state.input == input else { return false }
            state.url = url
            return true
        }
        if isWanted { didFind() }
    }

    /// Returns the picture in a file.
    private static func picture(_ path: FilePath) -> MediaPicture? {
        (try? FileByteStream(path: path)).flatMap { try? MediaDemuxer.open($0).artwork }
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
