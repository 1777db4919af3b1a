import Foundation
import SyrinxHTTPStream
import SyrinxListening
import SyrinxPlayerUI
import SyrinxPodcastLibrary
import SyrinxTestSupport
import Testing

@testable import syrinx

@Suite("Transcript of an input")
struct TranscriptLoaderTests {
    /// Reads the transcript of an input in a folder.
    private func view(_ path: String, tags: [String: String] = [:], documents: [Episode.Resource] = []) throws
        -> TranscriptView
    {
        let loader = TranscriptLoader {}
        let input = try #require(ListeningInput(argument: path))
        var network = HTTPByteStream.Options()
        network.maximumOutage = 0.5
        let source = TranscriptLoader.Source(input: input, tags: tags, documents: documents)
        loader.open(turn: 1, network: network, source)
        waitUntil { !loader.view.isLoading }
        return loader.view
    }

    private func write(_ text: String, _ path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    private func resource(_ url: String, _ type: String) throws -> Episode.Resource {
        let json = try JSONSerialization.data(withJSONObject: ["url": url, "type": type])
        return try JSONDecoder().decode(Episode.Resource.self, from: json)
    }

    @Test("A file beside the recording comes before the lyrics in its tags")
    func besides() throws {
        let scratch = try ScratchDirectory()
        let song = scratch.file("a song.mp3")
        let none = try view(song)
        #expect(none == TranscriptView())
        let tags = ["lyrics-eng": "[00:02]La\n[00:04]la"]
        let sung = try view(song, tags: tags)
        #expect(sung.lines == [TranscriptLine(start: 2, text: "La"), TranscriptLine(start: 4, text: "la")])
        try write("[00:03]From the file", scratch.file("a song.mp3.lrc"))
        let beside = try view(song, tags: tags)
        #expect(beside.lines == [TranscriptLine(start: 3, text: "From the file")])
        try write("WEBVTT\n\n00:05.000 --> 00:06.000\n<v Ann>Hello", scratch.file("a song.vtt"))
        let subtitles = try view(song, tags: tags)
        #expect(subtitles.lines == [TranscriptLine(start: 5, speaker: "Ann", text: "Hello")])
    }

    @Test("Documents of a feed are read, the best format first, and one that fails gives way to the next")
    func documents() throws {
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        server.route("/a.srt", .file(Array("1\n00:00:01,000 --> 00:00:02,000\nSubRip\n".utf8), type: "text/plain"))
        server.route("/a.vtt", .file(Array("WEBVTT\n\n00:01.000 --> 00:02.000\nWebVTT\n".utf8), type: "text/vtt"))
        server.route("/bad.vtt", .file(Array("nothing".utf8), type: "text/vtt"))
        let subRip = try resource(server.url("/a.srt"), "application/x-subrip")
        let good = try resource(server.url("/a.vtt"), "text/vtt")
        let bad = try resource(server.url("/bad.vtt"), "text/vtt")
        let local = try resource("file:///etc/passwd", "text/plain")
        let best = try view("/none.mp3", documents: [subRip, good, local])
        #expect(best.lines.map(\.text) == ["WebVTT"])
        let next = try view("/none.mp3", documents: [bad, local, subRip])
        #expect(next.lines.map(\.text) == ["SubRip"])
        let failed = try view("/none.mp3", documents: [bad, local])
        #expect(failed.lines.isEmpty && failed.failure?.contains("no passage") == true)
    }

    @Test("Rows of the screen's width are made on another thread, and those of the last width serve until then")
    func rows() throws {
        let loader = TranscriptLoader {}
        let input = try #require(ListeningInput(argument: "/none.mp3"))
        let words = String(repeating: "word ", count: 40)
        #expect(loader.rows(columns: 60) == TranscriptView())
        let source = TranscriptLoader.Source(input: input, tags: ["lyrics": words], documents: [])
        loader.open(turn: 1, network: HTTPByteStream.Options(), source)
        waitUntil { !loader.rows(columns: 60).isLoading }
        let narrow = loader.rows(columns: 60)
        #expect(narrow == loader.view.wrapped(columns: 60) && narrow.passageCount == 1)
        #expect(loader.rows(columns: 100) == narrow)
        waitUntil { loader.rows(columns: 100) != narrow }
        #expect(loader.rows(columns: 100) == loader.view.wrapped(columns: 100))
        loader.stop()
        #expect(loader.rows(columns: 100) == TranscriptView())
    }

    @Test("Another input ends the reading of the one before")
    func change() throws {
        let hole = try BlackHole()
        let loader = TranscriptLoader {}
        let document = try resource("http://127.0.0.1:\(hole.port)/a.vtt", "text/vtt")
        let input = try #require(ListeningInput(argument: "/none.mp3"))
        let network = HTTPByteStream.Options()
        loader.open(turn: 1, network: network, TranscriptLoader.Source(input: input, tags: [:], documents: [document]))
        #expect(loader.view.isLoading)
        let tags = ["lyrics": "La"]
        loader.open(turn: 2, network: network, TranscriptLoader.Source(input: input, tags: tags, documents: []))
        waitUntil { !loader.view.isLoading }
        #expect(loader.view.lines == [TranscriptLine(start: nil, text: "La")])
    }
}
