import Foundation
import GRDB
import SyrinxTestSupport
import Testing

@testable import SyrinxPodcastLibrary

@Suite("The way through the pages of a feed") struct FeedPagesTests {
    private func page(_ number: Int, next: Int? = nil, new: Int = 10, endsKnown: Bool = false) -> FeedPages.Page {
        FeedPages.Page(
            urls: ["https://h.example/\(number)"],
            next: next.map { "https://h.example/\($0)" },
            byteCount: 100,
            episodeCount: 10,
            newCount: new,
            endsKnown: endsKnown,
            isTruncated: false,
            isCut: false
        )
    }

    @Test("Pages are read to the last one, which completes the feed")
    func allPages() {
        var pages = FeedPages(hasAll: false, limits: FeedLimits())
        let steps = [page(1, next: 2), page(2, next: 3, endsKnown: true), page(3)].map { pages.handle($0) }
        #expect(steps == [.fetch("https://h.example/2"), .fetch("https://h.example/3"), .end(.complete)])
    }

    @Test("A later refresh ends at the first page whose last episode is known")
    func knownPages() {
        var pages = FeedPages(hasAll: true, limits: FeedLimits())
        let steps = [page(1, next: 2), page(2, next: 3, endsKnown: true)].map { pages.handle($0) }
        #expect(steps == [.fetch("https://h.example/2"), .end(.known)])
    }

    @Test("A page that was read before, or that has nothing new, is the last one")
    func loops() {
        var circle = FeedPages(hasAll: false, limits: FeedLimits())
        let back = [page(1, next: 2), page(2, next: 1)].map { circle.handle($0) }
        #expect(back == [.fetch("https://h.example/2"), .end(.complete)])
        var endless = FeedPages(hasAll: false, limits: FeedLimits())
        let same = [page(1, next: 2), page(2, next: 3, new: 0)].map { endless.handle($0) }
        #expect(same == [.fetch("https://h.example/2"), .end(.complete)])
    }

    @Test("Pages, bytes and episodes are limited for all pages together")
    func limits() {
        let changes: [(inout FeedLimits) -> Void] = [{ $0.pages = 3 }, { $0.byteCount = 250 }, { $0.episodes = 25 }]
        for change in changes {
            var limits = FeedLimits()
            change(&limits)
            var pages = FeedPages(hasAll: false, limits: limits)
            let steps = (1...3).map { pages.handle(page($0, next: $0 + 1)) }
            #expect(steps.last == .end(.limit) && steps.dropLast().allSatisfy { $0 != .end(.limit) })
        }
        var cut = page(1, next: 2)
        cut.isCut = true
        var pages = FeedPages(hasAll: false, limits: FeedLimits())
        #expect(pages.handle(cut) == .end(.limit))
    }

    @Test("A page that breaks off ends the refresh; one that is missing ends the feed")
    func failures() {
        var cut = page(1, next: 2)
        cut.isTruncated = true
        var pages = FeedPages(hasAll: false, limits: FeedLimits())
        #expect(pages.handle(cut) == .end(.broken))
        for code in ["http.404", "http.410", "media.notAFeed", "media.feedIsWebPage"] {
            #expect(FeedPages.end(after: ErrorCode(rawValue: code)) == .missing)
        }
        for code in ["http.500", "http.429", "network.lost"] {
            #expect(FeedPages.end(after: ErrorCode(rawValue: code)) == .broken)
        }
    }
}

/// Feeds with several pages, on a server.
@Suite("Feeds with pages") struct PagedFeedTests {
    private let rig: LibraryRig

    init() throws { rig = try LibraryRig() }

    private func page(_ numbers: [Int], next: String?, rel: String = "next") -> String {
        let link =
            next.map { "<atom:link xmlns:atom=\"http://www.w3.org/2005/Atom\" rel=\"\(rel)\" href=\"\($0)\"/>" } ?? ""
        return rss(numbers.map { item($0) }.joined(), channel: "<title>A show</title>\(link)")
    }

    private func titles(_ podcast: Podcast.ID) throws -> [String] {
        try rig.library.episodes(of: podcast).map(\.title)
    }

    private var paths: [String] { rig.server.requests.map(\.path) }

