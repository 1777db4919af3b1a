import Foundation
import SyrinxDSP
import Testing

/// The delay until a setting is heard, however far apart windows are.
@Suite struct ResponseTests {
    static let overlaps = [3.0, 3.5, 4, 5, 6, 8, 32]

    @Test("The stated response time is at most 43 ms", arguments: [44100.0, 48000, 8000, 192_000])
    func theStatedTimeIsShort(rate: Double) {
        let kernel = TimePitchKernel(sampleRate: rate, channelCount: 1, maximumFrameCount: 64)
        #expect(kernel.responseTime == 0)
        kernel.setRate(1.5)
        #expect(kernel.responseTime > 0.01 && kernel.responseTime <= 0.043)
        for overlap in Self.overlaps {
            kernel.setOverlap(overlap)
            #expect(kernel.responseTime > 0.01 && kernel.responseTime <= 0.05, "overlap \(overlap)")
        }
        kernel.setAlgorithm(.timeDomain)
        #expect(kernel.responseTime > 0.01 && kernel.responseTime <= 0.025)
        kernel.setRate(1)
        #expect(kernel.responseTime <= 0.025)
    }

    /// Set at other places between two windows each time, and soon after rate 1 has been left.
    @Test("A new pitch prevails within 50 ms", arguments: overlaps, EachMethodTests.methods)
    func aNewPitchPrevailsWithin50Milliseconds(overlap: Double, method: TimePitchAlgorithm) {
        let kernel = TimePitchKernel(sampleRate: 44100, channelCount: 1, maximumFrameCount: 4096)
        let drive = Drive(kernel, [tones([1000], frameCount: 60000)])
        kernel.setOverlap(overlap)
        kernel.setAlgorithm(method)
        drive.run(block: 1024, until: 2000)
        kernel.setRate(1.01)
        var from = 2100
        for round in 0..<8 {
            let cents = round % 2 == 0 ? 1200.0 : 0
            drive.run(block: 1024, until: from)
            kernel.setPitch(cents: cents)
            drive.run(block: 1024, until: from + 2700)
            // 10 ms, in whose middle it is 50 ms later.
            let block = drive.output[0][from + 1985..<from + 2425].map(Double.init)
            let heard = fit(block, [1000, 2000]).amplitudes
            #expect(cents == 0 ? heard[0] > heard[1] : heard[1] > heard[0], "after \(from): \(heard)")
            from += 3900 + 129 * round
        }
    }

    @Test("A new rate is reached within 50 ms", arguments: overlaps, EachMethodTests.methods)
    func aNewRateRunsWithin50Milliseconds(overlap: Double, method: TimePitchAlgorithm) {
        let kernel = TimePitchKernel(sampleRate: 44100, channelCount: 1, maximumFrameCount: 4096)
        let drive = Drive(kernel, [noise(frameCount: 80000)])
        kernel.setOverlap(overlap)
        kernel.setAlgorithm(method)
        for (round, rate) in [0.5, 0.97, 1.5, 2, 0.7, 1.03].enumerated() {
            kernel.setRate(rate)
            let before = kernel.inputPosition
            drive.run(block: 441, until: drive.output[0].count + 2205)
            // From here on the map runs at the new rate, and has not run faster or slower than both.
            let first = kernel.inputPosition
            #expect(first - before >= 0.49 * 2205 && first - before <= 2.01 * 2205)
            drive.run(block: 441, until: drive.output[0].count + 441)
            #expect(abs(kernel.inputPosition - first - 441 * rate) < 1e-6, "overlap \(overlap), rate \(rate)")
            drive.run(block: 441, until: drive.output[0].count + 1700 + 97 * round)
        }
    }

    /// Left at once and later, and come back to at other places between two windows each time.
    @Test("Rate 1 is bit-exact again within 100 ms", arguments: overlaps, EachMethodTests.methods)
    func rateOneIsBitExactAgainWithin100Milliseconds(overlap: Double, method: TimePitchAlgorithm) {
        let input = noise(frameCount: 90000)
        let kernel = TimePitchKernel(sampleRate: 44100, channelCount: 1, maximumFrameCount: 4096)
        let drive = Drive(kernel, [input])
        kernel.setOverlap(overlap)
        kernel.setAlgorithm(method)
        let settings = [(0.6, 400.0), (1.4, 0), (0.3, -2400), (1.7, 0), (1, 700), (0.5, 0)]
        for ((rate, cents), stay) in zip(settings, [10, 400, 700, 1000, 3000, 3300]) {
            drive.run(block: 300, until: drive.output[0].count + 300)
            kernel.setRate(rate)
            kernel.setPitch(cents: cents)
            drive.run(block: 300, until: drive.output[0].count + stay)
            kernel.setRate(1)
            kernel.setPitch(cents: 0)
            drive.run(block: 300, until: drive.output[0].count + 4410)
            let place = kernel.inputPosition
            #expect(place == place.rounded())
            drive.run(block: 300, until: drive.output[0].count + 600)
            #expect(drive.output[0].suffix(600).elementsEqual(input[Int(place)..<Int(place) + 600]), "\(rate), \(stay)")
        }
    }
}
