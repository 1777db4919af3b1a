import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxAnalysis

@Suite("The peak between samples")
struct TruePeakTests {
    /// The phases of ITU-R BS.1770-5, annex 2; the other two are these, reversed.
    private static let phases: [[Double]] = [
        [
            0.001708984375, 0.010986328125, -0.0196533203125, 0.033203125, -0.0594482421875, 0.1373291015625,
            0.97216796875, -0.102294921875, 0.047607421875, -0.026611328125, 0.014892578125, -0.00830078125,
        ],
        [
            -0.0291748046875, 0.029296875, -0.0517578125, 0.089111328125, -0.16650390625, 0.465087890625,
            0.77978515625, -0.2003173828125, 0.1015625, -0.0582275390625, 0.0330810546875, -0.0189208984375,
        ],
    ]

    /// Returns the peak by the plain sum of all products.
    private func plainPeak(_ wave: [Float]) -> Double {
        var line = [Double](repeating: 0, count: 11)
        for sample in wave { line.append(Double(sample)) }
        var peak = 0.0
        for sample in line { peak = max(peak, abs(sample)) }
        var all = Self.phases
        for taps in Self.phases { all.append(Array(taps.reversed())) }
        for taps in all {
            for start in wave.indices {
                var sum = 0.0
                for tap in 0..<12 { sum += taps[tap] * line[start + tap] }
                peak = max(peak, abs(sum))
            }
        }
        return peak
    }

    /// Waves whose peaks lie at the start, at the end, and in between.
    private static let waves: [[Float]] = {
        var random = SystemRandomNumberGenerator()
        let noise: [Float] = (0..<3000).map { _ in Float.random(in: -1...1, using: &random) }
        let tones: [[Float]] = [0.011, 0.1, 0.24, 0.37, 0.49].map { frequency in
            sineWave(frequency: frequency, sampleRate: 1, frameCount: 3000, phase: 0.7)
        }
        let rising: [Float] = noise.indices.map { noise[$0] * Float($0) / 3000 }
        let falling: [Float] = Array(rising.reversed())
        var clicks = [Float](repeating: 0.01, count: 3000)
        for place in [31, 32, 64, 1023, 1024, 2999] { clicks[place] = place.isMultiple(of: 2) ? 0.6 : -0.6 }
        var swelling: [[Float]] = []
        for tone in tones {
            swelling.append(tone.indices.map { tone[$0] * Float(sin(Double($0) / 300)) })
        }
        return [noise, rising, falling, clicks] + tones + swelling
    }()

    @Test("Groups that are passed over change nothing, however buffers are cut", arguments: [1, 5, 11, 33, 1000, 3000])
    func passingOver(size: Int) {
        for (number, wave) in Self.waves.enumerated() {
            var kernel = TruePeakKernel()
            for start in stride(from: 0, to: wave.count, by: size) {
                let piece = Array(wave[start..<min(start + size, wave.count)])
                piece.withUnsafeBufferPointer { buffer in
                    if let base = buffer.baseAddress { kernel.append(base, count: piece.count) }
                }
            }
            let wanted = plainPeak(wave)
            #expect(abs(Double(kernel.peak) - wanted) < 3e-6 * wanted, "wave \(number): \(kernel.peak), \(wanted)")
            #expect(kernel.samplePeak == wave.map(abs).max())
        }
    }
}
