import Foundation
import SyrinxByteStream
import Testing

@testable import SyrinxStreaming

@Suite("Files that a list names")
struct NamedFilesTests {
    /// The path of the file that `name` leads to, in a list in `/m`, on a machine with these files.
    private func found(_ name: String, in list: String = "/m/list.m3u", _ files: Set<String>) -> String? {
        let disk = NamedFiles.Disk(
            exists: { path in files.contains { $0 == path.name || $0.hasPrefix(path.name + "/") } },
            members: { folder in
                let start = folder.name == "/" ? "/" : folder.name + "/"
                let below = files.filter { $0.hasPrefix(start) }.map { $0.dropFirst(start.count) }
                return below.compactMap { $0.split(separator: "/").first }.map { Array($0.utf8) }
            }
        )
        let url = URL(fileURLWithPath: list)
        let format = Playlist.Format(endingOf: url) ?? .m3u
        let locator = PlaylistLocator(origin: url, format: format, namesOneFile: true, disk: disk)
        return locator.location(of: PlaylistItem(location: name))?.url.path
    }

    @Test("A CUE sheet finds the file in another case, in another format, and from the path of another machine")
    func sheets() {
        let list = "/m/disc.cue"
        #expect(found("Disc.wav", in: list, ["/m/Disc.wav", "/m/disc.wav"]) == "/m/Disc.wav")
        #expect(found("Disc.wav", in: list, ["/m/DISC.WAV"]) == "/m/DISC.WAV")
        #expect(found("Disc.wav", in: list, ["/m/disc.FLAC"]) == "/m/disc.FLAC")
        #expect(found("C:\\Music\\Rips\\Album.wav", in: list, ["/m/Album.flac"]) == "/m/Album.flac")
        #expect(found("C:\\Music\\CD1\\a.wav", in: list, ["/m/a.wav", "/m/cd1/A.flac"]) == "/m/cd1/A.flac")
        #expect(found("\\\\host\\share\\a.wav", in: list, ["/m/a.wav"]) == "/m/a.wav")
        #expect(found("/home/other/Album.flac", in: list, ["/m/album.flac"]) == "/m/album.flac")
        #expect(found("/home/other/Album.flac", in: list, ["/home/other/Album.flac"]) == "/home/other/Album.flac")
        #expect(found("cafe\u{301}.wav", in: list, ["/m/café.wav"]) == "/m/café.wav")
        // The only file of a sheet may have the sheet's own name.
        #expect(found("CDImage.wav", in: list, ["/m/Disc.ape"]) == "/m/Disc.ape")
        #expect(found("Disc.wav", in: list, ["/m/other.flac"]) == "/m/Disc.wav")
    }

    @Test("An M3U finds files by the separators, escapes, URLs and drives that other programs write")
    func lists() {
        let file: Set = ["/m/sub/a b.mp3"]
        for name in [
            "sub\\a b.mp3", "sub/a b.mp3", "sub/a%20b.mp3", "sub\\a%20b.mp3", "D:\\Music\\sub\\a b.mp3",
            "D:/Music/sub/a b.mp3", "file:///D:/Music/sub/a%20b.mp3", "file:///D|/Music/sub/a%20b.mp3",
            "file://D:/Music/sub/a%20b.mp3", "file://localhost/D:/Music/SUB/A%20b.mp3", "file:///m/sub/a%20b.mp3",
            "..\\m\\sub\\a b.mp3",
        ] {
            #expect(found(name, file) == "/m/sub/a b.mp3", "\(name)")
        }
        // A name that has an escape in it is itself first.
        #expect(found("a%20b.mp3", ["/m/a%20b.mp3", "/m/a b.mp3"]) == "/m/a%20b.mp3")
        #expect(found("100%.mp3", ["/m/100%.mp3"]) == "/m/100%.mp3")
        #expect(found("a%20b.mp3", []) == "/m/a%20b.mp3")
        #expect(found("a\\b.wav", ["/m/a/b.flac"]) == "/m/a/b.wav")
    }

    @Test("From a server, the separators of Windows are those of a URL")
    func remote() throws {
        let url = try #require(URL(string: "https://example.org/l/a.m3u"))
        let entries = try Playlist(Data("sub\\a b.mp3\nc.mp3".utf8), from: url).entries
        #expect(
            entries.map(\.url.absoluteString) == ["https://example.org/l/sub/a%20b.mp3", "https://example.org/l/c.mp3"]
        )
    }
}
