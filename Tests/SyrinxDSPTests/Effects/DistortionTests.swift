import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxDSP

@Suite("Distortion", .enabled(if: isOptimized, "Measured in release.")) struct DistortionTests {
    private typealias Settings = Distortion.Settings

    private func distorted(
        _ input: [[Float]],
        _ settings: Settings,
        block: Int = 512,
        change: (Int) -> Settings? = { _ in nil }
    ) -> [[Float]] {
        var distortion = Distortion(sampleRate: 48_000, channelCount: input.count)
        distortion.set(settings)
        return processed(input, block: block) { planes, place, count in
            if let settings = change(place) { distortion.set(settings) }
            distortion.process(planes, frameCount: count)
        }
    }

    /// The energy of a signal of 4,800 frames at the bins of 10 Hz for which `isWanted` holds, and that of all.
    private func energies(_ samples: ArraySlice<Float>, _ isWanted: (Int) -> Bool) -> (wanted: Double, all: Double) {
        let samples = samples.map(Double.init)
        let all = samples.reduce(0) { $0 + $1 * $1 }
        var wanted = 0.0
        for bin in 1..<2_400 where isWanted(bin) {
            let w = 2 * Double.pi * Double(bin) / 4_800
            var (real, imaginary) = (0.0, 0.0)
            for (frame, sample) in samples.enumerated() {
                real += sample * cos(w * Double(frame))
                imaginary += sample * sin(w * Double(frame))
            }
            wanted += 2 * (real * real + imaginary * imaginary) / 4_800
        }
        return (wanted, all)
    }

    private static let shapes: [(String, @Sendable (inout Distortion.Settings) -> Void)] = [
        ("soft clip", { $0.softClipGain = 20 }),
        ("cubic", { ($0.polynomialMix, $0.linearTerm, $0.cubicTerm, $0.softClipGain) = (1, 0, 8, 0) }),
        ("squared", { ($0.polynomialMix, $0.linearTerm, $0.squaredTerm, $0.softClipGain) = (1, 0, 4, 0) }),
    ]

    @Test("Between the harmonics of a sine lie 70 dB less", arguments: [0, 1, 2])
    func alias(index: Int) {
        let (name, shape) = Self.shapes[index]
        var settings = Settings()
        shape(&settings)
        // 5,030 Hz is bin 503, a prime: the harmonics of its image fall on other bins.
        let output = distorted([tone(5_030, frameCount: 19_200)], settings)[0]
        let (harmonics, all) = energies(output[14_400...]) { $0 % 503 == 0 }
        let off = 10 * log10(max(all - harmonics, 1e-30) / all)
        #expect(off < -70, "\(name): \(off) dB")
        // It does distort.
        let (fundamental, _) = energies(output[14_400...]) { $0 == 503 }
        #expect(10 * log10((harmonics - fundamental) / all) > -40, "\(name)")
    }

    @Test("The ring modulation gives the sum and the difference of the frequencies, and no image of them")
    func ring() {
        var settings = Settings()
        (settings.ringFrequency1, settings.ringBalance, settings.ringMix, settings.softClipGain) = (8_000, 0, 1, -60)
        // 20,030 + 8,000 Hz would fold to 19,970 Hz.
        let output = distorted([tone(20_030, frameCount: 19_200)], settings)[0]
        let (wanted, all) = energies(output[14_400...]) { $0 == 1_203 }
        #expect(10 * log10((all - wanted) / all) < -70)
    }

    @Test("A mix of 0 is the input, later, and a small signal passes the clipper unchanged")
    func dry() {
        var settings = Settings()
        settings.mix = 0
        let input = [noise(frameCount: 9_600), noise(frameCount: 9_600, seed: 2)]
        let output = distorted(input, settings)
        let lag = Distortion.latencyFrames
        for channel in 0..<2 { #expect(Array(output[channel][lag...]) == Array(input[channel][..<(9_600 - lag)])) }
        (settings.mix, settings.softClipGain) = (1, 0)
        let quiet = tone(1_000, amplitude: 0.001, frameCount: 9_600)
        let wet = distorted([quiet], settings)[0]
        for frame in 4_800..<9_600 - lag { #expect(abs(wet[frame + lag] - quiet[frame]) < 3e-5) }
    }

    @Test("Rounding leaves as many levels as its bits, and decimation holds samples")
    func reduction() {
        var settings = Settings()
        (settings.decimationMix, settings.rounding, settings.softClipGain) = (1, 1, -60)
        // A sine rounded to −1, 0 and 1 is on from 30° to 150°: its harmonics are 4/(nπ) cos(n · 30°),
        // as exactly as edges on frames can lie.
        let rounded = distorted([tone(200, amplitude: 1, frameCount: 19_200)], settings)[0][14_400...]
        let first = energies(rounded) { $0 == 20 }.wanted
        #expect(10 * log10(energies(rounded) { $0 == 60 }.wanted / first) < -34)
        #expect(abs(10 * log10(energies(rounded) { $0 == 100 }.wanted / first) - 20 * log10(0.2)) < 0.6)
        (settings.rounding, settings.decimation) = (0, 0.5)
        let held = distorted([tone(1_000, frameCount: 19_200)], settings)[0]
        // One of eight frames: images around 6 kHz.
        let (images, all) = energies(held[14_400...]) { $0 == 500 || $0 == 700 }
        #expect(10 * log10(images / all) > -25)
    }

    @Test("The echo comes after its time, and each one weaker")
    func echo() {
        var settings = Settings()
        (settings.delay, settings.delayMix, settings.decay, settings.softClipGain) = (0.1, 0.5, 1, 0)
        var input = [Float](repeating: 0, count: 24_000)
        input[0] = 0.01
        let output = distorted([input], settings)[0]
        let lag = Distortion.latencyFrames
        let (first, second) = (output[4_800 + lag], output[9_600 + lag])
        #expect(abs(first / output[lag] - 1) < 0.01)
        #expect(abs(second / first - exp(-1)) < 0.01)
    }

    @Test("Squares leave no mean")
    func mean() {
        var settings = Settings()
        (settings.polynomialMix, settings.linearTerm, settings.squaredTerm, settings.softClipGain) = (1, 0, 4, 0)
        let output = distorted([tone(1_000, frameCount: 48_000)], settings)[0]
        let mean = output[43_200...].map(Double.init).reduce(0, +) / 4_800
        #expect(abs(mean) < 1e-4, "\(mean)")
    }

    @Test("Changes of the settings are free of clicks")
    func clicks() {
        var (first, second) = (Settings(), Settings())
        (first.softClipGain, first.mix) = (-20, 0)
        (second.softClipGain, second.mix) = (20, 1)
        (second.delay, second.delayMix) = (0.2, 0.2)
        for (from, to) in [(first, second), (second, first)] {
            let output = distorted([tone(100, amplitude: 0.02, frameCount: 48_000)], from) { $0 == 24_064 ? to : nil }[
                0
            ]
            let twice = highPassed(output, frequency: 12_000)
            let peak = twice[20_000..<40_000].map(abs).max() ?? 1
            #expect(20 * log10(Double(peak)) < -80, "\(20 * log10(Double(peak)))")
        }
    }

    @Test("Silence follows silence exactly, and any settings keep the output bounded")
    func bounds() {
        var random = SplitMix64(seed: 9)
        for _ in 0..<20 {
            var settings = Settings()
            settings.delay = .random(in: 0.0001...0.5, using: &random)
            settings.decay = .random(in: 0.1...50, using: &random)
            (settings.delayMix, settings.decimation) = (0.9, .random(in: 0...1, using: &random))
            (settings.rounding, settings.decimationMix) = (.random(in: 0...1, using: &random), 0.7)
            settings.squaredTerm = .random(in: 0...20, using: &random)
            settings.cubicTerm = .random(in: 0...20, using: &random)
            (settings.polynomialMix, settings.ringMix, settings.softClipGain) = (0.8, 0.6, 20)
            settings.ringFrequency1 = .random(in: 0.5...8_000, using: &random)
            let output = distorted([noise(frameCount: 4_800)], settings)[0]
            #expect(output.allSatisfy { abs($0) < 2.5 })
        }
        let rest = distorted([noise(frameCount: 4_800) + [Float](repeating: 0, count: 96_000)], Settings())[0]
        #expect(rest.suffix(1_000).allSatisfy { $0 == 0 })
        #expect(rest.allSatisfy { !$0.isSubnormal })
    }

    @Test("The output does not depend on the block size", arguments: [1, 7, 100])
    func blocks(block: Int) {
        var settings = Settings()
        (settings.delayMix, settings.decimation, settings.decimationMix, settings.ringMix) = (0.3, 0.4, 0.5, 0.2)
        let input = [noise(frameCount: 4_000), noise(frameCount: 4_000, seed: 3)]
        #expect(distorted(input, settings, block: block) == distorted(input, settings, block: 4_000))
    }

    @Test("The distortion allocates no memory while it runs")
    func allocates() {
        var distortion = Distortion(sampleRate: 48_000, channelCount: 2)
        let planes = Planes(channelCount: 2, frameCount: 256)
        let count = allocations {
            for round in 0..<10 {
                var settings = Settings()
                (settings.delay, settings.ringMix, settings.polynomialMix) = (0.01 * Double(round), 0.5, 0.5)
                distortion.set(settings)
                distortion.process(UnsafePointer(planes.pointers), frameCount: 256)
            }
        }
        #expect(count == 0)
    }
}
