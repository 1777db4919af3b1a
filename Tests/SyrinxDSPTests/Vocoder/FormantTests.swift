import Foundation
import SyrinxDSP
import Testing

/// The spectral envelope of a vowel stays while its pitch changes.
@Suite struct FormantTests {
    /// The frequencies and the bandwidths of the formants of three vowels in Hz (Peterson and Barney 1952).
    enum Vowel: CaseIterable {
        case a, i, u

        var formants: [(centre: Double, width: Double)] {
            let lowest: [Double] =
                switch self {
                case .a: [730, 1090, 2440]
                case .i: [270, 2290, 3010]
                case .u: [300, 870, 2240]
                }
            let known = zip(lowest + [3400, 4500], [70.0, 90, 140, 200, 250]).map { (centre: $0, width: $1) }
            // The tract resonates every 1000 Hz above these.
            return known + stride(from: 5500.0, to: 24_000, by: 1000).map { (centre: $0, width: 300) }
        }

        /// The level of a partial in dB.
        func level(_ frequency: Double) -> Double {
            // The glottis and the lips: 6 dB an octave.
            let source = -10 * log10(1 + pow(frequency / 150, 2))
            return formants.reduce(source) { sum, formant in
                let pole = formant.centre * formant.centre + formant.width * formant.width / 4
                let real = pole - frequency * frequency
                let imaginary = formant.width * frequency
                return sum + 20 * log10(pole / (real * real + imaginary * imaginary).squareRoot())
            }
        }
    }

    private func voice(_ vowel: Vowel, pitch: Double) -> [Float] {
        let partials = stride(from: pitch, to: 20_000, by: pitch).map { ($0, pow(10, vowel.level($0) / 20)) }
        return (0..<44_100).map { frame in
            let time = Double(frame) / sampleRate
            let sum = partials.enumerated().reduce(0) { sum, partial in
                let (frequency, amplitude) = partial.element
                let start = Double(partial.offset * partial.offset)
                return sum + amplitude * sin(2 * .pi * frequency * time + start)
            }
            return Float(0.02 * sum)
        }
    }

    /// The amplitude of a partial in the middle of the samples, through Hann's window of twelve periods.
    private func amplitude(_ samples: [Float], _ frequency: Double, pitch: Double) -> Double {
        let count = Int((12 * sampleRate / pitch).rounded())
        var (re, im) = (0.0, 0.0)
        for index in 0..<count {
            let weight = 1 - cos(2 * .pi * Double(index) / Double(count))
            let angle = 2 * .pi * frequency * Double(index) / sampleRate
            let value = weight * Double(samples[20_000 + index])
            re += value * cos(angle)
            im += value * sin(angle)
        }
        return 2 * (re * re + im * im).squareRoot() / Double(count)
    }

    /// The bar is 1 dB; smoothing of one order for all voices is off by 2 to 4 dB.
    @Test(
        "The partials below 5 kHz keep to the envelope of the vowel within 1 dB, as a root mean square",
        arguments: [-700.0, -300, 300, 700],
        Vowel.allCases
    )
    func envelopeStays(cents: Double, vowel: Vowel) {
        for pitch in [100.0, 140] {
            let output = stretched([voice(vowel, pitch: pitch)], rate: 1, cents: cents, preservesFormants: true)[0]
            let own = pitch * exp2(cents / 1200)
            let errors = stride(from: own, to: 5000, by: own).map { frequency in
                20 * log10(amplitude(output, frequency, pitch: own) / 0.02) - vowel.level(frequency)
            }
            let error = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
            #expect(error < 1, "\(pitch) Hz: \(error) dB; \(errors.map { ($0 * 10).rounded() / 10 })")
        }
    }

    /// Noise has no partials, and its envelope is smooth.
    @Test("Noise with a resonance keeps it", arguments: [-700.0, 700])
    func noiseKeepsItsResonance(cents: Double) {
        // A resonance at 2 kHz.
        var (one, two): (Double, Double) = (0, 0)
        let radius = exp(-.pi * 300 / sampleRate)
        let input = noise(frameCount: 132_300).map { sample in
            let value = Double(sample) + 2 * radius * cos(2 * .pi * 2000 / sampleRate) * one - radius * radius * two
            (two, one) = (one, value)
            return Float(0.02 * value)
        }
        /// The middle of the power between 1 and 4 kHz.
        func centre(_ samples: [Float]) -> Double {
            let bands = stride(from: 1000.0, to: 4000, by: 50)
            let powers = bands.map { frequency in
                stride(from: 10_000, to: 100_000, by: 4000).reduce(0) { sum, start in
                    sum + pow(amplitude(Array(samples[start..<start + 1024]), at: frequency), 2)
                }
            }
            return zip(bands, powers).reduce(0) { $0 + $1.0 * $1.1 } / powers.reduce(0, +)
        }
        func amplitude(_ samples: [Float], at frequency: Double) -> Double {
            var (re, im) = (0.0, 0.0)
            for index in 0..<1024 {
                let weight = 1 - cos(2 * .pi * Double(index) / 1024)
                let angle = 2 * .pi * frequency * Double(index) / sampleRate
                re += weight * Double(samples[index]) * cos(angle)
                im += weight * Double(samples[index]) * sin(angle)
            }
            return (re * re + im * im).squareRoot()
        }
        let kept = stretched([input], rate: 1, cents: cents, preservesFormants: true)[0]
        #expect(abs(1200 * log2(centre(kept) / centre(input))) < 100)
    }

    /// Resampling spreads noise over a band that is wider by the ratio: 1.75 dB at 700 cents.
    @Test("Noise keeps its level within 0.5 dB", arguments: [-700.0, -300, 300, 700])
    func noiseKeepsItsLevel(cents: Double) {
        // Below 500 Hz, so that the band that is lost at the top has no power.
        let decay = Float(exp(-2 * .pi * 500 / sampleRate))
        var last: Float = 0
        let input = noise(frameCount: 132_300).map { sample in
            last = (1 - decay) * sample + decay * last
            return last
        }
        let output = stretched([input], rate: 1, cents: cents, preservesFormants: true)[0]
        let change = decibels(energy(output[10_000..<120_000]) / energy(input[10_000..<120_000]))
        #expect(abs(change) < 0.5, "\(change) dB")
    }
}
