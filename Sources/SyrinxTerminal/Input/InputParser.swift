/// Parses the input of a terminal: xterm keys, bracketed paste, the mouse in SGR mode, focus changes, and responses.
///
/// Bytes may arrive in pieces of any size. Unknown sequences are skipped as a whole.
package struct InputParser: Sendable {
    /// The maximum length of a pasted text in bytes; the rest is dropped.
    package static let maximumPasteLength = 1 << 20
    /// The time in milliseconds within which the rest of an escape sequence must arrive, suitable for slow connections.
    package static let escapeMilliseconds = 100

    private enum State {
        case ground, escape, singleShift, sequence, paste
        /// A DCS, OSC or APC string, identified by its first byte; the second case is the same after an escape.
        case string(UInt8), stringEscape(UInt8)
    }

    /// The maximum number of bytes of a sequence that are stored; all known sequences are shorter.
    private static let maximumLength = 128

    private var state = State.ground
    private var pending: [UInt8] = []
    private var pasted: [UInt8] = []
    private var events: [TerminalEvent] = []

    package init() {}

    /// Whether the bytes may be the start of a longer sequence.
    ///
    /// If no more bytes arrive within `escapeMilliseconds`, call `timeOut`.
    package var isPending: Bool {
        switch state {
        case .ground: !pending.isEmpty
        case .paste: false
        default: true
        }
    }

    /// Parses bytes, and returns the completed events.
    package mutating func parse(_ bytes: some Sequence<UInt8>) -> [TerminalEvent] {
        for byte in bytes { take(byte) }
        defer { events.removeAll() }
        return events
    }

    /// Ends an incomplete sequence, and returns the Escape key if the sequence consists only of that.
    package mutating func timeOut() -> [TerminalEvent] {
        guard isPending else { return [] }
        let isEscape = if case .escape = state { true } else { false }
        state = .ground
        pending = []
        return isEscape ? [.key(KeyPress(.escape))] : []
    }

    private mutating func take(_ byte: UInt8) {
        switch state {
        case .ground: takeText(byte, modifiers: [])
        case .escape: takeAfterEscape(byte)
        case .singleShift:
            state = .ground
            if byte == 0x1B { state = .escape } else { endSequence([], final: byte) }
        case .sequence: takeInSequence(byte)
        case .paste: takePasted(byte)
        case .string(let kind): takeInString(byte, kind)
        case .stringEscape(let kind):
            state = .ground
            let text = pending
            pending = []
            if byte == UInt8(ascii: "\\") {
                endString(kind, text)
            } else {
                takeAfterEscape(byte)
            }
        }
    }

    private mutating func takeAfterEscape(_ byte: UInt8) {
        pending = []
        switch byte {
        case UInt8(ascii: "["): state = .sequence
        case UInt8(ascii: "O"): state = .singleShift
        case UInt8(ascii: "P"), UInt8(ascii: "]"), UInt8(ascii: "_"): state = .string(byte)
        case 0x1B:
            events.append(.key(KeyPress(.escape)))
            state = .escape
        default:
            state = .ground
            takeText(byte, modifiers: .alt)
        }
    }

    private mutating func takeInSequence(_ byte: UInt8) {
        switch byte {
        case 0x40...0x7E:
            let parameters = pending
            state = .ground
            pending = []
            endSequence(parameters, final: byte)
        case 0x20..<0x40: if pending.count < Self.maximumLength { pending.append(byte) }
        case 0x1B:
            pending = []
            state = .escape
        default:
            pending = []
            state = .ground
        }
    }

    private mutating func takeInString(_ byte: UInt8, _ kind: UInt8) {
        switch byte {
        case 0x1B: state = .stringEscape(kind)
        case 0x07:
            let text = pending
            state = .ground
            pending = []
            endString(kind, text)
        case 0x18, 0x1A:
            pending = []
            state = .ground
        default: if pending.count < Self.maximumLength { pending.append(byte) }
        }
    }

    private mutating func endString(_ kind: UInt8, _ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if kind == UInt8(ascii: "]"), text.hasPrefix("11;"), let isLight = Color.isLight(x11: text.dropFirst(3)) {
            events.append(.answer(.background(isLight: isLight)))
        }
        guard kind == UInt8(ascii: "_"), text.first == "G" else { return }
        events.append(.answer(.kittyGraphics(isSupported: text.hasSuffix(";OK"))))
    }

    /// The sequence that ends a paste.
    private static let pasteEnd: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]

    private mutating func takePasted(_ byte: UInt8) {
        // The last bytes are kept separately, so that the end is detected even if the text exceeds the maximum.
        pending.append(byte)
        if pending == Self.pasteEnd {
            events.append(.paste(String(decoding: pasted, as: UTF8.self)))
            pending = []
            pasted = []
            state = .ground
        }
        while !pending.isEmpty, !Self.pasteEnd.starts(with: pending) {
            let first = pending.removeFirst()
            if pasted.count < Self.maximumPasteLength { pasted.append(first) }
        }
    }

    private mutating func takeText(_ byte: UInt8, modifiers: KeyModifiers) {
        if !pending.isEmpty, byte & 0xC0 != 0x80 { pending = [] }
        switch byte {
        case 0x1B: state = .escape
        case 0x0D, 0x0A: append(.enter, modifiers)
        case 0x09: append(.tab, modifiers)
        case 0x7F, 0x08: append(.backspace, modifiers)
        case 0x00: append(.character(" "), modifiers.union(.control))
        case 0x01...0x1A: append(.character(Character(Unicode.Scalar(byte + 0x60))), modifiers.union(.control))
        case 0x1C...0x1F: append(.character(Character(Unicode.Scalar(byte + 0x40))), modifiers.union(.control))
        case 0x80...: takeUTF8(byte, modifiers: modifiers)
        default: append(.character(Character(Unicode.Scalar(byte))), modifiers)
        }
    }

    private mutating func append(_ code: KeyCode, _ modifiers: KeyModifiers) {
        events.append(.key(KeyPress(code, modifiers)))
    }

    private mutating func takeUTF8(_ byte: UInt8, modifiers: KeyModifiers) {
        if pending.isEmpty, byte & 0xC0 == 0x80 { return }
        pending.append(byte)
        let length = pending[0] >= 0xF0 ? 4 : pending[0] >= 0xE0 ? 3 : 2
        guard pending.count >= length else { return }
        if let text = String(validating: pending, as: UTF8.self), let character = text.first {
            append(.character(character), modifiers)
        }
        pending = []
    }
}

