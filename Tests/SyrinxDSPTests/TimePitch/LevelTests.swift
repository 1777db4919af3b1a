import Foundation
import SyrinxDSP
import Testing

/// The rate changes neither how loud attacks are nor how loud the parts of a stereo sound are beside each other.
@Suite struct LevelTests {
    /// Struck sounds: noise that dies away in 5 ms and a tone that dies away in 40 ms, over a quiet steady tone.
    private func struck(every distance: Int) -> (samples: [Float], places: [Int]) {
        var samples = tones([196], amplitude: 0.01, frameCount: 44100 + 20 * distance)
        let places = (0..<20).map { 22050 + $0 * distance }
        let hiss = noise(frameCount: 2205, amplitude: 0.4)
        for place in places {
            for index in 0..<8820 {
                let time = Double(index) / sampleRate
                let tone = 0.3 * exp(-time / 0.04) * sin(2 * .pi * 1318 * time)
                let attack = index < hiss.count ? Double(hiss[index]) * exp(-time / 0.005) : 0
                samples[place + index] += Float(tone + attack)
            }
        }
        return (samples, places)
    }

    @Test("The first 5 ms of an attack keep their energy within 1 dB", arguments: [0.5, 0.75, 1.25, 1.5, 2])
    func attacksKeepTheirLevel(rate: Double) {
        let (samples, places) = struck(every: 13_597)
        let output = stretched([samples], rate: rate, algorithm: .spectral)[0]
        let changes = places.map { place in
            let due = Int((Double(place) / rate).rounded())
            return decibels(energy(output[due..<due + 220]) / energy(samples[place..<place + 220]))
        }
        #expect(changes.allSatisfy { abs($0) < 1 }, "\(changes) dB")
    }

    /// The change of the side's level beside the middle's, in dB.
    private func changeOfSide(_ middle: [Float], _ side: [Float], rate: Double) -> Double {
        let left = zip(middle, side).map { $0 + $1 }
        let right = zip(middle, side).map { $0 - $1 }
        let output = stretched([left, right], rate: rate, algorithm: .spectral)
        func ratio(_ left: [Float], _ right: [Float]) -> Double {
            let inner = 8820..<left.count - 8820
            return energy(inner.map { left[$0] - right[$0] }) / energy(inner.map { left[$0] + right[$0] })
        }
        return decibels(ratio(output[0], output[1]) / ratio(left, right))
    }

    @Test(
        "A quiet side keeps its level beside a loud middle",
        arguments: [(0.75, 0.35), (1.25, 0.15), (1.5, 0.1), (2, 0.35)]
    )
    func theSideStaysBesideTheMiddle(rate: Double, tolerance: Double) {
        let count = Int(5 * sampleRate)
        let voice = Array(speech(seconds: 5, sampleRate: sampleRate).prefix(count))
        let change = changeOfSide(voice, noise(frameCount: voice.count, amplitude: 0.02), rate: rate)
        #expect(abs(change) < tolerance, "\(change) dB")
    }

    @Test("Two unlike channels keep the relation of middle and side", arguments: [0.75, 1.5])
    func unlikeChannelsKeepTheirRelation(rate: Double) {
        let (one, other) = (noise(frameCount: 220_500, seed: 1), noise(frameCount: 220_500, seed: 2))
        let change = changeOfSide(one, other, rate: rate)
        #expect(abs(change) < 0.1, "\(change) dB")
    }

    @Test("Noise keeps its level", arguments: [0.75, 1.25, 1.5, 2])
    func noiseKeepsItsLevel(rate: Double) {
        let input = noise(frameCount: 220_500)
        let output = stretched([input], rate: rate, algorithm: .spectral)[0]
        let inner = output[8820..<output.count - 8820]
        let change = decibels(energy(inner) / Double(inner.count) * Double(input.count) / energy(input))
        #expect(abs(change) < 0.5, "\(change) dB")
    }

    @Test("Two equal channels stay equal to the bit, and a panned voice keeps the difference of its levels")
    func pannedVoice() {
        let voice = speech(seconds: 4, sampleRate: sampleRate)
        let equal = stretched([voice, voice], rate: 1.5, algorithm: .spectral)
        #expect(equal[0] == equal[1])
        let panned = stretched([voice, voice.map { 0.3 * $0 }], rate: 1.5, algorithm: .spectral)
        let difference = decibels(energy(panned[1]) / energy(panned[0]) / 0.09)
        #expect(abs(difference) < 0.15, "\(difference) dB")
    }
}
