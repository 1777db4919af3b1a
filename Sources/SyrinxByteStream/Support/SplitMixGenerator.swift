/// The random number generator SplitMix64 (Steele, Lea, Flood 2014): equal seeds result in equal 64-bit words.
package struct SplitMixGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator whose words depend on `seed` only.
    package init(seed: UInt64) { state = seed }

    /// Returns the next word.
    package mutating func next() -> UInt64 {
        defer { state &+= Self.increment }
        return Self.mixed(state)
    }

    private static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Mixes a word: different words have different results, and every bit of the result depends on every bit of the
    /// word.
    static func mixed(_ word: UInt64) -> UInt64 {
        var word = word &+ increment
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
