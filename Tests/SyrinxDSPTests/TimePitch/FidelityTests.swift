import Foundation
import SyrinxDSP
import Testing

/// The properties that rate and pitch must not change, for both methods.
@Suite struct FidelityTests {
    static let methods = EachMethodTests.methods
    static let rates = [0.5, 0.75, 1.25, 1.5, 2, 3]

    @Test("A steady tone keeps a steady level", arguments: rates, methods)
    func aSteadyToneDoesNotSwing(rate: Double, method: TimePitchAlgorithm) {
        let output = stretched([tones([1000], frameCount: Int(30000 * rate))], rate: rate, algorithm: method)[0]
        // Ten periods at a time.
        let levels = stride(from: 6000, to: output.count - 6441, by: 147).map { start in
            fit(output[start..<start + 441].map(Double.init), [1000]).amplitudes[0]
        }
        let (least, most) = (levels.min() ?? 0, levels.max() ?? 1)
        #expect((most - least) / (most + least) < 0.005, "\(100 * (most - least) / (most + least)) %")
    }

    /// The right channel is half as loud and 40° ahead.
    @Test("A panned source keeps its level and phase difference", arguments: [0.5, 1.5, 3], methods)
    func aPannedSourceStaysWhereItIs(rate: Double, method: TimePitchAlgorithm) {
        let frequencies = [220.0, 1000, 5003]
        let count = Int(30000 * rate)
        let left = tones(frequencies, frameCount: count)
        let right = (0..<count).map { frame in
            var sum = 0.0
            for (index, frequency) in frequencies.enumerated() {
                sum += sin(2 * .pi * (frequency * Double(frame) / sampleRate + 40.0 / 360) + Double(index))
            }
            return Float(0.1 * sum)
        }
        let output = stretched([left, right], rate: rate, algorithm: method)
        for start in [6000, 12500] {
            let heard = output.map { fit($0[start..<start + 11025].map(Double.init), frequencies) }
            for tone in frequencies.indices {
                let level = 20 * log10(heard[1].amplitudes[tone] / heard[0].amplitudes[tone] / 0.5)
                let turn = heard[1].phases[tone] - heard[0].phases[tone] - 40 * .pi / 180
                #expect(abs(level) < 0.1 && abs(turn.remainder(dividingBy: 2 * .pi)) < 2 * .pi / 180)
            }
        }
    }

    /// Thirds of an octave from 1 kHz up, where two seconds are enough to tell; and the power, folded at the hop.
    @Test("White noise keeps a flat spectrum", arguments: [0.5, 1.5], methods)
    func whiteNoiseStaysWhite(rate: Double, method: TimePitchAlgorithm) {
        let output = stretched([noise(frameCount: Int(88200 * rate))], rate: rate, algorithm: method)[0]
        let inner = Array(output[4410..<output.count - 4410])
        let spectrum = powers(of: inner, length: 2048)
        let bands = (0..<13).map { band in
            let bins = (band..<band + 2).map { Int(1000 * exp2(Double($0) / 3) / sampleRate * 2048) }
            return spectrum[bins[0]..<bins[1]].reduce(0, +) / Double(bins[1] - bins[0])
        }
        let mean = bands.reduce(0, +) / 13
        #expect(bands.allSatisfy { abs(decibels($0 / mean)) < 1 }, "\(bands.map { decibels($0 / mean) })")
        let hop = method == .spectral ? 384 : 441
        var folded = [Double](repeating: 0, count: hop)
        for index in inner.indices { folded[index % hop] += Double(inner[index]) * Double(inner[index]) }
        let swing = fit(folded, [sampleRate / Double(hop)]).amplitudes[0] / (folded.reduce(0, +) / Double(hop))
        #expect(swing < 0.06, "\(swing)")
    }

