import SyrinxByteStream

/// Numbers that look random and are the same for the same seed, everywhere.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var words: SplitMixGenerator

    /// A generator that begins with `seed`.
    public init(seed: UInt64) { words = SplitMixGenerator(seed: seed) }

    public mutating func next() -> UInt64 { words.next() }

    /// Returns a number from 0 to below `bound`, which is 1 or more.
    public mutating func next(below bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
