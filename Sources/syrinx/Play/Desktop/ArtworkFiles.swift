import ByteStream
import Foundation
import MediaCodec
import Synchronization

/// The pictures of files that are played, as files that the desktop can open.
///
/// They are read on a thread of their own. Pictures of what comes over a network are not: that would take further requests.
final class ArtworkFiles: Sendable {
    private struct State {
        var input: InputArgument?
        var url: String?
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
    func url(of input: InputArgument) -> String? {
        let (url, isNew) = state.withLock { state in
            guard state.input != input else { return (state.url, false) }
            state = State(input: input)
            return (nil, true)
        }
        if isNew, case .file(let path) = input.location { queue.async { [self] in find(input, path) } }
        return url
    }

    private func find(_ input: InputArgument, _ path: FilePath) {
        guard let url = Self.copy(path) else { return }
        let isWanted = state.withLock { state in
            guard state.input == input else { return false }
            state.url = url
            return true
        }
        if isWanted { didFind() }
    }

    /// Copies the picture in a recording to the user's cache, under the name of its contents.
    private static func copy(_ path: FilePath) -> String? {
        // Without a picture, or where it cannot be written, the desktop shows none.
        guard let cache = DiskCache.userDirectory(), let stream = try? FileByteStream(path: path),
            let picture = try? MediaDemuxer.open(stream).artwork, picture.data.count <= largestPicture,
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
