import Foundation
import Terminal
import Testing

@testable import PlayerUI

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

    @Test("The line has the keys of the playing page, and no others")
    func line() {
        let bindings = KeyBindings()
        for row in KeyBindings.standard {
            for (command, names) in row.keys {
                for key in names.compactMap(KeyPress.init(name:)) {
                    guard let onLine = KeyBindings.lineCommand(for: key) else { continue }
                    #expect(bindings.command(for: key, on: .playing) == onLine, "\(command.text)")
                }
            }
        }
        #expect(KeyBindings.lineCommand(for: KeyPress(.character("9"))) == BoundCommand(.volume, -5))
        #expect(KeyBindings.lineCommand(for: KeyPress(.character("b"))) == nil)
        #expect(KeyBindings.line.contains { $0.meaning == "Mute" && $0.brief == "mute" && $0.keys == "m" })
    }
}
