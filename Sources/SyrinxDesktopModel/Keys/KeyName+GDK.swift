package import SyrinxListening

extension KeyName {
    /// Creates the name of a key that GDK reports.
    ///
    /// - Parameters:
    ///   - key: The name of the key as GDK has it: `space`, `Left`, `KP_Enter`.
    ///   - character: The character that it types, if any.
    ///   - modifiers: The modifiers that are held.
    package init(gdk key: String, character: Character?, _ modifiers: Modifiers) {
        guard let character else {
            let name = key.hasPrefix("KP_") ? String(key.dropFirst(3)) : key
            self.init(key: Self.namesOfGDK[name] ?? name.lowercased(), modifiers)
            return
        }
        let others = modifiers.subtracting(.shift)
        guard !others.isEmpty, character.isLetter else {
            // A capital or a sign is named without Shift.
            let isCapital = modifiers.contains(.shift) && others.isEmpty
            self.init(key: isCapital ? String(character) : character.lowercased(), others)
            return
        }
        self.init(key: character.lowercased(), modifiers)
    }

    /// The text for `gtk_accelerator_parse` and a window of shortcuts, such as `<Control>o`.
    package var accelerator: String {
        let marks = [(Modifiers.control, "<Control>"), (.alt, "<Alt>"), (.shift, "<Shift>")]
        // GTK shows small and capital letters alike.
        let isCapital = key.count == 1 && key.first?.isUppercase == true
        let held = isCapital ? modifiers.union(.shift) : modifiers
        let name = isFunction ? key.uppercased() : isCapital ? key.lowercased() : Self.accelerators[key] ?? key
        return marks.filter { held.contains($0.0) }.map(\.1).joined() + name
    }

    /// Whether it is F1, F2 or another one that types nothing.
    var isFunction: Bool { key.count > 1 && key.first == "f" && key.dropFirst().allSatisfy(\.isWholeNumber) }

    /// The names that GDK has for keys and characters.
    private static let accelerators = [
        "enter": "Return", "tab": "Tab", "backspace": "BackSpace", "escape": "Escape", "up": "Up", "down": "Down",
        "left": "Left", "right": "Right", "home": "Home", "end": "End", "pageup": "Page_Up",
        "pagedown": "Page_Down", "insert": "Insert", "delete": "Delete", "menu": "Menu", "[": "bracketleft",
        "]": "bracketright", "{": "braceleft", "}": "braceright", "(": "parenleft", ")": "parenright", "<": "less",
        ">": "greater", "?": "question", "+": "plus", "-": "minus", "=": "equal", "*": "asterisk", ",": "comma",
        ".": "period", "_": "underscore", "#": "numbersign", "/": "slash", "\\": "backslash", "`": "grave",
        "'": "apostrophe", "\"": "quotedbl", "!": "exclam", "@": "at", "$": "dollar", "%": "percent",
        "^": "asciicircum", "&": "ampersand", ":": "colon", ";": "semicolon", "|": "bar", "~": "asciitilde",
    ]

    private static let namesOfGDK: [String: String] = {
        let names = accelerators.filter { $0.key.count > 1 }.map { ($0.value, $0.key) }
        return Dictionary(names + [("Prior", "pageup"), ("Next", "pagedown"), ("Enter", "enter")]) { $1 }
    }()
}
