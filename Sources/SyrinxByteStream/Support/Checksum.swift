/// A checksum over 64-bit words, each mixed as in SplitMix64 (Steele, Lea, Flood 2014).
///
/// Every change within a single word changes the checksum. Changes in several words go undetected with a probability of
/// 2^-64. It detects damage, and does not protect against forgery.
enum Checksum {
    static func of(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
        bytes.withUnsafeBytes { bytes in
            var hash = SplitMixGenerator.mixed(seed ^ UInt64(bytes.count))
            let end = bytes.count & ~7
            for index in stride(from: 0, to: end, by: 8) {
                hash = SplitMixGenerator.mixed(
                    hash ^ UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                )
            }
            for index in end..<bytes.count { hash = SplitMixGenerator.mixed(hash ^ UInt64(bytes[index])) }
            return hash
        }
    }
}
