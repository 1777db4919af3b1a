import Foundation
import SyrinxByteStream
import SyrinxListening
import SyrinxStreaming
import SyrinxTestSupport
import Testing

@Suite("Folders")
struct FolderListingTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private func touch(_ names: String...) throws {
        for name in names { try write("", to: name) }
    }

    private func write(_ text: String, to name: String) throws {
        let file = URL(fileURLWithPath: scratch.file(name))
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func sheet(_ file: String) -> String {
        """
        PERFORMER "The Band"
        FILE "\(file)" WAVE
          TRACK 01 AUDIO
            TITLE "One"
            INDEX 01 00:00:00
          TRACK 02 AUDIO
            TITLE "Two"
            INDEX 01 00:02:00

        """
    }

    /// The titles of tracks, else the paths below the scratch folder.
    private func list(_ name: String = "", recursively: Bool = true) throws -> [String] {
        let inputs = try FolderListing.inputs(in: FilePath(scratch.file(name)), recursively: recursively)
        return inputs.map { $0.title ?? String($0.name.dropFirst(scratch.path.utf8.count + 1)) }
    }

    @Test("Sound and films are taken in natural order, each folder at the place of its name, without hidden files")
    func order() throws {
        try touch(
            "10 Late/2.flac",
            "10 Late/10.flac",
            "2 Early/b.OGG",
            "2 Early/film.mkv",
            "3.mp3",
            "notes.txt",
            "list.m3u",
            ".hidden.mp3",
            ".trash/a.mp3",
            "4 folder.ogg/x.opus"
        )
        let all = [
            "2 Early/b.OGG", "2 Early/film.mkv", "3.mp3", "4 folder.ogg/x.opus", "10 Late/2.flac", "10 Late/10.flac",
        ]
        #expect(try list() == all)
        #expect(try list(recursively: false) == ["3.mp3"])
    }

    @Test("A folder without sound of its own is empty unless the folders in it are read")
    func artist() throws {
        try touch("Artist/1 First/a.flac", "Artist/2 Second/b.flac")
        #expect(try list("Artist") == ["Artist/1 First/a.flac", "Artist/2 Second/b.flac"])
        let error = #expect(throws: SyrinxError.self) { try list("Artist", recursively: false) }
        #expect(error?.code.rawValue == "media.empty" && error?.message.contains("-r") == true)
        try touch("None/readme.txt")
        #expect(throws: SyrinxError.self) { try list("None") }
        let missing = #expect(throws: SyrinxError.self) { try list("Nowhere") }
        #expect(missing != nil)
    }

    @Test("A link that leads back, and a second link to a folder, are followed once")
    func links() throws {
        try touch("a/1.mp3", "a/in/2.mp3")
        for (link, target) in [("a/in/back", "a"), ("b", "a/in")] {
            try FileManager.default.createSymbolicLink(
                atPath: scratch.file(link),
                withDestinationPath: scratch.file(target)
            )
        }
        #expect(try list() == ["a/1.mp3", "a/in/2.mp3"])
    }

    @Test("A CUE sheet stands for its file, wherever that file is in the folder's order")
    func sheets() throws {
        try touch("disc.flac", "a.flac", "z.flac")
        try write(sheet("disc.flac"), to: "disc.cue")
        #expect(try list() == ["a.flac", "One", "Two", "z.flac"])
        let inputs = try FolderListing.inputs(in: FilePath(scratch.path), recursively: false)
        #expect(inputs[1].part?.start == 0 && inputs[2].part?.start == 2 && inputs[2].tags["artist"] == "The Band")
    }

    @Test("A sheet whose file is not there, is another sheet's, or lies outside of the folder stands for nothing")
    func strangeSheets() throws {
        try touch("d/disc.flac", "d/other.flac", "outside.flac")
        try write(sheet("gone.flac"), to: "d/a.cue")
        try write(sheet("disc.flac"), to: "d/b.cue")
        try write(sheet("disc.flac"), to: "d/c.cue")
        try write(sheet("../outside.flac"), to: "d/d.cue")
        try write("no sheet", to: "d/e.cue")
        #expect(try list() == ["One", "Two", "d/other.flac", "outside.flac"])
    }

    @Test("A browser shows folders first, then sound, films and playlists")
    func entries() throws {
        try touch("b.mp3/in.ogg", "10.mp3", "2.webm", "list.pls", "disc.cue", "cover.jpg")
        let entries = try FolderListing.entries(in: FilePath(scratch.path))
        #expect(entries.map(\.name) == ["b.mp3", "2.webm", "10.mp3", "disc.cue", "list.pls"])
        #expect(entries.map(\.isFolder) == [true, false, false, false, false])
    }
}
