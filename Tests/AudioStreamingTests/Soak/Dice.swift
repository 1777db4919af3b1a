/// What is random, and the same for the same seed: SplitMix64.
struct Dice {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ count: Int) -> Int { Int(next() % UInt64(max(1, count))) }
    mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }
    mutating func isTrue(oneIn count: Int) -> Bool { below(count) == 0 }
    mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }
}
