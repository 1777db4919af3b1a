import Foundation
import SyrinxDSP
import SyrinxTestSupport
import Testing

private func resampled(_ input: [[Float]], _ from: Double, _ to: Double, block: Int = 1000) -> [[Float]] {
    let kernel = ResamplerKernel(inputRate: from, outputRate: to, channelCount: input.count, maximumFrameCount: 4096)
    return Drive(kernel, input).run(block: block)
}

/// A sine in units of the frame: `frequency` is cycles a frame.
private func sine(_ frequency: Double, frameCount: Int) -> [Float] {
    (0..<frameCount).map { Float(sin(2 * .pi * frequency * Double($0))) }
}

@Suite struct ResamplerKernelTests {
    static let pairs: [(Double, Double)] = [
        (44100, 48000), (48000, 44100), (44100, 22050), (22050, 44100), (8000, 48000), (96000, 44100), (44100, 44101),
    ]

    @Test("Each output frame is the input at its exact time", arguments: pairs)
    func everyOutputFrameIsTheInputAtItsTime(from: Double, to: Double) {
        let ratio = from / to
        for share in [0.01, 0.3, 0.6, 0.9] {
            let frequency = 0.5 * share * min(1, 1 / ratio)
            let output = resampled([sine(frequency, frameCount: 6000)], from, to)[0]
            var error = 0.0
            var ripple = 0.0
            let range = output.count / 4..<output.count * 3 / 4
            for index in range {
                let wanted = sin(2 * .pi * frequency * Double(index) * ratio)
                error += (Double(output[index]) - wanted) * (Double(output[index]) - wanted)
                ripple += Double(output[index]) * wanted * 2
            }
            #expect(abs(20 * log10(ripple / Double(range.count))) < 0.1, "ripple at \(share)")
            #expect(decibels(2 * error / Double(range.count)) < (share < 0.9 ? -85 : -50), "error at \(share)")
        }
    }

    @Test(
        "Frequencies above the new band are removed",
        arguments: [(48000.0, 44100.0), (44100.0, 22050.0), (96000.0, 44100.0), (44100, 11025)] as [(Double, Double)]
    )
    func whatDoesNotFitIsGone(from: Double, to: Double) {
        for place in [1.0, 1.02, 1.1, 1.5, 1.9] where place * to / from < 1 {
            let output = resampled([sine(0.5 * place * to / from, frameCount: 8000)], from, to)[0]
            let middle = output[output.count / 4..<output.count * 3 / 4]
            #expect(decibels(2 * energy(middle) / Double(middle.count)) < -80, "alias of \(place)")
        }
    }

    @Test(
        "Images of the spectrum are removed",
        arguments: [(22050.0, 44100.0), (44100.0, 48000.0)] as [(Double, Double)]
    )
    func imagesAreGone(from: Double, to: Double) {
        let frequency = 0.4
        let output = resampled([sine(frequency, frameCount: 8000)], from, to)[0]
        let middle = output[output.count / 4..<output.count * 3 / 4].map(Double.init)
        let ratio = fit(middle, [frequency * from / to * sampleRate]).ratio
        #expect(decibels(ratio) > 80)
    }

    @Test("The resampled length is the input's length times the ratio", arguments: pairs)
    func theLengthIsTheInputs(from: Double, to: Double) {
        for count in [0, 1, 2, 100, 4410, 10007] {
            let output = resampled([noise(frameCount: count)], from, to)[0]
            #expect(abs(Double(output.count) - (Double(count) * to / from).rounded()) <= 1)
        }
    }

    @Test("The resampler's output does not depend on the block size")
    func anyCutGivesTheSame() {
        let input = [noise(frameCount: 9000), noise(frameCount: 9000, seed: 2)]
        let whole = resampled(input, 48000, 44100, block: 4096)
        for block in [1, 7, 64, 480] { #expect(resampled(input, 48000, 44100, block: block) == whole) }
    }

    @Test("Equal sample rates pass bit for bit without look-ahead")
    func equalRatesAreBitExactWithoutLookAhead() {
        let kernel = ResamplerKernel(inputRate: 48000, outputRate: 48000, channelCount: 1, maximumFrameCount: 512)
        #expect(kernel.requiredInput(forOutput: 300) == 300)
        let input = [noise(frameCount: 5000)]
        #expect(Drive(kernel, input, block: 512).run(block: 500) == input)
    }

    @Test("The resampler states its required input exactly and resets completely")
    func requiredInputIsExactAndResetIsFresh() {
        let kernel = ResamplerKernel(inputRate: 48000, outputRate: 44100, channelCount: 1, maximumFrameCount: 4096)
        let input = [noise(frameCount: 6000)]
        let first = Drive(kernel, input)
        first.feed(kernel.requiredInput(forOutput: 1000) - 1)
        #expect(kernel.requiredInput(forOutput: 1000) == 1)
        #expect(first.pull(999) == 999)
        first.feed(1)
        #expect(kernel.read(into: first.planes.pointers, frameCount: 1000) == 1)
        #expect(abs(kernel.inputPosition - 1000 * 48000 / 44100) < 1e-9)
        kernel.reset()
        #expect(kernel.inputPosition == 0 && kernel.framesWritten == 0)
        #expect(Drive(kernel, input).run(block: 100) == resampled(input, 48000, 44100))
    }

    @Test("The resampler allocates no memory while it runs")
    func nothingAllocates() {
        let kernel = ResamplerKernel(inputRate: 48000, outputRate: 44100, channelCount: 2, maximumFrameCount: 1024)
        let planes = Planes(channelCount: 2, frameCount: 1024)
        func use() {
            for _ in 0..<4 {
                while kernel.requiredInput(forOutput: 480) > 0 {
                    kernel.write(planes.pointers, frameCount: min(kernel.requiredInput(forOutput: 480), 1024))
                }
                _ = kernel.read(into: planes.pointers, frameCount: 480)
            }
            kernel.endInput()
            _ = kernel.read(into: planes.pointers, frameCount: 480)
            kernel.reset()
        }
        use()
        #expect(allocations { use() } == 0)
    }
}
