/// What a key press means to the player.
enum Key: Equatable, Sendable {
    case togglePause
    case back, forward
    case farBack, farForward
    case slower, faster
    case halfRate, doubleRate, normalRate
    case quieter, louder
    case quit
}

/// Turns the bytes of a terminal into keys.
///
/// Pure: an escape sequence may be cut anywhere.
struct KeyDecoder {
    private enum State {
        case ground
        /// An escape byte came.
        case escape
        /// `ESC [` or `ESC O`, then parameters that take no part in the meaning.
        case sequence(hasParameters: Bool)
    }

    private var state = State.ground

    /// Whether the bytes so far may be the beginning of a longer key.
    var isPending: Bool {
        if case .ground = state { false } else { true }
    }

    /// The keys that `bytes` complete.
    mutating func keys(in bytes: some Sequence<UInt8>) -> [Key] {
        bytes.compactMap { key(after: $0) }
    }

    /// Gives up on a sequence whose rest does not come: a lone escape key means nothing.
    mutating func timeOut() { state = .ground }

    private mutating func key(after byte: UInt8) -> Key? {
        switch state {
        case .ground:
            return plainKey(byte)
        case .escape:
            if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") {
                state = .sequence(hasParameters: false)
                return nil
            }
            state = .ground
            return plainKey(byte)
        case .sequence(let hasParameters):
            // ECMA-48: parameter and intermediate bytes are 0x20…0x3F, the final byte is 0x40…0x7E.
            if (0x20...0x3F).contains(byte) {
                state = .sequence(hasParameters: true)
                return nil
            }
            state = .ground
            if byte == 0x1B { return plainKey(byte) }
            // With a parameter an arrow comes with Shift, Control or Alt: another key, which has no meaning here.
            return hasParameters ? nil : arrow(byte)
        }
    }

    private mutating func plainKey(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x1B:
            state = .escape
            return nil
        case UInt8(ascii: " "): return .togglePause
        case UInt8(ascii: "["): return .slower
        case UInt8(ascii: "]"): return .faster
        case UInt8(ascii: "{"): return .halfRate
        case UInt8(ascii: "}"): return .doubleRate
        case 0x7F, 0x08: return .normalRate
        case UInt8(ascii: "9"): return .quieter
        case UInt8(ascii: "0"): return .louder
        case UInt8(ascii: "q"), UInt8(ascii: "Q"): return .quit
        default: return nil
        }
    }

    private func arrow(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "A"): .farForward
        case UInt8(ascii: "B"): .farBack
        case UInt8(ascii: "C"): .forward
        case UInt8(ascii: "D"): .back
        default: nil
        }
    }
}
