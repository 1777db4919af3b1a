import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxByteStream

@Suite("Paths of any bytes")
struct FilePathTests {
    /// `caf\xe9.ogg`: Latin-1.
    private static let latin = Array("caf".utf8) + [0xE9] + Array(".ogg".utf8)

    @Test(
        "Any bytes get through text and back, and ordinary text stays what it is",
        arguments: [
            latin, Array("café ♫.ogg".utf8), [], [0xFF, 0xFE, 0x80], [0xF4, 0x8F, 0xBA, 0xA9, 0x61],
            [0xC3], [0xC3, 0x28, 0xE2, 0x82], Array(0...255),
        ]
    )
    func carriesBytes(_ bytes: [UInt8]) {
        let text = ByteText.text(carrying: bytes)
        #expect(ByteText.bytes(of: text) == bytes)
        #expect(ByteText.text(carrying: ByteText.bytes(of: text)) == text)
    }

    @Test("Every row of bytes has a text of its own")
    func isOneToOne() {
        var random = SplitMix64(seed: 7)
        // Bytes that make and break sequences of UTF-8, and the four that begin the private range.
        let choice: [UInt8] = [0x61, 0x80, 0xA9, 0xBA, 0x8F, 0xC3, 0xE2, 0xF4]
        var texts: [String: [UInt8]] = [:]
        for _ in 0..<20_000 {
            let bytes = (0..<Int(random.next() % 9)).map { _ in choice[Int(random.next() % 8)] }
            let text = ByteText.text(carrying: bytes)
            #expect(ByteText.bytes(of: text) == bytes)
            #expect(texts[text] == nil || texts[text] == bytes)
            texts[text] = bytes
        }
    }

    @Test("Text of foreign bytes is printed and escaped as its characters")
    func isReadable() {
        let text = ByteText.text(carrying: Self.latin)
        #expect(ByteText.readable(text) == "caf\\xE9.ogg")
        #expect(ByteText.percentEncoded(text) == "caf%E9.ogg")
        #expect(ByteText.readable("café") == "café")
    }

