import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxDSP

@Suite("Filters", .enabled(if: isOptimized, "Measured in release.")) struct FilterTests {
    private static let rates: [Double] = [8_000, 44_100, 48_000, 192_000]

    /// The closed form: |H| in dB of the biquad that R. Bristow-Johnson's cookbook gives for the settings.
    private static func response(_ settings: FilterSettings, at frequency: Double, sampleRate: Double) -> Double {
        let w0 = 2 * Double.pi * settings.frequency / sampleRate
        let alpha = sin(w0) / (2 * settings.quality(sampleRate: sampleRate))
        let a = pow(10, settings.gain / 40)
        let c = cos(w0)
        let shelf = 2 * a.squareRoot() * alpha
        let (b, d): ([Double], [Double])
        switch settings.type {
        case .parametric: (b, d) = ([1 + alpha * a, -2 * c, 1 - alpha * a], [1 + alpha / a, -2 * c, 1 - alpha / a])
        case .lowPass, .resonantLowPass:
            (b, d) = ([(1 - c) / 2, 1 - c, (1 - c) / 2], [1 + alpha, -2 * c, 1 - alpha])
        case .highPass, .resonantHighPass:
            (b, d) = ([(1 + c) / 2, -(1 + c), (1 + c) / 2], [1 + alpha, -2 * c, 1 - alpha])
        case .bandPass: (b, d) = ([alpha, 0, -alpha], [1 + alpha, -2 * c, 1 - alpha])
        case .bandStop: (b, d) = ([1, -2 * c, 1], [1 + alpha, -2 * c, 1 - alpha])
        case .lowShelf, .resonantLowShelf:
            (b, d) = (
                [a * (a + 1 - (a - 1) * c + shelf), 2 * a * (a - 1 - (a + 1) * c), a * (a + 1 - (a - 1) * c - shelf)],
                [a + 1 + (a - 1) * c + shelf, -2 * (a - 1 + (a + 1) * c), a + 1 + (a - 1) * c - shelf]
            )
        case .highShelf, .resonantHighShelf:
            (b, d) = (
                [a * (a + 1 + (a - 1) * c + shelf), -2 * a * (a - 1 + (a + 1) * c), a * (a + 1 + (a - 1) * c - shelf)],
                [a + 1 - (a - 1) * c + shelf, 2 * (a - 1 - (a + 1) * c), a + 1 - (a - 1) * c - shelf]
            )
        }
        func power(_ taps: [Double]) -> Double {
            let w = 2 * Double.pi * frequency / sampleRate
            let real = taps[0] + taps[1] * cos(w) + taps[2] * cos(2 * w)
            let imaginary = taps[1] * sin(w) + taps[2] * sin(2 * w)
            return real * real + imaginary * imaginary
        }
        return 10 * log10(power(b) / power(d))
    }

    /// Returns the output of a filter, which is set before frame 0 and by `change` before others.
    private func filtered(
        _ input: [[Float]],
        _ settings: FilterSettings,
        sampleRate: Double,
        block: Int = 512,
        change: (Int) -> (FilterSettings, Bool)? = { _ in nil }
    ) -> [[Float]] {
        var filter = SmoothedFilter(sampleRate: sampleRate, channelCount: input.count)
        filter.set(settings, isActive: true)
        return processed(input, block: block) { planes, place, count in
            if let (settings, isActive) = change(place) { filter.set(settings, isActive: isActive) }
            filter.process(planes, channelCount: input.count, frameCount: count)
        }
    }

    /// The level in dB of the impulse response at a frequency, by the sum of its definition.
    private func level(_ response: [Float], at frequency: Double, sampleRate: Double) -> Double {
        let w = 2 * Double.pi * frequency / sampleRate
        var (real, imaginary) = (0.0, 0.0)
        for (frame, sample) in response.enumerated() where sample != 0 {
            real += Double(sample) * cos(w * Double(frame))
            imaginary += Double(sample) * sin(w * Double(frame))
        }
        return 10 * log10(max(real * real + imaginary * imaginary, 1e-30))
    }

    @Test("The response is that of the closed form within 0.05 dB", arguments: FilterType.allCases, rates)
    func response(type: FilterType, sampleRate: Double) {
        for (frequency, bandwidth, gain) in [(60.0, 0.0721, 12.0), (1_000, 0.5, -18), (0.3 * sampleRate, 2, 6)] {
            let settings = FilterSettings(type, frequency: frequency, bandwidth: bandwidth, gain: gain)
            var impulse = [Float](repeating: 0, count: Int(1.5 * sampleRate))
            impulse[0] = 1
            let output = filtered([impulse], settings, sampleRate: sampleRate)[0]
            for probe in [20, 0.5 * frequency, 0.97 * frequency, 1.4 * frequency, 0.45 * sampleRate]
            where probe >= 20 && probe <= 0.45 * sampleRate {
                let expected = Self.response(settings, at: probe, sampleRate: sampleRate)
                // Floats hold an impulse's response to some 140 dB below its loudest sample.
                guard expected > -90 else { continue }
                let actual = level(output, at: probe, sampleRate: sampleRate)
                #expect(
                    abs(actual - expected) < 0.05,
                    "\(type) \(frequency) Hz at \(probe): \(actual), not \(expected)"
                )
            }
        }
    }

    @Test("A narrow filter at 20 Hz and 192 kHz keeps its precision")
    func lowFrequency() {
        let settings = FilterSettings(.parametric, frequency: 20, bandwidth: 0.0721, gain: 24)
        #expect(abs(settings.quality(sampleRate: 192_000) - 20) < 0.05)
        var impulse = [Float](repeating: 0, count: 192_000 * 8)
        impulse[0] = 1
        let output = filtered([impulse], settings, sampleRate: 192_000)[0]
        for probe in [10.0, 19, 20, 21, 40] {
            let expected = Self.response(settings, at: probe, sampleRate: 192_000)
            #expect(abs(level(output, at: probe, sampleRate: 192_000) - expected) < 0.05, "\(probe) Hz")
        }
    }

    @Test("Any change of the settings is free of clicks", arguments: FilterType.allCases)
    func clicks(type: FilterType) {
        let sampleRate = 48_000.0
        let tone = (0..<48_000).map { Float(0.5 * sin(2 * .pi * 100 * Double($0) / sampleRate)) }
        let low = FilterSettings(type, frequency: 20, bandwidth: 0.5, gain: -96)
        let high = FilterSettings(type, frequency: 20_000, bandwidth: 5, gain: 24)
        let ways = [(low, high), (high, low), (FilterSettings(.parametric, frequency: 500, gain: 12), high)]
        for (from, to) in ways {
            let output = filtered([tone], from, sampleRate: sampleRate) { $0 == 24_064 ? (to, true) : nil }[0]
            // A high pass of fourth order at 10 kHz, run forwards.
            let pass = FilterSettings(.highPass, frequency: 10_000)
            let once = filtered([output], pass, sampleRate: sampleRate)
            let twice = filtered(filtered(once, pass, sampleRate: sampleRate), pass, sampleRate: sampleRate)[0]
            let peak = twice[20_000..<30_000].map(abs).max() ?? 1
            #expect(
                20 * log10(Double(max(peak, 1e-9))) < -90,
                "\(type) from \(from) to \(to): \(20 * log10(Double(peak))) dB at \((twice[20_000..<30_000].map(abs).firstIndex(of: peak) ?? 0) + 20_000)"
            )
        }
    }

    @Test("Bypass fades to the input, bit for bit, and back")
    func bypass() {
        let input = [noise(frameCount: 20_000), noise(frameCount: 20_000, seed: 2)]
        let settings = FilterSettings(.lowPass, frequency: 300)
        let output = filtered(input, settings, sampleRate: 48_000, block: 500) {
            $0 == 5_000 ? (settings, false) : $0 == 10_000 ? (settings, true) : nil
        }
        let constant = filtered(input, settings, sampleRate: 48_000, block: 500)
        for channel in 0..<2 {
            #expect(Array(output[channel][..<5_000]) == Array(constant[channel][..<5_000]))
            #expect(Array(output[channel][5_960..<10_000]) == Array(input[channel][5_960..<10_000]))
            #expect(zip(output[channel][15_000...], constant[channel][15_000...]).allSatisfy { abs($0 - $1) < 1e-5 })
        }
    }

    @Test("The output does not depend on the block size, and channels are independent", arguments: [1, 7, 100, 4_096])
    func blocks(block: Int) {
        let input = (0..<3).map { noise(frameCount: 12_600, seed: UInt64($0 + 1)) }
        let first = FilterSettings(.resonantLowPass, frequency: 4_000, bandwidth: 0.3)
        let second = FilterSettings(.resonantLowPass, frequency: 300, bandwidth: 2)
        let third = FilterSettings(.highShelf, frequency: 5_000, gain: -20)
        // At places that every block size meets.
        let change = { (place: Int) -> (FilterSettings, Bool)? in
            switch place {
            case 4_200: (second, true)
            case 8_400: (third, true)
            default: nil
            }
        }
        func pieces(_ block: Int) -> [[Float]] {
            var all = input.map { _ in [Float]() }
            var filter = SmoothedFilter(sampleRate: 48_000, channelCount: 3)
            filter.set(first, isActive: true)
            let planes = Planes(channelCount: 3, frameCount: 4_200)
            for start in stride(from: 0, to: 12_600, by: 4_200) {
                if let (settings, isActive) = change(start) { filter.set(settings, isActive: isActive) }
                var place = 0
                while place < 4_200 {
                    let count = min(block, 4_200 - place)
                    for channel in 0..<3 {
                        for frame in 0..<count {
                            planes.pointers[channel][frame] = input[channel][start + place + frame]
                        }
                    }
                    filter.process(UnsafePointer(planes.pointers), channelCount: 3, frameCount: count)
                    for channel in 0..<3 { all[channel] += (0..<count).map { planes.pointers[channel][$0] } }
                    place += count
                }
            }
            return all
        }
        let whole = pieces(4_200)
        #expect(pieces(block) == whole)
        for channel in 0..<3 {
            let alone = filtered([input[channel]], first, sampleRate: 48_000, block: 4_200, change: change)
            #expect(alone[0] == whole[channel])
        }
    }

    @Test("Modulation at audio rate keeps the output bounded")
    func modulation() {
        var filter = SmoothedFilter(sampleRate: 48_000, channelCount: 1)
        let planes = Planes(channelCount: 1, frameCount: 16)
        var random = SplitMix64(seed: 4)
        var peak: Float = 0
        for _ in 0..<40_000 {
            let settings = FilterSettings(
                .resonantLowPass,
                frequency: exp(Double.random(in: log(20)...log(23_000), using: &random)),
                bandwidth: Double.random(in: 0.05...5, using: &random)
            )
            filter.set(settings, isActive: true)
            for frame in 0..<16 { planes.pointers[0][frame] = Float.random(in: -1...1, using: &random) }
            filter.process(UnsafePointer(planes.pointers), channelCount: 1, frameCount: 16)
            for frame in 0..<16 { peak = max(peak, abs(planes.pointers[0][frame])) }
        }
        #expect(peak.isFinite && peak < 100, "\(peak)")
    }

    @Test("Silence follows silence exactly, within the stated tail", arguments: FilterType.allCases)
    func silence(type: FilterType) {
        let settings = FilterSettings(type, frequency: 200, bandwidth: 0.1, gain: 12)
        let input = noise(frameCount: 10_000) + [Float](repeating: 0, count: 480_000)
        let output = filtered([input], settings, sampleRate: 48_000)[0]
        let tail = FilterCoefficients(settings, sampleRate: 48_000).tailTime(sampleRate: 48_000)
        let last = output.lastIndex { $0 != 0 } ?? 0
        #expect(Double(last - 10_000) <= tail * 48_000 + 64, "\(type): \(last - 10_000) frames of \(tail * 48_000)")
        #expect(output.allSatisfy { !$0.isSubnormal })
    }

    @Test("A filter allocates no memory while it runs")
    func allocates() {
        var filter = SmoothedFilter(sampleRate: 48_000, channelCount: 2)
        let planes = Planes(channelCount: 2, frameCount: 512)
        let count = allocations {
            for round in 0..<40 {
                let type: FilterType = round % 7 == 0 ? .lowShelf : .parametric
                let settings = FilterSettings(type, frequency: 100 * Double(round + 1), gain: Double(round % 20))
                filter.set(settings, isActive: round % 11 != 0)
                filter.process(UnsafePointer(planes.pointers), channelCount: 2, frameCount: 512)
            }
        }
        #expect(count == 0)
    }
}
