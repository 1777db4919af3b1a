import Foundation
import Testing

@testable import SyrinxDSP

@Suite("Mono and balance") struct StereoBalanceTests {
    private func balanced(_ input: [[Float]], mono: Double = 0, balance: Double = 0) -> [[Float]] {
        var unit = StereoBalance(sampleRate: 48_000, channelCount: input.count)
        return processed(input, block: 100) { planes, _, count in
            unit.set(mono: mono, balance: balance)
            unit.process(planes, frameCount: count)
        }
    }

    private let input: [[Float]] = [noise(frameCount: 1_000), noise(frameCount: 1_000, seed: 2)]

    @Test("Nothing changes at the defaults, nor with one channel")
    func neutral() {
        #expect(balanced(input) == input)
        #expect(balanced([input[0]], mono: 1, balance: 1) == [input[0]])
    }

    @Test("Mono gives each channel the mean of all")
    func mono() {
        let mean = zip(input[0], input[1]).map { ($0 + $1) / 2 }
        for channel in balanced(input, mono: 1) {
            #expect(zip(channel, mean).allSatisfy { abs($0 - $1) < 1e-6 })
        }
        let three = balanced(input + [input[0]], mono: 1, balance: 1)
        #expect(zip(three[0], three[2]).allSatisfy { abs($0 - $1) < 1e-6 })
    }

    @Test("Balance takes from one channel and leaves the other")
    func balance() {
        let half = balanced(input, balance: 0.5)
        #expect(half[1] == input[1] && half[0] == input[0].map { $0 * 0.5 })
        let left = balanced(input, balance: -1)
        #expect(left[0] == input[0] && left[1].allSatisfy { $0 == 0 })
    }

    @Test("A change moves without a step")
    func change() {
        var unit = StereoBalance(sampleRate: 48_000, channelCount: 2)
        let input = [tone(200, frameCount: 9_600), tone(200, frameCount: 9_600)]
        let output = processed(input, block: 480) { planes, place, count in
            unit.set(mono: place > 4_000 ? 1 : 0, balance: place > 4_000 ? 1 : 0)
            unit.process(planes, frameCount: count)
        }
        #expect(output[0].suffix(3_000).allSatisfy { abs($0) < 1e-6 })
        #expect((highPassed(output[0], frequency: 4_000).dropFirst(1_000).map(abs).max() ?? 1) < 0.002)
    }
}
