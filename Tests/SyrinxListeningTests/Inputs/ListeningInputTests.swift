import Foundation
import SyrinxByteStream
import SyrinxListening
import SyrinxStreaming
import SyrinxTestSupport
import Testing

@Suite("Inputs")
struct ListeningInputTests {
    @Test("An input is a path, a URL or -")
    func inputs() throws {
        #expect(ListeningInput(argument: "-")?.location == .standardInput)
        #expect(ListeningInput(argument: "a b/c.mp3")?.location == .file(path: "a b/c.mp3"))
        #expect(ListeningInput(argument: "file:///tmp/a%20b.mp3")?.location == .file(path: "/tmp/a b.mp3"))
        #expect(ListeningInput(argument: "odd:name.mp3")?.location == .file(path: "odd:name.mp3"))
        let web = try #require(ListeningInput(argument: "HTTP://me:secret@host/ä b.mp3"))
        #expect(web.isWeb)
        #expect(web.name == "HTTP://host/ä b.mp3")
        for text in ["", "ftp://host/a", "http://", "http:///a", "file://elsewhere/a"] {
            #expect(ListeningInput(argument: text) == nil, "\(text)")
        }
    }

    @Test("A file that is named like a user with a password is called by its name")
    func filesNamedLikePasswords() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("me:part1@home.wav")
        try Data().write(to: URL(fileURLWithPath: path))
        let input = try #require(ListeningInput(argument: path))
        #expect(input.name == path && input.shownURL == URL(fileURLWithPath: path).absoluteString)
        try FileManager.default.removeItem(atPath: path)
        #expect(!input.shownURL.contains("part1"))
    }

    @Test("An input of a stored location is called by its path, and opened again by its identity")
    func locations() throws {
        for name in ["a b.flac", "100% é #1.ogg"] {
            let input = ListeningInput(path: FilePath("/music/\(name)"))
            let again = try #require(input.identity.flatMap(ListeningInput.init(location:)))
            #expect(again == input && again.name == "/music/\(name)" && again.shortName == name)
        }
        let web = try #require(ListeningInput(location: "https://u:p@example.org/a%20b.mp3"))
        #expect(web.shortName == "a b.mp3" && web.identity == "https://u:p@example.org/a%20b.mp3")
        for text in ["", "-", "a.mp3", "ftp://host/a"] { #expect(ListeningInput(location: text) == nil, "\(text)") }
        #expect(ListeningInput(location: "/tmp")?.isFolder == true)
    }

    @Test("A part of a file is opened again by its identity, which a whole file never has")
    func parts() throws {
        let part = StreamingInput.Part(start: 227 + 1.0 / 75, end: 301.5)
        for url in ["file:///music/a%20%23t=1.flac", "https://u:p@example.org/a.flac#x"] {
            let url = try #require(URL(string: url))
            let input = ListeningInput(Playlist.Entry(url: url, title: "Two", part: part))
            let again = try #require(input.identity.flatMap(ListeningInput.init(location:)))
            #expect(again.part == part && again.identity == input.identity && again.location == whole(input))
            #expect(again.duration == 301.5 - part.start && again.retitled("Two").title == "Two")
            #expect(input.keptInSession?.title == "Two")
        }
        let last = ListeningInput(Playlist.Entry(url: URL(fileURLWithPath: "/a.flac"), part: .init(start: 9)))
        #expect(last.identity == "file:///a.flac#t=9.0")
        #expect(ListeningInput(location: "file:///a.flac#t=9.0")?.part == .init(start: 9))
        // A path is a name, whatever it looks like; so is the address of a whole recording.
        let path = ListeningInput(path: "/a.flac#t=1,2")
        #expect(path.identity.flatMap(ListeningInput.init(location:)) == path)
        #expect(ListeningInput(location: "/a.flac#t=1,2") == path)
        let whole = try #require(ListeningInput(argument: "https://example.org/a.mp3#t=1,2"))
        #expect(whole.identity == "https://example.org/a.mp3")
        for text in ["t=2,1", "t=-1", "t=nan", "t=inf", "t=1,2,3", "t=", "t=1,"] {
            #expect(ListeningInput(location: "https://example.org/a#\(text)")?.part == nil, "\(text)")
        }
    }

    private func whole(_ input: ListeningInput) -> ListeningInput.Location {
        guard case .web = input.location else { return input.location }
        return ListeningInput(argument: "https://u:p@example.org/a.flac")?.location ?? .standardInput
    }

    @Test("The identity that the window had before is known where it differs")
    func formerIdentities() {
        func former(_ text: String) -> String? { ListeningInput(argument: text)?.formerIdentity }
        #expect(former("/a.mp3") == nil && former("https://example.org/a.mp3") == nil && former("-") == nil)
        #expect(former("/x/../a.mp3") == "file:///x/../a.mp3")
        #expect(former("https://u:p@example.org/a.mp3") == "https://example.org/a.mp3")
    }

    @Test(
        "The short name of an input is its last part",
        arguments: [
            ("/music/a b.flac", "a b.flac"), ("song.ogg", "song.ogg"), ("-", "standard input"),
            ("http://host/x/My%20Show.mp3?key=1", "My Show.mp3"), ("http://host/", "host"), ("/", "/"),
            ("file:///music/a%20b%2Fc.flac", "c.flac"), ("file:///music/%C3%A9t%C3%A9%20%23.flac", "été #.flac"),
            ("file:///caf%E9.ogg", "caf\u{FFFD}.ogg"), ("/lists/me:s3cret@host/a.mp3", "a.mp3"),
            ("me:s3cret@host", "host"),
        ]
    )
    func shortNames(argument: String, name: String) throws {
        #expect(try #require(ListeningInput(argument: argument)).shortName == name)
    }
}
