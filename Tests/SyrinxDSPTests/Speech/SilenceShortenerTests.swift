import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxDSP

@Suite("Silence shortener") struct SilenceShortenerTests {
    private typealias Cut = SilenceShortener.Cut
    private static let rate = 48_000.0

    private func shortened(
        _ input: [[Float]],
        _ lengths: PauseLengths,
        block: Int = 4_096,
        with kernel: SilenceShortener? = nil
    ) -> (output: [[Float]], cuts: [Cut], pending: Int) {
        let kernel =
            kernel
            ?? SilenceShortener(
                sampleRate: Self.rate,
                channelCount: input.count,
                maximumFrameCount: block,
                lengths: lengths
            )
        let planes = Planes(channelCount: input.count, frameCount: block)
        var result = (output: input.map { _ in [Float]() }, cuts: [Cut](), pending: 0)
        func drain() {
            while true {
                let count = kernel.read(into: planes.pointers, frameCount: block)
                while let cut = kernel.takeCut() { result.cuts.append(cut) }
                guard count > 0 else { return }
                for channel in input.indices {
                    result.output[channel] += UnsafeBufferPointer(start: planes.pointers[channel], count: count)
                }
            }
        }
        for start in stride(from: 0, to: input[0].count, by: block) {
            let count = min(block, input[0].count - start)
            for channel in input.indices {
                for index in 0..<count { planes.pointers[channel][index] = input[channel][start + index] }
            }
            kernel.write(planes.pointers, frameCount: count)
            drain()
            result.pending = max(result.pending, kernel.pendingFrameCount)
        }
        kernel.endInput()
        drain()
        return result
    }

    /// Returns the parts of the input that are left out: from the middle of the fade on.
    private func parts(_ cuts: [Cut]) -> [Range<Int>] {
        var removed = 0
        return cuts.map { cut in
            defer { removed += Int(cut.frameCount) }
            let start = Int(cut.outputFrame) + removed
            return start..<start + Int(cut.frameCount)
        }
    }

    private func speech(_ pauses: [Double], background: Double) -> SpeechMaker {
        var maker = SpeechMaker()
        for pause in pauses {
            maker.addWord()
            maker.addPause(pause)
        }
        maker.addWord()
        maker.addBackground(background)
        return maker
    }

    private static let pauses = [0.15, 1.2, 0.4, 0.15, 2.5, 0.8, 0.25, 1.6]

    @Test(
        "Pauses become as short as the rule says, no word is touched, and the count is exact",
        arguments: [-90.0, -65, -52],
        [PauseLengths.mild, .medium, .strong]
    )
    func shortensPauses(background: Double, lengths: PauseLengths) {
        let speech = speech(Self.pauses, background: background)
        let (output, cuts, _) = shortened([speech.samples], lengths)
        let removed = cuts.reduce(0) { $0 + Int($1.frameCount) }
        #expect(output[0].count + removed == speech.samples.count)
        let rule = Self.pauses.reduce(0) { $0 + $1 - lengths.remainder(of: $1) }
        let saved = Double(removed) / Self.rate
        #expect(abs(saved - rule) < 0.12 * rule, "\(saved) s are saved, and \(rule) s should be")
        // The fade, too, keeps its distance.
        let margin = Int(0.02 * Self.rate)
        for part in parts(cuts) {
            for sound in speech.sounds {
                #expect(part.upperBound + margin <= sound.lowerBound || part.lowerBound - margin >= sound.upperBound)
            }
        }
    }

    @Test(
        "Pauses with the hum of mains are found, and no word is touched",
        arguments: [49.9, 50, 60, 60.1],
        [(hum: -50.0, hiss: -72.0), (-57, -60), (-57, -75), (-57, -90), (-65, -85)]
    )
    func findsPausesWithHum(frequency: Double, levels: (hum: Double, hiss: Double)) {
        var speech = speech(Self.pauses + Self.pauses, background: levels.hiss)
        speech.addHum(frequency, level: levels.hum)
        let (_, cuts, _) = shortened([speech.samples], .strong)
        let rule = 2 * Self.pauses.reduce(0) { $0 + $1 - PauseLengths.strong.remainder(of: $1) }
        let saved = Double(cuts.reduce(0) { $0 + $1.frameCount }) / Self.rate
        #expect(saved > 0.8 * rule && saved < 1.1 * rule, "\(saved) s are saved, and \(rule) s should be")
        for part in parts(cuts) {
            for sound in speech.sounds where part.overlaps(sound) { Issue.record("The word at \(sound) is cut.") }
        }
    }

