import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxDSP

@Suite("Compressor", .enabled(if: isOptimized, "Measured in release.")) struct CompressorTests {
    private typealias Settings = Compressor.Settings

    private func compressed(_ input: [[Float]], _ settings: Settings, block: Int = 512) -> [[Float]] {
        var compressor = Compressor(sampleRate: 48_000, channelCount: input.count)
        return processed(input, block: block) { planes, _, count in
            compressor.set(settings)
            compressor.process(planes, frameCount: count)
        }
    }

    private func level(_ samples: ArraySlice<Float>) -> Double { 20 * log10(Double(samples.map(abs).max() ?? 0)) }

    @Test("The level of a steady tone follows the curve within 0.1 dB", arguments: [-90.0, -50, -25, -12, -3, 0])
    func curve(level input: Double) {
        let settings = Settings(
            threshold: -20,
            headRoom: 5,
            expansionThreshold: -45,
            expansionRatio: 2,
            attack: 0.001,
            release: 0.05,
            gain: 3
        )
        for frequency in [60.0, 997, 5_000] {
            let signal = tone(frequency, amplitude: pow(10, input / 20), frameCount: 96_000)
            let output = compressed([signal], settings)[0]
            let expected = input + settings.staticGain(at: input) + 3
            #expect(abs(level(output[72_000...]) - expected) < 0.1, "\(frequency) Hz at \(input) dB")
        }
    }

    @Test("The curve begins with slope 1, and never exceeds the threshold and the head room")
    func staticCurve() {
        let settings = Settings(
            threshold: -20,
            headRoom: 6,
            expansionThreshold: -60,
            expansionRatio: 3,
            attack: 0.01,
            release: 0.1
        )
        #expect(settings.staticGain(at: -20) == 0 && settings.staticGain(at: -59.9) == 0)
        #expect(abs(-19.99 + settings.staticGain(at: -19.99) - -19.99) < 1e-4)
        #expect(abs(40 + settings.staticGain(at: 40) - -14) < 0.001)
        #expect(abs(settings.staticGain(at: -70) - -20) < 1e-9)
        #expect(settings.staticGain(at: -160) == -120)
    }

    @Test("Attack and release are the time constants of the gain")
    func times() {
        let settings = Settings(threshold: -20, headRoom: 0.1, attack: 0.02, release: 0.2)
        // −40 dB, then −6 dB for a second, then −40 dB: a constant's level is itself.
        let quiet = [Float](repeating: 0.01, count: 24_000)
        let loud = [Float](repeating: 0.5, count: 48_000)
        let output = compressed([quiet + loud + quiet], settings)[0]
        let reduction = settings.staticGain(at: 20 * log10(0.5))
        func gain(_ frame: Int) -> Double {
            20 * log10(Double(output[frame]) / Double(frame < 24_000 || frame >= 72_000 ? 0.01 : 0.5))
        }
        #expect(abs(gain(23_999)) < 0.01)
        #expect(abs(gain(24_000 + 960) / reduction - 0.632) < 0.02, "attack")
        #expect(abs(gain(71_999) - reduction) < 0.01)
        // The level is held for 10 ms before the release.
        #expect(abs(gain(72_000 + 480 + 9_600) / reduction - 0.368) < 0.02, "release")
    }

    @Test("The expander opens with the attack, also after silence, and closes with the release")
    func expanderTimes() {
        let settings = Settings(
            threshold: 0,
            headRoom: 5,
            expansionThreshold: -40,
            expansionRatio: 4,
            attack: 0.002,
            release: 0.5
        )
        // Silence, −20 dB, and −50 dB, which the expander takes to −80 dB; a constant's level is itself.
        let silence = [Float](repeating: 0, count: 48_000)
        let loud = [Float](repeating: 0.1, count: 48_000)
        let quiet = [Float](repeating: Float(pow(10, -2.5)), count: 48_000)
        let output = compressed([silence + loud + quiet], settings)[0]
        #expect(output[..<48_000].allSatisfy { $0 == 0 })
        // From −120 dB, twelve time constants leave 0.001 dB.
        #expect(abs(level(output[49_152...49_152]) - -20) < 0.05)
        // The level is held for 10 ms before the release.
        #expect(abs(level(output[120_480...120_480]) - -50 - 0.632 * -30) < 0.5)
    }

    @Test("A tone below the threshold passes bit for bit, and all channels have the same gain")
    func link() {
        let settings = Settings(threshold: -20, headRoom: 5, attack: 0.001, release: 0.05)
        let quiet = tone(440, amplitude: 0.05, frameCount: 9_600)
        #expect(compressed([quiet], settings)[0] == quiet)
        let loud = tone(300, amplitude: 0.9, frameCount: 9_600)
        let output = compressed([loud, quiet], settings)
        for frame in 4_800..<9_600 where abs(quiet[frame]) > 0.01 && abs(loud[frame]) > 0.1 {
            let (first, second) = (output[0][frame] / loud[frame], output[1][frame] / quiet[frame])
            #expect(abs(first - second) < 1e-4)
        }
    }

    @Test("The output does not depend on the block size", arguments: [1, 7, 100, 4_096])
    func blocks(block: Int) {
        let input = [noise(frameCount: 20_000), noise(frameCount: 20_000, seed: 3)]
        let settings = Settings(threshold: -30, headRoom: 5, attack: 0.005, release: 0.05, gain: 6)
        #expect(compressed(input, settings, block: block) == compressed(input, settings, block: 20_000))
    }

    @Test("The compressor allocates no memory while it runs")
    func allocates() {
        var compressor = Compressor(sampleRate: 48_000, channelCount: 2)
        let planes = Planes(channelCount: 2, frameCount: 512)
        let count = allocations {
            for round in 0..<20 {
                compressor.set(Settings(threshold: Double(-round), headRoom: 5, attack: 0.01, release: 0.1))
                compressor.process(UnsafePointer(planes.pointers), frameCount: 512)
            }
        }
        #expect(count == 0)
    }
}
