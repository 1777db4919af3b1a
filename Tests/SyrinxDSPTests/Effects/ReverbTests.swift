import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxDSP

@Suite("Reverb", .enabled(if: isOptimized, "Measured in release.")) struct ReverbTests {
    private static let sampleRate = ReverbMeasures.sampleRate

    @Test("Each octave decays in its time within 10 %", arguments: ReverbPreset.allCases)
    func decayTime(preset: ReverbPreset) {
        let settings = ReverbSettings(preset)
        let (seconds, high) = (settings.decay.lowTime, settings.decay.highTime)
        let output = ReverbMeasures.response(settings, seconds: 0.95 * seconds + 0.2)
        let middle = (settings.shortestLine * settings.longestLine).squareRoot()
        let damping = ReverbDamping(settings.decay, seconds: middle, sampleRate: Self.sampleRate)
        #expect(abs(damping.decayTime(at: 1_000) / seconds - 1) < 1e-6)
        #expect(abs(damping.decayTime(at: ReverbDecay.highFrequency) / high - 1) < 1e-6)
        for frequency in [125.0, 250, 500, 1_000, 2_000, 4_000, 8_000] {
            let (measured, fit) = ReverbMeasures.decay(output.map { ReverbMeasures.octave($0, at: frequency) })
            // The lower half of an octave lasts longer, and with it the octave.
            let target =
                switch frequency {
                case 1_000: seconds
                case 8_000: high
                default: damping.decayTime(at: 0.9 * frequency)
                }
            #expect(abs(measured / target - 1) < 0.1, "\(preset) \(frequency) Hz: \(measured) s, not \(target) s")
            #expect(fit > 0.99, "\(preset) \(frequency) Hz: r² \(fit)")
        }
    }

    @Test("Echoes are as dense as noise after 40 ms in rooms and 100 ms in halls", arguments: ReverbPreset.allCases)
    func echoDensity(preset: ReverbPreset) {
        let isLarge = [.mediumHall, .largeHall, .cathedral, .mediumHall2, .mediumHall3, .largeHall2].contains(preset)
        let output = ReverbMeasures.response(ReverbSettings(preset), seconds: 0.3)[0]
        let frame = Int((isLarge ? 0.1 : 0.04) * Self.sampleRate)
        // A window tells it within 0.05.
        let densities = stride(from: frame, to: frame + 4_800, by: 480).map { ReverbMeasures.density(output, at: $0) }
        #expect(densities.reduce(0, +) / 10 > 0.9, "\(preset): \(densities)")
        #expect(densities[0] > 0.85, "\(preset): \(densities)")
    }

    @Test("The tail has no tones and no pattern, and its sides differ", arguments: ReverbPreset.allCases)
    func colour(preset: ReverbPreset) {
        let settings = ReverbSettings(preset)
        for onBothSides in [false, true] {
            let output = ReverbMeasures.response(settings, seconds: 1.1, onBothSides: onBothSides)
            let peak = ReverbMeasures.peak(output)
            #expect(peak <= 12, "\(preset): \(peak) dB")
            let tails = output.map { ReverbMeasures.steadyTail($0, decayTime: settings.decay.lowTime) }
            let correlation = ReverbMeasures.correlation(tails[0], tails[1])
            #expect(abs(correlation) < 0.2, "\(preset): \(correlation)")
            for tail in tails {
                let pattern = ReverbMeasures.pattern(tail)
                #expect(pattern < 0.1, "\(preset): \(pattern)")
            }
        }
    }

    @Test("The presets are equally loud")
    func loudness() {
        let pink = ReverbMeasures.pink(frameCount: 240_000)
        for preset in ReverbPreset.allCases {
            let output = ReverbMeasures.reverberated([pink, pink], ReverbSettings(preset))
            let change = ReverbMeasures.level(output[0][144_000...]) - ReverbMeasures.level(pink[144_000...])
            #expect(abs(change) < 1, "\(preset): \(change) dB")
            let other = ReverbMeasures.level(output[1][144_000...]) - ReverbMeasures.level(pink[144_000...])
            #expect(abs(other) < 2 && abs(change + other) < 2, "\(preset): \(change) and \(other) dB")
        }
    }

    @Test("The sound ends in exact silence, within the stated tail", arguments: [ReverbPreset.smallRoom, .mediumHall])
    func silence(preset: ReverbPreset) {
        let settings = ReverbSettings(preset)
        let tail = settings.tailTime(sampleRate: Self.sampleRate)
        let input = noise(frameCount: 4_800) + [Float](repeating: 0, count: Int(tail * Self.sampleRate) + 4_800)
        for samples in ReverbMeasures.reverberated([input, input], settings) {
            let last = samples.lastIndex { $0 != 0 } ?? 0
            #expect(Double(last - 4_800) <= tail * Self.sampleRate, "\(last)")
            #expect(Double(last - 4_800) > 0.4 * tail * Self.sampleRate, "\(last)")
            #expect(samples.allSatisfy { !$0.isSubnormal })
        }
    }

    @Test("A sound after a long silence is that of a reverb that has just begun")
    func wakes() {
        let settings = ReverbSettings(.smallRoom)
        // The modulation goes on in the silence: both begin where it does.
        var still = settings
        still.modulationDepth = 0
        let pause = 64 * 4_500
        let burst = noise(frameCount: 4_800) + [Float](repeating: 0, count: 9_600)
        let input = burst + [Float](repeating: 0, count: pause - burst.count) + burst
        let output = ReverbMeasures.reverberated([input, input], still)[0]
        #expect(output[(pause - 9_600)..<pause].allSatisfy { $0 == 0 })
        #expect(Array(output[pause...]) == Array(output[..<burst.count]))
    }

    @Test("A mix of 0 is the input, and mono, 5.1 and all rates work", arguments: [1, 2, 3, 6])
    func channels(count: Int) {
        let input = (0..<count).map { noise(frameCount: 9_600, seed: UInt64($0 + 1)) }
        #expect(ReverbMeasures.reverberated(input, ReverbSettings(.plate), mix: 0) == input)
        for sampleRate in [8_000.0, 44_100, 192_000] {
            let output = ReverbMeasures.reverberated(input, ReverbSettings(.smallRoom), sampleRate: sampleRate)
            for samples in output { #expect(levelDecibels(samples) > -40 && samples.allSatisfy { abs($0) < 4 }) }
            for (first, second) in zip(output, output.dropFirst()) {
                #expect(abs(ReverbMeasures.correlation(first[2_000...], second[2_000...])) < 0.3)
            }
        }
    }

    @Test("What is no number does not stay")
    func numbers() {
        var broken = noise(frameCount: 48_000)
        (broken[100], broken[200], broken[300]) = (.nan, .infinity, -.infinity)
        let rest = ReverbMeasures.reverberated([broken], ReverbSettings(.smallRoom))[0]
        #expect(rest[400...].allSatisfy { $0.isFinite && abs($0) < 4 })
    }

    @Test("The output does not depend on the block size, with changes on the way", arguments: [1, 7, 100, 4_096])
    func blocks(block: Int) {
        func output(_ block: Int) -> [[Float]] {
            let count = 18_000
            let planes = [noise(frameCount: count), noise(frameCount: count, seed: 3)].map { samples in
                let plane = aligned(count)
                for frame in 0..<count { plane[frame] = samples[frame] }
                return plane
            }
            defer { for plane in planes { plane.deallocate() } }
            var reverb = Reverb(sampleRate: Self.sampleRate, channelCount: 2)
            reverb.set(ReverbSettings(.mediumRoom), mix: 0.4)
            var place = 0
            while place < count {
                if place == 5_003 { reverb.set(ReverbSettings(.cathedral), mix: 0.8) }
                let frames = min(block, (place < 5_003 ? 5_003 : count) - place)
                planes.map { $0 + place }.withUnsafeBufferPointer { pointers in
                    if let base = pointers.baseAddress { reverb.process(base, frameCount: frames) }
                }
                place += frames
            }
            return planes.map { plane in (0..<count).map { plane[$0] } }
        }
        #expect(output(block) == output(18_000))
    }

    @Test("The reverb allocates no memory while it runs")
    func allocates() {
        var reverb = Reverb(sampleRate: 48_000, channelCount: 2)
        let planes = Planes(channelCount: 2, frameCount: 256)
        reverb.set(ReverbSettings(.smallRoom), mix: 0.5)
        let count = allocations {
            for round in 0..<60 {
                let preset: ReverbPreset = round < 10 ? .smallRoom : round < 40 ? .cathedral : .plate
                reverb.set(ReverbSettings(preset), mix: 0.01 * Double(round))
                reverb.process(UnsafePointer(planes.pointers), frameCount: 256)
            }
        }
        #expect(count == 0)
    }
}
