/// A chain over words of 64 bits, each mixed as in SplitMix64 (Steele, Lea, Flood 2014): every change within a single word changes
/// it, and changes in several cancel out by chance only, one in 2^64.
///
/// It is for damage, and does not protect against forgery.
enum Checksum {
    static func of(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
        bytes.withUnsafeBytes { bytes in
            var hash = mixed(seed ^ UInt64(bytes.count))
            let end = bytes.count & ~7
            for index in stride(from: 0, to: end, by: 8) {
                hash = mixed(hash ^ UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
            }
            for index in end..<bytes.count { hash = mixed(hash ^ UInt64(bytes[index])) }
            return hash
        }
    }

    private static func mixed(_ word: UInt64) -> UInt64 {
        var word = word &+ 0x9E37_79B9_7F4A_7C15
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
