import Foundation
import Testing

@testable import SyrinxDesktopModel

@Suite struct ShortcutTests {
    @Test func `No key has two effects`() {
        let keys = Shortcuts.groups.flatMap(\.rows).flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
        let titles = Shortcuts.groups.flatMap(\.rows).map(\.title)
        #expect(Set(titles).count == titles.count)
        #expect(Shortcuts.groups.flatMap(\.rows).allSatisfy { !$0.keys.isEmpty })
    }

    @Test func `Space plays or pauses wherever no text is typed`() {
        for focus in [KeyFocus.other, .list, .slider] {
            #expect(Shortcuts.action(for: KeyStroke("space"), focus: focus) == .togglePlayback)
        }
        #expect(Shortcuts.action(for: KeyStroke("space"), focus: .text) == nil)
    }

    @Test func `Keys go to the part of the window that they belong to`() {
        let left = KeyStroke("Left")
        #expect(Shortcuts.action(for: left, focus: .other) == .skipBack)
        for focus in [KeyFocus.text, .list, .slider] { #expect(Shortcuts.action(for: left, focus: focus) == nil) }
        #expect(Shortcuts.action(for: KeyStroke("Return"), focus: .list) == nil)
        #expect(Shortcuts.action(for: KeyStroke("m"), focus: .text) == nil)
        #expect(Shortcuts.action(for: KeyStroke("v", .control), focus: .text) == nil)
        #expect(Shortcuts.action(for: KeyStroke("v", .control), focus: .other) == .paste)
        #expect(Shortcuts.action(for: KeyStroke("z", .control), focus: .text) == nil)
        #expect(Shortcuts.action(for: KeyStroke("z", .control), focus: .other) == .undoSeek)
        for focus in [KeyFocus.text, .list, .slider, .other] {
            #expect(Shortcuts.action(for: KeyStroke("Escape"), focus: focus) == .escape)
            #expect(Shortcuts.action(for: KeyStroke("w", .control), focus: focus) == .closeWindow)
            #expect(Shortcuts.action(for: KeyStroke("f", .control), focus: focus) == .searchQueue)
            #expect(Shortcuts.action(for: KeyStroke("q", .control), focus: focus) == .quit)
        }
        #expect(Shortcuts.action(for: KeyStroke("F1"), focus: .text) == .shortcuts)
        #expect(Shortcuts.action(for: KeyStroke("F9"), focus: .text) == .queue)
        #expect(Shortcuts.action(for: KeyStroke("F11"), focus: .text) == .fullscreen)
        #expect(Shortcuts.action(for: KeyStroke("f"), focus: .text) == nil)
        #expect(Shortcuts.action(for: KeyStroke("x"), focus: .other) == nil)
        #expect(Shortcuts.action(for: KeyStroke("o", [.control, .shift]), focus: .other) == nil)
    }

    @Test func `The space bar presses the button that has the focus`() {
        #expect(Shortcuts.action(for: KeyStroke("space"), focus: .button) == nil)
        #expect(Shortcuts.action(for: KeyStroke("Return"), focus: .button) == nil)
        #expect(Shortcuts.action(for: KeyStroke("Left"), focus: .button) == .skipBack)
        #expect(Shortcuts.action(for: KeyStroke("p"), focus: .button) == .togglePlayback)
    }

    @Test func `Keys for the speed work on every page`() {
        for key in ["[", "]", "{", "}", "BackSpace", "m", "9"] {
            #expect(Shortcuts.action(for: KeyStroke(key), focus: .other)?.worksOnEveryPage == true)
        }
        #expect(ShortcutAction.quit.worksOnEveryPage && !ShortcutAction.quit.isSound)
        #expect(!ShortcutAction.loop.worksOnEveryPage)
    }

    @Test func `Keys are written as GTK reads them`() {
        #expect(KeyStroke("o", .control).accelerator == "<Control>o")
        #expect(KeyStroke("Left", [.shift, .control]).accelerator == "<Control><Shift>Left")
        #expect(KeyStroke("[").accelerator == "bracketleft")
        #expect(KeyStroke("L").accelerator == "<Shift>l", "GTK shows both as L")
        #expect(KeyStroke("l").accelerator == "l")
        let pattern = /(<Control>)?(<Alt>)?(<Shift>)?[A-Za-z0-9_]+/
        for key in Shortcuts.groups.flatMap(\.rows).flatMap(\.keys) {
            #expect(key.accelerator.wholeMatch(of: pattern) != nil)
        }
    }
}
