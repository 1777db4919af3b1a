import Foundation
import SyrinxTestSupport

@testable import SyrinxDSP

/// The measures of a reverb, at 48 kHz.
enum ReverbMeasures {
    static let sampleRate = 48_000.0

    /// The response of both sides to an impulse on the left, or on both sides, from the end of the pre-delay on.
    static func response(
        _ settings: ReverbSettings,
        seconds: Double,
        limits: ReverbLimits = .matrix,
        onBothSides: Bool = false
    ) -> [[Float]] {
        let delay = Int((settings.preDelay + settings.lateDelay) * sampleRate)
        let count = Int(seconds * sampleRate) + delay
        var impulse = [Float](repeating: 0, count: count)
        impulse[0] = 1
        let right = onBothSides ? impulse : [Float](repeating: 0, count: count)
        let output = reverberated([impulse, right], settings, limits: limits)
        return output.map { Array($0[delay...]) }
    }

    static func reverberated(
        _ input: [[Float]],
        _ settings: ReverbSettings,
        limits: ReverbLimits = .matrix,
        mix: Double = 1,
        gain: Double = 1,
        sampleRate: Double = ReverbMeasures.sampleRate,
        block: Int = 512,
        change: (Int) -> ReverbSettings? = { _ in nil }
    ) -> [[Float]] {
        var reverb = Reverb(sampleRate: sampleRate, channelCount: input.count, limits: limits)
        reverb.set(settings, mix: mix, gain: gain)
        return processed(input, block: block) { planes, place, count in
            if let settings = change(place) { reverb.set(settings, mix: mix, gain: gain) }
            reverb.process(planes, frameCount: count)
        }
    }

    /// The samples of the octave around a frequency, or of what lies above its lower edge: Butterworth filters of four poles.
    static func octave(_ samples: [Float], at frequency: Double) -> [Float] {
        let edges = (frequency / 2.0.squareRoot(), frequency * 2.0.squareRoot())
        var filters = [0.541_2, 1.306_6].map { FilterSettings(.highPass, frequency: edges.0, quality: $0) }
        if edges.1 < 0.45 * sampleRate {
            filters += [0.541_2, 1.306_6].map { FilterSettings(.lowPass, frequency: edges.1, quality: $0) }
        }
        return filters.reduce([samples]) { result, settings in
            var filter = SmoothedFilter(sampleRate: sampleRate, channelCount: 1)
            filter.set(settings, isActive: true)
            return processed(result, block: 4_096) { planes, _, count in
                filter.process(planes, channelCount: 1, frameCount: count)
            }
        }[0]
    }

    /// The decay time by a line through the backward integral of both sides from −5 to −35 dB (ISO 3382), and r² of the line.
    static func decay(_ sides: [[Float]]) -> (seconds: Double, fit: Double) {
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
        return (-60 / (xy / xx) / sampleRate, xy * xy / (xx * yy))
    }

    /// The echo density of 20 ms around a frame: the share of samples beyond a standard deviation, over that of noise (J. Abel,
    /// P. Huang, "A simple, robust measure of reverberation echo density", 2006).
    static func density(_ samples: [Float], at frame: Int) -> Double {
        let window = samples[max(0, frame - 480)..<min(samples.count, frame + 480)].map(Double.init)
        let deviation = (window.map { $0 * $0 }.reduce(0, +) / Double(window.count)).squareRoot()
        return Double(window.count { abs($0) > deviation }) / Double(window.count) / 0.3173
    }

