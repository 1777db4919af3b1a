import AVFoundation
import Foundation
import SyrinxByteStream
import SyrinxDesktopModel
import SyrinxGTK

/// Reads the tags and covers of the recordings whose rows are seen, one after the other, off the main thread.
///
/// Behind those it reads the tags of others, among which a search looks.
@MainActor
final class TagReader {
    private struct Result: Sendable {
        var tags: QueueTags
        var cover: DecodedPicture?
        var coverKey: UInt64?
    }

    /// Recordings that are kept; each has a cover of at most some 100 KiB.
    private static let limit = 256
    /// Covers that are not decoded once more: those of the albums around.
    private static let coverLimit = 8

    /// Called with the address of a recording that has been read.
    var onRead: (String) -> Void = { _ in }
    /// The covers that are kept; `nil` for a recording that has none.
    private var reading = TagReading<Texture?>(limit: limit)
    private var covers: [(key: UInt64, cover: Texture)] = []
    /// The tags of all recordings of the queue that have been read, empty of one that cannot be read: a search looks among them.
    private(set) var tags: [String: QueueTags] = [:]
    private var side = 0
    private var isClosed = false

    /// Reads what has not been read of some files.
    /// - Parameters:
    ///   - keys: The addresses, in the order in which they are to be read.
    ///   - side: The side of covers in pixels.
    func want(_ keys: [String], side: Int) {
        guard !isClosed else { return }
        self.side = side
        if let key = reading.want(keys) { read(key) }
    }

    /// Reads the tags, without covers, of files among which a search looks.
    /// - Parameter keys: The addresses, in the order in which they are to be read; none ends it.
    func search(_ keys: [String]) {
        guard !isClosed else { return }
        if let key = reading.search(keys.filter { tags[$0] == nil }) { read(key) }
    }

    /// Returns the cover of a recording, if it is kept.
    func cover(of key: String) -> Texture? { reading.value(of: key) ?? nil }

    /// Forgets the tags and covers of recordings that are no longer in the queue.
    /// - Parameter keys: The addresses of those that are.
    func keep(_ keys: Set<String>) {
        tags = tags.filter { keys.contains($0.key) }
        reading.keep(keys)
    }

    /// Ends reading.
    func close() {
        isClosed = true
        (reading, covers, tags) = (TagReading(limit: 1), [], [:])
    }

    private func read(_ key: String) {
        let known = Set(covers.map(\.key))
        let side = reading.isForSearch ? nil : side
        Task { [weak self] in
            let result = await Self.read(key, side, known)
            self?.take(result, key)
        }
    }

    private func take(_ result: Result?, _ key: String) {
        guard !isClosed else { return }
        tags[key] = result?.tags ?? QueueTags()
        let next = reading.take(result.map { cover($0) }, of: key)
        onRead(key)
        if let next { read(next) }
    }

    private func cover(_ result: Result) -> Texture? {
        guard let key = result.coverKey else { return nil }
        if let known = covers.first(where: { $0.key == key }) { return known.cover }
        guard let texture = result.cover?.texture else { return nil }
        covers.append((key, texture))
        if covers.count > Self.coverLimit { covers.removeFirst() }
        return texture
    }

    /// Reads a file.
    /// - Parameters:
    ///   - side: The side of the cover in pixels; `nil` for the tags alone.
    ///   - known: The hashes of covers that need not be decoded.
    private nonisolated static func read(_ key: String, _ side: Int?, _ known: Set<UInt64>) async -> Result? {
        // A pipe would hold up all that follow.
        guard let url = URL(string: key), let path = FilePath(location: url.absoluteString), path.isPlainFile else {
            return nil
        }
        let asset = AVURLAsset(url: url)
        guard let items = try? await asset.load(.metadata), let duration = try? await asset.load(.duration) else {
            return nil
        }
        func text(_ key: AVMetadataKey) -> String? { items.first { $0.commonKey == key }?.stringValue }
        let tags = QueueTags(
            title: text(.commonKeyTitle),
            artist: text(.commonKeyArtist),
            album: text(.commonKeyAlbumName),
            duration: duration.seconds
        )
        guard let side, let data = items.first(where: { $0.commonKey == .commonKeyArtwork })?.dataValue,
            data.count <= DecodedPicture.maximumFileSize
        else { return Result(tags: tags) }
        let bytes = [UInt8](data)
        let hash = CoverView.hash(bytes)
        let cover = known.contains(hash) ? nil : DecodedPicture(bytes: bytes, side: side)
        return Result(tags: tags, cover: cover, coverKey: hash)
    }
}
