import SyrinxListening
import Testing

@testable import syrinx

@Suite("The words of syrinx control") struct ControlWordsTests {
    @Test("status is no command of the player")
    func status() throws {
        #expect(try ControlWords(["status"], directory: "/music") == .status)
        #expect(try ControlWords(["rate", "+0.1"], directory: "/music") == .command(.rate(.by(0.1))))
        #expect(throws: CommandError.self) { try ControlWords(["status", "now"], directory: "/music") }
        #expect(throws: CommandError.self) { try ControlWords([], directory: "/music") }
    }

    @Test("A relative path is one in the folder of the caller; a URL stays as it is")
    func paths() throws {
        for (input, url) in [
            ("a b.flac", "/music/a b.flac"), ("/a.flac", "/a.flac"),
            ("http://localhost/a.mp3", "http://localhost/a.mp3"),
        ] {
            #expect(try ControlWords(["enqueue", input], directory: "/music") == .command(.enqueue(url)))
        }
    }

    @Test("A player refuses what it cannot carry out, with places as people count")
    func reasons() throws {
        var status = RemoteStatus()
        (status.count, status.chapters, status.effects) = (3, 2, 1)
        for (text, isRefused) in [
            ("goto 3", false), ("goto 4", true), ("chapter 2", false), ("chapter 3", true), ("remove 4", true),
            ("move 3 4", true), ("move 3 1", false), ("effect 2 a=1", true), ("equalizer loud", true),
            ("equalizer Speech", false), ("equalizer", false), ("enqueue ftp://a/b", true), ("enqueue -", true),
            ("enqueue /a", false),
        ] {
            let reason = status.reason(against: try ListeningCommand(text: text))
            #expect((reason != nil) == isRefused, "\(text)")
            if text == "goto 4" { #expect(reason == "there is no input at position 4: the queue has 3") }
        }
    }

    @Test("A language that the input does not have is refused with those that it has")
    func languages() throws {
        var status = RemoteStatus()
        let wanted = try ListeningCommand(text: "language xx")
        #expect(status.reason(against: wanted) == nil)
        let refusal = "the input has no sound in the language xx: it has de, eng"
        status.languages = ["de", "eng"]
        #expect(status.reason(against: wanted) == refusal)
        status.languages = []
        #expect(status.reason(against: wanted)?.hasSuffix("it states no language") == true)
        let second = try ListeningCommand(text: "language xx,en-GB")
        status.languages = ["de", "eng"]
        #expect(status.reason(against: second) == nil)
    }
}
