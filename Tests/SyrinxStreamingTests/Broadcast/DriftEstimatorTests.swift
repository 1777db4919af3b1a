import AVFAudio
import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxDSP
import SyrinxDevice
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// The clocks of a sender and of a sound card, both moved by hand.
@Suite("Broadcast pace") struct DriftEstimatorTests {
    private static let rate = 44_100.0

    private struct Course {
        /// Seconds held, at the least and at the most.
        var least = Double.infinity
        var most = 0.0
        /// Frames taken for each that is played: the furthest from one, and the last.
        var furthest = 1.0
        var last = 1.0
    }

    /// Plays for so many hours what a sender sends whose clock is faster by `drift`: packets of a quarter of a second, each up to
    /// 60 ms late.
    private func play(hours: Double, drift: Double, held start: Double = 0.8, isFollowed: Bool = true) -> Course {
        var pace = DriftEstimator(sampleRate: Self.rate)
        var dice = Dice(7)
        var course = Course()
        var ratio = 1.0
        var given = start * Self.rate
        var next = 1.0
        var late = 0.0
        let tick = 0.1
        for index in 1...Int(hours * 3_600 / tick) {
            let now = Double(index) * tick
            while next * 0.25 / (1 + drift) + late <= now {
                given += 0.25 * Self.rate / ratio
                next += 1
                late = 0.06 * dice.fraction()
            }
            let held = given - now * Self.rate
            course.least = min(course.least, held / Self.rate)
            course.most = max(course.most, held / Self.rate)
            guard let new = pace.note(held: held, played: Int64(now * Self.rate)), isFollowed else { continue }
            ratio = new
            course.last = new
            if abs(new - 1) > abs(course.furthest - 1) { course.furthest = new }
        }
        return course
    }

    @Test(
        "Clocks that differ neither starve nor overfill the buffer in ten hours",
        arguments: [-200, 200, -400, 400, -50, 50]
    ) func clocksMayDifferForHours(millionths: Int) {
        let drift = Double(millionths) / 1e6
        let course = play(hours: 10, drift: drift)
        // Never near to where the machine would hold the output, nor ever more than began.
        #expect(course.least > PlaybackMachine.Threshold.low)
        #expect(course.most < 1.2)
        #expect(abs(course.last - 1 - drift) < 100e-6)
        // Below a cent.
        #expect(abs(cents(from: 1, to: course.furthest)) < 1)
        // What would have become of it: 200 parts in a million are 7.2 s in ten hours.
        if abs(millionths) >= 200 {
            let left = play(hours: 10, drift: drift, isFollowed: false)
            #expect(left.least < 0 || left.most > 5)
        }
    }

    @Test("Equal clocks keep the ratio at exactly 1")
    func clocksThatAreOneAreLeftAlone() { #expect(play(hours: 10, drift: 0).furthest == 1) }

    /// The estimate of the clocks outlives an interruption, after which a new level is held.
    @Test("An interruption does not count as drift")
    func aBreakIsNoDrift() {
        var pace = DriftEstimator(sampleRate: Self.rate)
        func play(seconds: ClosedRange<Int>, held: Double) -> [Double] {
            seconds.compactMap { pace.note(held: held * Self.rate, played: Int64(Double($0) * Self.rate)) }
        }
        #expect(play(seconds: 1...100, held: 1).isEmpty)
        pace.rest()
        #expect(play(seconds: 101...200, held: 4).isEmpty)
        // Without the break it would have been one.
        #expect(!play(seconds: 201...240, held: 1).isEmpty)
    }

    // MARK: The samples

    /// A source of a tone, and what is right of it.
    private func tone(seconds: Int) throws -> (source: SwitchedSource, samples: [Float]) {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a.wav")
        try FFmpeg.make(path, from: "sine=1000:r=44100:d=\(seconds)", ["-c:a", "pcm_f32le"])
        let reader = try MediaReader.open(MemoryByteStream(try Inputs.bytes(path), name: "a.wav"))
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: Self.rate, channels: 1))
        return (SwitchedSource(try PCMSource(reader, readFormat: format)), try Inputs.decoded(path, channelCount: 1)[0])
    }

    private func read(_ source: SwitchedSource, ratio: (Int) -> Double) throws -> [Float] {
        let pacer = try #require(DriftResampler(format: source.readFormat))
        var samples: [Float] = []
        while true {
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: source.readFormat, frameCapacity: 1_024))
            guard try pacer.read(into: buffer, from: source, ratio: ratio(samples.count)) > 0 else { return samples }
            let channel = try #require(buffer.floatChannelData)[0]
            samples += UnsafeBufferPointer(start: channel, count: Int(buffer.frameLength))
        }
    }

    @Test("Samples are unchanged until drift is detected")
    func untilClocksDifferItIsBitForBit() throws {
        let (source, expected) = try tone(seconds: 3)
        #expect(try read(source) { _ in 1 } == expected)
    }

    @Test("A change of pace is smooth and shifts the pitch by less than a cent", arguments: [1.0003, 0.9997])
    func aChangeOfPaceIsNeitherAStepNorHeard(ratio: Double) throws {
        let (source, expected) = try tone(seconds: 20)
        let samples = try read(source) { $0 < 44_100 ? 1 : ratio }
        let changed = samples[(12 * 44_100)..<(18 * 44_100)]
        #expect(
            abs(
                cents(from: 1_000, to: toneFrequency(Array(changed), sampleRate: Self.rate)) - cents(from: 1, to: ratio)
            ) < 0.02
        )
        // 251 frames in the nineteen seconds, less 46 for coming to it gradually.
        let missing = Double(expected.count - samples.count)
        #expect(abs(missing - 205 * (ratio > 1 ? 1 : -1)) < 15)
        // The second difference of a tone is bounded by its own; a click of a hundredth of it would not be.
        let peak = Double(expected.map(abs).max() ?? 0)
        let bound = Float(peak * pow(2 * .pi * 1_000 / Self.rate, 2) * 1.02)
        var worst: Float = 0
        for index in 1..<(samples.count - 200) {
            let neighbours = samples[index - 1] + samples[index + 1]
            worst = max(worst, abs(neighbours - 2 * samples[index]))
        }
        #expect(worst < bound)
    }
}
