import Foundation
import SyrinxDSP
import SyrinxTestSupport
import Testing

@Suite struct RealFFTTests {
    @Test(
        "The transform and its inverse match the definition and do not allocate",
        arguments: [256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 12288]
    )
    func isTheTransformAndItsInverseWithoutAllocating(length: Int) {
        let transform = RealFFT(length: length)
        let samples = aligned(length)
        let back = aligned(length)
        let spectrum = aligned(length + 2)
        defer { [samples, back, spectrum].forEach { $0.deallocate() } }
        let input = noise(frameCount: length)
        for index in 0..<length { samples[index] = input[index] }

        // What was there before must not show.
        for index in 0..<length + 2 { spectrum[index] = 3 }
        transform.forward(samples, into: spectrum)
        for bin in [0, 1, 17, length / 2 - 1, length / 2] {
            var re = 0.0
            var im = 0.0
            for index in 0..<length {
                let angle = -2 * .pi * Double(bin * index % length) / Double(length)
                re += Double(input[index]) * cos(angle)
                im += Double(input[index]) * sin(angle)
            }
            #expect(abs(Double(spectrum[2 * bin]) - re) < 1e-3)
            #expect(abs(Double(spectrum[2 * bin + 1]) - im) < 1e-3)
        }

        let count = allocations { transform.inverse(spectrum, into: back) }
        #expect(count == 0)
        #expect(allocations { transform.forward(samples, into: spectrum) } == 0)
        for index in 0..<length { #expect(abs(back[index] - input[index]) < 1e-5) }
    }
}
