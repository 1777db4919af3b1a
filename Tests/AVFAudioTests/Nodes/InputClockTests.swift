import AVFAudio
import Foundation
import Testing

/// The clocks of an input and an output, both moved by hand.
@Suite struct InputClockTests {
    /// Low, so that ten minutes are soon over.
    private static let sampleRate = 2_000.0
    /// Ten milliseconds of output, and twenty of input.
    private static let block = 20
    private static let chunk = 40
    /// A tone of 100 Hz, whose periods are whole: each chunk has two.
    private static let tone = (0..<chunk).map { Float(sin(2 * .pi * (Double($0) + 0.5) / 20) / 2) }

    /// Returns the frames read in so many seconds of the output's clock while the input's runs faster by `drift`.
    private func heard(seconds: Int, drift: Double) -> [Float] {
        let ring = CaptureRing(sampleRate: Self.sampleRate, channelCount: 1, maximumFrameCount: Self.block)
        let heard = UnsafeMutablePointer<Float>.allocate(capacity: Self.block)
        let tone = UnsafeMutablePointer<Float>.allocate(capacity: Self.chunk)
        tone.initialize(from: Self.tone, count: Self.chunk)
        let places = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 2)
        places.initialize(to: heard)
        (places + 1).initialize(to: tone)
        let info = UnsafeMutablePointer<SlotInfo>.allocate(capacity: 1)
        defer {
            heard.deallocate()
            tone.deallocate()
            places.deallocate()
            info.deallocate()
        }
        let slot = RenderSlot(plain: places, channelCount: 1, info: info)
        var samples: [Float] = []
        var fed = 0
        while samples.count < seconds * Int(Self.sampleRate) {
            let now = Double(samples.count) / Self.sampleRate
            while true {
                let arrival = Double(fed + Self.chunk) / (Self.sampleRate * (1 + drift))
                guard arrival <= now else { break }
                ring.write(UnsafePointer(places + 1), frames: Self.chunk, at: UInt64(arrival * 1e9))
                fed += Self.chunk
            }
            let given = ring.read(into: slot, frames: Self.block, at: UInt64(now * 1e9))
            var frame = 0
            while frame < Self.block {
                samples.append(frame < given ? heard[frame] : 0)
                frame += 1
            }
        }
        return samples
    }

    @Test("Input and output of one clock are joined bit for bit")
    func clocksThatAreOneCostNothing() throws {
        let samples = heard(seconds: 30, drift: 0).drop { $0 == 0 }
        #expect(samples.count > 59_000)
        let expected = (0..<samples.count).map { Self.tone[$0 % Self.chunk] }
        #expect(Array(samples) == expected)
    }

    /// 200 parts in a million are 240 frames in ten minutes, and what is gathered beforehand is 128.
    @Test("Input and output clocks that differ stay together without a click", arguments: [200e-6, -200e-6])
    func clocksThatDifferStayTogether(drift: Double) throws {
        let samples = heard(seconds: 600, drift: drift)
        let first = try #require(samples.firstIndex { $0 != 0 })
        #expect(first < 400)
        // What three samples of a sine have in common whatever its phase: x(n+1) + x(n−1) = 2 cos(ω) x(n). A frame that
        // is missing or comes twice breaks it by 0.05 and more, a cent of pitch by 0.0001.
        let factor = Float(2 * cos(2 * .pi / 20.0))
        var worst: Float = 0
        // How far the sound lies behind the input's clock, in its frames, at every 20th: a period of the tone.
        var distances: [Double] = []
        var index = first + 1
        while index < samples.count - 1 {
            let (before, now, after) = (samples[index - 1], samples[index], samples[index + 1])
            worst = max(worst, (before + after - factor * now).magnitude)
            if before < 0, now >= 0 {
                let place = Double(index) - Double(now / (now - before))
                distances.append(place * (1 + drift) - Double(distances.count + 1) * 20)
            }
            index += 1
        }
        #expect(worst < 0.001, "a step of \(worst)")
        let range = (distances.max() ?? .infinity) - (distances.min() ?? 0)
        #expect(range < 32, "the distance moved by \(range) frames")
        // It comes back to where it was.
        #expect(distances.count > 59_000)
        let wandered = distances.suffix(3_000).map { abs($0 - distances[200]) }.max() ?? .infinity
        #expect(wandered < 4, "\(wandered) frames from where it was")
    }
}
