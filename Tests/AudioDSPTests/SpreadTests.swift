import AudioDSP
import Foundation
import Testing

/// The work is spread over the reads, and what comes out does not show it.
@Suite struct SpreadTests {
    static let settings: [(TimePitchAlgorithm, rate: Double, cents: Double, formants: Bool)] = [
        (.spectral, 0.5, 0, false),
        (.spectral, 1.5, 0, false),
        (.spectral, 3, 700, false),
        (.spectral, 1, -1200, true),
        (.timeDomain, 0.75, 0, false),
        (.timeDomain, 2, 0, false),
        (.timeDomain, 1.2, 300, false),
    ]

    /// Counted, not timed: each step of a frame has a cost that was measured once.
    @Test(arguments: settings, [64, 128, 256, 512, 1024])
    func noReadCostsMoreThanThriceTheMean(
        setting: (TimePitchAlgorithm, rate: Double, cents: Double, formants: Bool),
        block: Int
    ) {
        let kernel = TimePitchKernel(sampleRate: 48000, channelCount: 2, maximumFrameCount: 1024)
        kernel.setAlgorithm(setting.0)
        kernel.setRate(setting.rate)
        kernel.setPitch(cents: setting.cents)
        kernel.setPreservesFormants(setting.formants)
        let input = noise(frameCount: Int(24000 * setting.rate) + 8000)
        let drive = Drive(kernel, [input, input], block: 1024)
        drive.run(block: block, until: 4096)
        let first = kernel.workDone
        var longest = 0
        var reads = 0
        while drive.output[0].count < 20480, !drive.ended {
            let before = kernel.workDone
            drive.pull(block)
            longest = max(longest, kernel.workDone - before)
            reads += 1
        }
        let mean = Double(kernel.workDone - first) / Double(reads)
        #expect(mean > 0)
        #expect(Double(longest) < 3 * mean, "\(Double(longest) / mean) times")
    }
}
