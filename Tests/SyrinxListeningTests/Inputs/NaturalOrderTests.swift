import SyrinxListening
import Testing

@Suite("Natural order")
struct NaturalOrderTests {
    private func sorted(_ names: [String]) -> [String] {
        names.map { ($0, NaturalOrder.Key(Array($0.utf8))) }.sorted { $0.1 < $1.1 }.map(\.0)
    }

    @Test(
        "Names are ordered as a person would",
        arguments: [
            ["1.mp3", "2.mp3", "10.mp3", "100.mp3"], ["a1b2", "a1b10", "a2b1"], ["Track 1", "track 2", "TRACK 3"],
            ["01", "2", "03", "10"], ["001", "01", "1"], ["Éa", "eb", "Ec"], ["9", "a"], ["a", "a1", "ab"],
            ["99999999999999999999999998", "99999999999999999999999999"], ["x", "x 1"],
        ]
    )
    func orders(names: [String]) {
        #expect(sorted(names.reversed()) == names && sorted(names.shuffled()) == names)
    }

    @Test("The order is strict, whatever the bytes")
    func isStrict() {
        let names: [[UInt8]] = [
            [], [0xFF], [0xE9, 0x31], [0x31, 0xE9], [0x30], [0x30, 0x30], [0x41], [0x61], [0x2E],
        ]
        let keys = names.map(NaturalOrder.Key.init)
        for (i, a) in keys.enumerated() {
            for (j, b) in keys.enumerated() {
                #expect(!(a < b && b < a) && (i == j || a < b || b < a), "\(names[i]) \(names[j])")
            }
        }
    }
}
