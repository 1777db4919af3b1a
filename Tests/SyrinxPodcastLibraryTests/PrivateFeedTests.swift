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