    @Test(
        "A path gets through a URL and back",
        arguments: [latin, Array("a b%20#?;é".utf8), Array("-._~!$&'()*+,=:@".utf8), [0x01, 0x7F, 0xFF]]
    )
    func roundTripsThroughURL(_ name: [UInt8]) throws {
        let path = FilePath("/music").appending(name)
        #expect(path.url.isFileURL)
        #expect(FilePath(path.url) == path)
        #expect(path.url.absoluteString.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test("A URL that names no path gives none")
    func refusesOtherURLs() throws {
        #expect(FilePath(try #require(URL(string: "https://example.org/a.ogg"))) == nil)
        #expect(FilePath(try #require(URL(string: "file:///a%00b"))) == nil)
        #expect(
            FilePath(try #require(URL(string: "file:///caf%E9.ogg"))) == FilePath(bytes: Array("/".utf8) + Self.latin)
        )
    }

    @Test(
        "A location of this computer is a path or a file URL, and its name is a location too",
        arguments: [
            ("/a b/é.mp3", "/a b/é.mp3", "file:///a%20b/%C3%A9.mp3"),
            ("file:///a%20b/%C3%A9.mp3", "/a b/é.mp3", "file:///a%20b/%C3%A9.mp3"),
            ("file:///caf%E9.mp3", "file:///caf%E9.mp3", "file:///caf%E9.mp3"),
            ("FILE://LocalHost/caf%e9.mp3", "file:///caf%E9.mp3", "file:///caf%E9.mp3"),
            ("file:/a;b?c#d.mp3", "/a;b?c#d.mp3", "file:///a%3Bb%3Fc%23d.mp3"),
            ("/100%.mp3", "/100%.mp3", "file:///100%25.mp3"),
            ("/'(!$&*+,=:@~", "/'(!$&*+,=:@~", "file:///'(!$&*+,=:@~"),
        ]
    )
    func readsLocation(location: String, name: String, url: String) throws {
        let path = try #require(FilePath(location: location))
        #expect(path.name == name && path.url.absoluteString == url)
        #expect(FilePath(location: name) == path && FilePath(location: url) == path)
    }

    @Test(
        "A text that is no location of this computer gives none",
        arguments: [
            "", "a.mp3", "https://example.org/a", "file:a", "file://nas/a", "file:///a%", "file:///a%0", "file:///a%zz",
            "file:///a%+1", "file:///a%00b", "/a\u{0}b", "file:",
        ]
    )
    func refusesLocation(_ text: String) { #expect(FilePath(location: text) == nil) }

    @Test("Every byte but zero gets through the URL and the name of a path")
    func keepsBytes() {
        let path = FilePath(bytes: [UInt8(ascii: "/")] + (1...255).map { UInt8($0) })
        #expect(path.url.absoluteString.utf8.allSatisfy { $0 > 32 && $0 < 127 })
        #expect(FilePath(location: path.url.absoluteString) == path && FilePath(location: path.name) == path)
    }

    @Test("Bytes that are not UTF-8 are shown as replacement characters")
    func isDisplayed() {
        #expect(FilePath(location: "file:///caf%E9/%FFna%EFve.FLAC")?.displayName == "\u{FFFD}na\u{FFFD}ve.FLAC")
        #expect(FilePath("/a/b/").displayName == "b" && FilePath("/").displayName == "/")
    }

    @Test("The members of a folder are those that are not hidden, with any bytes")
    func listsMembers() throws {
        let scratch = try ScratchDirectory()
        let folder = FilePath(scratch.path)
        let names = [Self.latin, Array("b".utf8)]
        for name in names + [Array(".hidden".utf8)] { #expect(folder.appending(name).makeFolder() == 0) }
        #expect(Set(folder.members()?.map(\.name) ?? []) == Set(names))
        #expect(folder.appending("b").members()?.isEmpty == true && folder.appending("c").members() == nil)
        #expect(FilePath("/dev/null").members() == nil)
        #expect(!FilePath("/dev/null").isPlainFile && !folder.isPlainFile && FilePath("/proc/version").isPlainFile)
        // Foundation, which removes the folder, cannot.
        #expect(folder.appending(Self.latin).withCString { rmdir($0) } == 0)
    }

    @Test("A relative path is made absolute by the current folder")
    func isMadeAbsolute() {
        let folder = FileManager.default.currentDirectoryPath
        #expect(FilePath("a/b.ogg").absolute == FilePath(folder == "/" ? "/a/b.ogg" : folder + "/a/b.ogg"))
        #expect(FilePath("/a").absolute == FilePath("/a"))
    }

    @Test("Components are those of POSIX")
    func hasComponents() {
        let cases: [(path: String, last: String, folder: String, ending: String, stem: String)] = [
            ("a.Ogg", "a.Ogg", ".", "ogg", "a"), ("/a", "a", "/", "", "a"),
            ("/a/b.tar.gz", "b.tar.gz", "/a", "gz", "b.tar"),
            ("a//b/", "b", "a", "", "b"), ("/", "", ".", "", ""), (".wav", ".wav", ".", "", ".wav"),
            ("x.", "x.", ".", "", "x."),
        ]
        for item in cases {
            let path = FilePath(item.path)
            #expect(String(decoding: path.lastComponent, as: UTF8.self) == item.last, "\(item.path)")
            #expect(path.folder == FilePath(item.folder), "\(item.path)")
            #expect(path.pathExtension == item.ending, "\(item.path)")
            #expect(String(decoding: path.stem, as: UTF8.self) == item.stem, "\(item.path)")
        }
        #expect(FilePath("/a").appending("b") == FilePath("/a/b") && FilePath("/a/").appending("b") == FilePath("/a/b"))
        #expect(FilePath("/a").appending("/b") == FilePath("/b"))
        #expect(
            FilePath("/a/./b//../c/").standardized == FilePath("/a/c") && FilePath("/..").standardized == FilePath("/")
        )
    }

    @Test("A file whose name is not UTF-8 is read by its path and by its URL, and is called by its URL")
    func opensFile() throws {
        let scratch = try ScratchDirectory()
        let path = FilePath(scratch.path).appending(Self.latin)
        let descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL, 0o600) }
        try #require(descriptor >= 0 && write(descriptor, "abc", 3) == 3)
        close(descriptor)
        for stream in [try FileByteStream(path: path), try FileByteStream(url: path.url)] {
            #expect(stream.length == 3)
            #expect(stream.name == path.url.absoluteString && stream.name.hasSuffix("/caf%E9.ogg"))
        }
        #expect(throws: SyrinxError.self) { try FileByteStream(path: FilePath(bytes: [0x61, 0, 0x62])) }
        // Foundation, which removes the folder, cannot.
        #expect(path.withCString { unlink($0) } == 0)
    }

