import Synchronization
import SyrinxByteStream
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxMediaCodec

/// The tags of the queue's recordings, and the covers of the rows that are seen, read off the main thread.
@MainActor
final class QueueTags {
    /// Recordings whose covers are kept; each has at most some 100 KiB.
    private static let limit = 256
    /// Textures that are not made once more: those of the albums around.
    private static let textureLimit = 8

    /// Receives the tags of files that have been read.
    var onRead: ([FilePath: ListeningTags]) -> Void = { _ in }
    /// The tags that have been read.
    private(set) var known = KnownTags()
    private var covers = KeptCovers<String, Texture>(limit: limit)
    private var textures: [(key: UInt64, texture: Texture)] = []
    private let decoder = CoverDecoder()
    private lazy var reader = TagReader<CoverDecoder.Cover>(
        makeCover: { [decoder] in decoder.decode($0) },
        report: { [weak self] readings in Task { @MainActor in self?.take(readings) } }
    )

    /// Reads the tags of a queue, and discards those of removed files.
    func read(_ inputs: [ListeningInput]) {
        known.keep(inputs)
        covers.keepOnly(Set(inputs.compactMap { $0.file?.name }))
        reader.readOthers(known.unknown(among: inputs))
    }

    /// Reads the covers and, with priority, the tags of the visible rows.
    /// - Parameters:
    ///   - paths: The files, in the order in which they are to be read.
    ///   - side: The side of covers in pixels.
    func see(_ paths: [FilePath], side: Int) {
        decoder.setSide(side)
        let wanted = Set(covers.see(paths.map(\.name)))
        reader.readSeen(paths.filter { wanted.contains($0.name) })
    }

    /// Returns the cover of a recording, if it is kept.
    func cover(of path: FilePath) -> Texture? { covers[path.name] }

    /// Ends reading.
    func close() {
        onRead = { _ in }
        reader.readSeen([])
        reader.readOthers([])
    }

    private func take(_ readings: [TagReader<CoverDecoder.Cover>.Reading]) {
        let found = Dictionary(readings.map { ($0.path, $0.tags) }) { $1 }
        _ = known.take(found)
        for reading in readings where reading.hasReadCover {
            covers.keep(reading.cover.flatMap(texture), of: reading.path.name)
        }
        onRead(found)
    }

    private func texture(_ cover: CoverDecoder.Cover) -> Texture? {
        if let known = textures.first(where: { $0.key == cover.key }) { return known.texture }
        guard let texture = cover.picture.texture else { return nil }
        textures.append((cover.key, texture))
        if textures.count > Self.textureLimit { textures.removeFirst() }
        return texture
    }
}

/// Decodes the covers of a queue, those of the same album once.
private final class CoverDecoder: Sendable {
    /// A cover.
    struct Cover: Sendable {
        /// A hash of the bytes of the picture.
        var key: UInt64
        /// The pixels.
        var picture: DecodedPicture
    }

    private struct State {
        var side = 0
        var covers: [Cover] = []
    }

    /// Covers that are not decoded once more.
    private static let limit = 8

    private let state = Mutex(State())

    /// Sets the side of covers in pixels.
    func setSide(_ side: Int) {
        state.withLock { state in
            guard side != state.side else { return }
            state = State(side: side)
        }
    }

    /// Returns the cover of a picture; `nil` if it cannot be decoded.
    func decode(_ source: MediaPicture) -> Cover? {
        guard source.data.count <= DecodedPicture.maximumFileSize else { return nil }
        let key = CoverView.hash(source.data)
        let (side, known) = state.withLock { state in (state.side, state.covers.first { $0.key == key }) }
        if let known { return known }
        guard let picture = DecodedPicture(bytes: source.data, side: side) else { return nil }
        let cover = Cover(key: key, picture: picture)
        state.withLock { state in
            guard state.side == side else { return }
            state.covers.append(cover)
            if state.covers.count > Self.limit { state.covers.removeFirst() }
        }
        return cover
    }
}
