import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxDSP

@Suite("Feedback delay", .enabled(if: isOptimized, "Measured in release.")) struct FeedbackDelayTests {
    private typealias Settings = FeedbackDelay.Settings

    private static let open = 48_000.0

    /// Returns the output for `input`, set before frame 0 and by `change` before others.
    private func delayed(
        _ input: [[Float]],
        _ settings: Settings,
        sampleRate: Double = 48_000,
        block: Int = 512,
        change: (Int) -> Settings? = { _ in nil }
    ) -> [[Float]] {
        var delay = FeedbackDelay(sampleRate: sampleRate, channelCount: input.count)
        delay.set(settings)
        return processed(input, block: block) { planes, place, count in
            if let settings = change(place) { delay.set(settings) }
            delay.process(planes, frameCount: count)
        }
    }

    @Test("Whole delays are exact, and a mix of 0 is the input", arguments: [0, 1, 2, 480, 95_999, 96_000])
    func whole(frames: Int) {
        let input = [noise(frameCount: 100_000), noise(frameCount: 100_000, seed: 2)]
        let settings = Settings(time: Double(frames) / 48_000, feedback: 0, cutoff: Self.open, mix: 1)
        let output = delayed(input, settings)
        for channel in 0..<2 {
            #expect(output[channel].prefix(frames).allSatisfy { $0 == 0 })
            #expect(Array(output[channel][frames...]) == Array(input[channel][..<(100_000 - frames)]))
        }
        var dry = settings
        dry.mix = 0
        #expect(delayed(input, dry) == input)
    }

    @Test("Fractional delays are exact to a hundredth of a frame", arguments: [3.25, 100.5, 1_234.9])
    func fractional(frames: Double) {
        let sampleRate = 48_000.0
        for frequency in [100.0, 1_000, 4_000] {
            let w = 2 * Double.pi * frequency / sampleRate
            let tone = (0..<20_000).map { Float(sin(w * Double($0))) }
            let settings = Settings(time: frames / sampleRate, feedback: 0, cutoff: Self.open, mix: 1)
            let output = delayed([tone], settings)[0]
            // The phase by the projection on sine and cosine over whole periods.
            var (real, imaginary) = (0.0, 0.0)
            for frame in 4_800..<19_200 {
                real += Double(output[frame]) * sin(w * Double(frame))
                imaginary += Double(output[frame]) * cos(w * Double(frame))
            }
            let phase = -atan2(imaginary, real)
            let turns = ((w * frames - phase) / (2 * .pi)).rounded()
            let measured = (phase + turns * 2 * .pi) / w
            #expect(abs(measured - frames) < 0.01, "\(frequency) Hz: \(measured) frames")
        }
    }

    @Test("Echoes follow each other at the delay, each weaker by the feedback")
    func echoes() {
        var impulse = [Float](repeating: 0, count: 6_000)
        impulse[0] = 1
        let settings = Settings(time: 0.02, feedback: -0.5, cutoff: Self.open, mix: 1)
        let output = delayed([impulse], settings)[0]
        for (echo, level) in [1, -0.5, 0.25, -0.125].enumerated() {
            #expect(abs(output[960 * (echo + 1)] - Float(level)) < 1e-6)
        }
        let count = output.count { $0 != 0 }
        #expect(count == 6)
    }

    @Test("The low pass is 3 dB down at its cutoff")
    func lowPass() {
        let tone = (0..<48_000).map { Float(sin(2 * .pi * 1_000 * Double($0) / 48_000)) }
        let settings = Settings(time: 0.01, feedback: 0, cutoff: 1_000, mix: 1)
        let output = delayed([tone], settings)[0]
        let level = levelDecibels(Array(output[24_000...])) - levelDecibels(Array(tone[24_000...]))
        #expect(abs(level + 3) < 0.25, "\(level) dB")
    }

    @Test("No feedback runs away, and silence is exact within the tail")
    func feedback() {
        let settings = Settings(time: 0.003, feedback: 1, cutoff: Self.open, mix: 1)
        let output = delayed([noise(frameCount: 480_000, amplitude: 1)], settings)[0]
        #expect(output.allSatisfy { abs($0) <= 2 })
        let dying = Settings(time: 0.01, feedback: 0.8, cutoff: 5_000, mix: 1)
        let input = noise(frameCount: 4_800) + [Float](repeating: 0, count: 96_000)
        let rest = delayed([input], dying)[0]
        let last = rest.lastIndex { $0 != 0 } ?? 0
        #expect(Double(last - 4_800) < dying.tailTime * 48_000, "\(last - 4_800) of \(dying.tailTime * 48_000)")
        #expect(rest.allSatisfy { !$0.isSubnormal })
    }

    @Test("Changes of all settings are free of clicks")
    func clicks() {
        let tone = (0..<96_000).map { Float(0.5 * sin(2 * .pi * 100 * Double($0) / 48_000)) }
        let from = Settings(time: 0.1, feedback: 0.3, cutoff: 15_000, mix: 1)
        let to = Settings(time: 0.734, feedback: -0.6, cutoff: 200, mix: 0.3)
        for (first, second) in [(from, to), (to, from)] {
            let output = delayed([tone], first) { $0 == 51_200 ? second : nil }[0]
            // The second difference: that of a 100 Hz tone is 0.00017 of its level, that of a step the step itself.
            var worst: Float = 0
            for frame in 50_000..<56_000 {
                let bend: Float = output[frame + 1] - 2 * output[frame] + output[frame - 1]
                worst = max(worst, abs(bend))
            }
            #expect(worst < 0.002, "\(worst)")
        }
    }

    @Test("The output does not depend on the block size", arguments: [1, 7, 100, 4_096])
    func blocks(block: Int) {
        let input = [noise(frameCount: 20_000), noise(frameCount: 20_000, seed: 3), noise(frameCount: 20_000, seed: 5)]
        let settings = Settings(time: 0.0123, feedback: 0.4, cutoff: 3_000, mix: 0.5)
        for time in [0, 0.00003, 0.0002, 0.0012, 0.0123, 0.25] {
            var settings = settings
            settings.time = time
            #expect(delayed(input, settings, block: block) == delayed(input, settings, block: 20_000), "\(time) s")
        }
    }

    @Test("Frames processed together are what each by itself is", arguments: [0.0, 0.00021, 0.0123, 0.1])
    func steady(time: Double) {
        // A cutoff that moves by nothing one can hear keeps the delay from processing frames together.
        let settings = Settings(time: time, feedback: 0.6, cutoff: 3_000, mix: 0.5)
        let input = [noise(frameCount: 20_000, amplitude: 0.9)]
        let together = delayed(input, settings, block: 100)[0]
        let alone = delayed(input, settings, block: 100) { place in
            var moved = settings
            moved.cutoff += place / 100 % 2 == 0 ? 1e-6 : 0
            return moved
        }[0]
        let worst = zip(together, alone).map { abs($0 - $1) }.max() ?? 1
        #expect(worst < 1e-5, "\(worst)")
        let loudest = together.map(abs).max() ?? 0
        #expect(loudest > 0.5)
    }

    @Test("The delay allocates no memory while it runs")
    func allocates() {
        var delay = FeedbackDelay(sampleRate: 48_000, channelCount: 2)
        let planes = Planes(channelCount: 2, frameCount: 512)
        let count = allocations {
            for round in 0..<40 {
                delay.set(Settings(time: 0.01 * Double(round), feedback: 0.5, cutoff: 4_000, mix: 0.5))
                delay.process(UnsafePointer(planes.pointers), frameCount: 512)
            }
        }
        #expect(count == 0)
    }
}
