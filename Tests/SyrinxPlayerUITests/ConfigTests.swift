import SyrinxTerminal
import Testing

@testable import SyrinxListening
@testable import SyrinxPlayerUI

@Suite("Configuration of the full-screen player")
struct ConfigTests {
    @Test("A document has tables, strings, numbers, booleans and arrays")
    func document() {
        let text = #"""
            # a comment
            mouse = true # another
            "quoted key" = 'C:\raw'
            [ keys.queue ]
            x = "a\t\"b\" \u00e9 # no comment"
            count = 1_000.5
            list = ["one", 'two', ]
            """#
        let document = TOMLDocument(text)
        #expect(document.errors.isEmpty)
        #expect(
            document.entries == [
                .init(table: "", key: "mouse", value: .boolean(true), line: 2),
                .init(table: "", key: "quoted key", value: .string(#"C:\raw"#), line: 3),
                .init(table: "keys.queue", key: "x", value: .string("a\t\"b\" é # no comment"), line: 5),
                .init(table: "keys.queue", key: "count", value: .number(1000.5), line: 6),
                .init(table: "keys.queue", key: "list", value: .strings(["one", "two"]), line: 7),
            ]
        )
    }

    @Test(
        "All else is an error of its line",
        arguments: [
            "a", "a =", "= 1", "a = \"open", "a = 1 2", "a = 01", "a = .5", "a = nan", "a = 1979-05-27", "[a", "[]",
            "[a..b]",
            "[a] x", "a = [1]", "a = [\"x\"", "a = {b = 1}", "a = \"\\q\"", "a = \"\\uD800\"", "a = \"\u{1}\"",
            "a.b = 1",
            "a = 1\na = 2", "[t]\n[t]", "a = \"\"\"x\"\"\"", "[[t]]", "a = 1e999", "a = '\u{7}'",
        ]
    )
    func errors(text: String) {
        let document = TOMLDocument("before = 1\n" + text + "\n[after]\nafter = 2")
        let error = document.errors.first
        #expect(document.errors.count == 1 && error?.code == .syntax && (2...3).contains(error?.line ?? 0))
        #expect(document.entries.first?.key == "before" && document.entries.last?.key == "after")
    }

    @Test("The keys below a wrong name of a table belong to no other table")
    func brokenTable() {
        let document = TOMLDocument("[keys]\na = 1\n[keys.queue\nb = 2\n[theme]\nc = 3")
        #expect(document.errors.map(\.line) == [3])
        #expect(document.entries.map(\.key) == ["a", "c"])
    }

    @Test("A text that is no configuration has a bounded number of errors")
    func manyErrors() {
        let text = String(repeating: "?\n", count: 5_000)
        #expect(TOMLDocument(text).errors.count == TOMLDocument.maximumErrorCount)
        let unknown = (0..<5_000).map { "a\($0) = 1" }.joined(separator: "\n")
        let errors = PlayerConfig(unknown).errors
        #expect(errors.count == TOMLDocument.maximumErrorCount)
        #expect(errors.last?.message.hasPrefix("There are too many wrong lines") == true)
    }

    @Test("A wrong line voids itself alone, and is told with its number and the nearest name")
    func wrongLines() {
        let config = PlayerConfig(
            """
            mouze = false
            covers = false
            skip-forward = "30"
            skip-back = 12
            broken
            [theme]
            acent = "red"
            error = "bright-gren"
            dim = "cyan"
            [keys]
            x = "togle"
            y = "mute"
            spac = "mute"
            [key.queue]
            a = "remove"
            b = "remove"
            [keys.queue]
            z = "remove"
            """
        )
        #expect(config.usesMouse && !config.showsCovers)
        #expect(config.skipForward == nil && config.skipBack == 12)
        #expect(config.theme()[.accent] == Theme()[.accent] && config.theme()[.dim] == .indexed(6))
        #expect(config.bindings.command(for: KeyName(key: "y"), on: .playing) == .listening(.mute))
        #expect(config.bindings.command(for: KeyName(key: "z"), on: .queue) == .face(.remove))
        #expect(config.errors.map(\.line) == [1, 3, 5, 7, 8, 11, 13, 15])
        let hints = ["mouse", "", "", "accent", "bright-green", "toggle", "space", "keys.queue"]
        for (error, hint) in zip(config.errors, hints) where !hint.isEmpty {
            #expect(error.message.hasSuffix("Did you mean \(hint)?"), "\(error)")
        }
    }

    @Test("Keys and colours are overridden")
    func overrides() {
        let config = PlayerConfig(
            """
            mouse = false
            [theme]
            accent = "#102030"
            error = "bright-red"
            dim = "240"
            text = "default"
            [keys]
            "ctrl+right" = "seek +30"
            q = "none"
            [keys.queue]
            x = "remove"
            """
        )
        #expect(!config.usesMouse && config.showsCovers)
        #expect(config.theme()[.accent] == .rgb(0x10, 0x20, 0x30) && config.theme()[.error] == .indexed(9))
        #expect(config.theme()[.dim] == .indexed(240) && config.theme()[.text] == .standard)
        let keys = config.bindings
        #expect(keys.command(for: KeyName(key: "right", .control), on: .queue) == .listening(.seek(.by(30))))
        #expect(keys.command(for: KeyName(key: "q"), on: .playing) == nil)
        #expect(keys.command(for: KeyName(key: "x"), on: .queue) == .face(.remove))
        #expect(keys.command(for: KeyName(key: "x"), on: .playing) == nil)
        #expect(keys.help(for: .queue).contains { $0.keys == "d Delete x" && $0.meaning == "Remove it" })
    }

    @Test(
        "A setting that is not known, or whose value is bad, is refused",
        arguments: [
            ("colour = true", ConfigError.Code.unknownName), ("[theme]\nfoo = \"red\"", .unknownName),
            ("[theme]\nerror = \"#12345\"", .badValue), ("[theme]\nerror = 3", .badValue),
            ("[other]\na = 1", .unknownTable),
            ("[keys]\n\"hyper+x\" = \"pause\"", .unknownName), ("[keys]\nx = \"fly\"", .badValue),
            ("[keys]\nx = \"skip\"", .badValue), ("[keys]\nx = \"skip inf\"", .badValue),
            ("[keys.home]\nx = \"pause\"", .unknownTable),
            ("mouse = 1", .badValue),
        ]
    )
    func refusals(text: String, code: ConfigError.Code) {
        #expect(PlayerConfig(text).errors.map(\.code) == [code])
    }

    @Test("Podcasts are refreshed every hour, every so many minutes, or not by themselves")
    func podcasts() throws {
        #expect(PlayerConfig().podcasts.interval == 3_600)
        for (text, interval) in [("30", 1_800.0), ("\"off\"", nil), ("false", nil), ("10080", 604_800)] {
            let text = "refresh-podcasts = \(text)"
            let config = PlayerConfig(text)
            #expect(config.errors.isEmpty && config.podcasts.interval == interval)
            #expect(PodcastRefreshing(settings: "mouse = 7\n" + text + "\n[keys]\n").interval == interval)
        }
        for text in ["4", "1e9", "-5", "true", "\"never\""] {
            let config = PlayerConfig("refresh-podcasts = \(text)")
            #expect(config.errors.map(\.code) == [.badValue] && config.podcasts.interval == 3_600)
            #expect(PodcastRefreshing(settings: "refresh-podcasts = \(text)").interval == 3_600)
        }
    }

    @Test("A new podcast has three new episodes, another number, or all")
    func newEpisodes() throws {
        #expect(NewEpisodes().count == 3 && NewEpisodes(settings: "").count == 3)
        for (text, count) in [("1", 1), ("10000", 10_000), ("\"all\"", nil)] {
            let text = "new-episodes = \(text)"
            #expect(PlayerConfig(text).errors.isEmpty)
            #expect(NewEpisodes(settings: "mouse = 7\n" + text + "\n[keys]\n").count == count)
        }
        for text in ["0", "-1", "2.5", "1e300", "true", "\"many\""] {
            let text = "new-episodes = \(text)"
            #expect(PlayerConfig(text).errors.map(\.code) == [.badValue] && NewEpisodes(settings: text).count == 3)
        }
    }
}
