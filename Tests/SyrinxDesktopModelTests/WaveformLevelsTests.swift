import Testing

@testable import SyrinxDesktopModel

@Suite struct WaveformLevelsTests {
    private func bins(_ count: Int, seed: UInt64 = 3) -> [WaveformBin] {
        var chance = Chance(seed)
        return (0..<count).map { _ in
            let high = Int16(chance.double(0...32_000))
            return WaveformBin(minimum: -high / 2, maximum: high, rms: Float(high) / 65_536)
        }
    }

    /// Whether two columns differ by no more than the codes do.
    private func isNear(_ a: WaveformBin, _ b: WaveformBin) -> Bool {
        func isNear(_ a: Double, _ b: Double) -> Bool {
            abs(abs(a).squareRoot() - abs(b).squareRoot()) <= 0.5 / 127 + 1e-4 && a * b >= 0
        }
        return isNear(Double(a.minimum) / 32_768, Double(b.minimum) / 32_768)
            && isNear(Double(a.maximum) / 32_768, Double(b.maximum) / 32_768)
            && isNear(Double(a.rms), Double(b.rms)) && a.isKnown == b.isKnown
    }

    @Test func `Columns of single blocks are the blocks within half a code`() {
        let blocks = bins(1000)
        var levels = WaveformLevels(samplesPerBlock: 256, expectedBlockCount: 1000)
        levels.insert(blocks, at: 0)
        let columns = levels.columns(0..<256_000, 1000)
        #expect(zip(columns, blocks).allSatisfy { isNear($0, $1) })
    }

    @Test func `The ends of the range of samples are kept`() {
        var levels = WaveformLevels(samplesPerBlock: 1)
        levels.insert([WaveformBin(minimum: .min, maximum: .max, rms: 1)], at: 0)
        #expect(levels.columns(0..<1, 1) == [WaveformBin(minimum: .min, maximum: .max, rms: 1)])
    }

    @Test func `A column of many blocks has the least and the greatest of them`() {
        let blocks = bins(4096)
        var levels = WaveformLevels(samplesPerBlock: 256)
        for start in stride(from: 0, to: 4096, by: 50) {
            levels.insert(Array(blocks[start..<min(start + 50, 4096)]), at: start)
        }
        for (index, column) in levels.columns(0..<4096 * 256, 16).enumerated() {
            let part = blocks[index * 256..<(index + 1) * 256]
            let energy = part.reduce(0) { $0 + $1.rms * $1.rms } / 256
            let expected = WaveformBin(
                minimum: part.map(\.minimum).min() ?? 0,
                maximum: part.map(\.maximum).max() ?? 0,
                rms: energy.squareRoot()
            )
            #expect(isNear(WaveformBin(minimum: column.minimum, maximum: column.maximum, rms: expected.rms), expected))
            // Each level rounds it once.
            #expect(abs(column.rms - expected.rms) < 0.02)
        }
    }

    @Test func `Blocks in any order give the same columns`() {
        let blocks = bins(1000)
        var inOrder = WaveformLevels(samplesPerBlock: 64)
        inOrder.insert(blocks, at: 0)
        var chance = Chance(9)
        for expected in [0, 1000, 3] {
            var mixed = WaveformLevels(samplesPerBlock: 64, expectedBlockCount: expected)
            for start in stride(from: 0, to: 1000, by: 3).shuffled(using: &chance) {
                mixed.insert(Array(blocks[start..<min(start + 3, 1000)]), at: start)
            }
            for width in [1, 3, 60, 250, 1000, 3000] {
                #expect(mixed.columns(0..<64_000, width) == inOrder.columns(0..<64_000, width))
            }
        }
    }

    @Test func `The first blocks are in every level, however few come at a time`() {
        var levels = WaveformLevels(samplesPerBlock: 1, expectedBlockCount: 64)
        for index in 0..<64 { levels.insert([WaveformBin(minimum: 0, maximum: 100, rms: 0)], at: index) }
        for width in [1, 4, 16, 64] { #expect(levels.columns(0..<64, width).allSatisfy { $0.isKnown }) }
    }

    @Test func `A hole is not known, and neither is what lies behind the end`() {
        var levels = WaveformLevels(samplesPerBlock: 10)
        levels.insert(bins(4), at: 16)
        let columns = levels.columns(0..<240, 24)
        #expect(columns.map(\.isKnown) == (0..<24).map { (16..<20).contains($0) })
        #expect(levels.columns(0..<80, 1).map(\.isKnown) == [false])
    }

    @Test func `Ten hours take less than 14 MB`() {
        let count = 36_000 * 44_100 / 512
        var levels = WaveformLevels(samplesPerBlock: 512, expectedBlockCount: count)
        let part = bins(5000)
        for start in stride(from: 0, to: count, by: 5000) {
            levels.insert(Array(part[..<min(5000, count - start)]), at: start)
        }
        #expect(levels.byteCount < 14_000_000)
        #expect(levels.columns(0..<Int64(count) * 512, 3840).allSatisfy { $0.isKnown })
    }

    @Test func `Numbers out of range are left out`() {
        for number in [Int.min, -1, 0, .max] {
            var levels = WaveformLevels(samplesPerBlock: number, expectedBlockCount: number / 2)
            levels.insert([WaveformBin(minimum: 5, maximum: -5, rms: .nan)], at: 0)
            levels.insert([WaveformBin(minimum: 0, maximum: 1, rms: .nan)], at: number)
            levels.insert([WaveformBin(minimum: 0, maximum: 1, rms: .infinity)], at: 1 << 26)
            #expect(levels.columns(.min / 2 ..< .max / 2, 10).count == 10)
            #expect(levels.columns(0..<10, -1).isEmpty)
        }
    }
}
