import Foundation
import SyrinxTestSupport

/// Makes sounds like speech, with pauses that are known: words of unvoiced and voiced sounds, and breaths.
struct SpeechMaker {
    let sampleRate = 48_000.0
    private var random = SplitMix64(seed: 11)
    private(set) var samples: [Float] = []
    /// The frames of words and breaths.
    private(set) var sounds: [Range<Int>] = []

    private mutating func noise() -> Double {
        (0..<4).reduce(0) { sum, _ in sum + Double.random(in: -1...1, using: &random) } / 1.15
    }

    private func count(_ seconds: Double) -> Int { Int(seconds * sampleRate) }

    private func edge(_ index: Int, _ count: Int) -> Double {
        min(1, Double(min(index, count - 1 - index)) / (0.01 * sampleRate))
    }

    /// Adds a word of half a second: a weak consonant at −38 dB, and a vowel at −20 dB.
    mutating func addWord() {
        let start = samples.count
        let hiss = count(0.1)
        var last = 0.0
        for index in 0..<hiss {
            let white = noise()
            samples.append(Float((white - last) * edge(index, hiss) * 0.0126 / 1.4))
            last = white
        }
        let voice = count(0.4)
        for index in 0..<voice {
            let phase = 2 * Double.pi * 140 * Double(index) / sampleRate
            let sum = (1..<12).reduce(0.0) { $0 + sin(Double($1) * phase) / Double($1) }
            samples.append(Float(sum * edge(index, voice) * 0.12))
        }
        sounds.append(start..<samples.count)
    }

    mutating func addPause(_ seconds: Double) { samples += Array(repeating: 0, count: count(seconds)) }

    /// Adds a breath of 0.3 s at this level, in dB.
    mutating func addBreath(_ level: Double = -45) {
        let start = samples.count
        let amplitude = pow(10, level / 20)
        var last = 0.0
        for index in 0..<count(0.3) {
            // As of background noise, there is less of it at high frequencies.
            last = 0.7 * last + 0.714 * noise()
            samples.append(Float(last * edge(index, count(0.3)) * amplitude))
        }
        sounds.append(start..<samples.count)
    }

    /// Lays noise of this level, in dB, under everything.
    mutating func addBackground(_ level: Double) {
        let amplitude = pow(10, level / 20)
        var last = 0.0
        for index in samples.indices {
            // Background noise falls with the frequency.
            last = 0.7 * last + 0.714 * noise()
            samples[index] += Float(last * amplitude)
        }
    }

    /// Lays the hum of mains of this frequency, in Hz, and of this level, in dB, under everything: most of it is the second harmonic.
    mutating func addHum(_ frequency: Double, level: Double) {
        let harmonics = [0.3, 1, 0.1, 0.3, 0.05]
        let scale = pow(10, level / 20) / (harmonics.reduce(0) { $0 + $1 * $1 } / 2).squareRoot()
        for index in samples.indices {
            let phase = 2 * Double.pi * frequency * Double(index) / sampleRate
            let hum = harmonics.enumerated().reduce(0) { sum, part in
                sum + part.element * sin(Double(part.offset + 1) * phase + Double(part.offset))
            }
            samples[index] += Float(scale * hum)
        }
    }
}
