package import SyrinxListening
package import SyrinxTerminal

extension KeyPress {
    /// The name in the table of keys and in `config.toml`.
    package var name: KeyName {
        var held: KeyName.Modifiers = []
        if modifiers.contains(.control) { held.insert(.control) }
        if modifiers.contains(.alt) { held.insert(.alt) }
        if modifiers.contains(.shift) { held.insert(.shift) }
        let key =
            switch code {
            case .character(" "): "space"
            case .character(let character): String(character)
            case .enter: "enter"
            case .tab: "tab"
            case .backspace: "backspace"
            case .escape: "escape"
            case .up: "up"
            case .down: "down"
            case .left: "left"
            case .right: "right"
            case .home: "home"
            case .end: "end"
            case .pageUp: "pageup"
            case .pageDown: "pagedown"
            case .insert: "insert"
            case .delete: "delete"
            case .function(let number): "f\(number)"
            }
        return KeyName(key: key, held)
    }
}
