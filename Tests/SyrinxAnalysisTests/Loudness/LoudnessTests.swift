import Foundation
import SyrinxAnalysis
import SyrinxTestSupport
import Testing

/// The cases of EBU Tech 3341 and 3342 that are made of tones; the numbers are the documents' own.
@Suite("Loudness, EBU Tech 3341 and 3342")
struct LoudnessTests {
    /// Which of the twenty files of a case: all of them where loops over samples are optimised.
    private static let files: [Int] = {
        #if DEBUG
            [0, 7, 19]
        #else
            Array(0..<20)
        #endif
    }()

    private static func near(_ value: Double?, _ wanted: Double, _ tolerance: Double = 0.1) -> Bool {
        value.map { abs($0 - wanted) <= tolerance } ?? false
    }

    @Test("Case 1 and 2, at every usual rate", arguments: [8000.0, 22_050, 44_100, 48_000, 96_000])
    func steady(sampleRate: Double) {
        for level in [-23.0, -33] {
            let report = Tone(sampleRate: sampleRate, steps: [(4, level)]).report()
            #expect(Self.near(report.integrated, level))
            #expect(Self.near(report.momentaryMax, level))
            #expect(Self.near(report.shortTermMax, level))
            #expect(Self.near(report.range, 0))
        }
    }

    @Test("Cases 3, 4 and 5: the gates")
    func gates() {
        let cases: [[(Double, Double)]] = [
            [(10, -36), (60, -23), (10, -36)], [(10, -72), (10, -36), (60, -23), (10, -36), (10, -72)],
            [(20, -26), (20.1, -20), (20, -26)],
        ]
        for steps in cases {
            let report = Tone(sampleRate: 6000, steps: steps.map { (seconds: $0.0, decibels: $0.1) }).report()
            #expect(Self.near(report.integrated, -23), "\(steps): \(report)")
        }
    }

    @Test("Case 6: the weights of five channels, and none for the low-frequency one")
    func surround() {
        let five = Tone(channelLevels: [-28, -28, -24, -30, -30], steps: [(5, 0)])
        #expect(Self.near(five.report().integrated, -23))
        let six = Tone(channelLevels: [-28, -28, -24, -6, -30, -30], steps: [(5, 0)])
        #expect(Self.near(six.report().integrated, -23))
    }

    @Test("Case 9: short-term stays constant")
    func constantShortTerm() {
        let steps = (0..<5).flatMap { _ in [(seconds: 1.34, decibels: -20.0), (seconds: 1.66, decibels: -30.0)] }
        var meter = LoudnessMeter(sampleRate: 12_000, channelCount: 2, options: [])
        var seen = 0
        Tone(steps: steps).play(into: &meter) { time, meter in
            guard time > 3.001 else { return }
            seen += 1
            if !Self.near(meter.shortTerm, -23) { Issue.record("\(time): \(meter.shortTerm ?? .nan)") }
        }
        #expect(seen > 1000)
    }

    @Test("Cases 10 and 11: the greatest short-term", arguments: files)
    func shortTermMax(index: Int) {
        let before = Double(index) * 0.15
        let alone = Tone(steps: [(before, -.infinity), (3, -23), (1, -.infinity)]).report()
        #expect(Self.near(alone.shortTermMax, -23))
        let level = Double(-38 + index)
        let quiet = Tone(steps: [(before, -.infinity), (3, level), (3 - before, -.infinity)]).report()
        #expect(Self.near(quiet.shortTermMax, level))
    }

    @Test("Case 12: momentary stays constant")
    func constantMomentary() {
        let steps = (0..<25).flatMap { _ in [(seconds: 0.18, decibels: -20.0), (seconds: 0.22, decibels: -30.0)] }
        var meter = LoudnessMeter(sampleRate: 12_000, channelCount: 2, options: [])
        Tone(steps: steps).play(into: &meter) { time, meter in
            if time > 1, !Self.near(meter.momentary, -23) { Issue.record("\(time): \(meter.momentary ?? .nan)") }
        }
        #expect(Self.near(meter.report.integrated, -23))
    }

    @Test("Cases 13 and 14: the greatest momentary", arguments: files)
    func momentaryMax(index: Int) {
        let before = Double(index) * 0.02
        let alone = Tone(steps: [(before, -.infinity), (0.4, -23), (1, -.infinity)]).report()
        #expect(Self.near(alone.momentaryMax, -23))
        let level = Double(-38 + index)
        let quiet = Tone(steps: [(before, -.infinity), (0.4, level), (0.4 - before, -.infinity)]).report()
        #expect(Self.near(quiet.momentaryMax, level))
    }

    @Test("Tech 3342, cases 1 to 4: the range")
    func range() {
        let cases: [([Double], Double)] = [
            ([-20, -30], 10), ([-20, -15], 5), ([-40, -20], 20), ([-50, -35, -20, -35, -50], 15),
        ]
        for (levels, wanted) in cases {
            let report = Tone(sampleRate: 6000, steps: levels.map { (seconds: 20, decibels: $0) }).report()
            #expect(Self.near(report.range, wanted, 1), "\(levels): \(report)")
        }
    }

