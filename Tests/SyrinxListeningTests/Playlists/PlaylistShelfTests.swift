import Foundation
import SyrinxByteStream
import SyrinxStreaming
import SyrinxTestSupport
import Testing

@testable import SyrinxListening

@Suite("Saved playlists") struct PlaylistShelfTests {
    private func entry(_ name: String, part: StreamingInput.Part? = nil) -> Playlist.Entry {
        Playlist.Entry(url: URL(fileURLWithPath: "/music/\(name).flac"), title: name, duration: 60, part: part)
    }

    @Test("A name is that of a file in the folder, and of no other file")
    func names() throws {
        #expect(try PlaylistName(" evening.m3u8 ").text == "evening")
        #expect(try PlaylistName("Abend, 2. Teil").text == "Abend, 2. Teil")
        for bad in ["", "  ", ".m3u8", "../a", "a/b", ".hidden", "a\u{7}", String(repeating: "é", count: 101)] {
            let failure = #expect(throws: Failure.self) { try PlaylistName(bad) }
            #expect(failure?.code == .badCommand, "\(bad)")
        }
        #expect(PlaylistName(file: Array("a.m3u8".utf8))?.text == "a")
        for other in ["a.m3u", " a.m3u8", "a.M3U8", ".lock"] { #expect(PlaylistName(file: Array(other.utf8)) == nil) }
    }

    @Test("A playlist is saved, listed, read, renamed and deleted")
    func life() throws {
        let folder = try ScratchDirectory()
        let shelf = PlaylistShelf(folder: folder.file("playlists"))
        let (ten, two) = (try PlaylistName("mix 10"), try PlaylistName("Mix 2"))
        #expect(shelf.summaries().isEmpty)
        let part = StreamingInput.Part(start: 5, end: 9.5)
        try shelf.store([entry("a"), entry("b", part: part)], as: ten, replaces: false)
        try shelf.store([entry("c")], as: two, replaces: false)
        #expect(shelf.summaries().map(\.name) == [two, ten])
        #expect(shelf.summaries().map(\.count) == [1, 2])
        let read = try shelf.entries(of: ten)
        #expect(read.map(\.url) == [entry("a").url, entry("b").url] && read[1].part == part)
        // Nothing is replaced unless that is asked for.
        #expect(throws: Failure.self) { try shelf.store([entry("d")], as: ten, replaces: false) }
        #expect(try shelf.entries(of: ten).count == 2)
        try shelf.store([entry("d")], as: ten, replaces: true)
        #expect(try shelf.entries(of: ten).map(\.title) == ["d"])
        #expect(throws: Failure.self) { try shelf.rename(ten, to: two) }
        try shelf.rename(ten, to: try PlaylistName("night"))
        #expect(shelf.summaries().map(\.name.text) == ["Mix 2", "night"])
        try shelf.delete(two)
        let failure = #expect(throws: Failure.self) { try shelf.delete(two) }
        #expect(failure?.code == .fileNotFound)
        let missing = #expect(throws: Failure.self) { try shelf.entries(of: try PlaylistName("nigt")) }
        #expect(missing?.code == .fileNotFound && missing?.message.contains("Did you mean night") == true)
        let status = try #require(shelf.path(of: try PlaylistName("night")).status)
        #expect(status.st_mode & 0o077 == 0, "addresses may have passwords")
    }

    @Test("A favorite is added and removed by the same entry; an empty playlist can be added to")
    func favorites() throws {
        let folder = try ScratchDirectory()
        let shelf = PlaylistShelf(folder: folder.path)
        let part = entry("a", part: StreamingInput.Part(start: 5, end: nil))
        #expect(try shelf.toggle(entry("a"), in: .favorites))
        #expect(!shelf.has(part, in: .favorites), "a part is another entry")
        #expect(try shelf.toggle(part, in: .favorites))
        #expect(try !shelf.toggle(entry("a"), in: .favorites))
        #expect(shelf.has(part, in: .favorites) && !shelf.has(entry("a"), in: .favorites))
        #expect(try !shelf.toggle(part, in: .favorites))
        #expect(try shelf.entries(of: .favorites).isEmpty)
        #expect(try shelf.append([entry("b")], to: .favorites) == 1)
        #expect(shelf.summaries().map(\.count) == [1])
    }

    @Test("Two players that add at once lose no entry")
    func concurrency() async throws {
        let folder = try ScratchDirectory()
        await withTaskGroup(of: Void.self) { group in
            for player in 0..<4 {
                group.addTask {
                    let shelf = PlaylistShelf(folder: folder.path)
                    for number in 0..<20 {
                        #expect(throws: Never.self) {
                            try shelf.append([self.entry("\(player)-\(number)")], to: .favorites)
                        }
                    }
                }
            }
        }
        #expect(try PlaylistShelf(folder: folder.path).entries(of: .favorites).count == 80)
    }

    @Test("A file that is no playlist is left as it is")
    func foreignFile() throws {
        let folder = try ScratchDirectory()
        let shelf = PlaylistShelf(folder: folder.path)
        let index = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n"
        try Data(index.utf8).write(to: folder.url("live.m3u8"))
        #expect(throws: Failure.self) { try shelf.append([entry("a")], to: try PlaylistName("live")) }
        #expect(try String(contentsOfFile: folder.file("live.m3u8"), encoding: .utf8) == index)
        #expect(shelf.summaries().map(\.count) == [nil])
    }
}