    @Test("Apart from the fades, each frame of the output is the frame of the input that the cuts say")
    func mapIsExact() {
        let speech = speech(Self.pauses, background: -60)
        let (output, cuts, _) = shortened([speech.samples, speech.samples.map { -$0 }], .strong)
        #expect(cuts.count >= 5)
        var removed = 0
        var next = 0
        let fade = Int(0.01 * Self.rate) + 1
        var wrong = 0
        for frame in output[0].indices {
            if next < cuts.count, frame >= Int(cuts[next].outputFrame) {
                removed += Int(cuts[next].frameCount)
                next += 1
            }
            let isInFade = cuts.contains { abs(Int($0.outputFrame) - frame) <= fade }
            if !isInFade, output[0][frame] != speech.samples[frame + removed] { wrong += 1 }
            if output[1][frame] != -output[0][frame] { wrong += 1 }
        }
        #expect(wrong == 0)
    }

    private func breathing(_ level: Double) -> SpeechMaker {
        var speech = SpeechMaker()
        for _ in 0..<4 {
            speech.addWord()
            speech.addPause(0.8)
            speech.addBreath(level)
            speech.addPause(0.5)
        }
        speech.addWord()
        speech.addBackground(-70)
        return speech
    }

    private static func isBreath(_ sound: Range<Int>) -> Bool { sound.count < Int(0.4 * rate) }

    @Test(
        "A breath is kept to within 10 ms at each place, and the pauses around it are shortened",
        arguments: [-45.0, -50]
    )
    func keepsBreaths(level: Double) {
        let speech = breathing(level)
        let (_, cuts, _) = shortened([speech.samples], .strong)
        let parts = parts(cuts)
        #expect(parts.count { $0.count > Int(0.1 * Self.rate) } == 8)
        for sound in speech.sounds {
            let skips = parts.filter { $0.overlaps(sound) }
            guard Self.isBreath(sound) else {
                #expect(skips.isEmpty, "a word is cut")
                continue
            }
            #expect(skips.allSatisfy { $0.count <= Int(0.01 * Self.rate) })
            for (skip, next) in zip(skips, skips.dropFirst()) {
                #expect(next.lowerBound - skip.upperBound >= Int(0.006 * Self.rate))
            }
        }
    }

    @Test("A breath is played at the rate of the strength", arguments: [PauseLengths.mild, .medium, .strong])
    func playsBreathsFaster(lengths: PauseLengths) {
        let speech = breathing(-57)
        let parts = parts(shortened([speech.samples], lengths).cuts)
        // Those after the first, when the floor is known; their edges belong to the pauses.
        for breath in speech.sounds.filter(Self.isBreath).dropFirst() {
            let middle = breath.lowerBound + Int(0.03 * Self.rate)..<breath.upperBound - Int(0.03 * Self.rate)
            let skipped = parts.reduce(0) { $0 + $1.clamped(to: middle).count }
            let rate = Double(middle.count) / Double(middle.count - skipped)
            #expect(abs(rate - lengths.softRate) < 0.15 * lengths.softRate)
        }
    }

    @Test("The level of a breath that is played faster does not waver")
    func keepsBreathsEven() {
        let speech = breathing(-57)
        let (output, cuts, _) = shortened([speech.samples], .strong)
        let window = Int(0.005 * Self.rate)
        func levels(_ samples: ArraySlice<Float>) -> [Double] {
            stride(from: samples.startIndex, to: samples.endIndex - window, by: window).map { start in
                10 * log10(samples[start..<start + window].reduce(0) { $0 + Double($1 * $1) } / Double(window))
            }
        }
        func spread(_ values: [Double]) -> Double {
            let mean = values.reduce(0, +) / Double(values.count)
            return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
        }
        for breath in speech.sounds.filter(Self.isBreath).dropFirst() {
            // Without its edges.
            let middle = breath.lowerBound + Int(0.03 * Self.rate)..<breath.upperBound - Int(0.03 * Self.rate)
            let skips = zip(cuts, parts(cuts)).filter {
                middle.contains($1.lowerBound) && middle.contains($1.upperBound)
            }
            guard let first = skips.first?.0, let last = skips.last?.0 else {
                Issue.record("The breath is not played faster.")
                continue
            }
            let faster = levels(output[0][Int(first.outputFrame)..<Int(last.outputFrame)])
            let natural = levels(speech.samples[middle])
            let mean = faster.reduce(0, +) / Double(faster.count) - natural.reduce(0, +) / Double(natural.count)
            #expect(abs(mean) < 0.7)
            #expect(spread(faster) < spread(natural) + 0.5)
        }
    }

