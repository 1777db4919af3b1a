import Accelerate

/// Numbers between -2 and 2 that are the same each time; none is 0.
func numbers<T: BinaryFloatingPoint>(_ count: Int, seed: UInt32 = 1, as type: T.Type = T.self) -> [T] {
    var state = seed &* 2_654_435_761 | 1
    return (0..<count).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        let number = T(Int32(bitPattern: state)) / T(1 << 30)
        return number == 0 ? 1 : number
    }
}

/// The greatest difference of two vectors, as a part of the greatest magnitude of the second, or of 1.
func error<T: BinaryFloatingPoint>(_ found: [T], _ expected: [T]) -> Double {
    guard found.count == expected.count else { return .infinity }
    var (difference, greatest) = (0.0, 1.0)
    for (a, b) in zip(found, expected) where a != b {
        difference = max(difference, Double(abs(a - b)))
        if a.isNaN != b.isNaN || a.isInfinite || b.isInfinite { return .infinity }
        greatest = max(greatest, Double(abs(b)))
    }
    return difference / greatest
}

/// The error that rounding may leave.
func tolerance<T: BinaryFloatingPoint>(_ type: T.Type) -> Double { T.self == Float.self ? 2e-5 : 1e-12 }

/// Lengths without an element, of one, of parts of vectors and of several vectors and a part.
let lengths = [0, 1, 3, 7, 8, 9, 31, 64, 100, 257]

/// Every `stride`th element of memory, from the beginning, or from the end for a negative stride.
struct Strided<T: BinaryFloatingPoint> {
    let stride: Int
    let count: Int
    var memory: [T]

    init(_ elements: [T], stride: Int) {
        self.stride = stride
        count = elements.count
        memory = [T](repeating: 77, count: max(count, 1) * abs(stride) + 3)
        for (index, element) in elements.enumerated() { memory[place(index)] = element }
    }

    var start: Int { stride < 0 ? (max(count, 1) - 1) * -stride : 0 }
    func place(_ index: Int) -> Int { start + index * stride }
    var elements: [T] { (0..<count).map { memory[place($0)] } }

    /// Whether what lies between the elements is as it was.
    var isOtherwiseUntouched: Bool {
        let own = Set((0..<count).map(place))
        return memory.indices.allSatisfy { own.contains($0) || memory[$0] == 77 }
    }
}
