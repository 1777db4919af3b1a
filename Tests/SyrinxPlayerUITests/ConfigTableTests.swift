import Foundation
import SyrinxListening
import Testing

@testable import SyrinxPlayerUI

@Suite("Table of the settings")
struct ConfigTableTests {
    @Test("The program accepts the example of every setting")
    func examples() {
        for row in ConfigTable.rows {
            let text = (row.table.isEmpty ? "" : "[\(row.table)]\n") + row.example
            #expect(PlayerConfig(text).errors.isEmpty, "\(text)")
            #expect(!row.meaning.isEmpty && !row.values.isEmpty && !row.initial.isEmpty)
        }
        #expect(Set(ConfigTable.rows.map { $0.table + "." + $0.name }).count == ConfigTable.rows.count)
    }

    @Test("Every name that an error lists is a row of the table")
    func complete() throws {
        for table in ["", "podcasts", "theme"] {
            let text = (table.isEmpty ? "" : "[\(table)]\n") + "zzzzzzzzzz = 1"
            let message = try #require(PlayerConfig(text).errors.first).message
            let listed = try #require(message.split(separator: "there are ").last).dropLast().split(separator: ", ")
            let rows = ConfigTable.rows.filter { $0.table == table }.map(\.name)
            #expect(Set(listed.map(String.init)) == Set(rows))
        }
        #expect(ConfigTable.tables.reduce(0) { $0 + $1.rows.count } == ConfigTable.rows.count)
    }

    @Test("A directory that is none is reported with its line")
    func directory() throws {
        let error = try #require(PlayerConfig("[podcasts]\ndirectory = \"example.org\"").errors.first)
        #expect(error.code == .badValue && error.line == 2)
        #expect(DirectorySetting(settings: "[podcasts]\ndirectory = \"itunes\"").directory != nil)
        for text in ["", "directory = \"itunes\"", "[podcasts]\ndirectory = \"off\"", "[podcasts]\ndirectory = 1"] {
            #expect(DirectorySetting(settings: text).directory == nil, "\(text)")
        }
    }

    /// With `SYRINX_RECORD_SESSIONS=1` in the environment, the page is written anew.
    @Test("The page of the documentation has the settings of the table")
    func document() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = root.deletingLastPathComponent().appending(path: "docs/configuration.md")
        if ProcessInfo.processInfo.environment["SYRINX_RECORD_SESSIONS"] == "1" {
            try Data(Self.page.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == Self.page)
    }

    /// The page `docs/configuration.md`.
    private static var page: String {
        var text = """
            # Settings

            The settings of the terminal player and of the window. `syrinx help config` prints them. A test compares this page with the
            table of the program, `Sources/SyrinxPlayerUI/Config/ConfigTable.swift`.


            """
        for sentence in ConfigTable.introduction { text += escaped(sentence) + "\n\n" }
        for (name, rows) in ConfigTable.tables {
            let isTheme = name == "theme"
            text += name.isEmpty ? "## Above the first table\n\n" : "## `[\(name)]`\n\n"
            let columns = isTheme ? ["name", "color of"] : ["name", "meaning", "values", "default"]
            text += "| " + columns.joined(separator: " | ") + " |\n"
            text += "|" + String(repeating: "---|", count: columns.count) + "\n"
            for row in rows {
                let cells = ["`\(row.name)`", escaped(row.meaning), escaped(row.values), row.initial]
                text += "| " + cells.prefix(columns.count).joined(separator: " | ") + " |\n"
            }
            text += "\n"
        }
        return text + "An example:\n\n```toml\n"
            + ConfigTable.tables.map { name, rows in
                (name.isEmpty ? "" : "[\(name)]\n") + rows.prefix(2).map { $0.example + "\n" }.joined()
            }.joined(separator: "\n") + "```\n"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("|", with: "\\|").replacing("#", with: "\\#")
    }
}
