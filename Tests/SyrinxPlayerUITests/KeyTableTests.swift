import Foundation
import SyrinxListening
import SyrinxTerminal
import Testing

@testable import SyrinxPlayerUI

@Suite("Table of keys")
struct KeyTableTests {
    /// With `SYRINX_RECORD_SESSIONS=1` in the environment, the page is written anew.
    @Test("The page of the documentation has the keys of the table")
    func document() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = tests.deletingLastPathComponent().appending(path: "docs/keys.md")
        if ProcessInfo.processInfo.environment["SYRINX_RECORD_SESSIONS"] == "1" {
            try Data(KeyBindings.document.utf8).write(to: file)
        }
        let page = try String(contentsOf: file, encoding: .utf8)
        #expect(page == KeyBindings.document)
    }

    @Test("Every key of the table is a key, and has one meaning in its context")
    func unambiguous() {
        for context in KeyContext.allCases {
            var seen: Set<KeyPress> = []
            for row in KeyBindings.standard where row.context == context {
                for (command, names) in row.keys {
                    for name in names {
                        guard let key = KeyPress(name: name) else {
                            Issue.record("\(name) is no key")
                            continue
                        }
                        #expect(seen.insert(key).inserted, "\(name) in \(context)")
                        #expect(KeyBindings().keys(for: command, in: context).contains(key))
                    }
                    // It is written as config.toml reads it.
                    #expect(BoundCommand(text: command.text) == command, "\(command.text)")
                }
            }
        }
    }

    @Test("Every row has as many commands as it names")
    func rows() {
        // A text that is no command would be left out.
        for row in KeyBindings.standard { #expect(!row.keys.isEmpty, "\(row.meaning)") }
        #expect(KeyBindings.standard.reduce(0) { $0 + $1.keys.count } == 100)
    }

    @Test("The line has the keys of the playing page, and no others")
    func line() {
        let bindings = KeyBindings()
        for row in KeyBindings.standard {
            for (command, names) in row.keys {
                for key in names.compactMap(KeyPress.init(name:)) {
                    guard let onLine = bindings.lineCommand(for: key) else { continue }
                    #expect(bindings.command(for: key, on: .playing) == onLine, "\(command.text)")
                }
            }
        }
        #expect(bindings.lineCommand(for: KeyPress(.character("9"))) == .listening(.volume(.by(-0.05))))
        #expect(bindings.lineCommand(for: KeyPress(.character("b"))) == nil)
        #expect(bindings.line().contains { $0.meaning == "Mute" && $0.brief == "mute" && $0.keys == "m" })
    }

    @Test("The line has the listener's own keys, and not those that were taken away")
    func ownLine() {
        let config = PlayerConfig(
            """
            [keys]
            x = "mute"
            m = "none"
            "ctrl+right" = "seek +60"
            b = "quit"
            y = "add-bookmark"
            """
        )
        let keys = config.bindings
        #expect(keys.lineCommand(for: KeyPress(.character("x"))) == .listening(.mute))
        #expect(keys.lineCommand(for: KeyPress(.character("m"))) == nil)
        #expect(keys.lineCommand(for: KeyPress(.right, .control)) == .listening(.seek(.by(60))))
        #expect(keys.lineCommand(for: KeyPress(.character("b"))) == .screen(.quit))
        #expect(keys.lineCommand(for: KeyPress(.character("y"))) == nil)
        #expect(keys.line().contains { $0.meaning == "Mute" && $0.keys == "x" })
        #expect(keys.line().contains { $0.brief == "quit" && $0.keys == "q Q Ctrl-c b" })
    }

    @Test("The help tells the seconds of a skip that are set")
    func skips() {
        let bindings = KeyBindings()
        let both = SkipIntervals(back: 10, forward: 30)
        #expect(bindings.help(for: .playing, skips: both).contains { $0.meaning == "10 s back, 30 s forward" })
        #expect(bindings.help(for: .playing).contains { $0.keys == "← →" && $0.meaning == "5 s back, forward" })
        #expect(bindings.line(skips: both).contains { $0.keys == "← →" && $0.brief == "10, 30 s" })
        #expect(bindings.line(skips: SkipIntervals(back: 7.5, forward: 7.5)).contains { $0.brief == "7.5 s" })
        var view = SampleView.make()
        view.sound.skips = both
        var screen = PlayerScreen()
        let footer = screen.draw(view, columns: 80, rows: 24).text
        #expect(footer.contains("← → 10, 30 s"))
        _ = screen.handle(.key(KeyPress(.character("?"))), in: view)
        let help = screen.draw(view, columns: 80, rows: 40).text
        #expect(help.contains("10 s back, 30 s forward"))
    }
}
