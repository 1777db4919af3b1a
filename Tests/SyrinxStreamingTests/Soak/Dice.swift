import SyrinxTestSupport

/// A pseudo-random generator with a seed.
struct Dice {
    private var numbers: SplitMix64
    init(_ seed: UInt64) { numbers = SplitMix64(seed: seed) }

    mutating func next() -> UInt64 { numbers.next() }
    mutating func below(_ count: Int) -> Int { numbers.next(below: max(1, count)) }
    mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }
    mutating func isTrue(oneIn count: Int) -> Bool { below(count) == 0 }
    mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }
}
