public import Foundation

/// Artwork of podcasts and episodes, stored as files next to the library.
extension PodcastLibrary {
    /// The maximum size of a picture, in bytes.
    static let largestArtwork = 16 << 20

    /// Downloads the picture of an episode, or that of its podcast if the episode has none.
    ///
    /// Does nothing if the file already exists.
    /// - Parameter id: The episode.
    /// - Returns: The file; `nil` if neither has a picture, or the URL does not lead to a picture.
    /// - Throws: `PodcastError` with `usage.noSuchEpisode`, `file.diskFull`, or a network error.
    @discardableResult
    public func fetchArtwork(of id: Episode.ID) async throws(PodcastError) -> URL? {
        var failure: PodcastError?
        let (podcast, urls) = try artworkURLs(of: id)
        for url in urls {
            do throws(PodcastError) {
                if let file = try await fetchArtwork(url, of: podcast) { return file }
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return nil
    }

    /// Downloads the picture of a podcast.
    ///
    /// Does nothing if the file already exists.
    /// - Parameter id: The podcast.
    /// - Returns: The file; `nil` if it has no picture, or the URL does not lead to a picture.
    /// - Throws: `PodcastError` with `usage.noSuchPodcast`, `file.diskFull`, or a network error.
    @discardableResult
    public func fetchArtwork(ofPodcast id: Podcast.ID) async throws(PodcastError) -> URL? {
        guard let url = try database.read({ try record(id, $0).header.artworkURL }) else { return nil }
        return try await fetchArtwork(url, of: id)
    }

    /// Downloads the missing pictures of podcasts, several at a time.
    ///
    /// Errors are ignored, because pictures are optional.
    /// - Parameter ids: The podcasts.
    public func fetchArtwork(ofPodcasts ids: [Podcast.ID]) async {
        await withTaskGroup(of: Void.self) { group in
            var waiting = ids[...]
            func startNext() {
                guard let id = waiting.popFirst(), !Task.isCancelled else { return }
                group.addTask { _ = try? await self.fetchArtwork(ofPodcast: id) }
            }
            for _ in 0..<max(1, options.maximumConcurrentRefreshes) { startNext() }
            while await group.next() != nil { startNext() }
        }
    }

    private func artworkURLs(of id: Episode.ID) throws(PodcastError) -> (Podcast.ID, [String]) {
        try database.read { database in
            let episode = try record(ofEpisode: id, database)
            let podcast = try record(episode.state.podcastID, database)
            return (
                episode.state.podcastID, [episode.content.artworkURL, podcast.header.artworkURL].compactMap(\.self)
            )
        }
    }

    /// Returns the file for the picture of a URL.
    func artworkPath(_ url: String) -> FilePath {
        artworkFolder.appending(SHA256Digest.hexadecimal(of: Array(url.utf8)))
    }

    private func fetchArtwork(_ url: String, of podcast: Podcast.ID) async throws(PodcastError) -> URL? {
        let path = artworkPath(url)
        if path.status != nil { return path.url }
        var network = network(for: podcast)
        network.isInTheBackground = true
        let feed = try database.read { try feedURL(of: podcast, $0) }
        let fetch = try ArtworkFetch(Self.url(url, onOriginOf: feed), into: path, network, limit: Self.largestArtwork)
        return try await BlockingWork.run(cancel: fetch.cancel) { () throws(PodcastError) in
            try fetch.run() ? path.url : nil
        }
    }
}

/// Downloads one picture to a file, on a thread that may wait.
private final class ArtworkFetch: Sendable {
    private let path: FilePath
    private let exchange: HTTPExchange

    /// Starts the download.
    init(
        _ url: String,
        into path: FilePath,
        _ network: HTTPByteStream.Options,
        limit: Int
    ) throws(PodcastError) {
        self.path = path
        do throws(SyrinxError) {
            exchange = try HTTPExchange(url: url, options: network, limit: limit)
        } catch {
            throw LibraryDatabase.failure(error, name: url)
        }
    }

    /// Cancels the download.
    ///
    /// May be called from any thread.
    func cancel() { exchange.cancel() }

    /// Waits for the download, and writes the file.
    /// - Returns: Whether the data are a picture.
    func run() throws(PodcastError) -> Bool {
        do throws(SyrinxError) {
            let bytes = try exchange.readAll()
            guard Self.isPicture(bytes) else { return false }
            let folder = path.folder.makeFolder()
            guard folder == 0 else { throw failure(folder) }
            do {
                try Data(bytes).write(to: path.url, options: .atomic)
            } catch {
                throw failure(
                    ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError).map { Int32($0.code) } ?? EIO
                )
            }
            return true
        } catch {
            throw LibraryDatabase.failure(error, name: exchange.name)
        }
    }

    /// Whether the data start like a JPEG, PNG, GIF or WebP file.
    private static func isPicture(_ bytes: [UInt8]) -> Bool {
        let starts: [[UInt8]] = [[0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47], Array("GIF8".utf8)]
        let isWebP = bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
        return isWebP || starts.contains { bytes.starts(with: $0) }
    }

    private func failure(_ number: Int32) -> SyrinxError {
        let isFull = [ENOSPC, EDQUOT, EFBIG].contains(number)
        let reason = String(cString: strerror(number))
        return SyrinxError(
            isFull ? .diskFull : .libraryFailed,
            isFull ? "the disk is full" : "the picture cannot be written: \(reason)",
            name: path.name
        )
    }
}
