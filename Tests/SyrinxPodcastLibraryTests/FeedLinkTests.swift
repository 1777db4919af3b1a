import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxPodcastLibrary

@Suite("Feeds that web pages name") struct FeedLinkTests {
    private func urls(_ html: String, at url: String = "https://host.example/show/page") -> [String] {
        FeedLink.all(in: html, at: URL(string: url)).map(\.url)
    }

    @Test("Links of the types of RSS and Atom are found, whatever their order, case and quotes")
    func links() {
        let html = """
            <!DOCTYPE html><html><head><meta charset=utf-8><title>A <link rel=alternate></title>
            <link rel="stylesheet" href="/style.css"><link rel="alternate" type="application/json" href="/feed.json">
            <LINK HREF='feed.xml' TYPE="Application/RSS+XML; charset=utf-8" REL="Alternate Home" title="A &amp; B">
            <link rel=alternate type=application/atom+xml href=//other.example/a?x=1&amp;y=2 />
            <link rel="alternate" type="application/rss+xml" href="feed.xml"><link rel="alternate" hreflang="de" href="/de">
            <link rel="next" type="application/rss+xml" href="/next.xml">
            </head><body><a rel="alternate" type="application/rss+xml" href="../body.xml">RSS</a></body></html>
            """
        #expect(
            urls(html) == [
                "https://host.example/show/feed.xml", "https://other.example/a?x=1&y=2",
                "https://host.example/body.xml",
            ]
        )
        #expect(FeedLink.all(in: html, at: URL(string: "https://host.example/")).map(\.title) == ["A & B", "", ""])
    }

    private static let link = "<link rel='alternate' type='application/rss+xml' href='/a.xml'>"

    @Test("Links in comments and scripts do not count, and addresses outside the web neither")
    func noLinks() {
        let link = Self.link
        for html in [
            "<!-- \(link) -->", "<script>var a = \"\(link)\"</script>", "<SCRIPT>\(link)</script>", "<!-- \(link)",
            "<template>\(link)</template>", "<link rel='alternate' type='application/rss+xml' href='javascript:a()'>",
            "<link rel='alternate' type='application/rss+xml' href='file:///etc/passwd'>", "",
            "<link rel='alternate' type='application/rss+xml'>",
            "<link rel='alternate' type='application/rss+xml' href=",
            "<link rel='alternate' type='application/rss+xml' href='/\(String(repeating: "a", count: 5_000))'>",
        ] {
            #expect(urls(html).isEmpty, "\(html.prefix(80))")
        }
        #expect(urls("<!-- a --><script>b</SCRIPT>" + link) == ["https://host.example/a.xml"])
    }

    @Test("The first base of a page counts, and at most 20 feeds are taken")
    func bases() {
        let base = "<base href='/b/'><base href='/c/'>"
        let link = "<link rel='alternate' type='application/rss+xml' href='a.xml'>"
        #expect(urls(base + link) == ["https://host.example/b/a.xml"])
        #expect(urls("<base target=_top>" + link) == ["https://host.example/show/a.xml"])
        let many = (0..<100).map { "<link rel='alternate' type='application/rss+xml' href='/\($0)'>" }.joined()
        #expect(urls(many).count == 20)
    }

    @Test(
        "A page full of signs that begin nothing is read in time proportional to its length",
        arguments: ["<link", "<link href='", "<!--", "<script>", "<title></title", "<", "<a b=\""]
    )
    func signs(sign: String) {
        let growth = Growth(from: 40_000) { count in
            _ = FeedLink.all(in: String(repeating: sign, count: count / sign.utf8.count), at: nil)
        }
        #expect(growth.isLinear, "\(growth)")
    }

    private func page(_ links: String) -> ScriptedResponse {
        let html = "<!DOCTYPE html><html><head><title>Show</title>\(links)</head><body>Hello</body></html>"
        return .file([UInt8](html.utf8), type: "text/html").withoutRanges()
    }

    @Test("The address of a web page subscribes to the first feed that the page names, once")
    func subscribing() async throws {
        let rig = try LibraryRig()
        rig.serve("/show/feed.xml", rss((0..<2).map { item($0) }.joined()))
        let type = "type='application/rss+xml'"
        let others = "<link rel='alternate' \(type) href='/comments.xml' title='Comments'>"
        rig.server.route("/show/page", page("<link rel='alternate' \(type) href='feed.xml'>\(others)"))
        let found = try await rig.library.subscribe(toFeedOrPage: rig.server.url("/show/page"))
        #expect(found.podcast.title == "A show" && found.podcast.episodeCount == 2 && found.isOfPage)
        #expect(found.podcast.feedURL == rig.server.url("/show/feed.xml"))
        #expect(found.otherFeeds.map(\.url) == [rig.server.url("/comments.xml")])
        #expect(found.otherFeeds.map(\.title) == ["Comments"])
        #expect(try await rig.library.subscribe(to: rig.server.url("/show/page")).id == found.podcast.id)
        #expect(rig.server.requests("/show/feed.xml").count == 1 && rig.server.requests("/comments.xml").isEmpty)
        #expect(try await !rig.library.subscribe(toFeedOrPage: rig.server.url("/show/feed.xml")).isOfPage)
        #expect(try rig.library.podcasts().count == 1)
    }

    @Test("A page without a feed, one that names a page, and one whose feed is missing are refused")
    func refusals() async throws {
        let rig = try LibraryRig()
        rig.server.route("/plain", page(""))
        func link(_ url: String) -> String { "<link rel='alternate' type='application/rss+xml' href='\(url)'>" }
        rig.server.route("/page", page(link("/other")))
        rig.server.route("/other", page(link("/page")))
        rig.server.route("/gone", page(link("/none.xml")))
        let isPage = "media.feedIsWebPage"
        for (path, code) in [("/plain", isPage), ("/page", isPage), ("/gone", "http.404")] {
            let error = await #expect(throws: PodcastError.self) {
                try await rig.library.subscribe(to: rig.server.url(path))
            }
            #expect(error?.code.rawValue == code)
        }
        #expect(rig.server.requests("/page").count == 1 && rig.server.requests("/other").count == 1)
        #expect(try rig.library.podcasts().isEmpty)
    }

    @Test("The password of a page goes to a feed on its origin only, and is not shown")
    func passwords() async throws {
        let rig = try LibraryRig()
        let other = try ScriptedHTTPServer()
        let feed = rss(item(1))
        other.route("/feed.xml", .file([UInt8](feed.utf8), type: "application/rss+xml").withoutRanges())
        rig.serve("/feed.xml", feed)
        let type = "rel='alternate' type='application/rss+xml'"
        rig.server.route("/own", page("<link \(type) href='/feed.xml'><link \(type) href='http://a:b@h.example/'>"))
        rig.server.route("/foreign", page("<link \(type) href='\(other.url("/feed.xml"))'>"))
        func url(_ path: String) -> String { rig.server.url(path).replacing("http://", with: "http://me:secret@") }
        let own = try await rig.library.subscribe(toFeedOrPage: url("/own"))
        #expect(own.podcast.feedURL == rig.server.url("/feed.xml"))
        #expect(own.otherFeeds.map(\.url) == ["http://h.example/"])
        #expect(rig.server.requests("/feed.xml").first?.headers["authorization"]?.hasPrefix("Basic ") == true)
        _ = try await rig.library.subscribe(to: url("/foreign"))
        #expect(other.requests.map { $0.headers["authorization"] } == [nil])
    }

    @Test("Links beyond the first mebibyte of a page are not looked for, and a long page is read to there only")
    func longPages() async throws {
        let rig = try LibraryRig()
        let text = String(repeating: "long text ", count: 200_000)
        rig.serve("/a.xml", rss(item(1)))
        rig.server.route("/late", page(text + Self.link))
        rig.server.route("/early", page("<meta>" + text.prefix(600_000) + Self.link + text))
        let error = await #expect(throws: PodcastError.self) {
            try await rig.library.subscribe(to: rig.server.url("/late"))
        }
        #expect(error?.code == .feedIsWebPage)
        #expect(try await rig.library.subscribe(to: rig.server.url("/early")).title == "A show")
    }
}
