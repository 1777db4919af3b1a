import Foundation
import SyrinxDSP
import SyrinxTestSupport
import Testing

/// A sine in units of the frame: `frequency` is cycles a frame.
private func sine(_ frequency: Double, frameCount: Int) -> [Float] {
    (0..<frameCount).map { Float(sin(2 * .pi * frequency * Double($0))) }
}

/// The reading of a varispeed unit: equal rates, and a ratio.
private func read(_ input: [[Float]], ratio: Double, block: Int = 1000) -> [[Float]] {
    let kernel = ResamplerKernel(
        inputRate: 48000,
        outputRate: 48000,
        channelCount: input.count,
        maximumFrameCount: 4096,
        maximumRatio: 4
    )
    kernel.setRatio(ratio)
    return Drive(kernel, input).run(block: block)
}

/// The middle half, where neither end is heard.
private func middle(_ output: [Float]) -> ArraySlice<Float> { output[output.count / 4..<output.count * 3 / 4] }

/// Ratios that are set and not those of two rates, over the range that a varispeed unit has.
@Suite struct ResamplerRatioTests {
    static let ratios = [0.25, 0.3333, 0.5, 0.75, 0.97, 1.03, 1.5, 2, 2.7, 4]

    /// Images count as error too: all that is not the tone, moved.
    @Test("A variable ratio shifts a tone without images", arguments: ratios)
    func theToneComesOutMovedAndNothingElse(ratio: Double) {
        for share in [0.1, 0.6, 0.85, 0.9] {
            let frequency = 0.5 * share * min(1, 1 / ratio)
            let output = read([sine(frequency, frameCount: 2500)], ratio: ratio)[0]
            var error = 0.0
            var level = 0.0
            var power = 0.0
            let first = output.count / 4
            for (index, sample) in zip(first..., middle(output)) {
                let wanted = sin(2 * .pi * frequency * Double(index) * ratio)
                error += (Double(sample) - wanted) * (Double(sample) - wanted)
                level += Double(sample) * wanted
                power += wanted * wanted
            }
            #expect(abs(20 * log10(level / power)) < 0.1, "level at \(share)")
            #expect(decibels(error / power) < (share < 0.9 ? -80 : -50), "error at \(share)")
        }
    }

    @Test("Frequencies above the new band are removed", arguments: ratios.filter { $0 > 1 })
    func whatDoesNotFitIsGone(ratio: Double) {
        for place in [1.0, 1.02, 1.1, 1.5, 1.9, 3.3] where place / ratio < 1 {
            let output = middle(read([sine(0.5 * place / ratio, frameCount: 4000)], ratio: ratio)[0])
            #expect(decibels(2 * energy(output) / Double(output.count)) < -80, "alias of \(place)")
        }
    }

    @Test("A ratio set by hand resamples as two fixed rates do")
    func theRatioOfTwoRatesSetByHandIsTheSame() {
        let input = [noise(frameCount: 5000)]
        let kernel = ResamplerKernel(inputRate: 44100, outputRate: 48000, channelCount: 1, maximumFrameCount: 4096)
        let exact = Drive(kernel, input).run(block: 1000)[0]
        let set = read(input, ratio: 44100 / 48000)[0]
        #expect(exact.count == set.count)
        let difference = zip(exact, set).map { $0 - $1 }
        #expect(decibels(energy(difference[...]) / energy(exact[...])) < -90)
    }

    /// Channels are made in pairs, and by weights that kernels share.
    @Test("A channel is resampled independently of the other channels", arguments: [44100.0, 96000, 44100.5])
    func aChannelIsTheSameBesideOthers(inputRate: Double) {
        let input = (1...5).map { noise(frameCount: 3000, seed: UInt64($0)) }
        func output(_ input: [[Float]]) -> [[Float]] {
            let kernel = ResamplerKernel(
                inputRate: inputRate,
                outputRate: 48000,
                channelCount: input.count,
                maximumFrameCount: 4096
            )
            return Drive(kernel, input).run(block: 700)
        }
        let alone = input.map { output([$0])[0] }
        #expect(output(input) == alone)
    }
}
