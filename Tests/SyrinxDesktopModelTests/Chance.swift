/// A generator of numbers that are the same in every run (SplitMix64).
struct Chance: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func double(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &self) }

    mutating func int(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }
}

/// Numbers that arithmetic is not made for.
let hostileNumbers: [Double] = [
    .nan, .infinity, -.infinity, -1, 0, -0.0, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    .leastNonzeroMagnitude, 1e-300, 1e18, -1e18, 1e308,
]
