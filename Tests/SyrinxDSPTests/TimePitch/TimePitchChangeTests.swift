import Foundation
import SyrinxDSP
import Testing

/// Changes while it runs: heard soon, without a click, a gap or a repeat.
@Suite struct TimePitchChangeTests {
    let tone = tones([441], amplitude: 0.5, frameCount: 600_000)
    /// The steepest that the tone itself is.
    let slope = Float(0.5 * 2 * Double.pi * 441 / 44100)

    func running(_ input: [Float], channelCount: Int = 1) -> (TimePitchKernel, Drive) {
        let kernel = TimePitchKernel(sampleRate: 44100, channelCount: channelCount, maximumFrameCount: 4096)
        return (kernel, Drive(kernel, Array(repeating: input, count: channelCount)))
    }

    @Test(
        "Entering and leaving rate 1 neither clicks nor falls silent",
        arguments: [(0.5, 0.0), (2, 0), (1, 300), (1, -1200), (32, 0), (1.0 / 32, 0)] as [(Double, Double)]
    )
    func neitherWayClicksOrFallsSilent(rate: Double, cents: Double) {
        let (kernel, drive) = running(tone)
        for round in 1...6 {
            kernel.setRate(round % 2 == 0 ? 1 : rate)
            kernel.setPitch(cents: round % 2 == 0 ? 0 : cents)
            drive.run(block: 64, until: round * 4000)
        }
        let output = drive.output[0][2000..<23500]
        #expect(steepest(output) < slope * 1.3 * Float(max(1, exp2(cents / 1200))))
        #expect(quietest(output, frames: 882) > 0.1)
    }

    @Test("A hundred changes per second stay smooth", arguments: [0, 1])
    func aHundredChangesASecondStaySmooth(kind: Int) {
        let (kernel, drive) = running(tone)
        var step = 0
        while drive.output[0].count < 132_300 {
            let swing = sin(2 * .pi * Double(step) / 170)
            if kind == 0 {
                kernel.setRate(exp2(1.5 * swing))
            } else {
                kernel.setPitch(cents: 1200 * swing)
            }
            drive.run(block: 64, until: drive.output[0].count + 441)
            step += 1
        }
        let output = drive.output[0][4000...]
        #expect(steepest(output) < slope * (kind == 0 ? 1.15 : 2.3))
        #expect(quietest(output, frames: 441) > 0.25)
        #expect(output.allSatisfy { abs($0) < 0.6 })
    }

    @Test("Random extreme settings keep the output bounded")
    func anyMixOfExtremesHolds() {
        let (kernel, drive) = running(noise(frameCount: 2_000_000), channelCount: 2)
        var state: UInt64 = 7
        func random() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 40) / Double(1 << 24)
        }
        while drive.output[0].count < 60000, !drive.ended {
            kernel.setRate(random() < 0.2 ? 1 : exp2(10 * random() - 5))
            kernel.setPitch(cents: random() < 0.3 ? 0 : 4800 * random() - 2400)
            kernel.setOverlap(random() < 0.5 ? 8 : 3 + 29 * random())
            let before = kernel.inputPosition
            let got = drive.pull(1 + Int(441 * random()))
            #expect(kernel.inputPosition >= before)
            #expect(got > 0 || drive.fed == drive.input[0].count)
        }
        #expect(drive.output[0] == drive.output[1])
        #expect(drive.output[0].allSatisfy { abs($0) < 4 })
    }

    @Test("Changing the pitch does not change the length")
    func changingPitchDoesNotChangeTheLength() {
        let (kernel, drive) = running(noise(frameCount: 50000))
        kernel.setRate(2)
        var step = 0
        while !drive.ended {
            kernel.setPitch(cents: Double(step % 40) * 100 - 2000)
            drive.pull(441)
            step += 1
        }
        #expect(abs(drive.output[0].count - 25000) <= 1)
    }
}
