import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxPodcastLibrary

/// A feed with a user and password, whose episodes, pictures and documents need them too.
@Suite("Private feeds") struct PrivateFeedTests {
    private let rig: LibraryRig
    private let other: ScriptedHTTPServer
    private let podcast: Podcast

    private static let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 1, count: 100)

    init() async throws {
        rig = try LibraryRig()
        other = try ScriptedHTTPServer()
        let wanted = "Basic " + Data("me:s3cret".utf8).base64EncodedString()
        let (own, elsewhere) = (rig.server.url(""), other.url(""))
        let feed = rss(
            """
            <item><guid>own</guid><title>Own</title><enclosure url="\(own)/own.mp3" type="audio/mpeg" length="9"/>
            <podcast:transcript url="\(own)/own.vtt" type="text/vtt"/><podcast:chapters url="\(elsewhere)/c.json" type="application/json+chapters"/>
            </item><item><guid>other</guid><title>Other</title><enclosure url="\(elsewhere)/other.mp3" type="audio/mpeg" length="9"/></item>
            """,
            channel: "<title>A show</title><itunes:image href=\"\(own)/cover.jpg\"/>"
        )
        let answers: [(String, [UInt8])] = [
            ("/feed.xml", Array(feed.utf8)), ("/own.mp3", [1, 2, 3]), ("/cover.jpg", Self.picture),
        ]
        for (path, bytes) in answers {
            rig.server.route(path) { request, _ in
                request.headers["authorization"] == wanted
                    ? ScriptedResponse.file(bytes).header("Set-Cookie", "session=1; Path=/") : .status(401)
            }
        }
        other.route("/other.mp3", .file([1, 2, 3]))
        let url = rig.server.url("/feed.xml").replacing("http://", with: "http://me:s3cret@")
        podcast = try await rig.library.subscribe(to: url)
    }

    private func episode(_ title: String) throws -> Episode {
        try #require(try rig.library.episodes(of: podcast.id).first { $0.title == title })
    }

    @Test("Recordings and pictures on the feed's origin are fetched with its user, password and cookies")
    func ownOrigin() async throws {
        _ = try await rig.library.refresh(podcast.id)
        _ = try await rig.library.fetch(episode("Own").id)
        #expect(rig.server.requests.last?.headers["cookie"] == "session=1")
        #expect(try await rig.library.fetchArtwork(ofPodcast: podcast.id) != nil)
        #expect(try await rig.library.fetchArtwork(of: episode("Own").id) != nil)
    }

    @Test("Another origin gets neither the password nor the cookies")
    func otherOrigin() async throws {
        _ = try await rig.library.fetch(episode("Other").id)
        #expect(other.requests.map { $0.headers["authorization"] } == [nil])
    }

    @Test("The URLs to open have the password on the feed's origin only, and what is shown has none")
    func urls() throws {
        let own = try episode("Own")
        #expect(try rig.library.recordingURL(of: own) == "http://me:s3cret@127.0.0.1:\(rig.server.port)/own.mp3")
        #expect(try rig.library.recordingURL(of: episode("Other")) == other.url("/other.mp3"))
        let details = try rig.library.details(of: own.id)
        #expect(details.transcripts.map(\.url) == ["http://me:s3cret@127.0.0.1:\(rig.server.port)/own.vtt"])
        #expect(details.chaptersFile?.url == other.url("/c.json"))
        #expect(own.mediaURL == rig.server.url("/own.mp3"))
        #expect(try !rig.library.podcasts().map(\.feedURL).joined().contains("s3cret"))
    }

    @Test("A password in the URLs of a feed's text opens them, and is neither shown nor sent to a server of positions")
    func passwordsInTheFeed() async throws {
        let own = rig.server.url("").replacing("http://", with: "http://ann:inFeed@")
        rig.serve(
            "/open.xml",
            rss(
                """
                <item><title>Named</title><guid>named</guid><link>\(own)/page</link><enclosure url="\(own)/named.mp3" type="audio/mpeg" length="3"/>
                </item><item><enclosure url="\(own)/only.mp3" type="audio/mpeg" length="3"/></item>
                """,
                channel: "<title>Open</title><itunes:image href=\"\(own)/inner.jpg\"/>"
            )
        )
        let wanted = "Basic " + Data("ann:inFeed".utf8).base64EncodedString()
        for (path, bytes) in [("/named.mp3", [1, 2, 3]), ("/inner.jpg", Self.picture)] {
            rig.server.route(path) { request, _ in
                request.headers["authorization"] == wanted ? .file(bytes) : .status(401)
            }
        }
        let open = try await rig.library.subscribe(to: rig.server.url("/open.xml"))
        let episodes = try rig.library.episodes(of: open.id)
        #expect(episodes.count == 2 && !"\(episodes) \(open)".contains("inFeed"))
        let named = try #require(episodes.first { $0.title == "Named" })
        let shown = rig.server.url("/named.mp3")
        #expect(named.mediaURL == shown && episodes.contains { $0.title == rig.server.url("/only.mp3") })
        #expect(try rig.library.recordingURL(of: named) == own + "/named.mp3")
        #expect(try rig.library.episode(mediaURL: shown)?.id == named.id)
        _ = try await rig.library.fetch(named.id)
        #expect(try await rig.library.fetchArtwork(ofPodcast: open.id) != nil)

        for episode in episodes {
            try rig.library.setPosition(2, of: episode.id, at: Date(timeIntervalSince1970: 1_600_000_000))
        }
        let app = "/index.php/apps/gpoddersync/"
        let private0 = try episode("Own")
        func json(_ text: String) -> ScriptedResponse {
            .file([UInt8](text.utf8), type: "application/json").withoutRanges()
        }
        rig.server.route(app + "subscriptions", json(#"{"add":[],"remove":[],"timestamp":77}"#))
        let actions = [
            (rig.server.url("/open.xml"), rig.server.url("/only.mp3"), "x"),
            // The feed is private, and the URL of its recording has changed.
            (podcast.feedURL, "https://elsewhere.example/own.mp3", "own"),
        ].map { feed, media, guid in
            #"{"podcast":"\#(feed)","episode":"\#(media)","guid":"\#(guid)","action":"play","position":120,"total":600,"timestamp":"2023-01-02T03:04:05"}"#
        }
        rig.server.route(
            app + "episode_action",
            json("{\"actions\":[\(actions.joined(separator: ","))],\"timestamp\":88}")
        )
        for path in ["subscription_change/create", "episode_action/create"] { rig.server.route(app + path, json("{}")) }
        let server = SyncServer(.nextcloud, url: rig.server.url("/"), user: "me", password: "pass")
        _ = try await rig.library.synchronize(with: server)
        let bodies = rig.server.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
        #expect(bodies.contains(#""named""#) && !bodies.contains("inFeed") && !bodies.contains("s3cret"))
        let heard = try #require(episodes.first { $0.id != named.id })
        #expect(try rig.library.episode(heard.id).position == 120)
        #expect(try rig.library.episode(private0.id).position == 120)
    }

    @Test("A failure names no password")
    func failures() async throws {
        let own = try episode("Own")
        rig.server.route("/own.mp3", .status(404))
        do throws(PodcastError) {
            _ = try await rig.library.fetch(own.id)
            Issue.record("404 brought a recording")
        } catch {
            #expect(!"\(error) \(error.name)".contains("s3cret"))
        }
    }
}
