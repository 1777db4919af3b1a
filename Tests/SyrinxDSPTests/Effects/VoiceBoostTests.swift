import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxDSP

@Suite("Voice boost", .enabled(if: isOptimized, "Measured in release.")) struct VoiceBoostTests {
    private typealias Settings = VoiceBoost.Settings

    /// Returns what a boost makes of `input`, and its meters at the end of each 10 ms.
    private func boosted(
        _ input: [[Float]],
        _ settings: Settings = Settings(),
        sampleRate: Double = 48_000,
        block: Int = 480,
        change: (_ place: Int, _ now: Settings) -> Settings? = { _, _ in nil }
    ) -> (output: [[Float]], meters: [VoiceBoost.Meters]) {
        var boost = VoiceBoost(sampleRate: sampleRate, channelCount: input.count)
        var (settings, meters) = (settings, [VoiceBoost.Meters]())
        let output = processed(input, block: block) { planes, place, count in
            if let changed = change(place, settings) { settings = changed }
            boost.set(settings)
            boost.process(planes, frameCount: count)
            meters.append(boost.meters)
        }
        return (output, meters)
    }

    private func part(_ channels: [[Float]], _ from: Double, _ to: Double) -> [[Float]] {
        channels.map { Array($0[Int(from * 48_000)..<min(Int(to * 48_000), $0.count)]) }
    }

    @Test("Speech from −40 to −10 LUFS comes to the target", arguments: [-40.0, -30, -23, -16, -10])
    func target(level: Double) throws {
        let input = atLoudness([speech(seconds: 30, seed: UInt64(-level))], level)
        let (output, meters) = boosted(input)
        // The first ten seconds, the search for the gain included, and what follows.
        let (early, later) = (loudness(part(output, 0, 10)), loudness(part(output, 10, 30)))
        #expect(abs(early + 16) < 2, "\(level): \(early)")
        #expect(abs(later + 16) < 1, "\(level): \(later)")
        #expect(truePeak(output[0][...]) <= -1, "\(level): \(truePeak(output[0][...]))")
        #expect(abs(try #require(meters.last).loudness - level) < 2)
    }

    @Test("A quiet beginning leaves a loud voice no gain that the dynamics have to take back", arguments: [0.4, 3])
    func quietBeginning(seconds: Double) {
        let voice = atLoudness([speech(seconds: 10, seed: 23)], -10)[0]
        // Background noise that varies, before somebody speaks.
        let room = noise(frameCount: Int(seconds * 48_000), amplitude: 0.001).enumerated().map {
            $1 * Float(abs(sin(Double($0) / 1_200)))
        }
        let (output, meters) = boosted([room + voice])
        let gains = meters.map(\.gain)
        #expect((gains[..<Int(seconds * 100)].max() ?? 0) > 5)
        let highest = gains[Int((seconds + 3) * 100)...].max() ?? 99
        #expect(highest < 6, "\(highest)")
        let level = loudness(part(output, seconds + 1, seconds + 10))
        #expect(abs(level + 16) < 2, "\(level)")
    }

    @Test("A target of one's own is kept", arguments: [-24.0, -14])
    func ownTarget(target: Double) {
        let input = atLoudness([speech(seconds: 30)], -28)
        let output = boosted(input, Settings(target: target)).output
        let later = loudness(part(output, 10, 30))
        #expect(abs(later - target) < 1, "\(later)")
    }

    @Test("The gain moves by little while speech goes on, and not at all in a pause")
    func pumping() {
        var input = atLoudness([speech(seconds: 40, seed: 3)], -32)
        // A pause of six seconds with background noise.
        let pause = 20 * 48_000..<26 * 48_000
        let room = noise(frameCount: pause.count, amplitude: 0.0006)
        for (index, place) in pause.enumerated() { input[0][place] = room[index] }
        let gains = boosted(input).meters.map(\.gain)
        // Each 10 ms: the change within a second from the fifth second on.
        let steady = (500..<3_900).map { abs(gains[$0 + 100] - gains[$0]) }
        #expect((steady.max() ?? 0) < 3, "\(steady.max() ?? 0)")
        let held = gains[2_060..<2_590]
        #expect((held.max() ?? 0) - (held.min() ?? 0) < 0.01)
        // The first estimate.
        #expect(abs(gains[200] - gains[1_900]) < 4, "\(gains[200]), \(gains[1_900])")
        #expect(abs(gains[2_700] - gains[2_000]) < 2)
    }

    @Test("Noise before speech is not raised, and no gain is above the largest")
    func noiseFloor() {
        let room = noise(frameCount: 5 * 48_000, amplitude: 0.001)
        let voice = atLoudness([speech(seconds: 10)], -48)[0]
        let gains = boosted([room + voice], Settings(maximumGain: 24)).meters.map(\.gain)
        #expect(gains[..<500].allSatisfy { $0 == 0 })
        #expect((gains.max() ?? 0) <= 24 && (gains.last ?? 0) > 23.5)
    }

    @Test("Another voice is followed: a louder one within two seconds, a much quieter one within ten")
    func changes() {
        let (loud, quiet) = (
            atLoudness([speech(seconds: 15)], -12)[0], atLoudness([speech(seconds: 15, seed: 2)], -34)[0]
        )
        let rising = boosted([quiet + loud]).output
        #expect(abs(loudness(part(rising, 17, 30)) + 16) < 2, "\(loudness(part(rising, 17, 30)))")
        #expect(truePeak(rising[0][...]) <= -1)
        let falling = boosted([loud + quiet]).output
        #expect(abs(loudness(part(falling, 25, 30)) + 16) < 1.5, "\(loudness(part(falling, 25, 30)))")
    }

    @Test("Off, samples pass to the bit; a switch leaves no click")
    func switching() {
        // A low tone: what clicks stands out above it.
        let input = [tone(150, amplitude: 0.3, frameCount: 96_000), tone(150, amplitude: 0.3, frameCount: 96_000)]
        let off = boosted(input, Settings(isActive: false))
        #expect(off.output == input)
        #expect(off.meters.allSatisfy { $0 == VoiceBoost.Meters() })
        let output = boosted(input, Settings(isActive: false)) { place, now in
            var settings = now
            settings.isActive = place >= 33_600 && place < 62_400
            return settings
        }.output
        for channel in output {
            let click = highPassed(channel, frequency: 2_000).dropFirst(2_000).map(abs).max() ?? 0
            #expect(click < 0.003, "\(click)")
        }
        #expect(Array(output[0][..<33_600]) == Array(input[0][..<33_600]))
        #expect(Array(output[0][63_000...]) == Array(input[0][63_000...]))
    }

    @Test("What comes out does not depend on blocks, and a reset begins with the starting gain")
    func blocks() {
        let input = atLoudness([speech(seconds: 4), speech(seconds: 4, seed: 2)], -30)
        let whole = boosted(input, block: 4_096).output
        #expect(boosted(input, block: 333).output == whole)
        var boost = VoiceBoost(sampleRate: 48_000, channelCount: 2)
        let settings = Settings(startingGain: 9)
        let again = (0..<2).map { _ in
            boost.reset()
            return processed(input, block: 512) { planes, _, count in
                boost.set(settings)
                boost.process(planes, frameCount: count)
            }
        }
        #expect(again[0] == again[1])
        let first = boosted(input, settings).meters[0].gain
        #expect(first == 9)
    }

    @Test("Other rates and channels, and numbers that are none, do no harm", arguments: [8_000.0, 44_100, 96_000])
    func rates(sampleRate: Double) {
        let voice = speech(seconds: 14, sampleRate: sampleRate)
        let input = atLoudness([voice, voice, voice.map { _ in 0 }], -30, sampleRate: sampleRate)
        let output = boosted(input, sampleRate: sampleRate).output
        let later = output.map { Array($0[Int(4 * sampleRate)...]) }
        #expect(abs(loudness(later, sampleRate: sampleRate) + 16) < 1, "\(loudness(later, sampleRate: sampleRate))")
        var broken = voice
        broken[20_000] = .nan
        broken[30_000] = .infinity
        broken[30_001] = -.infinity
        let healed = boosted([broken], sampleRate: sampleRate).output[0]
        #expect(healed[Int(8 * sampleRate)...].allSatisfy { $0.isFinite })
        #expect(abs(loudness([Array(healed[Int(8 * sampleRate)...])], sampleRate: sampleRate) + 16) < 1.5)
    }
}