    @Test("Folders are made with those that they lie in")
    func makesFolders() throws {
        let scratch = try ScratchDirectory()
        let folder = FilePath(scratch.path).appending(Self.latin).appending("b")
        #expect(folder.makeFolder() == 0 && folder.isFolder && folder.makeFolder() == 0)
        #expect(FilePath("/dev/null/a/b").makeFolder() == ENOTDIR)
        for made in [folder, folder.folder] { #expect(made.withCString { rmdir($0) } == 0) }
    }
}

@Suite("Pending files")
struct PendingFileTests {
    private func names(in scratch: ScratchDirectory) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted()
    }

    private func put(_ text: String, into file: PendingFile) {
        #expect(write(file.descriptor, text, text.utf8.count) == text.utf8.count)
    }

    private func content(_ scratch: ScratchDirectory, _ name: String) -> String? {
        FileManager.default.contents(atPath: scratch.file(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("A file appears when it is committed, also in the place of another", arguments: [true, false])
    func appears(mayBeUnnamed: Bool) throws {
        let scratch = try ScratchDirectory()
        for text in ["first", "second, and longer"] {
            let file = try PendingFile(path: FilePath(scratch.file("a")), mayBeUnnamed: mayBeUnnamed)
            #expect(file.isPlain)
            put(text, into: file)
            #expect(content(scratch, "a") != text)
            try file.commit()
            #expect(content(scratch, "a") == text)
            #expect(try names(in: scratch) == ["a"])
            #expect(file.descriptor < 0)
        }
        // As any other file that is made here.
        close(open(scratch.file("plain"), O_WRONLY | O_CREAT, 0o666))
        let modes = ["a", "plain"].map { FilePath(scratch.file($0)).status?.st_mode }
        #expect(modes[0] != nil && modes[0] == modes[1])
    }

    /// Whether the file system of temporary files has files without a name (`O_TMPFILE`).
    private static let hasUnnamedFiles: Bool = {
        guard let scratch = try? ScratchDirectory() else { return false }
        let probe = open(scratch.path, 0o20_000_000 | O_DIRECTORY | O_RDWR, 0o600)
        close(probe)
        return probe >= 0
    }()

    @Test("A file has no name while it is written", .enabled(if: hasUnnamedFiles, "no files without a name here"))
    func isUnnamed() throws {
        let scratch = try ScratchDirectory()
        let file = try PendingFile(path: FilePath(scratch.file("a")))
        put("a", into: file)
        #expect(try names(in: scratch).isEmpty)
        try file.commit()
    }

    @Test("A file that is given up leaves nothing, and the one before stays", arguments: [true, false])
    func isAbandoned(mayBeUnnamed: Bool) throws {
        let scratch = try ScratchDirectory()
        try Data("old".utf8).write(to: URL(fileURLWithPath: scratch.file("a")))
        let file = try PendingFile(path: FilePath(scratch.file("a")), mayBeUnnamed: mayBeUnnamed)
        put("new", into: file)
        file.abandon()
        _ = try PendingFile(path: FilePath(scratch.file("b")), mayBeUnnamed: mayBeUnnamed)
        #expect(try names(in: scratch) == ["a"] && content(scratch, "a") == "old")
    }

    @Test("A link stays a link, its target is written, and one that leads nowhere is refused")
    func followsLink() throws {
        let scratch = try ScratchDirectory()
        try Data("old".utf8).write(to: URL(fileURLWithPath: scratch.file("a")))
        #expect(symlink("a", scratch.file("b")) == 0 && symlink("nowhere", scratch.file("c")) == 0)
        let file = try PendingFile(path: FilePath(scratch.file("b")))
        put("new", into: file)
        #expect(content(scratch, "a") == "old")
        try file.commit()
        #expect(content(scratch, "a") == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: scratch.file("b")) == "a")
        #expect { try PendingFile(path: FilePath(scratch.file("c"))) } throws: {
            ($0 as? PendingFile.Failure)?.number == ENOENT
        }
        #expect(try names(in: scratch) == ["a", "b", "c"])
    }

    @Test("A file that is replaced keeps its permissions and its owner", arguments: [true, false])
    func keepsPermissions(mayBeUnnamed: Bool) throws {
        let scratch = try ScratchDirectory()
        let path = FilePath(scratch.file("a"))
        for mode: mode_t in [0o600, 0o640, 0o666] {
            try Data("old".utf8).write(to: URL(fileURLWithPath: scratch.file("a")))
            #expect(chmod(scratch.file("a"), mode) == 0)
            // Only the superuser may give files away.
            if geteuid() == 0 { #expect(chown(scratch.file("a"), 1_234, 5_678) == 0) }
            let before = try #require(path.status)
            let file = try PendingFile(path: path, mayBeUnnamed: mayBeUnnamed)
            put("new", into: file)
            try file.commit()
            let after = try #require(path.status)
            #expect(after.st_mode == before.st_mode)
            #expect(after.st_uid == before.st_uid && after.st_gid == before.st_gid)
            #expect(content(scratch, "a") == "new")
        }
    }

    @Test("A file with two names keeps both, and both have the new content", arguments: [true, false])
    func keepsNames(mayBeUnnamed: Bool) throws {
        let scratch = try ScratchDirectory()
        try Data("old, and longer".utf8).write(to: URL(fileURLWithPath: scratch.file("a")))
        #expect(link(scratch.file("a"), scratch.file("b")) == 0)
        let file = try PendingFile(path: FilePath(scratch.file("a")), mayBeUnnamed: mayBeUnnamed)
        put("new", into: file)
        #expect(content(scratch, "b") == "old, and longer")
        try file.commit()
        #expect(content(scratch, "a") == "new" && content(scratch, "b") == "new")
        #expect(try names(in: scratch) == ["a", "b"])
    }

    @Test("A file that the user may not write is refused, and stays", .enabled(if: geteuid() != 0))
    func refusesProtected() throws {
        let scratch = try ScratchDirectory()
        try Data("old".utf8).write(to: URL(fileURLWithPath: scratch.file("a")))
        #expect(chmod(scratch.file("a"), 0o400) == 0)
        #expect { try PendingFile(path: FilePath(scratch.file("a"))) } throws: {
            ($0 as? PendingFile.Failure)?.number == EACCES
        }
        #expect(content(scratch, "a") == "old")
    }

    @Test("A file in a folder that takes no other file is written all the same", .enabled(if: geteuid() != 0))
    func writesInProtectedFolder() throws {
        let scratch = try ScratchDirectory()
        try Data("old".utf8).write(to: URL(fileURLWithPath: scratch.file("a")))
        #expect(chmod(scratch.path, 0o500) == 0)
        defer { chmod(scratch.path, 0o700) }
        let file = try PendingFile(path: FilePath(scratch.file("a")))
        put("new", into: file)
        try file.commit()
        #expect(content(scratch, "a") == "new")
    }

    @Test("A pipe or a device is written to directly; a folder and a missing one are refused")
    func refusesFolders() throws {
        let scratch = try ScratchDirectory()
        let device = try PendingFile(path: FilePath("/dev/null"))
        #expect(!device.isPlain)
        try device.commit()
        func number(_ path: String) -> Int32? {
            do throws(PendingFile.Failure) {
                _ = try PendingFile(path: FilePath(path))
                return nil
            } catch {
                return error.number
            }
        }
        #expect(number(scratch.path) == EISDIR)
        #expect(number(scratch.file("x/y")) == ENOENT)
    }
}

@Suite("Claimed outputs")
struct OutputClaimTests {
    @Test("A file that is being written is no input by any of its names, also if it was made after the claim")
    func isRefused() throws {
        let scratch = try ScratchDirectory()
        func code(_ name: String) -> ErrorCode? {
            do throws(SyrinxError) {
                _ = try FileByteStream(path: scratch.file(name))
                return nil
            } catch {
                return error.code
            }
        }
        var claim: OutputClaim? = OutputClaim(FilePath(scratch.file("a")))
        #expect(code("a") == .fileNotFound)
        for name in ["a", "other"] { try Data("x".utf8).write(to: URL(fileURLWithPath: scratch.file(name))) }
        #expect(symlink("a", scratch.file("b")) == 0 && link(scratch.file("a"), scratch.file("c")) == 0)
        for name in ["a", "b", "c"] { #expect(code(name) == .outputIsInput) }
        #expect(code("other") == nil)
        withExtendedLifetime(claim) {}
        claim = nil
        #expect(code("a") == nil)
    }
}
