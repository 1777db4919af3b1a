import SyrinxListening
import SyrinxTerminal
import Testing

@testable import SyrinxPlayerUI

@Suite("Keys of the terminal")
struct KeyLineTests {
    @Test("A terminal reports every key of the table")
    func presses() throws {
        for name in KeyTable.rows.flatMap(\.keys).flatMap(\.keys).filter({ $0.isOf(.terminal) }).map(\.name) {
            let press = try #require(KeyPress(name: name.text), "\(name.text)")
            #expect(press.name == name)
        }
        #expect(KeyPress(.character("A"), .alt).name.text == "alt+A")
        #expect(KeyPress(.function(5), [.shift, .control]).name.text == "ctrl+shift+f5")
    }

    @Test("The line has the keys of the playing page, and no others")
    func line() {
        let bindings = KeyBindings()
        for row in KeyTable.rows {
            for (command, keys) in row.keys {
                for key in keys.map(\.name) {
                    guard let onLine = bindings.lineCommand(for: key) else { continue }
                    #expect(bindings.command(for: key, on: .playing) == onLine, "\(command.text)")
                }
            }
        }
        #expect(bindings.lineCommand(for: KeyName(key: "9")) == .listening(.volume(.by(-0.05))))
        #expect(bindings.lineCommand(for: KeyName(key: "b")) == nil)
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
        #expect(keys.lineCommand(for: KeyName(key: "x")) == .listening(.mute))
        #expect(keys.lineCommand(for: KeyName(key: "m")) == nil)
        #expect(keys.lineCommand(for: KeyName(key: "right", .control)) == .listening(.seek(.by(60))))
        #expect(keys.lineCommand(for: KeyName(key: "b")) == .face(.quit))
        #expect(keys.lineCommand(for: KeyName(key: "y")) == nil)
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
