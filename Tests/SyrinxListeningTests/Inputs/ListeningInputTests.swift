import Foundation
import SyrinxByteStream
import SyrinxListening
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
