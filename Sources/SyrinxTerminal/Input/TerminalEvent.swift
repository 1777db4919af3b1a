/// A key without its modifiers.
package enum KeyCode: Hashable, Sendable {
    /// A character as it was typed: capitals and signs come without `KeyModifiers.shift`.
    case character(Character)
    case enter, tab, backspace, escape
    case up, down, left, right, home, end, pageUp, pageDown, insert, delete
    /// A function key, from 1 on.
    case function(Int)
}

/// The keys held while another is pressed.
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

/// An action of the mouse.
package enum MouseAction: Equatable, Sendable {
    /// A button was pressed: 0 is the left, 1 the middle, 2 the right one.
    case press(Int)
    /// The mouse was moved with a button held.
    case drag(Int)
    case release(Int)
    case wheelUp, wheelDown, wheelLeft, wheelRight
}

/// The answer of a terminal to a question.
package enum TerminalAnswer: Equatable, Sendable {
    /// The primary device attributes: the answer to `ESC [ c`. Attribute 4 is Sixel.
    case attributes([Int])
    /// The height and the width of a cell in pixels: the answer to `ESC [ 16 t`.
    case cellSize(width: Int, height: Int)
    /// Whether the background is light: the answer to `ESC ] 11 ; ?`.
    case background(isLight: Bool)
    /// The answer to a question of Kitty's protocol for graphics.
    case kittyGraphics(isSupported: Bool)
}

/// A message of a terminal.
package enum TerminalEvent: Equatable, Sendable {
    case key(KeyPress)
    /// Text that was pasted, in the terminal's bracketed mode.
    case paste(String)
    /// Columns and rows count from 0.
    case mouse(MouseAction, column: Int, row: Int, KeyModifiers = [])
    /// The terminal's window is the one that has the keyboard, or no longer.
    case focus(Bool)
    case answer(TerminalAnswer)
}
