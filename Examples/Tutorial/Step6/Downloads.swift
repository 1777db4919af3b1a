import Foundation
import SyrinxPodcastLibrary

// snippet: tutorial-downloads
extension Podcasts {
    /// Downloads the recording of an episode, unless it is complete already.
    func download(_ episode: Episode) async throws {
        try await library.fetch(episode.id) { count, length in
            show("downloading: \(count / 1_000) of \(length.map { "\($0 / 1_000)" } ?? "unknown") kB")
        }
        print()
    }

    /// Returns the URL from which an episode is played: its downloaded file or else the feed's URL.
    func url(of episode: Episode) throws -> URL? {
        if let download = try library.download(of: episode.id), download.state == .completed { return download.file }
        return try library.recordingURL(of: episode).flatMap { URL(string: $0) }
    }
}
// end
