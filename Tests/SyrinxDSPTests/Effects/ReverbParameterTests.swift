import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxDSP

@Suite("Parameters of reverbs", .enabled(if: isOptimized, "Measured in release.")) struct ReverbParameterTests {
    private static let sampleRate = ReverbMeasures.sampleRate

    private func reverb2(_ change: (inout Reverb2Parameters) -> Void) -> ReverbSettings {
        var parameters = Reverb2Parameters()
        change(&parameters)
        return ReverbSettings(parameters)
    }

    private func matrix(_ change: (inout MatrixReverbParameters) -> Void) -> ReverbSettings {
        var parameters = MatrixReverbParameters()
        // Each space alone, and without a delay of its own, shows what its own parameters do.
        (parameters.largeShare, parameters.largeDelay) = (0, 0.001)
        change(&parameters)
        return ReverbSettings(parameters)
    }

    // MARK: Reverb 2

    @Test(
        "Reverb 2 decays as its parameters say at both ends of the spectrum within 10 %",
        arguments: [(1, 0.5), (3, 0.6), (0.8, 1.6), (6, 6)]
    )
    func ends(low: Double, high: Double) {
        let settings = reverb2 { ($0.decayTimeAt0Hz, $0.decayTimeAtNyquist) = (low, high) }
        let output = ReverbMeasures.response(settings, seconds: 0.7 * max(low, high) + 0.2, limits: .reverb2)
        for (frequency, target) in [(63.0, low), (125, low), (28_000, high)] {
            let (seconds, fit) = ReverbMeasures.decay(output.map { ReverbMeasures.octave($0, at: frequency) })
            #expect(abs(seconds / target - 1) < 0.1, "\(frequency) Hz: \(seconds) s, not \(target) s")
            #expect(fit > 0.99, "\(frequency) Hz: r² \(fit)")
        }
    }

    @Test("Reverb 2 has no pattern, and its sides differ, whatever its reflections", arguments: [1, 2, 500, 1_000])
    func reverb2Colour(seed: Int) {
        let settings = reverb2 { $0.randomizeReflections = seed }
        for onBothSides in [false, true] {
            let output = ReverbMeasures.response(settings, seconds: 1.1, limits: .reverb2, onBothSides: onBothSides)
            let peak = ReverbMeasures.peak(output)
            #expect(peak <= 12, "\(peak) dB")
            let tails = output.map { ReverbMeasures.steadyTail($0, decayTime: 0.9) }
            #expect(abs(ReverbMeasures.correlation(tails[0], tails[1])) < 0.2)
            for tail in tails { #expect(ReverbMeasures.pattern(tail) < 0.1, "\(ReverbMeasures.pattern(tail))") }
        }
    }

    @Test(
        "No tone stands out of the tail of reverb 2, however short its lines and long its decay are",
        arguments: [
            (0.008, 0.05, 3.0, 12.0), (0.008, 0.05, 20, 14), (0.02, 0.03, 1, 12), (0.05, 0.05, 20, 12),
            (0.000_1, 1, 1, 12),
            // Ten milliseconds have too few modes for noise; without rotations a tone stands 28 and 46 dB above the rest.
            (0.000_1, 0.01, 1, 16), (0.000_1, 0.01, 20, 18),
        ]
    )
    func tones(shortest: Double, longest: Double, decayTime: Double, limit: Double) {
        let settings = reverb2 {
            ($0.minDelayTime, $0.maxDelayTime) = (shortest, longest)
            ($0.decayTimeAt0Hz, $0.decayTimeAtNyquist) = (decayTime, decayTime < 20 ? decayTime / 2 : decayTime)
        }
        let peak = ReverbMeasures.peak(ReverbMeasures.response(settings, seconds: 1.1, limits: .reverb2))
        #expect(peak <= limit, "\(peak) dB")
    }

    @Test("Another number of reflections is another pattern of the same space")
    func randomize() {
        let outputs = [1, 2, 3].map { seed in
            ReverbMeasures.response(reverb2 { $0.randomizeReflections = seed }, seconds: 1, limits: .reverb2)
        }
        let again = ReverbMeasures.response(reverb2 { $0.randomizeReflections = 2 }, seconds: 1, limits: .reverb2)
        #expect(again == outputs[1])
        for (first, second) in [(0, 1), (0, 2), (1, 2)] {
            let correlation = ReverbMeasures.correlation(outputs[first][0][...], outputs[second][0][...])
            #expect(abs(correlation) < 0.2, "\(correlation)")
            let times = [first, second].map { ReverbMeasures.decay(outputs[$0]).seconds }
            #expect(abs(times[0] / times[1] - 1) < 0.1, "\(times)")
        }
    }

    @Test(
        "The delays bound the lines and the first reflection",
        arguments: [(0.008, 0.05), (0.02, 0.03), (0.000_1, 1), (0.3, 0.1), (0.05, 0.05), (0.000_1, 0.000_1)]
    )
    func bounds(first: Double, second: Double) {
        for sampleRate in [8_000.0, 48_000, 192_000] {
            for seed in [1, 7] {
                var layout = ReverbLayout(sampleRate: sampleRate, channelCount: 2, limits: .reverb2)
                layout.fill(
                    reverb2 {
                        ($0.minDelayTime, $0.maxDelayTime) = (first, second)
                        $0.randomizeReflections = seed
                    }
                )
                let lengths = (0..<ReverbLayout.count).map { layout.lengths[$0] }
                // What works by steps needs eight frames.
                let shortest = max(8, (min(first, second) * sampleRate).rounded())
                let longest = max(8, (max(first, second) * sampleRate).rounded())
                #expect(lengths.allSatisfy { Double($0) >= shortest && Double($0) <= longest }, "\(lengths)")
                #expect(Double(lengths[0]) < 1.05 * shortest + 20 && Double(lengths[15]) > 0.9 * longest)
                #expect(layout.step <= lengths[0] - ReverbLayout.margin)
            }
        }
        var impulse = [Float](repeating: 0, count: 60_000)
        impulse[0] = 1
        let settings = reverb2 { ($0.minDelayTime, $0.maxDelayTime) = (first, second) }
        let output = ReverbMeasures.reverberated([impulse, impulse], settings, limits: .reverb2)[0]
        let onset = Double(output.firstIndex { $0 != 0 } ?? 0) / Self.sampleRate
        let expected = max(min(first, second), 4 / Self.sampleRate)
        #expect(onset >= expected - 0.000_1 && onset < expected + 0.004, "\(onset)")
    }

    @Test("The gain is exact, and the mix is of equal power")
    func gain() {
        let input = [noise(frameCount: 24_000), noise(frameCount: 24_000, seed: 2)]
        let settings = reverb2 { _ in }
        func output(_ mix: Double, _ gain: Double) -> [Float] {
            ReverbMeasures.reverberated(input, settings, limits: .reverb2, mix: mix, gain: gain)[0]
        }
        let wet = output(1, 1)
        for decibels in [-20.0, -6, 20] {
            let changed = output(1, pow(10, decibels / 20))
            let level = ReverbMeasures.level(changed[...]) - ReverbMeasures.level(wet[...])
            #expect(abs(level - decibels) < 0.001, "\(level)")
        }
        for share in [0.25, 0.5] {
            let (dry, reverb) = (Float(cos(.pi * share / 2)), Float(sin(.pi * share / 2)))
            let mixed = output(share, 1)
            let differences: [Float] = (0..<24_000).map { frame in
                let expected: Float = dry * input[0][frame] + reverb * wet[frame]
                return abs(mixed[frame] - expected)
            }
            #expect(differences.max() ?? 1 < 1e-6)
        }
    }

    // MARK: The matrix reverb

    /// Milliseconds from the impulse to the first and the last sample over −60 dB of the peak.
    private func span(_ settings: ReverbSettings) -> (first: Double, last: Double) {
        var impulse = [Float](repeating: 0, count: 48_000)
        impulse[0] = 1
        let output = ReverbMeasures.reverberated([impulse, impulse], settings)[0]
        let limit = 1e-3 * (output.map(abs).max() ?? 1)
        let places = output.indices.filter { abs(output[$0]) > limit }
        return (Double(places.first ?? 0) / 48, Double(places.last ?? 0) / 48)
    }

    @Test("The small space is over soon, begins after the pre-delay, and is as long as its size")
    func small() {
        for preDelay in [0.001, 0.03] {
            for size in [0.005, 0.02] {
                let (first, last) = span(
                    matrix {
                        ($0.preDelay, $0.smallSize) = (preDelay, size)
                        ($0.smallDelayRange, $0.smallDensity) = (1, 1)
                    }
                )
                #expect(abs(first - 1_000 * preDelay) < 1_000 * size * 0.2, "\(first)")
                // Both steps of diffusion, one half as long as the other.
                #expect(abs(last - 1_000 * (preDelay + 1.48 * size)) < 1_000 * size * 0.25, "\(last)")
            }
        }
        let wide = span(matrix { ($0.smallSize, $0.smallDelayRange, $0.smallDensity) = (0.02, 1, 1) })
        let narrow = span(matrix { ($0.smallSize, $0.smallDelayRange, $0.smallDensity) = (0.02, 0.1, 1) })
        #expect(abs(narrow.last - wide.last) < 3 && narrow.last - narrow.first < 0.2 * (wide.last - wide.first))
    }

    @Test("The large space comes later by its delay, and louder by its share")
    func large() {
        let settings = matrix { ($0.largeShare, $0.largeDelay, $0.preDelay) = (1, 0.05, 0.01) }
        #expect(abs(span(settings).first - 60) < 8, "\(span(settings).first)")
        let pink = ReverbMeasures.pink(frameCount: 144_000)
        let levels = [0, 0.5, 1].map { share -> Double in
            let settings = matrix { $0.largeShare = share }
            return ReverbMeasures.level(ReverbMeasures.reverberated([pink, pink], settings)[0][96_000...])
        }
        // At equal power, so that the sum is about as loud as either.
        #expect(abs(levels[0] - levels[1]) < 2 && abs(levels[2] - levels[1]) < 2, "\(levels)")
        let late = [0.2, 0.8].map { share -> Double in
            let output = ReverbMeasures.response(matrix { $0.largeShare = share }, seconds: 0.6)[0]
            return ReverbMeasures.level(output[14_400...])
        }
        #expect(abs(late[1] - late[0] - 20 * log10(sin(0.4 * .pi) / sin(0.1 * .pi))) < 0.1, "\(late)")
    }

    @Test("The large size is the decay time, and the brightness the part of it at 8 kHz")
    func size() {
        for (size, brightness) in [(0.4, 0.5), (1.0, 0.9), (6, 0.5)] {
            let settings = matrix { ($0.largeShare, $0.largeSize, $0.largeBrightness) = (1, size, brightness) }
            let output = ReverbMeasures.response(settings, seconds: 0.8 * size + 0.3)
            for (frequency, target) in [(1_000.0, size), (8_000, size * brightness)] {
                let seconds = ReverbMeasures.decay(output.map { ReverbMeasures.octave($0, at: frequency) }).seconds
                #expect(abs(seconds / target - 1) < 0.1, "\(size) s, \(frequency) Hz: \(seconds) s")
            }
        }
        // One pole falls only so steeply: the lows then keep to their time.
        let steep = matrix { ($0.largeShare, $0.largeSize, $0.largeBrightness) = (1, 3, 0.1) }
        let output = ReverbMeasures.response(steep, seconds: 3.5)
        let low = ReverbMeasures.decay(output.map { ReverbMeasures.octave($0, at: 125) }).seconds
        let high = ReverbMeasures.decay(output.map { ReverbMeasures.octave($0, at: 8_000) }).seconds
        #expect(low > 2.7 && low < 3.9 && high < 1, "\(low) \(high)")
    }

    @Test("The densities make more echoes of an impulse, and the brightness of the small space its highs")
    func densities() {
        let small = [0, 1].map { density -> Int in
            let settings = matrix { ($0.smallDensity, $0.smallBrightness) = (density, 1) }
            return ReverbMeasures.response(settings, seconds: 0.1)[0].count { abs($0) > 1e-4 }
        }
        #expect(small[0] <= 30 && small[1] > 100, "\(small)")
        let large = [0, 1].map { density -> Double in
            let output = ReverbMeasures.response(
                matrix { ($0.largeShare, $0.largeDensity) = (1, density) },
                seconds: 0.2
            )[0]
            // A space of three seconds is dense by 100 ms.
            let first = density == 0 ? 960 : 2_880
            return (0..<8).map { ReverbMeasures.density(output, at: first + 240 * $0) }.reduce(0, +) / 8
        }
        #expect(large[0] < 0.6 && large[1] > 0.85, "\(large)")
        let highs = [0.1, 0.5, 1].map { brightness -> Double in
            let output = ReverbMeasures.response(matrix { $0.smallBrightness = brightness }, seconds: 0.2)[0]
            let octave = ReverbMeasures.octave(output, at: 8_000)
            return ReverbMeasures.level(octave[...]) - ReverbMeasures.level(ReverbMeasures.octave(output, at: 250)[...])
        }
        #expect(highs[0] < highs[1] - 6 && highs[1] < highs[2] - 3, "\(highs)")
    }

    @Test("The range of the large space spreads its lines about their mean")
    func range() {
        let ratios = [0, 0.3, 1].map { range -> Double in
            let settings = matrix { $0.largeDelayRange = range }
            return settings.longestLine / settings.shortestLine
        }
        #expect(ratios[0] < 1.1 && ratios[1] > 1.3 && ratios[2] > 3, "\(ratios)")
        let outputs = [0, 1].map { range -> [Float] in
            ReverbMeasures.response(matrix { ($0.largeShare, $0.largeDelayRange) = (1, range) }, seconds: 0.8)[0]
        }
        #expect(abs(ReverbMeasures.correlation(outputs[0][...], outputs[1][...])) < 0.5)
    }

    @Test("The modulation spreads a tone the more the deeper it is, and the farther the faster")
    func modulation() {
        // In Hann's window a steady tone has three bins, 0.73 Hz apart.
        func spread(_ rate: Double, _ depth: Double) -> (beyond1: Double, beyond6: Double) {
            let settings = matrix {
                ($0.largeShare, $0.largeSize) = (1, 1)
                ($0.modulationRate, $0.modulationDepth) = (rate, depth)
            }
            let tone = tone(48_000 * 1_024.0 / 65_536, frameCount: 48_000 * 4)
            let output = ReverbMeasures.reverberated([tone, tone], settings)[0]
            let transform = RealFFT(length: 65_536)
            let (samples, spectrum) = (aligned(65_536), aligned(65_538))
            defer {
                samples.deallocate()
                spectrum.deallocate()
            }
            for frame in 0..<65_536 {
                samples[frame] = output[96_000 + frame] * Float(0.5 - 0.5 * cos(2 * .pi * Double(frame) / 65_536))
            }
            transform.forward(samples, into: spectrum)
            let power = (1_000..<1_049).map { bin in
                Double(spectrum[2 * bin]) * Double(spectrum[2 * bin]) + Double(spectrum[2 * bin + 1])
                    * Double(spectrum[2 * bin + 1])
            }
            let all = power.reduce(0, +)
            return (
                decibels((power[..<22].reduce(0, +) + power[27...].reduce(0, +)) / all),
                decibels((power[..<18].reduce(0, +) + power[31...].reduce(0, +)) / all)
            )
        }
        let none = spread(1, 0)
        let (shallow, deep, fast) = (spread(1, 0.2), spread(1, 1), spread(2, 1))
        #expect(none.beyond1 < -80, "\(none)")
        #expect(shallow.beyond1 > -60 && deep.beyond1 > shallow.beyond1 + 6, "\(shallow) \(deep)")
        #expect(fast.beyond6 > deep.beyond6 + 3, "\(fast) \(deep)")
    }

    @Test("The filter shapes what the reverb is fed with, and only that")
    func filter() {
        let input = [noise(frameCount: 24_000), noise(frameCount: 24_000, seed: 2)]
        let bell = FilterSettings(.parametric, frequency: 800, bandwidth: 3, gain: -12)
        func output(_ input: [[Float]], mix: Double, isFiltered: Bool) -> [[Float]] {
            var reverb = Reverb(sampleRate: Self.sampleRate, channelCount: 2)
            reverb.set(matrix { $0.largeShare = 0.5 }, mix: mix)
            reverb.setFilter(bell, isActive: isFiltered)
            return processed(input, block: 500) { planes, _, count in reverb.process(planes, frameCount: count) }
        }
        var filter = SmoothedFilter(sampleRate: Self.sampleRate, channelCount: 2)
        filter.set(bell, isActive: true)
        let filtered = processed(input, block: 500) { planes, _, count in
            filter.process(planes, channelCount: 2, frameCount: count)
        }
        let expected = output(filtered, mix: 1, isFiltered: false)
        for (samples, other) in zip(output(input, mix: 1, isFiltered: true), expected) {
            #expect((zip(samples, other).map { abs($0 - $1) }.max() ?? 1) < 1e-6)
        }
        #expect(output(input, mix: 0, isFiltered: true) == input)
        let change =
            ReverbMeasures.level(expected[0][...])
            - ReverbMeasures.level(output(input, mix: 1, isFiltered: false)[0][...])
        #expect(change < -0.5, "\(change) dB")
    }

    // MARK: Changes

    /// Settings that differ from the ordinary ones in each of the parameters.
    private var changes: [(String, ReverbSettings)] {
        let small = [
            matrix { $0.preDelay = 0.01 }, matrix { $0.smallSize = 0.008 }, matrix { $0.smallDensity = 1 },
            matrix { $0.smallDelayRange = 1 }, matrix { $0.smallBrightness = 0.1 }, matrix { $0.largeShare = 1 },
        ]
        let large = [
            matrix { ($0.largeShare, $0.largeSize) = (1, 10) }, matrix { ($0.largeShare, $0.largeDelay) = (1, 0.1) },
            matrix { ($0.largeShare, $0.largeDensity) = (1, 0) },
            matrix { ($0.largeShare, $0.largeDelayRange) = (1, 1) },
            matrix { ($0.largeShare, $0.largeBrightness) = (1, 0.1) },
            matrix { ($0.largeShare, $0.modulationRate) = (1, 2) },
            matrix { ($0.largeShare, $0.modulationDepth) = (1, 1) },
        ]
        return (small + large).enumerated().map { ("matrix \($0)", $1) }
    }

    @Test("A change of any parameter neither clicks nor interrupts the sound")
    func moves() {
        // Begun gently: a start of its own would sound on. Three tones, since a space may hardly answer to one of them.
        let tones = [100.0, 157, 231].map { tone($0, amplitude: 0.17, frameCount: 72_000) }
        let quiet = tones[0].indices.map { frame in
            tones.reduce(0) { $0 + $1[frame] } * Float(0.5 - 0.5 * cos(.pi * min(1, Double(frame) / 12_000)))
        }
        let cases: [(String, ReverbSettings, ReverbSettings, ReverbLimits)] =
            changes.map { ($0, matrix { $0.largeShare = 0.5 }, $1, .matrix) }
            + ReverbPreset.allCases.map { ("\($0)", ReverbSettings(.largeHall), ReverbSettings($0), .matrix) }
            + [
                reverb2 { $0.minDelayTime = 0.03 }, reverb2 { $0.maxDelayTime = 0.4 },
                reverb2 { $0.decayTimeAt0Hz = 10 }, reverb2 { $0.decayTimeAtNyquist = 5 },
                reverb2 { $0.randomizeReflections = 77 },
            ].enumerated().map { ("reverb 2 \($0)", reverb2 { _ in }, $1, .reverb2) }
        for (name, before, after, limits) in cases {
            let output = ReverbMeasures.reverberated([quiet], before, limits: limits) { place in
                place == 33 * 1_024 ? after : nil
            }[0]
            let high = highPassed(output, frequency: 10_000)
            let click = 20 * log10(Double(high[20_000...].map(abs).max() ?? 1))
            #expect(click < -75, "\(name): \(click) dB")
            let levels = stride(from: 33 * 1_024, to: 60_000, by: 480).map { place in
                ReverbMeasures.level(output[place..<(place + 960)])
            }
            #expect((levels.min() ?? -200) > -40, "\(name): \(levels.min() ?? 0) dB")
        }
    }
}
