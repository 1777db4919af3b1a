public import Foundation

/// The pictures of podcasts and episodes, as files beside the library.
extension PodcastLibrary {
    /// Larger pictures are not fetched, in bytes.
    static let largestArtwork = 16 << 20

    /// Fetches the picture of an episode, or else that of its podcast, unless it is there.
    ///
    /// - Parameter id: The episode.
    /// - Returns: The file; `nil` if neither has a picture, or what the feed names is none.
    /// - Throws: `PodcastError` with `usage.noSuchEpisode`, `file.diskFull`, or the failure of the network.
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

    /// Fetches the picture of a podcast, unless it is there.
    ///
    /// - Parameter id: The podcast.
    /// - Returns: The file; `nil` if it has no picture, or what the feed names is none.
    /// - Throws: `PodcastError` with `usage.noSuchPodcast`, `file.diskFull`, or the failure of the network.
    @discardableResult
    public func fetchArtwork(ofPodcast id: Podcast.ID) async throws(PodcastError) -> URL? {
        guard let url = try database.read({ try record(id, $0).header.artworkURL }) else { return nil }
        return try await fetchArtwork(url, of: id)
    }

    /// Fetches the pictures of podcasts that are not there, several at a time.
    ///
    /// A podcast without its picture is one all the same: failures are passed over.
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

    /// The file of the picture with a URL.
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

/// Fetches one picture into a file, on a thread that may wait.
private final class ArtworkFetch: Sendable {
    private let path: FilePath
    private let exchange: HTTPExchange

    /// Begins to fetch it.
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

    /// Ends it from any thread.
    func cancel() { exchange.cancel() }

    /// Waits for it, and writes it.
    /// - Returns: Whether it is a picture.
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

    /// Whether bytes begin as a picture of a kind that is shown: JPEG, PNG, GIF or WebP.
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
