import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxAnalysis

@Suite("Shares of speech and music")
struct SpeechMusicTests {
    private let sampleRate = 8000.0

    private func shares(_ wave: [Float], sampleRate: Double = 8000) -> SpeechMusicDetector.Shares {
        let detector = SpeechMusicDetector(sampleRate: sampleRate, channelCount: 2)
        withChannels([wave, wave]) { detector.append($0, frameCount: $1) }
        return detector.finish()
    }

    /// Syllables, four in a second: half a buzz of 120 Hz with a formant that moves, half a hiss or a pause.
    private func speechLike(seconds: Int) -> [Float] {
        var random = Xorshift(seed: 7)
        let period = Int(sampleRate / 4)
        return (0..<seconds * Int(sampleRate)).map { frame in
            let (syllable, place) = (frame / period, Double(frame % period) / Double(period))
            if place < 0.6 {
                let formant = [500.0, 1500, 800, 2400, 1100][syllable % 5] * (0.8 + 0.7 * place)
                let time = Double(frame) / sampleRate
                var buzz = 0.0
                for harmonic in 1...20 {
                    let distance = (Double(harmonic) * 120 - formant) / 300
                    buzz += sin(2 * .pi * Double(harmonic) * 120 * time) * exp(-distance * distance)
                }
                return Float(0.3 * sin(.pi * place / 0.6) * buzz)
            }
            return place < 0.75 && syllable.isMultiple(of: 2) ? 0.05 * random.next() : 0.0002 * random.next()
        }
    }

    /// Chords of three notes, one in two seconds.
    private func musicLike(seconds: Int) -> [Float] {
        let chords = [[220.0, 277.2, 329.6], [196, 246.9, 293.7], [246.9, 293.7, 370]]
        return (0..<seconds * Int(sampleRate)).map { frame in
            let time = Double(frame) / sampleRate
            let chord = chords[Int(time / 2) % 3]
            let swell = min(time.truncatingRemainder(dividingBy: 2) * 10, 1)
            var sum = 0.0
            for note in chord {
                let phase = 2 * Double.pi * note * time
                sum += sin(phase) + 0.3 * sin(2 * phase)
            }
            return Float(0.1 * swell * sum)
        }
    }

    @Test("What is made like speech is speech, what is made like music is music")
    func madeSounds() {
        let speech = shares(speechLike(seconds: 12))
        #expect(speech.speech ?? 0 > 0.9 && speech.music ?? 1 < 0.1, "\(speech)")
        let music = shares(musicLike(seconds: 12))
        #expect(music.music ?? 0 > 0.9 && music.speech ?? 1 < 0.1, "\(music)")
    }

    @Test("A recording of both and of silence has the shares of each")
    func mixture() throws {
        let silence = [Float](repeating: 0, count: 20 * Int(sampleRate))
        let both = shares(speechLike(seconds: 20) + musicLike(seconds: 40) + silence)
        let (speech, music) = (try #require(both.speech), try #require(both.music))
        #expect(abs(speech - 0.25) < 0.04 && abs(music - 0.5) < 0.04, "\(both)")
    }

    @Test("Noise and silence are neither, and too little sound has no shares")
    func neither() {
        var random = Xorshift(seed: 3)
        let noise = (0..<8 * Int(sampleRate)).map { _ in 0.2 * random.next() }
        let none = SpeechMusicDetector.Shares(speech: 0, music: 0)
        #expect(shares(noise) == none)
        #expect(shares(noise.map { _ in 0 }) == none)
        #expect(shares(noise.map { _ in .nan }) == none)
        #expect(shares(Array(noise.prefix(4000))) == SpeechMusicDetector.Shares())
        #expect(shares(noise, sampleRate: 3000) == SpeechMusicDetector.Shares())
    }

    @Test("Modulation is the root mean square of what changes at the rate of syllables")
    func modulation() {
        let classifier = SpeechMusicClassifier(frameRate: 40)
        func levels(_ frequency: Double) -> [Double] {
            (0..<120).map { 1 + 0.5 * sin(2 * .pi * frequency * Double($0) / 40) }
        }
        #expect(abs(classifier.modulation(of: levels(4)) - 0.5 / 2.0.squareRoot()) < 1e-9)
        #expect(classifier.modulation(of: levels(1)) < 1e-9)
        #expect(classifier.modulation(of: levels(12)) < 1e-9)
    }
}

/// Numbers from −1 to 1, the same in each run.
private struct Xorshift {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> Float {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
    }
}
