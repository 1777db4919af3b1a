import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxPodcastLibrary

/// Searches in directories, against answers of a server of this machine: the services themselves are not asked.
@Suite("Directories of podcasts") struct DirectoryTests {
    private func directory(_ path: String, _ server: ScriptedHTTPServer) throws -> PodcastDirectory {
        try #require(PodcastDirectory(server.url(path)))
    }

    private func serve(_ text: String, at path: String, on server: ScriptedHTTPServer) {
        server.route(path, .file(Array(text.utf8), type: "application/json").withoutRanges())
    }

    private var network: HTTPByteStream.Options { quickOptions().network }

    @Test("A name or the URL of a search interface is a directory, and nothing else")
    func settings() {
        #expect(PodcastDirectory("gpodder.net")?.url == "https://gpodder.net/search.json")
        #expect(PodcastDirectory("iTunes")?.kind == .itunes)
        #expect(PodcastDirectory("https://example.org/a/search.json")?.kind == .gpodder)
        #expect(PodcastDirectory("http://example.org/search")?.kind == .itunes)
        for text in [
            "", "off", "example.org", "https://example.org", "ftp://example.org/search", "file:///search",
            "https:///search", "https://example.org/search?x=1", "https://example.org/search#x",
        ] { #expect(PodcastDirectory(text) == nil, "\(text)") }
    }

    @Test("gpodder.net's interface gets the words, and its podcasts are returned in order")
    func gpodder() async throws {
        let server = try ScriptedHTTPServer()
        serve(
            """
            [{"url":"https://a.example/feed","title":"A\\n  show","author":"Anna","description":"About\\u0000 rain","website":"javascript:1"},
             {"url":"file:///etc/passwd","title":"Local"},{"title":"No address"},
             {"url":"http://b.example/feed","title":null,"subscribers":3,"website":"https://b.example/"}]
            """,
            at: "/search.json",
            on: server
        )
        let found = try await directory("/search.json", server).search("  rain & snow=ü ", network: network)
        #expect(server.requests.map(\.path) == ["/search.json?q=rain%20%26%20snow%3D%C3%BC"])
        #expect(found.map(\.url) == ["https://a.example/feed", "http://b.example/feed"])
        #expect(found[0].title == "A show" && found[0].author == "Anna" && found[0].website == nil)
        #expect(found[1].title == "http://b.example/feed" && found[1].website == "https://b.example/")
    }

    @Test("The interface of iTunes gets the words, and podcasts without a feed are left out")
    func itunes() async throws {
        let server = try ScriptedHTTPServer()
        serve(
            """
            {"resultCount":2,"results":[{"collectionName":"B","artistName":"Bea","feedUrl":"https://b.example/rss",
            "collectionViewUrl":"https://store.example/b"},{"collectionName":"Without"}]}
            """,
            at: "/search",
            on: server
        )
        let found = try await directory("/search", server).search("b", network: network)
        #expect(server.requests.first?.path == "/search?media=podcast&limit=50&term=b")
        let entry = PodcastDirectory.Entry(
            title: "B",
            url: "https://b.example/rss",
            author: "Bea",
            website: "https://store.example/b"
        )
        #expect(found == [entry])
    }

    @Test("Results and their texts are bounded, and an empty search asks nobody")
    func bounds() async throws {
        let server = try ScriptedHTTPServer()
        let long = String(repeating: "x", count: 10_000)
        let entries = (0..<300).map { #"{"url":"https://a.example/\#($0)","title":"\#(long)"}"# }
        serve("[\(entries.joined(separator: ","))]", at: "/search.json", on: server)
        let directory = try directory("/search.json", server)
        #expect(try await directory.search(" \n ", network: network).isEmpty && server.requests.isEmpty)
        let found = try await directory.search(long, network: network)
        #expect(found.count == PodcastDirectory.maximumCount)
        #expect(found.allSatisfy { $0.title.count == PodcastDirectory.maximumLength })
        let sent = try #require(server.requests.first?.path)
        #expect(sent.count == "/search.json?q=".count + PodcastDirectory.maximumLength)
    }

    @Test("Another document, and a server that refuses, are errors with their codes")
    func failures() async throws {
        let server = try ScriptedHTTPServer()
        for text in ["", "{}", "<html>", #"{"results":"none"}"#, "[1]"] {
            serve(text, at: "/search.json", on: server)
            let error = await #expect(throws: PodcastError.self) {
                try await directory("/search.json", server).search("a", network: network)
            }
            #expect(error?.code == .directoryInvalid, "\(text)")
        }
        server.route("/search", .status(404))
        let error = await #expect(throws: PodcastError.self) {
            try await directory("/search", server).search("a", network: network)
        }
        #expect(error?.code.rawValue == "http.404")
    }
}
