import Foundation

@testable import SyrinxDSP

/// Sound like speech: syllables of voiced harmonics and hiss in phrases of two to three seconds, with pauses between and
/// noise beneath.
func speech(seconds: Double, sampleRate: Double = 48_000, seed: UInt64 = 1) -> [Float] {
    var state = seed
    func random() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(state >> 40) / Double(1 << 24)
    }
    let count = Int(seconds * sampleRate)
    var samples = noise(frameCount: count, amplitude: 0.001, seed: seed)
    let hiss = noise(frameCount: count, amplitude: 1, seed: seed &+ 7)
    var place = Int(0.3 * sampleRate)
    while place < count {
        let end = place + Int((2 + random()) * sampleRate)
        while place < min(end, count) {
            let length = Int((0.12 + 0.15 * random()) * sampleRate)
            let (pitch, loud, isVoiced) = (100 + 40 * random(), 0.4 + 0.6 * random(), random() > 0.2)
            for index in 0..<min(length, count - place) {
                let time = Double(index) / sampleRate
                let shape = sin(.pi * Double(index) / Double(length))
                var sample = 0.0
                if isVoiced {
                    for part in 1...12 {
                        // Strongest near 500 and 1500 Hz, as formants make it.
                        let frequency = pitch * Double(part)
                        let first = 1 / (1 + pow((frequency - 500) / 200, 2))
                        let second = 0.5 / (1 + pow((frequency - 1_500) / 300, 2))
                        sample += (0.1 + first + second) * sin(2 * .pi * frequency * time)
                    }
                    sample *= 0.12
                } else {
                    sample = 0.05 * Double(hiss[place + index])
                }
                samples[place + index] += Float(sample * shape * loud)
            }
            place += length + Int(0.04 * random() * sampleRate)
        }
        place += Int((0.3 + 0.7 * random()) * sampleRate)
    }
    return samples
}

/// The gated loudness in LUFS.
func loudness(_ channels: [[Float]], sampleRate: Double = 48_000) -> Double {
    let meter = ProgrammeLoudness(sampleRate: sampleRate, channelCount: channels.count)
    _ = processed(channels, block: 4_096) { planes, _, count in meter.append(planes, frameCount: count) }
    return meter.integrated ?? -.infinity
}

/// Returns `samples` at a loudness in LUFS.
func atLoudness(_ channels: [[Float]], _ wanted: Double, sampleRate: Double = 48_000) -> [[Float]] {
    let factor = Float(pow(10, (wanted - loudness(channels, sampleRate: sampleRate)) / 20))
    return channels.map { channel in channel.map { $0 * factor } }
}
