import Foundation
import SyrinxDSP
import Testing

/// An onset stays short, stays single and comes when it is due.
@Suite struct TransientTests {
    typealias Way = (TimePitchAlgorithm, cents: Double)

    /// Above rate 4 transients pass as they come: what is heard of each is not more than there was, and nothing is heard between.
    @Test(
        "Transients above rate 4 are neither amplified nor smeared",
        arguments: [4.5, 12],
        [.spectral, .timeDomain] as [TimePitchAlgorithm]
    )
    func aboveRateFourClicksPass(rate: Double, algorithm: TimePitchAlgorithm) {
        let distance = Int(3600 * rate) + 331
        let (samples, places) = clicks(frameCount: 22050 + 10 * distance, every: distance)
        let output = stretched([samples], rate: rate, algorithm: algorithm)[0]
        let loudest = samples.reduce(0) { max($0, abs($1)) }
        #expect(output.allSatisfy { abs($0) <= 1.1 * loudest })
        // Half a window of the vocoder and a burst lie around where each is due.
        for place in places {
            let middle = Int((Double(place) + Double(distance) / 2) / rate)
            #expect(energy(output[middle - 100..<middle + 100]) == 0)
        }
        let heard = places.filter { place in
            let due = Int(Double(place) / rate)
            return energy(output[max(due - 1600, 0)..<min(due + 1600, output.count)]) > 0
        }
        #expect(!heard.isEmpty)
    }

    @Test(
        "Each transient is heard once at its place",
        arguments: [0.5, 0.75, 1.25, 1.5, 2, 3],
        [(.spectral, 0), (.spectral, 500), (.timeDomain, 0), (.timeDomain, 500)] as [Way]
    )
    func clicksAreHeardOnceWhereTheyAreDue(rate: Double, way: Way) {
        let (samples, places) = clicks(frameCount: 22050 + 10 * 5657)
        let output = stretched([samples], rate: rate, cents: way.cents, algorithm: way.0)[0]
        let burst = energy(samples) / Double(places.count)
        var late: [Double] = []
        for place in places {
            // The burst begins where the map says, at its own speed; its share counts ±4 ms about its middle.
            let due = Double(place) / rate
            let middle = Int(due) + 88
            let reach = Int(2800 / rate)
            let around = energy(output[max(middle - reach, 0)..<min(middle + reach, output.count)])
            let near = energy(output[middle - 176..<middle + 176])
            #expect(near / around > 0.999, "at \(place): \(near / around)")
            // Whole, where no window but its own is over it.
            if way == (.timeDomain, 0) { #expect(abs(decibels(near / burst)) < 1, "at \(place): \(near / burst)") }
            let loudest = output[middle - 176..<middle + 176].map { abs($0) }.max() ?? 0
            let begin = (middle - 176..<middle + 176).first { abs(output[$0]) > 0.2 * loudest } ?? 0
            late.append(1000 * (Double(begin) - due) / sampleRate)
        }
        let mean = late.reduce(0, +) / Double(late.count)
        let spread = (late.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(late.count)).squareRoot()
        #expect(late.allSatisfy { abs($0) < 1 } && spread < 0.15, "\(late) ms")
    }

    @Test("A struck tone decays without a gap", arguments: [0.6, 1.0, 1.6])
    func aStruckToneRingsOnWithoutAHole(rate: Double) {
        // A tone that is struck four times a second and dies away by 20 dB in between.
        let input = (0..<88200).map { frame in
            let since = Double(frame % 11025) / 11025
            return Float(0.5 * pow(10, -since) * sin(2 * .pi * 440 * Double(frame) / sampleRate))
        }
        let output = stretched([input], rate: rate, cents: 1)[0]
        for index in stride(from: 22050.0, to: 66150, by: 441) {
            let since = index.truncatingRemainder(dividingBy: 11025) / 11025
            // Between transients, off them by 10 ms and more, the loudness is the input's.
            guard since > 0.04 * max(rate, 1), since < 1 - 0.04 * max(rate, 1) else { continue }
            let centre = Int(index / rate)
            let heard = (energy(output[centre - 200..<centre + 200]) / 200).squareRoot()
            let wanted = 0.5 * pow(10, -since)
            #expect(abs(20 * log10(heard / wanted)) < 4, "\(heard) for \(wanted) at \(since)")
        }
    }
}
