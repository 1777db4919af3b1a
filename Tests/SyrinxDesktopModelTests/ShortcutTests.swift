import SyrinxListening
import Testing

@testable import SyrinxDesktopModel

@Suite struct ShortcutTests {
    private let keys = KeyBindings(face: .window)

    private func command(_ text: String, on page: PlayerPage = .playing, focus: KeyFocus = .other) throws -> String? {
        keys.command(for: try #require(KeyName(text)), on: page, focus: focus)?.text
    }

    @Test func `Space plays or pauses wherever no text is typed`() throws {
        for focus in [KeyFocus.other, .list, .slider] { #expect(try command("space", focus: focus) == "toggle") }
        #expect(try command("space", focus: .text) == nil)
    }

    @Test func `Keys go to the part of the window that they belong to`() throws {
        #expect(try command("left") == "skip-back")
        for focus in [KeyFocus.text, .list, .slider] { #expect(try command("left", focus: focus) == nil) }
        #expect(try command("enter", focus: .list) == nil)
        #expect(try command("m", focus: .text) == nil)
        #expect(try command("ctrl+v", focus: .text) == nil)
        #expect(try command("ctrl+v") == "paste")
        #expect(try command("ctrl+left", focus: .text) == nil)
        #expect(try command("ctrl+left") == "previous weak")
        for focus in [KeyFocus.text, .list, .slider, .other] {
            #expect(try command("escape", focus: focus) == "back")
            #expect(try command("ctrl+w", focus: focus) == "close-window")
            #expect(try command("ctrl+f", focus: focus) == "filter")
            #expect(try command("ctrl+q", focus: focus) == "quit")
        }
        #expect(try command("f1", focus: .text) == "help")
        #expect(try command("f9", focus: .text) == "toggle-queue")
        #expect(try command("f11", focus: .text) == "full-screen")
        #expect(try command("f", focus: .text) == nil)
        #expect(try command("x") == nil)
        #expect(try command("ctrl+alt+o") == nil)
    }

    @Test func `A row of the queue has the keys of the terminal's queue`() throws {
        for key in ["d", "delete"] { #expect(try command(key, on: .queue, focus: .list) == "remove") }
        for key in ["alt+up", "K"] { #expect(try command(key, on: .queue, focus: .list) == "move-up") }
        #expect(try command("/", on: .queue, focus: .list) == "filter")
        #expect(try command("/") == "volume -5")
        #expect(try command("down", on: .queue, focus: .list) == nil)
        #expect(try command("shift+f10", on: .queue, focus: .list) == "item-menu")
        #expect(try command("d") == nil && command("alt+up") == nil)
    }

    @Test func `The space bar presses the button that has the focus`() throws {
        #expect(try command("space", focus: .button) == nil)
        #expect(try command("enter", focus: .button) == nil)
        #expect(try command("left", focus: .button) == "skip-back")
        #expect(try command("p", focus: .button) == "toggle")
    }

    @Test func `Keys for the sound work on every page`() throws {
        let keysOfSound = ["[", "]", "{", "}", "backspace", "m", "9", "S", "V", "N", "M", "(", "E", "O"]
        for key in keysOfSound + ["5", "ctrl+q", "escape"] {
            let command = keys.command(for: try #require(KeyName(key)), on: .playing, focus: .other)
            #expect(command?.worksOnEveryPage == true, "\(key)")
        }
        for key in ["l", "space", "left", "b", "w"] {
            let command = keys.command(for: try #require(KeyName(key)), on: .playing, focus: .other)
            #expect(command?.worksOnEveryPage == false, "\(key)")
        }
    }

    @Test func `The page of podcasts has the keys of the terminal's page`() throws {
        #expect(try command("r", on: .podcasts, focus: .list) == "refresh")
        #expect(try command("f5", on: .podcasts) == "refresh-all")
        #expect(try command("f", on: .podcasts) == "search")
        #expect(try command("backspace", on: .podcasts) == "back")
        #expect(try command("backspace", on: .podcasts, focus: .text) == nil)
    }

    @Test func `Keys of GDK have names of the table`() {
        func name(_ key: String, _ character: Character?, _ modifiers: KeyName.Modifiers = []) -> String {
            KeyName(gdk: key, character: character, modifiers).text
        }
        #expect(name("space", nil) == "space" && name("Page_Up", nil, .shift) == "shift+pageup")
        #expect(name("Next", nil) == "pagedown" && name("KP_Enter", nil) == "enter" && name("KP_Left", nil) == "left")
        #expect(name("F10", nil, .shift) == "shift+f10" && name("ISO_Left_Tab", nil, .shift) == "shift+iso_left_tab")
        #expect(name("L", "L", .shift) == "L" && name("L", "L") == "l", "Caps Lock is no Shift")
        #expect(name("question", "?", .shift) == "?" && name("question", "?", [.shift, .control]) == "ctrl+?")
        #expect(name("O", "O", [.shift, .control]) == "ctrl+shift+o" && name("plus", "+", .control) == "ctrl++")
        #expect(name("KP_Add", "+") == "+" && name("parenleft", "(", .shift) == "(")
    }

    @Test func `Keys are written as GTK reads them`() throws {
        func accelerator(_ text: String) throws -> String { try #require(KeyName(text)).accelerator }
        #expect(try accelerator("ctrl+o") == "<Control>o")
        #expect(try accelerator("ctrl+shift+left") == "<Control><Shift>Left")
        #expect(try accelerator("[") == "bracketleft" && accelerator("pageup") == "Page_Up")
        #expect(try accelerator("L") == "<Shift>l", "GTK shows both as L")
        #expect(try accelerator("l") == "l" && accelerator("f11") == "F11" && accelerator("f") == "f")
        let pattern = /(<Control>)?(<Alt>)?(<Shift>)?[A-Za-z0-9_]+/
        for key in keys.groups().flatMap(\.rows).flatMap(\.keys) {
            #expect(key.accelerator.wholeMatch(of: pattern) != nil, "\(key.text)")
            // The name that GDK reports leads back to the key.
            if key.key.count > 1 {
                let gdk = KeyName(key: key.key).accelerator
                #expect(KeyName(gdk: gdk, character: nil, key.modifiers) == key || gdk == "space", "\(key.text)")
            }
        }
    }

    @Test func `Menus show the keys that type nothing`() {
        #expect(keys.accelerators(of: .face(.search)) == ["<Control>f"])
        #expect(keys.accelerators(of: .face(.subscribe)) == ["<Control><Shift>n"])
        #expect(keys.accelerators(of: .face(.refreshAll)) == ["F5"])
        #expect(keys.accelerators(of: .page(.podcasts)) == ["<Control>p"])
    }
}
