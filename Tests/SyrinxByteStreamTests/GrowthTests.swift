import SyrinxTestSupport
import Testing

/// The measure that the tests of bounds rely on.
@Suite("Growth of cost")
struct GrowthTests {
    /// Adds the numbers of an array, `rounds` times.
    private func sum(_ numbers: [Int], rounds: Int) -> Int {
        var sum = 0
        for round in 0..<rounds { for number in numbers { sum = (sum &* 31) ^ (number &+ round) } }
        return sum
    }

    @Test("Linear work is linear, and quadratic time or memory is not")
    func linearAndQuadratic() {
        var kept = 0
        let linear = Growth(from: 1_000) { kept ^= sum(Array(repeating: 1, count: $0), rounds: 200) }
        #expect(linear.isLinear && linear.memory > 1.8 && linear.time > 1.5, "\(linear)")
        let slow = Growth(from: 1_000) { kept ^= sum(Array(repeating: 1, count: $0), rounds: $0) }
        #expect(slow.time > 3 && slow.memory < 3 && !slow.isLinear, "\(slow), \(kept)")
        let large = Growth(from: 1_000) { size in
            let rows = (0..<size).map { Array(repeating: $0, count: size) }
            kept ^= rows.count
        }
        #expect(large.memory > 3.5 && !large.isLinear, "\(large)")
    }
}