    @Test("Digital silence before a noisy recording does not hide its pauses")
    func silenceBefore() {
        let speech = speech([0.8, 0.8, 0.8], background: -48)
        let silence = [Float](repeating: 0, count: Int(0.5 * Self.rate))
        let (_, cuts, _) = shortened([silence + speech.samples], .medium)
        // The first pause confirms the floor.
        let long = parts(cuts).filter { $0.count > Int(0.2 * Self.rate) }
        #expect(long.count >= 3)
    }

    @Test("A closure of a stop and a weak consonant in a word stay as they are")
    func keepsClosures() {
        var speech = SpeechMaker()
        for _ in 0..<12 {
            speech.addWord()
            speech.addPause(0.1)
        }
        speech.addWord()
        speech.addBackground(-60)
        let (output, cuts, _) = shortened([speech.samples], .strong)
        #expect(cuts.isEmpty)
        let isSame = output[0] == speech.samples
        #expect(isSame)
    }

    @Test("Joins are no louder than the background, in the steepness of the waveform")
    func joinsWithoutClick() {
        let speech = speech(Self.pauses, background: -55)
        let (output, cuts, _) = shortened([speech.samples], .strong)
        func steepest(_ samples: ArraySlice<Float>) -> Float {
            zip(samples, samples.dropFirst()).map { abs($0 - $1) }.max() ?? 0
        }
        let reach = Int(0.012 * Self.rate)
        for (cut, part) in zip(cuts, parts(cuts)) {
            let join = steepest(output[0][Int(cut.outputFrame) - reach..<Int(cut.outputFrame) + reach])
            let around = steepest(speech.samples[part.lowerBound - reach..<part.upperBound + reach])
            #expect(join - around < 0.001, "the join is steeper than the background by more than −60 dB")
        }
    }