    /// The highest peak of the tail's spectrum over the median of a third of an octave around it, in dB.
    ///
    /// From 100 Hz to 10 kHz, from 0.1 to 1 s; the power of both sides together.
    ///
    /// Noise that decays gives 8 to 10 dB.
    static func peak(_ sides: [[Float]]) -> Double {
        let (length, count) = (65_536, 43_200)
        let transform = RealFFT(length: length)
        let (samples, spectrum) = (aligned(length), aligned(length + 2))
        defer {
            samples.deallocate()
            spectrum.deallocate()
        }
        var power = [Double](repeating: 0, count: length / 2)
        for side in sides {
            for frame in 0..<length {
                let window = frame < count ? 0.5 - 0.5 * cos(2 * Double.pi * Double(frame) / Double(count)) : 0
                samples[frame] = frame < count ? side[4_800 + frame] * Float(window) : 0
            }
            transform.forward(samples, into: spectrum)
            for bin in power.indices {
                let (real, imaginary) = (Double(spectrum[2 * bin]), Double(spectrum[2 * bin + 1]))
                power[bin] += real * real + imaginary * imaginary
            }
        }
        var worst = 0.0
        let width = exp2(1.0 / 6)
        for bin in Int(100 * Double(length) / sampleRate)..<Int(10_000 * Double(length) / sampleRate)
        where power[bin] >= power[bin - 1] && power[bin] >= power[bin + 1] {
            let around = power[Int(Double(bin) / width)...Int(Double(bin) * width) + 1]
            // Sorted only where the median is low enough for a higher peak.
            let limit = power[bin] / max(worst, .leastNormalMagnitude)
            guard around.count(where: { $0 < limit }) > around.count / 2 else { continue }
            worst = max(worst, power[bin] / around.sorted()[around.count / 2])
        }
        return decibels(worst)
    }

    /// The largest autocorrelation beyond 5 ms of what is left of a tail when its decay, at 1 kHz, and its slope are taken away.
    static func pattern(_ tail: ArraySlice<Float>) -> Double {
        let white = zip(tail.dropFirst(), tail).map { $0 - 0.97 * $1 }
        let power = product(white[...], white[...])
        var worst = 0.0
        for lag in 240..<min(white.count / 2, 9_600) {
            worst = max(worst, abs(product(white[lag...], white[..<(white.count - lag)])) / power)
        }
        return worst
    }

    /// The tail from 0.1 s on, with its decay undone, so that it is noise of a steady level.
    static func steadyTail(_ samples: [Float], decayTime: Double) -> ArraySlice<Float> {
        let count = Int(min(0.5, decayTime / 2) * sampleRate)
        let growth: Double = 3 * log(10) / sampleRate / decayTime
        let steady: [Float] = (0..<count).map { samples[4_800 + $0] * Float(exp(growth * Double($0))) }
        return steady[...]
    }

    static func correlation(_ a: ArraySlice<Float>, _ b: ArraySlice<Float>) -> Double {
        product(a, b) / (product(a, a) * product(b, b)).squareRoot()
    }

    static func product(_ a: ArraySlice<Float>, _ b: ArraySlice<Float>) -> Double {
        a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { b in
                let count = min(a.count, b.count)
                // Eight sums, which do not wait for each other.
                var sums = SIMD8<Double>()
                var index = 0
                while index + 8 <= count {
                    let one = UnsafeRawPointer(a.baseAddress! + index).loadUnaligned(as: SIMD8<Float>.self)
                    let other = UnsafeRawPointer(b.baseAddress! + index).loadUnaligned(as: SIMD8<Float>.self)
                    sums += SIMD8<Double>(one) * SIMD8<Double>(other)
                    index += 8
                }
                return (index..<count).reduce(sums.sum()) { $0 + Double(a[$1]) * Double(b[$1]) }
            }
        }
    }

    /// Pink noise by the sum of noises that hold for 1, 2, 4, … frames (R. Voss).
    static func pink(frameCount: Int) -> [Float] {
        var random = SplitMix64(seed: 5)
        var rows = [Float](repeating: 0, count: 14)
        return (0..<frameCount).map { frame -> Float in
            rows[min(13, (frame + 1).trailingZeroBitCount)] = Float.random(in: -0.1...0.1, using: &random)
            return rows.reduce(0, +)
        }
    }

    /// The level in dB.
    static func level(_ samples: ArraySlice<Float>) -> Double {
        decibels(energy(samples) / Double(samples.count))
    }
}
