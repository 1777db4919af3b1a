import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxDSP

@Suite("Peak limiter", .enabled(if: isOptimized, "Measured in release.")) struct PeakLimiterTests {
    private typealias Settings = PeakLimiter.Settings

    private func limited(
        _ input: [[Float]],
        _ settings: Settings,
        block: Int = 512,
        change: (Int) -> Settings? = { _ in nil }
    ) -> [[Float]] {
        var limiter = PeakLimiter(sampleRate: 48_000, channelCount: input.count)
        limiter.set(settings)
        return processed(input, block: block) { planes, place, count in
            if let settings = change(place) { limiter.set(settings) }
            limiter.process(planes, frameCount: count)
        }
    }

    @Test("The true peak of loud input stays below −0.1 dB", arguments: [0.001, 0.012, 0.03])
    func ceiling(attack: Double) {
        let settings = Settings(attack: attack, decay: 0.024, preGain: 12)
        // Quarter of the rate, between the samples: 3 dB above what they show.
        let hidden = (0..<4_000).map { Float(0.9 * sin(.pi / 2 * Double($0) + .pi / 4)) }
        let bursts = (0..<4_000).map { frame -> Float in
            let isBurst = frame % 1_000 < 40
            return (isBurst ? 0.8 : 0.01) * Float(sin(Double(frame) * (isBurst ? 0.9 : 0.1)))
        }
        let white = noise(frameCount: 4_000)
        var filter = SmoothedFilter(sampleRate: 48_000, channelCount: 1)
        filter.set(FilterSettings(.lowPass, frequency: 6_000), isActive: true)
        let dull = processed([white], block: 512) { planes, _, count in
            filter.process(planes, channelCount: 1, frameCount: count)
        }[0]
        let signals = [
            ("noise", dull), ("white noise", white), ("hidden", hidden), ("bursts", bursts),
            ("tone", tone(997, frameCount: 4_000)),
        ]
        for (name, input) in signals {
            let output = limited([input], settings)[0]
            #expect(output.allSatisfy { abs($0) <= 1 })
            // Behind the very first frames, where all taps of the measure see the signal.
            #expect(truePeak(output[...]) < -0.1, "\(name): \(truePeak(output[...]))")
        }
    }

    @Test("Input below the ceiling comes out later, bit for bit")
    func transparent() {
        let settings = Settings(attack: 0.012, decay: 0.024, preGain: 0)
        let lag = PeakLimiter.latencyFrames(attack: 0.012, sampleRate: 48_000)
        #expect(lag == 656)
        let input = [tone(997, amplitude: 0.9, frameCount: 9_600), tone(60, amplitude: 0.9, frameCount: 9_600)]
        let output = limited(input, settings)
        for channel in 0..<2 {
            #expect(output[channel][..<lag].allSatisfy { $0 == 0 })
            #expect(Array(output[channel][lag...]) == Array(input[channel][..<(9_600 - lag)]))
        }
    }

    @Test("A peak leaves no trace in what comes a few decays later")
    func recovery() {
        var input = tone(997, amplitude: 0.5, frameCount: 48_000)
        input[10_000] = 4
        let settings = Settings(attack: 0.012, decay: 0.024, preGain: 0)
        let lag = PeakLimiter.latencyFrames(attack: 0.012, sampleRate: 48_000)
        let output = limited([input], settings)[0]
        #expect(output.map(abs).max().map { $0 <= 1 } == true)
        let before = 9_000..<10_000
        #expect(Array(output[before]) == before.map { input[$0 - lag] })
        #expect(Array(output[(34_000 + lag)...]) == Array(input[34_000..<(48_000 - lag)]))
    }

    @Test("White noise stays below −0.1 dB by interpolations short and long", arguments: [0.001, 0.012])
    func whiteNoise(attack: Double) {
        for preGain in [6.0, 12, 20] {
            let settings = Settings(attack: attack, decay: 0.024, preGain: preGain)
            let output = limited([noise(frameCount: 24_000, seed: 11)], settings)[0]
            for half in [12, 20, 40] {
                let peak = truePeak(output[...], half: half)
                #expect(peak < -0.1, "\(2 * half) taps at \(preGain) dB: \(peak)")
            }
        }
    }

    @Test("Work that is left out changes no sample", arguments: [-6.0, 3, 6, 9, 14])
    func skipping(preGain: Double) {
        // Noise whose level swells, a tone near the ceiling at a quarter of the rate, and bursts between silence.
        let swell = noise(frameCount: 60_000, amplitude: 1).enumerated().map { frame, sample in
            sample * Float(0.5 - 0.5 * cos(2 * Double.pi * Double(frame) / 20_000))
        }
        let quarter = (0..<60_000).map { Float(0.6 * sin(Double.pi / 2 * 1.001 * Double($0) + 0.7)) }
        let bursts = noise(frameCount: 60_000, amplitude: 0.9, seed: 4).enumerated().map { frame, sample in
            frame % 7_000 < 90 ? sample : 0
        }
        let blue = zip(swell.dropFirst(), swell).map { ($0 - $1) * 0.7 } + [0]
        let high = (0..<60_000).map { Float(0.8 * sin(Double.pi * 0.93 * Double($0))) }
        let settings = Settings(attack: 0.003, decay: 0.01, preGain: preGain)
        for input in [[swell, bursts], [quarter, swell], [bursts, bursts], [quarter], [blue, high]] {
            let outputs = [true, false].map { skipsQuiet in
                var limiter = PeakLimiter(sampleRate: 48_000, channelCount: input.count, skipsQuiet: skipsQuiet)
                limiter.set(settings)
                return processed(input, block: 512) { limiter.process($0, frameCount: $2) }
            }
            #expect(outputs[0] == outputs[1])
        }
    }

    @Test("Changes of the settings keep the output within full scale")
    func changes() {
        let input = [noise(frameCount: 48_000)]
        let output = limited(input, Settings(attack: 0.001, decay: 0.001, preGain: 20)) {
            Settings(attack: $0 % 1_024 == 0 ? 0.03 : 0.001, decay: 0.06, preGain: $0 % 1_536 == 0 ? 40 : -10)
        }[0]
        #expect(output.allSatisfy { abs($0) <= 1 })
    }

    @Test("The output does not depend on the block size", arguments: [1, 7, 100, 4_096])
    func blocks(block: Int) {
        let input = [noise(frameCount: 20_000), noise(frameCount: 20_000, seed: 3)]
        let settings = Settings(attack: 0.005, decay: 0.05, preGain: 10)
        #expect(limited(input, settings, block: block) == limited(input, settings, block: 20_000))
    }

    @Test("The limiter allocates no memory while it runs")
    func allocates() {
        var limiter = PeakLimiter(sampleRate: 48_000, channelCount: 2)
        let planes = Planes(channelCount: 2, frameCount: 512)
        let count = allocations {
            for round in 0..<20 {
                limiter.set(Settings(attack: 0.001 * Double(round), decay: 0.01, preGain: Double(round)))
                limiter.process(UnsafePointer(planes.pointers), frameCount: 512)
            }
        }
        #expect(count == 0)
    }
}
