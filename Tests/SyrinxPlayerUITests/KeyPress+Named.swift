import SyrinxListening
import SyrinxPlayerUI
import SyrinxTerminal

extension KeyPress {
    /// The key that a terminal reports for a name of the table; `nil` if no key has the name.
    init?(name text: String) {
        guard let name = KeyName(text) else { return nil }
        var modifiers: KeyModifiers = []
        if name.modifiers.contains(.control) { modifiers.insert(.control) }
        if name.modifiers.contains(.alt) { modifiers.insert(.alt) }
        if name.modifiers.contains(.shift) { modifiers.insert(.shift) }
        let named: [KeyCode] = [
            .character(" "), .enter, .tab, .backspace, .escape, .up, .down, .left, .right, .home, .end, .pageUp,
            .pageDown, .insert, .delete,
        ]
        let functions = (1...24).map(KeyCode.function)
        let code = (named + functions).first { KeyPress($0).name.key == name.key }
        guard let code = code ?? (name.key.count == 1 ? name.key.first.map(KeyCode.character) : nil) else { return nil }
        self.init(code, modifiers)
    }
}
