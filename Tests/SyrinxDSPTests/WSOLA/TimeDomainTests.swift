import Foundation
import SyrinxDSP
import Testing

/// The method for speech: pieces of the waveform joined where they fit.
@Suite struct TimeDomainTests {
    /// A voice-like sound: pulses of one pitch through two resonances, louder and softer as syllables are.
    func voice(pitch: Double, frameCount: Int) -> [Float] {
        let partials = (1...Int(4000 / pitch)).map { Double($0) * pitch }
        let weights = partials.map { 1 / (1 + pow(($0 - 600) / 150, 2)) + 0.5 / (1 + pow(($0 - 1700) / 200, 2)) }
        // It comes again after whole periods that are whole frames.
        let periods = (1...20).first { (Double($0) * sampleRate / pitch).remainder(dividingBy: 1) == 0 } ?? 1
        let cycle = (0..<Int(Double(periods) * sampleRate / pitch)).map { frame in
            var sum = 0.0
            for (partial, weight) in zip(partials, weights) {
                sum += weight * sin(2 * .pi * partial * Double(frame) / sampleRate + partial)
            }
            return Float(0.2 * sum)
        }
        return (0..<frameCount).map { cycle[$0 % cycle.count] }
    }

    // Periods of whole frames, as joins lie on frames.
    @Test("A voice keeps its pitch and loudness at every rate", arguments: [0.5, 1.5, 3], [105.0, 210.0])
    func aVoiceKeepsItsPitchAndLoudness(rate: Double, pitch: Double) {
        let input = voice(pitch: pitch, frameCount: Int(44100 * max(rate, 1)))
        let output = stretched([input], rate: rate, algorithm: .timeDomain)[0]
        // What joins badly does not come again with the voice's own period.
        #expect(periodicity(output, period: Int(sampleRate / pitch)) > 40)
        let loudness = (energy(output[11025..<33075]) / 22050).squareRoot()
        let wanted = (energy(input[11025..<33075]) / 22050).squareRoot()
        #expect(abs(20 * log10(loudness / wanted)) < 0.5)
        #expect(quietest(output[4000..<output.count - 4000], frames: 882) > 0.8 * wanted)
    }

    /// The power of sound without a period stays the same, and no repetition colors the noise.
    @Test("Stretched noise keeps its power and is not coloured", arguments: [0.5, 0.75, 1.5, 3])
    func noiseStaysNoise(rate: Double) {
        let input = noise(frameCount: Int(88200 * rate))
        let output = stretched([input], rate: rate, algorithm: .timeDomain)[0]
        let inner = output[4410..<output.count - 4410]
        let loudness = (energy(inner) / Double(inner.count)).squareRoot()
        #expect(abs(20 * log10(loudness / (energy(input) / Double(input.count)).squareRoot())) < 0.1)
        // The power, folded at the distance of the joins, 10 ms: without evening out, its swing is 30 % and more.
        var folded = [Double](repeating: 0, count: 441)
        for index in inner.indices { folded[index % 441] += Double(inner[index]) * Double(inner[index]) }
        let swing = fit(folded, [sampleRate / 441]).amplitudes[0] / (folded.reduce(0, +) / 441)
        #expect(swing < 0.06, "\(swing)")
        // A repeat after 5 to 25 ms would show in the correlation with itself.
        let samples = Array(inner)
        let whole = energy(samples)
        let repeated = stride(from: 220, to: 1102, by: 1).map { distance in
            var product = 0.0
            for index in stride(from: 0, to: samples.count - distance, by: 31) {
                product += Double(samples[index]) * Double(samples[index + distance])
            }
            return product * 31 / whole
        }
        #expect(repeated.allSatisfy { abs($0) < 0.1 }, "\(repeated.map { abs($0) }.max() ?? 0)")
    }

    @Test("A tone of any period keeps its pitch", arguments: [0.5, 1.5, 3])
    func pitchIsKeptWhateverThePeriod(rate: Double) {
        for pitch in [95.3, 151.7, 333.3] {
            let tone = tones([pitch], frameCount: Int(44100 * max(rate, 1)))
            let output = stretched([tone], rate: rate, algorithm: .timeDomain)[0]
            #expect(abs(centsOff(output, pitch)) < 4, "\(pitch) Hz")
        }
    }

    /// The phase of a slow swell tells what input is heard.
    @Test("A click is heard within half a period of the time map", arguments: [0.5, 1.25, 3])
    func whatIsHeardIsWithinHalfAPeriodOfTheMap(rate: Double) {
        let frequency = 2.0
        let count = Int(88200 * max(rate, 1))
        let input = (0..<count).map { frame in
            let swell = 0.5 + 0.4 * sin(2 * .pi * frequency * Double(frame) / sampleRate)
            return Float(swell * sin(2 * .pi * 500 * Double(frame) / sampleRate))
        }
        let output = stretched([input], rate: rate, algorithm: .timeDomain)[0]
        for index in stride(from: 8820, to: 79380, by: 441) where index + 300 < output.count {
            let heard = (2 * energy(output[index - 220..<index + 220]) / 440).squareRoot()
            let wanted = 0.5 + 0.4 * sin(2 * .pi * frequency * Double(index) * rate / sampleRate)
            // 8 ms of the swell at its steepest, and what 10 ms of it blur.
            #expect(abs(heard - wanted) < 0.4 * 2 * .pi * frequency * (0.008 + 0.004 * rate))
        }
    }

    @Test("Switching the algorithm does not click", arguments: [0.6, 1.5], [0.0, 300])
    func switchingMethodsDoesNotClick(rate: Double, cents: Double) {
        let ratio = exp2(cents / 1200)
        let kernel = TimePitchKernel(sampleRate: 44100, channelCount: 1, maximumFrameCount: 4096)
        let drive = Drive(kernel, [tones([441], amplitude: 0.5, frameCount: 150_000)])
        kernel.setRate(rate)
        kernel.setPitch(cents: cents)
        for round in 1...20 {
            kernel.setAlgorithm(round % 2 == 0 ? .spectral : .timeDomain)
            drive.run(block: 64, until: round * 4410)
        }
        let output = drive.output[0][4410..<20 * 4410]
        #expect(steepest(output) < Float(0.5 * 2 * Double.pi * 441 / 44100 * ratio * 1.15))
        #expect(quietest(output, frames: 441) > 0.25)
        #expect(output.allSatisfy { abs($0) < 0.6 })
    }

    /// A vowel's two formants stay; without the option they go up with the pitch.
    @Test("Formants stay in place when they are preserved", arguments: [-500.0, 500])
    func formantsStayWhereTheyAre(cents: Double) {
        let input = voice(pitch: 120, frameCount: 66150)
        func centre(_ samples: [Float], pitch: Double) -> Double {
            let partials = (1...Int(1150 / pitch)).map { Double($0) * pitch }
            let block = samples[22050..<33075].map(Double.init)
            let amplitudes = fit(block, partials).amplitudes
            let powers = amplitudes.map { $0 * $0 }
            return zip(partials, powers).reduce(0) { $0 + $1.0 * $1.1 } / powers.reduce(0, +)
        }
        let ratio = exp2(cents / 1200)
        let source = centre(input, pitch: 120)
        let kept = stretched([input], rate: 1, cents: cents, preservesFormants: true)[0]
        let moved = stretched([input], rate: 1, cents: cents)[0]
        #expect(abs(1200 * log2(centre(kept, pitch: 120 * ratio) / source)) < 120)
        #expect(abs(1200 * log2(centre(moved, pitch: 120 * ratio) / source)) > 250)
    }
}
