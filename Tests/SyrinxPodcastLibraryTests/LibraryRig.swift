import Foundation
import GRDB
import SyrinxTestSupport

@testable import SyrinxPodcastLibrary

/// A library in a directory of its own, and a server for feeds.
struct LibraryRig {
    let directory: ScratchDirectory
    let server: ScriptedHTTPServer
    let library: PodcastLibrary

    init(_ change: (inout PodcastLibrary.Options) -> Void = { _ in }) throws {
        directory = try ScratchDirectory()
        server = try ScriptedHTTPServer()
        library = try PodcastLibrary(path: FilePath(directory.file("library.sqlite")), options: quickOptions(change))
    }

    /// Another user of the same file, as another process is.
    func second() throws -> PodcastLibrary {
        try PodcastLibrary(path: FilePath(directory.file("library.sqlite")), options: quickOptions())
    }

    /// Serves a feed.
    func serve(_ path: String = "/feed.xml", _ text: String, etag: String? = nil) {
        let response = ScriptedResponse.file([UInt8](text.utf8), type: "application/rss+xml").withoutRanges()
        server.route(path) { request, _ in
            guard let etag else { return response.withoutHeader("ETag") }
            return request.headers["if-none-match"] == etag ? .status(304) : response.etag(etag)
        }
    }

    /// Subscribes to a feed with that many episodes.
    func subscribe(episodes: Int = 3) async throws -> Podcast {
        serve("/feed.xml", rss((0..<episodes).map { item($0) }.joined()))
        return try await library.subscribe(to: server.url("/feed.xml"))
    }
}

func quickOptions(_ change: (inout PodcastLibrary.Options) -> Void = { _ in }) -> PodcastLibrary.Options {
    var options = PodcastLibrary.Options()
    options.network.initialRetryDelay = 0.01
    options.network.maximumRetryDelay = 0.02
    options.network.environment = [:]
    change(&options)
    return options
}

/// Fills a library without a network.
func fill(_ library: PodcastLibrary, podcast url: String = "https://host.example/a", episodes: Int) throws -> Podcast.ID
{
    try library.database.write { database in
        let (id, _) = try library.insert(url, title: "A show", now: 1, database)
        let writer = EpisodeWriter(podcastID: id, now: 1)
        _ = try writer.write((0..<episodes).map(feedEpisode), database)
        try writer.finish(isComplete: true, database)
        return id
    }
}

/// An episode as a feed has it; higher numbers are newer.
func feedEpisode(_ number: Int) -> FeedEpisode {
    var episode = FeedEpisode()
    episode.guid = "guid-\(number)"
    episode.title = "Episode \(number)"
    episode.summary = "Notes of number \(number)"
    episode.published = 1_700_000_000 + Double(number)
    episode.mediaURL = "https://host.example/\(number).mp3"
    episode.mediaLength = 1_000
    episode.duration = 600
    return episode
}
