import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxDSP

@Suite("Multiband compressor", .enabled(if: isOptimized, "Measured in release.")) struct MultibandCompressorTests {
    private typealias Settings = MultibandCompressor.Settings

    private func settings(
        _ crossovers: SIMD4<Double> = SIMD4(120, 700, 3_000, 0),
        threshold: Double = 40,
        gains: SIMD4<Double> = SIMD4()
    ) -> Settings {
        Settings(
            crossovers: crossovers,
            thresholds: SIMD4(repeating: threshold),
            headRooms: SIMD4(repeating: 5),
            gains: gains,
            attack: 0.005,
            release: 0.05
        )
    }

    private func compressed(
        _ input: [[Float]],
        rate: Double = 48_000,
        block: Int = 512,
        _ settings: @escaping (Int) -> Settings
    ) -> [[Float]] {
        var compressor = MultibandCompressor(sampleRate: rate, channelCount: input.count)
        return processed(input, block: block) { planes, start, count in
            compressor.set(settings(start))
            compressor.process(planes, frameCount: count)
        }
    }

    private func decibels(_ samples: ArraySlice<Float>) -> Double {
        20 * log10(Double(samples.map(abs).max() ?? 0))
    }

    @Test("Without compression the magnitude is flat within 0.05 dB", arguments: [44_100.0, 192_000])
    func isFlat(rate: Double) {
        var impulse = [Float](repeating: 0, count: 65_536)
        impulse[0] = 1
        let output = compressed([impulse], rate: rate) { _ in settings() }[0].map(Double.init)
        for step in 0..<60 {
            let frequency = 20 * pow(0.45 * rate / 20, Double(step) / 59)
            var (real, imaginary) = (0.0, 0.0)
            for (index, sample) in output.enumerated() {
                let angle = 2 * .pi * frequency * Double(index) / rate
                real += sample * cos(angle)
                imaginary += sample * sin(angle)
            }
            #expect(abs(10 * log10(real * real + imaginary * imaginary)) < 0.05, "\(frequency) Hz")
        }
    }

    @Test("Each band has its gain, and a tone is compressed in its band alone")
    func bandsAreSeparate() {
        let crossovers = SIMD4<Double>(100, 1_000, 10_000, 0)
        for (frequency, gain) in [(25.0, 6.0), (316, -6), (3_162, 3), (20_000, -12)] {
            let output = compressed([tone(frequency, amplitude: 0.1, frameCount: 96_000)]) { _ in
                settings(crossovers, gains: SIMD4(6, -6, 3, -12))
            }[0]
            // A band reaches into its neighbours: 1 % of it is left where they have their middle.
            #expect(abs(20 * log10(level(of: frequency, in: output[48_000...])) + 20 - gain) < 0.5, "\(frequency) Hz")
        }
        var loud = settings(crossovers)
        loud.thresholds[1] = -20
        let both = zip(
            tone(316, amplitude: 0.5, frameCount: 96_000),
            tone(20_000, amplitude: 0.1, frameCount: 96_000)
        ).map(+)
        let output = compressed([both]) { _ in loud }[0][48_000...]
        #expect(abs(20 * log10(level(of: 316, in: output)) - -20 - 5 * (1 - exp(-13.98 / 5))) < 0.5)
        #expect(abs(20 * log10(level(of: 20_000, in: output)) + 20) < 0.1)
    }

    private func level(of frequency: Double, in samples: ArraySlice<Float>) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let angle = 2 * .pi * frequency * Double(index) / 48_000
            real += Double(sample) * cos(angle)
            imaginary += Double(sample) * sin(angle)
        }
        return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(samples.count)
    }

    @Test(
        "Jumps of the crossovers and gains leave no click, and blocks make no difference",
        arguments: [32, 100, 1_024]
    )
    func movesSmoothly(_ block: Int) {
        let input = tone(100, amplitude: 0.5, frameCount: 48_000)
        let second = settings(SIMD4(1_000, 5_000, 15_000, 0), gains: SIMD4(-12, 6, 0, 12))
        let change = { [first = settings()] (start: Int) in start < 25_600 ? first : second }
        let output = compressed([input], block: 1_024, change)[0]
        // 25,600 is a multiple of all blocks.
        #expect(compressed([input], block: block, change)[0] == output)
        let high = highPassed(output, frequency: 10_000)[4_800...]
        #expect(decibels(high) < -90)
        let silence = compressed([input + [Float](repeating: 0, count: 48_000)]) { _ in second }[0]
        #expect(silence.suffix(1_000).allSatisfy { $0 == 0 })
    }
}
