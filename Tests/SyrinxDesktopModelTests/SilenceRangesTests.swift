import Testing

@testable import SyrinxDesktopModel

@Suite struct SilenceRangesTests {
    @Test func `A pause that is long enough is found, and a shorter one is not`() {
        var ranges = SilenceRanges(blockLength: 0.1)
        ranges.insert(
            [0.5, 0.5] + [Float](repeating: 0, count: 10) + [0.5] + [Float](repeating: 0, count: 5) + [0.5],
            at: 0
        )
        #expect(ranges.pauses.count == 1)
        #expect(abs(ranges.pauses[0].start - 0.2) < 1e-9 && abs(ranges.pauses[0].end - 1.2) < 1e-9)
    }

    @Test func `Blocks in any order give the same pauses`() {
        var chance = Chance(7)
        let peaks = (0..<400).map { _ -> Float in chance.double(0...1) < 0.93 ? 0 : 0.5 }
        var inOrder = SilenceRanges(blockLength: 0.1)
        inOrder.insert(peaks, at: 0)
        var mixed = SilenceRanges(blockLength: 0.1)
        for start in stride(from: 0, to: 400, by: 10).shuffled(using: &chance) {
            mixed.insert(Array(peaks[start..<start + 10]), at: start)
        }
        #expect(inOrder.pauses.map(\.start) == mixed.pauses.map(\.start))
        #expect(inOrder.pauses.map(\.end) == mixed.pauses.map(\.end))
        #expect(!inOrder.pauses.isEmpty)
    }

    @Test func `Numbers out of range are left out`() {
        for number in hostileNumbers {
            var ranges = SilenceRanges(blockLength: number)
            ranges.insert([0, 0, 0, 0, .nan, Float(number)], at: 0)
            ranges.insert([0], at: -1)
            ranges.insert([0], at: .max)
            #expect(ranges.pauses.allSatisfy { $0.start.isFinite && $0.end > $0.start })
        }
    }
}
