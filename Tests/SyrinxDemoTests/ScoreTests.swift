import Testing

@testable import syrinx_demo

@Suite struct ScoreTests {
    let score = Score()

    @Test("The score lasts 40 s")
    func lastsFortySeconds() {
        #expect(score.duration == 40)
        #expect(score.harmony.count == 16)
    }

    @Test("The notes of the tune fill every bar")
    func everyBarOfTheTuneIsFull() throws {
        let tune = try #require(score.parts.first { $0.name == "tune" })
        var next = 0.0
        for note in tune.notes {
            #expect(note.start == next)
            next = note.start + note.beats
        }
        // The last note is let go a beat before the end.
        #expect(next == 16 * 4 - 1)
    }

    @Test("Chords have three keys, and the click sounds on every beat")
    func chordsHaveThreeKeysAndTheClickIsOnEveryBeat() throws {
        let chords = try #require(score.parts.first { $0.name == "chords" })
        #expect(chords.notes.count == 16 * 3)
        let click = try #require(score.parts.first { $0.name == "click" })
        #expect(click.notes.map(\.start) == (0..<60).map(Double.init))
    }

    @Test("Keys have the frequencies of equal temperament")
    func keysAreInEqualTemperament() {
        #expect(Key.a4.frequency == 440)
        #expect(abs(Key.a5.frequency - 880) < 1e-9)
        // C5, as any table of equal temperament has it.
        #expect(abs(Key.c5.frequency - 523.2511) < 1e-4)
        #expect(abs(Key.c2.frequency - 65.4064) < 1e-4)
    }
}

@Suite struct VoiceTests {
    let score = Score()
    let sampleRate = 8_000.0

    /// Renders all parts in blocks of `blockSize`, summed.
    private func render(_ range: Range<Int>, blockSize: Int) -> [[Float]] {
        var sum = [[Float]](repeating: [Float](repeating: 0, count: range.count), count: 2)
        var left = [Float](repeating: .nan, count: blockSize)
        var right = left
        for part in score.parts {
            let renderer = PartRenderer(part, beatsPerMinute: score.beatsPerMinute, sampleRate: sampleRate)
            for start in stride(from: range.lowerBound, to: range.upperBound, by: blockSize) {
                let count = min(blockSize, range.upperBound - start)
                left.withUnsafeMutableBufferPointer { left in
                    right.withUnsafeMutableBufferPointer { right in
                        guard let left = left.baseAddress, let right = right.baseAddress else { return }
                        _ = renderer.render(left: left, right: right, at: start, count: count)
                    }
                }
                for frame in 0..<count {
                    sum[0][start - range.lowerBound + frame] += left[frame]
                    sum[1][start - range.lowerBound + frame] += right[frame]
                }
            }
        }
        return sum
    }

    @Test("The score renders the same samples at every block size")
    func blocksOfAnySizeGiveTheSameSamples() {
        let range = 0..<16_000
        let whole = render(range, blockSize: range.count)
        #expect(render(range, blockSize: 7) == whole)
        #expect(render(range, blockSize: 4_096) == whole)
        #expect(whole[0] != whole[1])
    }

    @Test("The piece stays below full scale and ends in silence")
    func staysBelowFullScaleAndEndsInSilence() {
        let frameCount = Int(score.duration * sampleRate)
        let channels = render(0..<frameCount, blockSize: 4_096)
        for channel in channels {
            let peak = channel.map(abs).max() ?? 0
            #expect(peak > 0.2 && peak < 0.7)
            #expect(channel.suffix(400).allSatisfy { $0 == 0 })
        }
    }

    @Test("A part that rests reports silence")
    func aPartThatRestsSaysSo() throws {
        let click = try #require(score.parts.first { $0.name == "click" })
        let renderer = PartRenderer(click, beatsPerMinute: score.beatsPerMinute, sampleRate: sampleRate)
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 200)
        defer { memory.deallocate() }
        #expect(renderer.render(left: memory, right: memory + 100, at: 0, count: 100))
        // A beat lasts 5000 frames; the tick is over long before its half.
        #expect(!renderer.render(left: memory, right: memory + 100, at: 2_500, count: 100))
    }
}