    @Test(
        "A subscription has the episodes of all pages, and a refresh fetches only pages with new ones",
        arguments: ["next", "prev-archive"]
    )
    func allPages(rel: String) async throws {
        rig.serve("/feed.xml", page([8, 7], next: "/2.xml", rel: rel), etag: "\"1\"")
        rig.serve("/2.xml", page([6, 5, 4], next: "3.xml", rel: rel))
        rig.serve("/3.xml", page([3, 2], next: nil))
        let podcast = try await rig.library.subscribe(to: rig.server.url("/feed.xml"))
        #expect(try titles(podcast.id) == (2...8).reversed().map { "Episode \($0)" })
        #expect(paths == ["/feed.xml", "/2.xml", "/3.xml"])
        #expect(try await rig.library.refresh(podcast.id).isUnchanged)

        rig.serve("/feed.xml", page([9, 8], next: "/2.xml", rel: rel), etag: "\"2\"")
        let result = try await rig.library.refresh(podcast.id)
        #expect(result.addedCount == 1 && result.changedCount == 0 && result.warning == nil)
        #expect(try rig.library.episodes(of: podcast.id).allSatisfy(\.isListed))
        #expect(paths.dropFirst(3) == ["/feed.xml", "/feed.xml"])

        rig.serve("/feed.xml", page([13, 12], next: "/2.xml", rel: rel))
        rig.serve("/2.xml", page([11, 10, 9, 8], next: "/3.xml", rel: rel))
        #expect(try await rig.library.refresh(podcast.id).addedCount == 4)
        #expect(paths.suffix(2) == ["/feed.xml", "/2.xml"])
    }

    @Test("A library that had only the first page gets the others, though the server says that nothing has changed")
    func olderLibraries() async throws {
        rig.serve("/feed.xml", page([3], next: "/2.xml"), etag: "\"1\"")
        rig.serve("/2.xml", page([2, 1], next: nil))
        let podcast = try await rig.library.subscribe(to: rig.server.url("/feed.xml"))
        try rig.library.database.write { database in
            try database.execute(sql: "UPDATE podcast SET hasAllPages = 0")
            try database.execute(sql: "DELETE FROM episode WHERE title <> 'Episode 3'")
        }
        #expect(try await rig.library.refresh(podcast.id).addedCount == 2)
        #expect(try await rig.library.refresh(podcast.id).isUnchanged)
    }

    @Test("Pages in a circle, and a server that ignores the number of the page, end the refresh")
    func circles() async throws {
        rig.serve("/feed.xml", page([4, 3], next: "/2.xml"))
        rig.serve("/2.xml", page([2, 1], next: "/feed.xml"))
        #expect(try await rig.library.subscribe(to: rig.server.url("/feed.xml")).episodeCount == 4)
        #expect(paths == ["/feed.xml", "/2.xml"])
        let (first, second) = (page([4], next: "/same.xml?page=2"), page([4], next: "/same.xml?page=3"))
        rig.server.route(
            "/same.xml",
            .file([UInt8](first.utf8)).withoutRanges(),
            .file([UInt8](second.utf8)).withoutRanges()
        )
        let podcast = try await rig.library.subscribe(to: rig.server.url("/same.xml"))
        #expect(podcast.episodeCount == 1 && podcast.failure == nil && paths.count == 4)
    }

    @Test("Only pages on the feed's origin get its user and password")
    func credentials() async throws {
        let other = try ScriptedHTTPServer()
        other.route("/3.xml", .file([UInt8](page([1], next: nil).utf8)).withoutRanges())
        rig.serve("/feed.xml", page([3], next: "/2.xml"))
        rig.serve("/2.xml", page([2], next: other.url("/3.xml")))
        let url = rig.server.url("/feed.xml").replacing("http://", with: "http://me:secret@")
        #expect(try await rig.library.subscribe(to: url).episodeCount == 3)
        #expect(rig.server.requests.allSatisfy { $0.headers["authorization"]?.hasPrefix("Basic ") == true })
        #expect(other.requests.map { $0.headers["authorization"] } == [nil])
    }

    @Test("A page that cannot be fetched is a warning, and is tried again; one that is missing is not")
    func brokenPages() async throws {
        rig.serve("/feed.xml", page([3], next: "/2.xml"), etag: "\"1\"")
        rig.server.route("/2.xml", .status(500))
        let podcast = try await rig.library.subscribe(to: rig.server.url("/feed.xml"))
        #expect(podcast.episodeCount == 1 && podcast.failure?.code.rawValue == "http.500")
        rig.serve("/2.xml", page([2], next: "/none.xml"))
        let result = try await rig.library.refresh(podcast.id)
        #expect(result.addedCount == 1 && result.warning?.code.rawValue == "http.404")
        let count = paths.count
        #expect(try await rig.library.refresh(podcast.id).warning == nil)
        #expect(paths.count == count + 1)
    }
}
