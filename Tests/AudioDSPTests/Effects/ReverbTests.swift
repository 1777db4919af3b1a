import Foundation
import TestSupport
import Testing

@testable import AudioDSP

@Suite("Reverb", .enabled(if: isOptimized, "Measured in release.")) struct ReverbTests {
    private static let sampleRate = 48_000.0

    private func reverberated(
        _ input: [[Float]],
        _ settings: ReverbSettings,
        mix: Double = 1,
        sampleRate: Double = ReverbTests.sampleRate,
        block: Int = 512,
        change: (Int) -> ReverbSettings? = { _ in nil }
    ) -> [[Float]] {
        var reverb = Reverb(sampleRate: sampleRate, channelCount: input.count)
        reverb.set(settings, mix: mix)
        return processed(input, block: block) { planes, place, count in
            if let settings = change(place) { reverb.set(settings, mix: mix) }
            reverb.process(planes, frameCount: count)
        }
    }

    /// The response to an impulse on the left, from the end of the pre-delay on.
    private func response(_ preset: ReverbPreset, seconds: Double) -> [[Float]] {
        let settings = ReverbSettings(preset)
        let count = Int((seconds + settings.preDelay) * Self.sampleRate)
        var impulse = [Float](repeating: 0, count: count)
        impulse[0] = 1
        let output = reverberated([impulse, [Float](repeating: 0, count: count)], settings)
        return output.map { Array($0[Int(settings.preDelay * Self.sampleRate)...]) }
    }

    private func banded(_ samples: [Float], at frequency: Double) -> [Float] {
        var result = [samples]
        for _ in 0..<2 {
            var filter = SmoothedFilter(sampleRate: Self.sampleRate, channelCount: 1)
            filter.set(FilterSettings(.bandPass, frequency: frequency, bandwidth: 1), isActive: true)
            result = processed(result, block: 4_096) { planes, _, count in
                filter.process(planes, channelCount: 1, frameCount: count)
            }
        }
        return result[0]
    }

    /// The decay time by a line through the backward integral of both sides from −5 to −35 dB (ISO 3382), and r² of the line.
    private func decay(_ sides: [[Float]]) -> (seconds: Double, fit: Double) {
        var sum = 0.0
        var integral = [Double](repeating: 0, count: sides[0].count)
        for index in sides[0].indices.reversed() {
            for samples in sides { sum += Double(samples[index]) * Double(samples[index]) }
            integral[index] = sum
        }
        let levels = integral.map { 10 * log10(max($0, 1e-30) / sum) }
        guard let first = levels.firstIndex(where: { $0 < -5 }), let last = levels.firstIndex(where: { $0 < -35 })
        else {
            return (0, 0)
        }
        let count = Double(last - first)
        let (meanX, meanY) = (Double(first + last - 1) / 2, levels[first..<last].reduce(0, +) / count)
        var (xy, xx, yy) = (0.0, 0.0, 0.0)
        for index in first..<last {
            let (x, y) = (Double(index) - meanX, levels[index] - meanY)
            (xy, xx, yy) = (xy + x * y, xx + x * x, yy + y * y)
        }
        return (-60 / (xy / xx) / Self.sampleRate, xy * xy / (xx * yy))
    }

    @Test("Each octave decays in its time within 10 %", arguments: ReverbPreset.allCases)
    func decayTime(preset: ReverbPreset) {
        let settings = ReverbSettings(preset)
        let output = response(preset, seconds: 0.95 * settings.decayTime + 0.2)
        let damping = ReverbDamping(settings, seconds: settings.size, sampleRate: Self.sampleRate)
        #expect(abs(damping.decayTime(at: 1_000) / settings.decayTime - 1) < 1e-6)
        #expect(
            abs(damping.decayTime(at: ReverbDamping.highFrequency) / settings.decayTime - settings.highDecay) < 1e-6
        )
        for frequency in [125.0, 250, 500, 1_000, 2_000, 4_000, 8_000] {
            let (seconds, fit) = decay(output.map { banded($0, at: frequency) })
            // The lower half of an octave lasts longer, and with it the octave.
            let target =
                frequency == 8_000 ? settings.decayTime * settings.highDecay : damping.decayTime(at: 0.84 * frequency)
            #expect(abs(seconds / target - 1) < 0.1, "\(preset) \(frequency) Hz: \(seconds) s, not \(target) s")
            #expect(fit > 0.99, "\(preset) \(frequency) Hz: r² \(fit)")
        }
    }

    /// The echo density of 20 ms around a frame: the share of samples beyond a standard deviation, over that of noise (J. Abel,
    /// P. Huang, "A simple, robust measure of reverberation echo density", 2006).
    private func density(_ samples: [Float], at frame: Int) -> Double {
        let window = samples[max(0, frame - 480)..<min(samples.count, frame + 480)].map(Double.init)
        let deviation = (window.map { $0 * $0 }.reduce(0, +) / Double(window.count)).squareRoot()
        return Double(window.count { abs($0) > deviation }) / Double(window.count) / 0.3173
    }

    @Test("Echoes are as dense as noise after 40 ms in rooms and 100 ms in halls", arguments: ReverbPreset.allCases)
    func echoDensity(preset: ReverbPreset) {
        let isLarge = [.mediumHall, .largeHall, .cathedral, .mediumHall2, .mediumHall3, .largeHall2].contains(preset)
        let output = response(preset, seconds: 0.3)[0]
        let frame = Int((isLarge ? 0.1 : 0.04) * Self.sampleRate)
        // A window tells it within 0.05.
        let densities = stride(from: frame, to: frame + 4_800, by: 480).map { density(output, at: $0) }
        #expect(densities.reduce(0, +) / 10 > 0.9, "\(preset): \(densities)")
        #expect(densities[0] > 0.85, "\(preset): \(densities)")
    }

    @Test("The tail has no tones and no pattern, and its sides differ", arguments: ReverbPreset.allCases)
    func colour(preset: ReverbPreset) {
        let settings = ReverbSettings(preset)
        let output = response(preset, seconds: 1)
        // The decay is undone at 1 kHz, so that the tail is noise of a steady level.
        let tails = output.map { samples in
            (0..<32_768).map { frame -> Float in
                let seconds = Double(frame) / Self.sampleRate
                return samples[4_800 + frame] * Float(exp(3 * log(10) * seconds / settings.decayTime))
            }
        }
        let part = Int(min(0.5, settings.decayTime / 2) * Self.sampleRate)
        let (left, right) = (tails[0][..<part], tails[1][..<part])
        func product(_ a: ArraySlice<Float>, _ b: ArraySlice<Float>) -> Double {
            zip(a, b).reduce(0) { $0 + Double($1.0) * Double($1.1) }
        }
        let correlation = product(left, right) / (product(left, left) * product(right, right)).squareRoot()
        #expect(abs(correlation) < 0.2, "\(preset): \(correlation)")
        // Whitened by a difference, which takes away the slope that the damping leaves.
        let white = zip(left.dropFirst(), left).map { $0 - 0.97 * $1 }
        let power = product(white[...], white[...])
        var worst = 0.0
        for lag in stride(from: 240, to: min(white.count / 2, 9_600), by: 1) {
            worst = max(worst, abs(product(white[lag...], white[..<(white.count - lag)])) / power)
        }
        #expect(worst < 0.15, "\(preset): \(worst)")
    }

    @Test("The presets are equally loud")
    func loudness() {
        var random = SplitMix64(seed: 5)
        // Pink noise by the sum of noises that hold for 1, 2, 4, … frames (R. Voss).
        var rows = [Float](repeating: 0, count: 14)
        let pink = (0..<240_000).map { frame -> Float in
            rows[min(13, (frame + 1).trailingZeroBitCount)] = Float.random(in: -0.1...0.1, using: &random)
            return rows.reduce(0, +)
        }
        func level(_ samples: ArraySlice<Float>) -> Double {
            10 * log10(samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count))
        }
        for preset in ReverbPreset.allCases {
            let output = reverberated([pink, pink], ReverbSettings(preset))
            let change = level(output[0][144_000...]) - level(pink[144_000...])
            #expect(abs(change) < 1, "\(preset): \(change) dB")
        }
    }

    @Test("The sound ends in exact silence, within the stated tail", arguments: [ReverbPreset.smallRoom, .mediumHall])
    func silence(preset: ReverbPreset) {
        let settings = ReverbSettings(preset)
        let tail = settings.tailTime(sampleRate: Self.sampleRate)
        let input = noise(frameCount: 4_800) + [Float](repeating: 0, count: Int(tail * Self.sampleRate) + 4_800)
        for samples in reverberated([input, input], settings) {
            let last = samples.lastIndex { $0 != 0 } ?? 0
            #expect(Double(last - 4_800) <= tail * Self.sampleRate, "\(last)")
            #expect(Double(last - 4_800) > 0.4 * tail * Self.sampleRate, "\(last)")
            #expect(samples.allSatisfy { !$0.isSubnormal })
        }
    }

    @Test("A mix of 0 is the input, and mono, 5.1 and all rates work", arguments: [1, 2, 3, 6])
    func channels(count: Int) {
        let input = (0..<count).map { noise(frameCount: 9_600, seed: UInt64($0 + 1)) }
        #expect(reverberated(input, ReverbSettings(.plate), mix: 0) == input)
        for sampleRate in [8_000.0, 44_100, 192_000] {
            let output = reverberated(input, ReverbSettings(.smallRoom), mix: 1, sampleRate: sampleRate)
            for samples in output { #expect(levelDecibels(samples) > -40 && samples.allSatisfy { abs($0) < 4 }) }
        }
    }

    @Test("Another preset is faded to, and what is no number does not stay")
    func changes() {
        // Begun gently: a start of its own would sound on in the hall.
        let quiet = tone(100, amplitude: 0.5, frameCount: 48_000).enumerated().map { frame, sample in
            sample * Float(0.5 - 0.5 * cos(.pi * min(1, Double(frame) / 12_000)))
        }
        let output = reverberated([quiet], ReverbSettings(.largeHall)) {
            $0 == 24_064 ? ReverbSettings(.smallRoom) : $0 == 26_112 ? ReverbSettings(.plate) : nil
        }[0]
        let high = highPassed(output, frequency: 10_000)
        // What enters the cleared lines begins anew: 100 Hz at once, as at any start, but under the fade.
        #expect(20 * log10(Double(high[20_000...].map(abs).max() ?? 1)) < -75)
        var broken = noise(frameCount: 48_000)
        (broken[100], broken[200], broken[300]) = (.nan, .infinity, -.infinity)
        let rest = reverberated([broken], ReverbSettings(.smallRoom))[0]
        #expect(rest[400...].allSatisfy { $0.isFinite && abs($0) < 4 })
    }

    @Test("The output does not depend on the block size", arguments: [1, 7, 100, 4_096])
    func blocks(block: Int) {
        let input = [noise(frameCount: 9_000), noise(frameCount: 9_000, seed: 3)]
        let settings = ReverbSettings(.mediumRoom)
        #expect(
            reverberated(input, settings, mix: 0.4, block: block)
                == reverberated(input, settings, mix: 0.4, block: 9_000)
        )
    }

    @Test("The reverb allocates no memory while it runs")
    func allocates() {
        var reverb = Reverb(sampleRate: 48_000, channelCount: 2)
        let planes = Planes(channelCount: 2, frameCount: 256)
        reverb.set(ReverbSettings(.smallRoom), mix: 0.5)
        let count = allocations {
            for round in 0..<20 {
                reverb.set(ReverbSettings(round < 3 ? .smallRoom : .cathedral), mix: 0.05 * Double(round))
                reverb.process(UnsafePointer(planes.pointers), frameCount: 256)
            }
        }
        #expect(count == 0)
    }
}