    /// The power in each bin, the mean over windows that overlap by half.
    private func powers(of samples: [Float], length: Int) -> [Double] {
        let transform = RealFFT(length: length)
        let (block, spectrum) = (aligned(length), aligned(length + 2))
        defer { [block, spectrum].forEach { $0.deallocate() } }
        var powers = [Double](repeating: 0, count: length / 2)
        for start in stride(from: 0, through: samples.count - length, by: length / 2) {
            for index in 0..<length {
                block[index] = samples[start + index] * Float(0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(length)))
            }
            transform.forward(block, into: spectrum)
            for bin in powers.indices {
                let (re, im) = (Double(spectrum[2 * bin]), Double(spectrum[2 * bin + 1]))
                powers[bin] += re * re + im * im
            }
        }
        return powers
    }

    @Test("Full-scale signals overshoot by less than 1 dB", arguments: [0.5, 1.5, 3], methods)
    func fullScaleStaysWithinADecibel(rate: Double, method: TimePitchAlgorithm) {
        let count = Int(20000 * rate)
        let sine = stretched([tones([997], amplitude: 1, frameCount: count)], rate: rate, algorithm: method)[0]
        #expect(sine.allSatisfy { abs($0) < 1.122 })
        let square = (0..<count).map { Float($0 / 50 % 2 == 0 ? 1 : -1) }
        #expect(stretched([square], rate: rate, algorithm: method)[0].allSatisfy { abs($0) < 2 })
    }

    @Test("Silence stays silent, and denormal numbers cost no time", arguments: methods)
    func silenceStaysAndTinyBecomesNoTrouble(method: TimePitchAlgorithm) {
        let silence = [Float](repeating: 0, count: 9000)
        #expect(stretched([silence], rate: 0.6, cents: 30, algorithm: method)[0].allSatisfy { $0 == 0 })
        let tiny = [Float](repeating: Float(bitPattern: 7), count: 9000)
        #expect(stretched([tiny], rate: 0.6, algorithm: method)[0].allSatisfy { $0 == 0 || $0.isNormal })
    }

    /// A constant, which begins with a step, stays what it is.
    @Test(
        "A constant signal keeps its value",
        arguments: methods,
        [(0.5, 0), (1.5, 0), (0.75, 300)] as [(Double, Double)]
    )
    func aConstantStays(method: TimePitchAlgorithm, setting: (rate: Double, cents: Double)) {
        let input = [Float](repeating: 0.25, count: Int(20000 * setting.rate))
        let output = stretched([input], rate: setting.rate, cents: setting.cents, algorithm: method)[0]
        #expect(output[6000..<14000].allSatisfy { abs($0 - 0.25) < 0.0005 })
    }

    @Test("Fidelity is the same at every sample rate", arguments: [8000.0, 11025, 22050, 48000, 96000, 192_000])
    func anySampleRateIsAsGood(rate: Double) {
        // As the helpers count them, at 44.1 kHz.
        let frequencies = [220.0, 1000, 3003].map { $0 * sampleRate / rate }
        for method in Self.methods {
            let kernel = TimePitchKernel(sampleRate: rate, channelCount: 1, maximumFrameCount: 4096)
            kernel.setRate(1.5)
            kernel.setAlgorithm(method)
            let skip = Int(rate * 0.08)
            let count = Int(1.5 * Double(11025 + 2 * skip))
            // Pieces are joined on whole frames, and so are periods here.
            let alone = method == .spectral ? frequencies : [sampleRate / 44]
            let output = Drive(kernel, [tones(alone, frameCount: count)]).run(block: 1024)[0]
            #expect(abs(output.count - (11025 + 2 * skip)) <= 1)
            #expect(purity(output, alone, skip: skip - 10) > (method == .spectral ? 60 : 40))
        }
    }

    /// Each keeps its own tone, of which all come again after 300 frames; and the one that has none stays silent.
    @Test("Each of up to eight channels keeps its own tone", arguments: [1, 2, 3, 6, 8], methods)
    func anyNumberOfChannelsKeepTheirOwn(channelCount: Int, method: TimePitchAlgorithm) {
        var input = (0..<channelCount).map { tones([147 * Double($0 + 2)], frameCount: 24000) }
        if channelCount > 1 { input[channelCount - 1] = [Float](repeating: 0, count: 24000) }
        let output = stretched(input, rate: 1.25, algorithm: method)
        for channel in 0..<channelCount {
            let block = output[channel][5000..<9410].map(Double.init)
            if channel > 0, channel == channelCount - 1 {
                #expect(block.allSatisfy { $0 == 0 })
            } else {
                let heard = fit(block, [147 * Double(channel + 2)])
                #expect(decibels(heard.ratio) > 30 && abs(20 * log10(heard.amplitudes[0] / 0.2)) < 0.5)
            }
        }
    }

    @Test("The automatic algorithm is the spectral one")
    func automaticIsSpectral() {
        let input = [noise(frameCount: 6000)]
        for cents in [0.0, 300] {
            let chosen = stretched(input, rate: 1.3, cents: cents)
            #expect(chosen == stretched(input, rate: 1.3, cents: cents, algorithm: .spectral))
            #expect(chosen != stretched(input, rate: 1.3, cents: cents, algorithm: .timeDomain))
        }
    }
}
