import Foundation
import SyrinxDSP
import Testing

/// Windows overlap, and a change of pitch interpolates the input once, not once a window.
@Suite struct PitchCostTests {
    private func cost(_ algorithm: TimePitchAlgorithm, rate: Double, cents: Double) -> Int {
        let kernel = TimePitchKernel(sampleRate: 48000, channelCount: 2, maximumFrameCount: 1024)
        kernel.setAlgorithm(algorithm)
        kernel.setRate(rate)
        kernel.setPitch(cents: cents)
        let input = noise(frameCount: 96_000)
        Drive(kernel, [input, input], block: 1024).run(block: 512, until: 72_000)
        return kernel.workDone
    }

    /// Interpolation of every window costs 2.7 times as much with the vocoder, and 5 times as much with grains.
    @Test("Pitch alone costs little more than a rate", arguments: [-300.0, 300, 700])
    func pitchIsCheap(cents: Double) {
        #expect(cost(.spectral, rate: 1, cents: cents) < cost(.spectral, rate: 1.05, cents: 0) * 3 / 2)
        #expect(cost(.timeDomain, rate: 1, cents: cents) < cost(.timeDomain, rate: 1.05, cents: 0) * 3)
    }

    /// The grid of interpolated frames begins anew where a pitch changes, and never drifts from the time map.
    @Test("A click stays at its place at another pitch", arguments: [-700.0, 300], [0.8, 1.0, 1.5])
    func clicksStay(cents: Double, rate: Double) {
        var input = [Float](repeating: 0, count: 132_300)
        let places = stride(from: 11_025, to: 120_000, by: 11_025).map { $0 }
        for place in places { input[place] = 0.9 }
        let output = stretched([input], rate: rate, cents: cents, algorithm: .spectral)[0]
        for place in places {
            let due = Int((Double(place) / rate).rounded())
            let around = output[(due - 400)..<min(due + 400, output.count)]
            guard let loudest = around.indices.max(by: { abs(around[$0]) < abs(around[$1]) }) else { continue }
            #expect(abs(loudest - due) <= 2, "\(loudest - due) frames at \(place)")
        }
    }

    /// The rows of the interpolator are computed in parts, some of which a reset may leave out.
    @Test(
        "A reset soon after a change of pitch leaves nothing behind",
        arguments: [TimePitchAlgorithm.spectral, .timeDomain]
    )
    func resetWhileTuning(algorithm: TimePitchAlgorithm) {
        let input = noise(frameCount: 30_000)
        func kernel(cents: Double) -> TimePitchKernel {
            let kernel = TimePitchKernel(sampleRate: 44100, channelCount: 1, maximumFrameCount: 1024)
            kernel.setAlgorithm(algorithm)
            kernel.setRate(1.5)
            kernel.setPitch(cents: cents)
            return kernel
        }
        let fresh = Drive(kernel(cents: 300), [input], block: 1024).run(block: 512, until: 8192)[0]
        for reads in 1...40 {
            let used = kernel(cents: 0)
            let first = Drive(used, [input], block: 1024)
            first.run(block: 512, until: 4096)
            used.setPitch(cents: 300)
            first.run(block: 16, until: 4096 + 16 * reads)
            used.reset()
            let again = Drive(used, [input], block: 1024).run(block: 512, until: 8192)[0]
            #expect(again == fresh, "after \(reads) reads")
        }
    }
}
