/// Turns the bytes of a terminal into keys.
///
/// Pure: an escape sequence may be cut anywhere.
struct KeyDecoder {
    private enum State {
        case ground
        /// An escape byte came.
        case escape
        /// `ESC [` or `ESC O` came, and these parameters.
        case sequence(String)
    }

    /// No key has longer parameters; of a sequence that has, nothing more is kept.
    private static let longestParameters = 8

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
                state = .sequence("")
                return nil
            }
            state = .ground
            return plainKey(byte)
        case .sequence(let parameters):
            // ECMA-48: parameter and intermediate bytes are 0x20…0x3F, the final byte is 0x40…0x7E.
            if (0x20...0x3F).contains(byte) {
                let isKept = parameters.count <= Self.longestParameters
                state = .sequence(isKept ? parameters + String(Unicode.Scalar(byte)) : parameters)
                return nil
            }
            state = .ground
            return byte == 0x1B ? plainKey(byte) : Key(sequence: parameters, final: byte)
        }
    }

    private mutating func plainKey(_ byte: UInt8) -> Key? {
        guard byte == 0x1B else { return Key(byte) }
        state = .escape
        return nil
    }
}