    @Test("Cases 15 to 19: peaks between samples")
    func truePeaks() {
        let cases: [(Double, Double, Double, Double)] = [
            (4, 0.5, 0, -6), (4, 0.5, 45, -6), (6, 0.5, 60, -6), (8, 0.5, 67.5, -6), (4, 1.41, 45, 3),
        ]
        for (divisor, amplitude, degrees, wanted) in cases {
            let count = 4800
            let wave = (0..<count).map { frame in
                // Fades of 10 ms.
                let fade = min(Double(frame) / 480, Double(count - frame) / 480, 1)
                return Float(fade * amplitude * sin(2 * .pi * Double(frame) / divisor + degrees / 180 * .pi))
            }
            expectTruePeak(wave, wanted)
        }
    }

    @Test("Cases 20 to 23: a burst between samples", arguments: 0..<4)
    func burst(offset: Int) {
        // At four times the rate: f/6 at 0.5, one period of f/4 at 1 in the middle, and f/6 again.
        let lead = 24 * 100
        let fine = (0..<lead).map { 0.5 * sin(2 * .pi * Double($0) / 24) }
        let high = (0..<16).map { sin(2 * .pi * Double($0) / 16) } + fine
        let signal = fine + high
        // A windowed sinc at half the lower rate.
        let taps = (-96...96).map { index -> Double in
            let x = Double(index)
            let sinc = index == 0 ? 0.25 : sin(.pi * x / 4) / (.pi * x)
            return sinc * (0.5 + 0.5 * cos(.pi * x / 97))
        }
        let wave = stride(from: 200 + offset, to: signal.count - 200, by: 4).map { center in
            Float(taps.indices.reduce(0.0) { $0 + taps[$1] * signal[center + $1 - 96] })
        }
        expectTruePeak(wave, 0)
    }

    private func expectTruePeak(_ wave: [Float], _ wanted: Double) {
        for pieces in [[wave.count], [1, 7, 480, 1023]] {
            var meter = LoudnessMeter(sampleRate: 48_000, channelCount: 1)
            var start = 0
            var piece = 0
            while start < wave.count {
                let end = min(start + pieces[piece % pieces.count], wave.count)
                withChannels([Array(wave[start..<end])]) { meter.append($0, frameCount: $1) }
                start = end
                piece += 1
            }
            let peak = meter.report.truePeak ?? .nan
            #expect(peak <= wanted + 0.2 && peak >= wanted - 0.4)
        }
    }

    @Test("Sample peak, RMS and ReplayGain of a tone; nothing of silence")
    func others() {
        let report = Tone(steps: [(4, -20)]).report(options: .all)
        #expect(Self.near(report.samplePeak, -20, 0.01))
        #expect(Self.near(report.rms, -23.01, 0.01))
        #expect(Self.near(report.replayGain, 2, 0.1))
        #expect(Self.near(report.replayPeak, 0.1, 0.001))
        let silent = Tone(steps: [(4, -.infinity)]).report(options: .all)
        #expect(silent.integrated == nil && silent.range == nil && silent.momentaryMax == nil)
        #expect(silent.shortTermMax == nil && silent.truePeak == nil && silent.samplePeak == nil && silent.rms == nil)
        let short = Tone(steps: [(0.3, -20)]).report(options: .all)
        #expect(short.integrated == nil && short.momentaryMax == nil && short.rms != nil)
    }

    @Test("An album is gated as a whole")
    func album() throws {
        var meters = [
            LoudnessMeter(sampleRate: 12_000, channelCount: 2), LoudnessMeter(sampleRate: 12_000, channelCount: 2),
        ]
        Tone(steps: [(10, -23)]).play(into: &meters[0])
        Tone(steps: [(10, -36)]).play(into: &meters[1])
        // What is 13 LU quieter falls to the gate, but for the blocks across the seam, of which there are none.
        #expect(Self.near(LoudnessMeter.report(of: meters).integrated, -23))
    }

    @Test("The cut into buffers changes nothing")
    func cuts() {
        let noise = [whiteNoise(frameCount: 30_000, seed: 1), whiteNoise(frameCount: 30_000, seed: 2)]
        var reports: [LoudnessReport] = []
        for size in [1, 7, 441, 30_000] {
            var meter = LoudnessMeter(sampleRate: 5550, channelCount: 2)
            for start in stride(from: 0, to: 30_000, by: size) {
                let piece = noise.map { Array($0[start..<min(start + size, 30_000)]) }
                withChannels(piece) { meter.append($0, frameCount: $1) }
            }
            reports.append(meter.report)
        }
        for report in reports {
            #expect(report.integrated == reports[0].integrated)
            #expect(report.truePeak == reports[0].truePeak && report.samplePeak == reports[0].samplePeak)
            #expect(Self.near(report.rms, reports[0].rms ?? .nan, 1e-4))
        }
    }
}
