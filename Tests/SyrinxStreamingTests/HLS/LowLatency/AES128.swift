/// AES with a key of 128 bits (FIPS 197), which senders encrypt with.
struct AES128 {
    private let roundKeys: [UInt8]

    private static let substitutes: [UInt8] = {
        var table = [UInt8](repeating: 0, count: 256)
        // The powers of 3 and of its inverse run through all bytes but zero.
        var (power, inverse) = (UInt8(1), UInt8(1))
        repeat {
            power ^= doubled(power)
            inverse ^= inverse << 1
            inverse ^= inverse << 2
            inverse ^= inverse << 4
            if inverse & 0x80 != 0 { inverse ^= 0x09 }
            let rotated = (1...4).reduce(inverse) { $0 ^ (inverse << $1 | inverse >> (8 - $1)) }
            table[Int(power)] = rotated ^ 0x63
        } while power != 1
        table[0] = 0x63
        return table
    }()

    private static func doubled(_ byte: UInt8) -> UInt8 { byte << 1 ^ (byte & 0x80 == 0 ? 0 : 0x1B) }

    /// - Parameter key: 16 bytes.
    init(key: [UInt8]) {
        var keys = key
        var constant: UInt8 = 1
        while keys.count < 176 {
            var word = Array(keys.suffix(4))
            if keys.count.isMultiple(of: 16) {
                word = [word[1], word[2], word[3], word[0]].map { Self.substitutes[Int($0)] }
                word[0] ^= constant
                constant = Self.doubled(constant)
            }
            for byte in word { keys.append(byte ^ keys[keys.count - 16]) }
        }
        roundKeys = keys
    }

    private func encrypt(block: [UInt8]) -> [UInt8] {
        var state = zip(block, roundKeys).map { $0 ^ $1 }
        for round in 1...10 {
            // Bytes are substituted, and the rows of the columns shifted.
            var next = (0..<16).map { Self.substitutes[Int(state[($0 + 4 * ($0 % 4)) % 16])] }
            if round < 10 {
                for column in stride(from: 0, to: 16, by: 4) {
                    let old = Array(next[column..<column + 4])
                    let all = old.reduce(0, ^)
                    for row in 0..<4 {
                        next[column + row] = old[row] ^ all ^ Self.doubled(old[row] ^ old[(row + 1) % 4])
                    }
                }
            }
            state = zip(next, roundKeys[(16 * round)...]).map { $0 ^ $1 }
        }
        return state
    }

    /// Encrypts bytes in CBC mode, with the padding of PKCS 7.
    func encrypt(_ bytes: [UInt8], vector: [UInt8]) -> [UInt8] {
        let padding = 16 - bytes.count % 16
        let padded = bytes + [UInt8](repeating: UInt8(padding), count: padding)
        var result: [UInt8] = []
        var last = vector
        for start in stride(from: 0, to: padded.count, by: 16) {
            last = encrypt(block: zip(padded[start..<start + 16], last).map { $0 ^ $1 })
            result += last
        }
        return result
    }
}
