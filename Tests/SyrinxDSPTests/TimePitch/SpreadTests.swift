import Foundation
import SyrinxDSP
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

    /// The dearest read until an output frame, and the mean, counted and not timed: each step of a frame has a cost that was
    /// measured once.
    func spent(_ kernel: TimePitchKernel, _ drive: Drive, block: Int, until end: Int) -> (most: Int, mean: Double) {
        let first = kernel.workDone
        var most = 0
        var reads = 0
        while drive.output[0].count < end, !drive.ended {
            let before = kernel.workDone
            drive.pull(block)
            most = max(most, kernel.workDone - before)
            reads += 1
        }
        return (most, Double(kernel.workDone - first) / Double(reads))
    }

    /// From the first read on, from that after a reset on, and from that on with which rate 1 and pitch 0 are left.
    ///
    /// At another pitch the first reads of grains cost more beside a low mean: at most 3 % of the time that they sound.
    @Test(
        "No read costs more than three times the mean, or than 3 % of its duration",
        arguments: settings,
        [64, 128, 256, 512, 1024]
    )
    func noReadCostsMoreThanThriceTheMean(
        setting: (TimePitchAlgorithm, rate: Double, cents: Double, formants: Bool),
        block: Int
    ) {
        let kernel = TimePitchKernel(sampleRate: 48000, channelCount: 2, maximumFrameCount: 1024)
        kernel.setAlgorithm(setting.0)
        kernel.setPreservesFormants(setting.formants)
        func change(_ isChanged: Bool) {
            kernel.setRate(isChanged ? setting.rate : 1)
            kernel.setPitch(cents: isChanged ? setting.cents : 0)
        }
        let input = noise(frameCount: Int(18000 * setting.rate) + 12000)
        change(true)
        let drive = Drive(kernel, [input, input], block: 1024)
        let first = spent(kernel, drive, block: block, until: 4096)
        let steady = spent(kernel, drive, block: block, until: 12288)
        kernel.reset()
        let again = Drive(kernel, [input, input], block: 1024)
        let second = spent(kernel, again, block: block, until: 4096)
        kernel.reset()
        let other = Drive(kernel, [input, input], block: 1024)
        change(false)
        other.run(block: block, until: 3072)
        change(true)
        let third = spent(kernel, other, block: block, until: 7168)
        #expect(steady.mean > 0)
        let isGrainAtPitch = setting.0 == .timeDomain && setting.cents != 0
        let most = max(3 * steady.mean, isGrainAtPitch ? 0.03 * Double(block) / 48_000 * 1e9 : 0)
        for (what, spent) in [("start", first), ("later", steady), ("reset", second), ("left", third)] {
            #expect(Double(spent.most) < most, "\(what): \(Double(spent.most) / steady.mean) times")
        }
    }

    /// Few windows are far apart, and many close together; from 256 frames on, as one transform is all that 64 may cost.
    @Test("The work is spread evenly at every overlap", arguments: [3.0, 5, 8, 16, 32])
    func theWorkIsSpreadAtAnyOverlap(overlap: Double) {
        let kernel = TimePitchKernel(sampleRate: 44100, channelCount: 1, maximumFrameCount: 1024)
        kernel.setRate(1.5)
        kernel.setOverlap(overlap)
        let drive = Drive(kernel, [noise(frameCount: 24000)], block: 1024)
        let first = spent(kernel, drive, block: 256, until: 4096)
        let steady = spent(kernel, drive, block: 256, until: 12288)
        #expect(Double(max(first.most, steady.most)) < 3 * steady.mean)
    }

    /// Until the first frames have been made the input is heard, at once and as loud.
    @Test("The first output is heard at once at full level", arguments: [0.5, 0.75, 1.5, 3], EachMethodTests.methods)
    func theStartIsHeardAtOnce(rate: Double, method: TimePitchAlgorithm) {
        let input = tones([441], amplitude: 0.5, frameCount: Int(20000 * max(rate, 1)))
        // A cosine would begin with a transient.
        let output = stretched(
            [zip(input, input.indices).map { $0 * min(Float($1) / 400, 1) }],
            rate: rate,
            algorithm: method
        )[0]
        #expect(quietest(output[500..<8000], frames: 441) > 0.2)
        #expect(output.allSatisfy { abs($0) < 0.52 })
        #expect(steepest(output[...]) < Float(0.5 * 2 * Double.pi * 441 / 44100 * 1.15))
    }
}
