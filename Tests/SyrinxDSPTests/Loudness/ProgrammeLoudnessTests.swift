import Foundation
import Testing

@testable import SyrinxDSP

@Suite("Loudness of a programme") struct ProgrammeLoudnessTests {
    private func measured(
        _ channels: [[Float]],
        following earlier: ProgrammeLoudness? = nil,
        block: Int = 1_000
    ) -> ProgrammeLoudness {
        let meter = ProgrammeLoudness(
            sampleRate: 48_000,
            channelCount: channels.count,
            following: earlier?.measured ?? MeasuredLoudness()
        )
        _ = processed(channels, block: block) { planes, _, count in meter.append(planes, frameCount: count) }
        return meter
    }

    /// The tones of EBU Tech 3341.
    private func stereo(_ level: Double, seconds: Double) -> [[Float]] {
        let samples = tone(1_000, amplitude: pow(10, level / 20), frameCount: Int(seconds * 48_000))
        return [samples, samples]
    }

    @Test("Cases 1 to 4 of EBU Tech 3341 give −23 and −33 LUFS")
    func ebu() throws {
        #expect(abs(try #require(measured(stereo(-23, seconds: 5)).integrated) + 23) < 0.1)
        #expect(abs(try #require(measured(stereo(-33, seconds: 5)).integrated) + 33) < 0.1)
        let parts = [(-72.0, 3.0), (-36, 3), (-23, 18), (-36, 3), (-72, 3)].map { stereo($0, seconds: $1) }
        let gated = measured([parts.flatMap { $0[0] }, parts.flatMap { $0[1] }])
        #expect(abs(try #require(gated.integrated) + 23) < 0.1)
    }

    @Test("The peak is the largest sample, and silence has no loudness")
    func peak() {
        var samples = tone(1_000, amplitude: 0.25, frameCount: 20_000)
        samples[13_007] = -0.75
        #expect(measured([samples]).peak == 0.75)
        let silence = measured([[Float](repeating: 0, count: 48_000)])
        #expect(silence.integrated == nil && silence.peak == 0 && silence.duration == 0)
    }

    @Test("What follows on a recording counts with it")
    func following() throws {
        let first = measured(stereo(-20, seconds: 4))
        let both = measured(stereo(-26, seconds: 4), following: first)
        let mean = 10 * log10((pow(10, -2.0) + pow(10, -2.6)) / 2)
        #expect(abs(try #require(both.integrated) - mean) < 0.1)
        #expect(abs(both.duration - 7.4) < 0.11)
    }
}
