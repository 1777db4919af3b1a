import Foundation
import SyrinxAnalysis
import SyrinxTestSupport
import Testing

@Suite("Decibel waveform")
struct DecibelWaveformTests {
    private static func near(_ a: [Double], _ b: [Double], _ tolerance: Double = 1e-9) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) <= tolerance }
    }

    @Test("The examples of the article")
    func examples() {
        let decibels = DecibelWaveform.decibels([1, 3, 5], zeroReference: 5)
        #expect(Self.near(decibels, [-13.979400086720375, -4.436974992327126, 0]))
        #expect(DecibelWaveform.decimated([3, 2, 1, 2, 2, 1, 7, 1, 5, 1, 4], by: 5) == [2, 3])
        #expect(Self.near(DecibelWaveform.decimated([3, 2, 1, 2, 2, 1, 7], by: 3), [2, 5.0 / 3]))
        #expect(DecibelWaveform.decimated([3, 2, 1, 2, 2, 1, 7], by: 3, averages: false) == [3, 2])
        #expect(abs(20 * log10(1.0 / 32767) + 90.30873362283398) < 1e-9)
        #expect(DecibelWaveform.barCount(width: 300, barWidth: 3, spacing: 2) == 60)
    }

    @Test("Whole and in blocks give the same, to the bit", arguments: [true, false])
    func progressive(averages: Bool) {
        var numbers = TestNumbers(state: 9)
        let samples = (0..<10_007).map { _ in Int16.random(in: .min ... .max, using: &numbers) / 8 }
        let whole = DecibelWaveform(samples: samples, count: 37, averages: averages)
        // What the article computes: everything to decibels, clipped, then groups of ⌊10 007 / 37⌋.
        let levels = samples.map { min(max(20 * log10(abs(Double($0)) / 32767), -70), 0) }
        #expect(Self.near(whole.values, DecibelWaveform.decimated(levels, by: 270, averages: averages)))
        #expect(whole.values.count == 37)
        for size in [1, 3, 100, 4410] {
            var builder = DecibelBuilder(totalSampleCount: 10_007, count: 37, averages: averages)
            for start in stride(from: 0, to: samples.count, by: size) {
                builder.append(Array(samples[start..<min(start + size, samples.count)]))
            }
            #expect(builder.waveform == whole)
        }
    }

    @Test("Without knowing the length, the same; of very many samples all but", arguments: [true, false])
    func unknownLength(averages: Bool) throws {
        var numbers = TestNumbers(state: 4)
        for count in [0, 5, 3001, 300_007] {
            // Loudness that changes slowly, as that of recordings does.
            let samples = (0..<count).map { index in
                let swell = 20_000 * abs(sin(Double(index) / 90_000)) + 2000
                return averages ? Int16.random(in: 1...Int16(swell), using: &numbers) : Int16(swell)
            }
            var known = DecibelBuilder(totalSampleCount: Int64(count), count: 37, averages: averages)
            var unknown = DecibelBuilder(totalSampleCount: nil, count: 37, averages: averages)
            known.append(samples)
            known.finish()
            unknown.append(samples)
            #expect(unknown.waveform.values.isEmpty)
            unknown.finish()
            #expect(unknown.decimationFactor == known.decimationFactor)
            // A cell at either end of a level may be divided otherwise: 2 samples of 8108.
            let tolerance = count < 262_144 ? 1e-9 : 0.01
            #expect(Self.near(unknown.waveform.values, known.waveform.values, tolerance), "\(count)")
        }
    }

    @Test("The noise floor, full scale and what lies beyond")
    func limits() {
        let waveform = DecibelWaveform(samples: [0, 1, 32767, -32768, 3277], count: 5, noiseFloor: -50)
        #expect(Self.near(waveform.values, [-50, -50, 0, 0, 20 * log10(3277.0 / 32767)]))
    }

    @Test("Channels of floats are merged before decibels are taken")
    func channels() {
        let left: [Float] = [1, 0.5, -0.5, 0.25]
        let right: [Float] = [-1, 0.5, -0.5, 0]
        var builder = DecibelBuilder(totalSampleCount: 4, count: 4)
        var storage = left + right
        storage.withUnsafeMutableBufferPointer { buffer in
            var pointers = [buffer.baseAddress!, buffer.baseAddress! + 4]
            builder.append(&pointers, channelCount: 2, frameCount: 4, rounding: .integer)
        }
        let half = 20 * log10(16384.0 / 32767)
        #expect(Self.near(builder.waveform.values, [-70, half, half, 20 * log10(4096.0 / 32767)]))
    }

    @Test("Bars are symmetric, the loudest fills the height")
    func bars() {
        let waveform = DecibelWaveform(values: [-70, -35, -10], noiseFloor: -70)
        let bars = waveform.bars(width: 30, height: 100, barWidth: 3)
        #expect(bars.map(\.x) == [0, 10, 20])
        #expect(bars.map(\.width) == [3, 3, 3])
        let halves = [0, 50 * 35.0 / 60, 50]
        #expect(Self.near(bars.map(\.height), halves.map { 2 * $0 }))
        #expect(Self.near(bars.map(\.y), halves.map { 50 - $0 }))
        #expect(DecibelWaveform(values: [-70, -70]).bars(width: 10, height: 8).map(\.height) == [8, 8])
        #expect(DecibelWaveform(values: []).bars(width: 10, height: 8).isEmpty)
    }
}
