import Foundation
import SyrinxByteStream
import SyrinxListening
import SyrinxStreaming
import SyrinxTestSupport
import Testing

@testable import syrinx

@Suite("Playlists of a queue") struct QueueFileTests {
    private func entry(_ input: ListeningInput, title: String? = nil) -> RemoteQueueEntry {
        var tags = ListeningTags()
        (tags.title, tags.duration) = (title, 61)
        return RemoteQueueEntry(input, tags, index: 0, current: false)
    }

    private func paths(_ file: FilePath) throws -> [String] {
        let data = try Data(contentsOf: file.url)
        let entries = try Playlist(data, format: .m3u8, from: file.url).entries
        return entries.map { FilePath($0.url)?.name ?? $0.url.absoluteString }
    }

    @Test("Files with odd names and the web are found again, and standard input is left out")
    func oddNames() throws {
        let folder = try ScratchDirectory()
        let names = [
            "a #1 100%.flac", "ü?&=.mp3", "line\nbreak.ogg", "-.mp3", "#EXTM3U", "%41.mp3", "a\\b.mp3", " .mp3",
            "a#t=5.mp3", "a#t=5", "http:x.mp3", "quote\"'.mp3",
        ]
        let files = names.map { FilePath(folder.file($0)) }
        let web = try #require(ListeningInput(argument: "http://host.example/a%20b.mp3?x=1&y=%232"))
        let standardInput = try #require(ListeningInput(argument: "-"))
        let local = files.map { entry(ListeningInput(path: $0), title: "A\nB") }
        let entries = local + [entry(web), entry(standardInput)]
        let path = FilePath(folder.file("queue.m3u8"))
        let file = try QueueFile(path, isAppended: false, replaces: false)
        #expect(try file.write(entries) == names.count + 1)
        let expected = files.map(\.name) + ["http://host.example/a%20b.mp3?x=1&y=%232"]
        #expect(try paths(path) == expected)
        #expect(try Playlist(Data(contentsOf: path.url), from: path.url).entries[0].title == "A B")
        #expect(throws: Failure.self) { try QueueFile(path, isAppended: false, replaces: false) }
        #expect(try QueueFile(path, isAppended: true, replaces: false).write([entry(web)]) == 1)
        #expect(try paths(path) == expected + expected.suffix(1))
        #expect(try QueueFile(path, isAppended: false, replaces: true).write([entry(web)]) == 1)
        #expect(try paths(path) == expected.suffix(1))
    }

    @Test("A playlist is not replaced by a queue that holds it, and another ending is refused")
    func refusals() throws {
        let folder = try ScratchDirectory()
        let path = FilePath(folder.file("queue.m3u8"))
        try Data("#EXTM3U\n".utf8).write(to: path.url)
        let itself = entry(ListeningInput(path: path))
        #expect(throws: Failure.self) {
            try QueueFile(path, isAppended: false, replaces: true).write([itself])
        }
        #expect(try Data(contentsOf: path.url) == Data("#EXTM3U\n".utf8))
        #expect(throws: Failure.self) {
            try QueueFile(FilePath(folder.file("queue.txt")), isAppended: false, replaces: false)
        }
    }
}