// MARK: - Control sequences

extension InputParser {
    private mutating func endSequence(_ bytes: [UInt8], final: UInt8) {
        let text = String(decoding: bytes, as: UTF8.self)
        switch text.first {
        case "<": endMouse(text.dropFirst(), isRelease: final == UInt8(ascii: "m"))
        case "?":
            guard final == UInt8(ascii: "c") else { return }
            events.append(.answer(.attributes(text.dropFirst().split(separator: ";").compactMap { Int($0) })))
        case .some(let first) where !first.isASCII || !(first.isNumber || first == ";"): return
        default: endKey(text, final: final)
        }
    }

    private mutating func endKey(_ text: String, final: UInt8) {
        // `Int` rejects text that is not a number or too large. A colon precedes details of Kitty's keyboard protocol.
        let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { part in
            Int(part.prefix { $0 != ":" })
        }
        let first = numbers.first.flatMap { $0 } ?? 1
        let modifierNumber = numbers.count > 1 ? numbers[1] ?? 1 : 1
        let modifiers = KeyModifiers(rawValue: (1...16).contains(modifierNumber) ? (modifierNumber - 1) & 7 : 0)
        switch final {
        case UInt8(ascii: "~") where first == 200:
            state = .paste
            pasted = []
        case UInt8(ascii: "I") where text.isEmpty: events.append(.focus(true))
        case UInt8(ascii: "O") where text.isEmpty: events.append(.focus(false))
        case UInt8(ascii: "t"):
            let sizes = numbers.compactMap { $0 }
            guard sizes.count == 3, first == 6, (1...512).contains(sizes[1]), (1...512).contains(sizes[2]) else {
                return
            }
            events.append(.answer(.cellSize(width: sizes[2], height: sizes[1])))
        case UInt8(ascii: "Z"): append(.tab, .shift)
        case UInt8(ascii: "u"):
            guard let code = KeyCode(codePoint: first) else { return }
            append(code, code.isCharacter ? modifiers.subtracting(.shift) : modifiers)
        default:
            if let code = KeyCode(number: first, final: final) { append(code, modifiers) }
        }
    }

    private mutating func endMouse(_ text: Substring, isRelease: Bool) {
        let numbers = text.split(separator: ";").compactMap { Int($0) }
        guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0, numbers[0] >= 0 else { return }
        let button = numbers[0] & 3
        let action: MouseAction
        if numbers[0] & 64 != 0 {
            let wheels: [MouseAction] = [.wheelUp, .wheelDown, .wheelLeft, .wheelRight]
            action = wheels[button]
        } else if isRelease {
            action = .release(button)
        } else {
            // Button number 3 means motion without a button.
            guard button < 3 else { return }
            action = numbers[0] & 32 != 0 ? .drag(button) : .press(button)
        }
        // Shift is 4, Alt is 8, and Control is 16.
        let modifiers = KeyModifiers(rawValue: (numbers[0] >> 2) & 7)
        events.append(.mouse(action, column: numbers[1] - 1, row: numbers[2] - 1, modifiers))
    }
}

extension KeyCode {
    fileprivate var isCharacter: Bool { if case .character = self { true } else { false } }

    /// Creates the key of `ESC [ code u`, used by protocols that report keys as code points.
    fileprivate init?(codePoint: Int) {
        switch codePoint {
        case 9: self = .tab
        case 13: self = .enter
        case 27: self = .escape
        case 8, 127: self = .backspace
        case 32...0x10FFFF:
            guard let scalar = Unicode.Scalar(UInt32(codePoint)) else { return nil }
            self = .character(Character(scalar))
        default: return nil
        }
    }

    /// Creates the key of the xterm sequence `ESC [ number final` or `ESC O final`.
    fileprivate init?(number: Int, final: UInt8) {
        switch Character(Unicode.Scalar(final)) {
        case "A": self = .up
        case "B": self = .down
        case "C": self = .right
        case "D": self = .left
        case "H": self = .home
        case "F": self = .end
        case "M": self = .enter
        case "P": self = .function(1)
        case "Q": self = .function(2)
        case "R": self = .function(3)
        case "S": self = .function(4)
        case "~":
            switch number {
            case 1, 7: self = .home
            case 2: self = .insert
            case 3: self = .delete
            case 4, 8: self = .end
            case 5: self = .pageUp
            case 6: self = .pageDown
            case 11...15: self = .function(number - 10)
            case 17...21: self = .function(number - 11)
            case 23...24: self = .function(number - 12)
            default: return nil
            }
        default: return nil
        }
    }
}
