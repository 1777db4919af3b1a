import Foundation
import Testing

@testable import SyrinxListening

@Suite("Table of keys")
struct KeyTableTests {
    /// With `SYRINX_RECORD_SESSIONS=1` in the environment, the page is written anew.
    @Test("The page of the documentation has the keys of the table")
    func document() throws {
        var tests = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { tests.deleteLastPathComponent() }
        let file = tests.deletingLastPathComponent().appending(path: "docs/keys.md")
        if ProcessInfo.processInfo.environment["SYRINX_RECORD_SESSIONS"] == "1" {
            try Data(KeyTable.document.utf8).write(to: file)
        }
        let page = try String(contentsOf: file, encoding: .utf8)
        #expect(page == KeyTable.document)
    }

    @Test("A key has one meaning in a context, in whichever face")
    func unambiguous() {
        for context in KeyContext.allCases {
            var meanings: [KeyName: BoundCommand] = [:]
            var seen: [PlayerFace: Set<KeyName>] = [:]
            for row in KeyTable.rows where row.context == context {
                for (command, keys) in row.keys {
                    for key in keys {
                        let former = meanings.updateValue(command, forKey: key.name)
                        #expect(former == nil || former == command, "\(key.name.text) in \(context)")
                        for face in PlayerFace.allCases where key.isOf(face) {
                            #expect(seen[face, default: []].insert(key.name).inserted, "\(key.name.text) in \(context)")
                            #expect(KeyBindings(face: face).keys(for: command, in: context).contains(key.name))
                        }
                    }
                    // It is written as config.toml reads it.
                    #expect(BoundCommand(text: command.text) == command, "\(command.text)")
                }
            }
        }
    }

    /// The pages that both faces have. A context of the terminal alone must not change the meaning of a key of the window.
    @Test(
        "A key has the same meaning in both faces, or none in one",
        arguments: [PlayerPage.playing, .queue, .podcasts]
    )
    func parity(page: PlayerPage) {
        let (terminal, window) = (KeyBindings(face: .terminal), KeyBindings(face: .window))
        let names = KeyTable.rows.flatMap(\.keys).flatMap(\.keys).map(\.name)
        var shared = 0
        for key in Set(names) {
            guard let here = terminal.command(for: key, on: page), let there = window.command(for: key, on: page) else {
                continue
            }
            shared += 1
            #expect(here == there, "\(key.text)")
        }
        #expect(shared > 50)
    }

    @Test("Every row has all the commands and keys that it names")
    func rows() {
        // A text that is no command or no key would be left out.
        for row in KeyTable.rows {
            #expect(!row.keys.isEmpty, "\(row.meaning())")
            for keys in row.keys { #expect(!keys.keys.isEmpty, "\(row.meaning())") }
        }
        #expect(KeyTable.rows.reduce(0) { $0 + $1.keys.count } == 144)
        #expect(KeyTable.rows.flatMap(\.keys).reduce(0) { $0 + $1.keys.count } == 184)
        let titles = KeyTable.groups.map(\.title)
        #expect(Set(titles).count == titles.count)
    }

    @Test("A key of one face is of that face alone")
    func faces() {
        let (terminal, window) = (KeyBindings(face: .terminal), KeyBindings(face: .window))
        #expect(terminal.command(for: KeyName(key: "q"), on: .playing) == .face(.quit))
        #expect(window.command(for: KeyName(key: "q"), on: .playing) == nil)
        #expect(window.command(for: KeyName(key: "q", .control), on: .playing) == .face(.quit))
        #expect(window.command(for: KeyName(key: "4"), on: .playing) == nil)
        #expect(window.command(for: KeyName(key: "5"), on: .playing) == .page(.effects))
        for key in [KeyName(key: "l", .control), KeyName(key: "z", .control), KeyName(key: "tab")] {
            #expect(terminal.command(for: key, on: .queue) != nil)
            #expect(window.command(for: key, on: .queue) == nil)
        }
        #expect(terminal.help(for: .playing).contains { $0.keys == "s" && $0.meaning == "Shuffle" })
        #expect(!terminal.help(for: .queue).contains { $0.meaning == "Full screen" })
        let groups = window.groups(skips: SkipIntervals(back: 10, forward: 30))
        #expect(groups.first?.rows[1].meaning == "10 s back, 30 s forward")
        #expect(!groups.contains { $0.title == "Files" })
        // GTK makes two columns of 15 lines of a part, which are a heading and its rows.
        for group in groups { #expect(group.rows.count <= 14, "\(group.title)") }
    }

    @Test("Names of keys lead back to them")
    func names() throws {
        for key in KeyTable.rows.flatMap(\.keys).flatMap(\.keys) { #expect(KeyName(key.name.text) == key.name) }
        #expect(KeyName("Ctrl+R") == KeyName(key: "r", .control) && KeyName("R") == KeyName(key: "R"))
        #expect(KeyName("ctrl++") == KeyName(key: "+", .control) && KeyName("+") == KeyName(key: "+"))
        #expect(KeyName("PgUp") == KeyName(key: "pageup") && KeyName("pageup") == KeyName(key: "pageup"))
        #expect(KeyName("ctrl+shift+o") == KeyName(key: "o", [.control, .shift]))
        for text in ["shift+a", "", " ", "f0", "f25", "f+1", "hyper+x", "ctrl+", "spac"] {
            #expect(KeyName(text) == nil, "\(text)")
        }
        #expect(KeyName(key: "pagedown", [.shift, .control]).symbol == "Ctrl-Shift-PgDn")
        #expect(KeyName(key: "f11").symbol == "F11" && KeyName(key: "A", .alt).symbol == "Alt-A")
    }

    @Test("Keys and skips of the settings hold in the window, and wrong lines do not")
    func settings() {
        let text = """
            skip-back = 12
            skip-forward = 0
            [keys]
            x = "mute"
            m = "none"
            y = "fly"
            "ctrl+9" = "toggle-queue"
            [keys.queue]
            x = "remove"
            """
        let settings = FaceSettings(settings: text, face: .window)
        #expect(settings.skips == SkipIntervals(back: 12, forward: 5))
        let keys = settings.bindings
        #expect(keys.command(for: KeyName(key: "x"), on: .playing) == .listening(.mute))
        #expect(keys.command(for: KeyName(key: "x"), on: .queue) == .face(.remove))
        #expect(keys.command(for: KeyName(key: "m"), on: .playing) == nil)
        #expect(keys.command(for: KeyName(key: "y"), on: .playing) == nil)
        let rows = keys.groups().flatMap(\.rows)
        #expect(rows.contains { $0.meaning == "Mute" && $0.keys == [KeyName(key: "x")] })
        let queue = rows.first { $0.meaning == "Show or hide the queue" }
        #expect(queue?.keys.map(\.text) == ["f9", "alt+q", "ctrl+9"])
        #expect(FaceSettings(settings: "", face: .window) == FaceSettings(face: .window))
    }
}
