/// A key without modifiers.
package enum KeyCode: Hashable, Sendable {
    /// A typed character; capitals and symbols have no `KeyModifiers.shift`.
    case character(Character)
    case enter, tab, backspace, escape
    case up, down, left, right, home, end, pageUp, pageDown, insert, delete
    /// A function key; the first one is 1.
    case function(Int)
}

/// The modifier keys that are held while another key is pressed.
package struct KeyModifiers: OptionSet, Hashable, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }
    package static let shift = Self(rawValue: 1)
    package static let alt = Self(rawValue: 2)
    package static let control = Self(rawValue: 4)
}

/// A key with its modifiers.
package struct KeyPress: Hashable, Sendable {
    package var code: KeyCode
    package var modifiers: KeyModifiers

    package init(_ code: KeyCode, _ modifiers: KeyModifiers = []) {
        self.code = code
        self.modifiers = modifiers
    }
}

/// A mouse action.
package enum MouseAction: Equatable, Sendable {
    /// A button was pressed: 0 is left, 1 middle, 2 right.
    case press(Int)
    /// The mouse was moved while a button was held.
    case drag(Int)
    case release(Int)
    case wheelUp, wheelDown, wheelLeft, wheelRight
}

/// A response of the terminal to a query.
package enum TerminalAnswer: Equatable, Sendable {
    /// The primary device attributes, in response to `ESC [ c`; attribute 4 means Sixel.
    case attributes([Int])
    /// The size of a cell in pixels, in response to `ESC [ 16 t`.
    case cellSize(width: Int, height: Int)
    /// The background color, in response to `ESC ] 11 ; ?`.
    case background(isLight: Bool)
    /// The response to a query of Kitty's graphics protocol.
    case kittyGraphics(isSupported: Bool)
}

/// An event from the terminal.
package enum TerminalEvent: Equatable, Sendable {
    case key(KeyPress)
    /// A text was pasted.
    case paste(String)
    /// A mouse event; columns and rows start at 0.
    case mouse(MouseAction, column: Int, row: Int, KeyModifiers = [])
    /// The terminal's window has gained or lost the keyboard focus.
    case focus(Bool)
    case answer(TerminalAnswer)
}