    @Test("Both sides of a hum are joined in phase: what is not hum lies below −60 dB of full scale")
    func joinsInPhase() {
        let joiner = PauseJoiner(sampleRate: Self.rate, fadeTime: 0.02, reachTime: 0.01)
        for shift in stride(from: 0, to: 960, by: 37) {
            var samples = tone(100, amplitude: 0.1, frameCount: 9_600)
            // The second side begins at any phase.
            samples.removeSubrange(4_000..<4_000 + shift)
            let whole = samples
            var end = 0
            samples.withUnsafeMutableBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
                let planes = PauseJoiner.Planes(base: base, stride: buffer.count, channelCount: 1)
                let match = joiner.bestMatch(of: 1_000, in: 5_000 - joiner.reach...5_000 + joiner.reach, planes)
                joiner.fade(from: 1_000, to: match.frame, correlation: match.correlation, planes)
                end = match.frame
            }
            let joined = samples[end..<end + joiner.fadeLength]
            let right = whole[1_000..<1_000 + joiner.fadeLength]
            let difference = zip(joined, right).map { abs($0 - $1) }.max() ?? 1
            #expect(difference < 0.001)
        }
    }

    @Test("Sound without pauses passes bit for bit: soft notes, noise, and a fade to silence")
    func keepsMusic() {
        var random = SplitMix64(seed: 3)
        let count = Int(12 * Self.rate)
        // A loud chord, a soft one at −46 dB for two seconds, in turn.
        let notes = (0..<count).map { index -> Float in
            let time = Double(index) / Self.rate
            let level = Int(time / 2) % 2 == 0 ? 0.3 : 0.005
            return Float(level * (sin(time * 2 * .pi * 262) + sin(time * 2 * .pi * 392)))
        }
        let noise = (0..<count).map { _ in Float.random(in: -0.3...0.3, using: &random) }
        let faded = noise.enumerated().map { $1 * Float(pow(10, -Double($0) / Double(count) * 4)) }
        // Notes of the frequencies of hum, but not as soft; and softer notes next to those frequencies.
        func melody(_ frequencies: [Double], level: Double) -> [Float] {
            (0..<count).map { index in
                let time = Double(index) / Self.rate
                let isLoud = Int(time / 0.5) % 2 == 0
                let frequency = frequencies[Int(time) % frequencies.count]
                return Float((isLoud ? 0.3 : level) * sin(time * 2 * .pi * frequency))
            }
        }
        let low = melody([100, 150, 200, 120], level: 0.008)
        let soft = melody([98, 146.83, 196, 123.47, 440, 110], level: 0.002)
        for input in [notes, noise, faded, low, soft] {
            let (output, cuts, _) = shortened([input, input], .strong)
            #expect(cuts.isEmpty)
            let isSame = output == [input, input]
            #expect(isSame)
        }
    }

    @Test("The output does not depend on how the input is divided into blocks", arguments: [1, 479, 16_384])
    func blocks(size: Int) {
        let speech = speech([0.8, 0.3, 1.0], background: -60)
        let right = shortened([speech.samples], .strong)
        let other = shortened([speech.samples], .strong, block: size)
        #expect(other.output == right.output)
        #expect(other.cuts == right.cuts)
    }

    @Test("A minute of silence is bridged by one join, and no more than 3.5 s are held")
    func longSilence() {
        let speech = speech([0.5, 60, 0.5], background: -60)
        let (_, cuts, pending) = shortened([speech.samples], .strong)
        #expect(cuts.count == 3)
        #expect(abs(Double(cuts[1].frameCount) / Self.rate - (60 - PauseLengths.strong.maximum)) < 0.1)
        #expect(Double(pending) / Self.rate < 3.5)
    }

    @Test("What is not a number is given on, and pauses behind it are found")
    func strangeNumbers() {
        var speech = speech([0.8, 0.8, 0.8], background: -60).samples
        speech[10_000] = .nan
        speech[10_001] = .infinity
        let (output, cuts, _) = shortened([speech], .strong)
        #expect(output[0][10_000].isNaN && output[0][10_001] == .infinity)
        #expect(cuts.count >= 2)
    }

    @Test("Changing the lengths in a pause of which the middle has been dropped keeps the count exact")
    func changesLengths() {
        let speech = speech([0.6, 0.6, 4, 0.6], background: -60).samples
        let kernel = SilenceShortener(sampleRate: Self.rate, channelCount: 1, maximumFrameCount: 480, lengths: .strong)
        var (count, removed) = (0, 0)
        let planes = Planes(channelCount: 1, frameCount: 480)
        for start in stride(from: 0, to: speech.count, by: 480) {
            kernel.lengths = Double(start) / Self.rate > 5 ? .mild : .strong
            let now = min(480, speech.count - start)
            for index in 0..<now { planes.pointers[0][index] = speech[start + index] }
            kernel.write(planes.pointers, frameCount: now)
            while case let given = kernel.read(into: planes.pointers, frameCount: 480), given > 0 { count += given }
        }
        kernel.endInput()
        while case let given = kernel.read(into: planes.pointers, frameCount: 480), given > 0 { count += given }
        while let cut = kernel.takeCut() { removed += Int(cut.frameCount) }
        #expect(removed > Int(2.5 * Self.rate))
        #expect(count + removed == speech.count)
    }

    // It works on a thread that decodes, where a debug build may allocate.
    @Test("Nothing is allocated while it works, also after a reset", .enabled(if: isOptimized))
    func allocatesNothing() {
        let speech = speech(Self.pauses, background: -60).samples
        let kernel = SilenceShortener(sampleRate: Self.rate, channelCount: 1, maximumFrameCount: 480, lengths: .strong)
        let planes = Planes(channelCount: 1, frameCount: 480)
        var cutCount = 0
        func work() {
            var start = 0
            while start + 480 <= speech.count {
                speech.withUnsafeBufferPointer { samples in
                    if let base = samples.baseAddress { planes.pointers[0].update(from: base + start, count: 480) }
                }
                kernel.write(planes.pointers, frameCount: 480)
                while kernel.read(into: planes.pointers, frameCount: 480) > 0 {}
                while kernel.takeCut() != nil { cutCount += 1 }
                start += 480
            }
        }
        work()
        kernel.reset()
        #expect(allocations { work() } == 0)
        #expect(cutCount >= 12)
    }
}
