import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxDSP

@Suite("Spatial voice", .enabled(if: isOptimized, "Measured in release.")) struct SpatialVoiceTests {
    private static let rate = 48_000.0
    private static let sphere = HeadResponses(sphericalHeadAt: rate)

    private func rendered(
        _ input: [Float],
        measuredHead: HeadResponses? = nil,
        block: Int = 512,
        _ target: (_ frame: Int) -> SpatialTarget
    ) -> (left: [Float], right: [Float], send: [Float]) {
        let mixer = BinauralMixer(sampleRate: Self.rate, maximumFrameCount: block)
        let voice = SpatialVoice(
            sampleRate: Self.rate,
            mixer: mixer,
            sphericalHead: Self.sphere,
            measuredHead: measuredHead
        )
        let (left, right, send) = (memory(input.count), memory(input.count), memory(input.count))
        defer { for plane in [left, right, send] { plane.deallocate() } }
        input.withUnsafeBufferPointer { source in
            guard let base = source.baseAddress else { return }
            var start = 0
            while start < input.count {
                let count = min(block, input.count - start)
                voice.set(target(start))
                voice.process(
                    base + start,
                    left: left + start,
                    right: right + start,
                    send: send + start,
                    frameCount: count
                )
                mixer.finish(left: left + start, right: right + start, frameCount: count)
                start += count
            }
        }
        func samples(_ plane: UnsafeMutablePointer<Float>) -> [Float] {
            Array(UnsafeBufferPointer(start: plane, count: input.count))
        }
        return (samples(left), samples(right), samples(send))
    }

    private func memory(_ count: Int) -> UnsafeMutablePointer<Float> {
        let plane = UnsafeMutablePointer<Float>.allocate(capacity: count)
        plane.initialize(repeating: 0, count: count)
        return plane
    }

    private func head(
        _ azimuth: Double,
        rendering: SpatialTarget.Rendering = .sphericalHead
    ) -> SpatialTarget {
        var target = SpatialTarget()
        target.rendering = rendering
        target.direction = SpatialDirection(azimuth: azimuth, elevation: 0)
        return target
    }

    private func impulse(_ count: Int = 4_096) -> [Float] {
        var samples = [Float](repeating: 0, count: count)
        samples[0] = 1
        return samples
    }

    /// The group delay at low frequencies in seconds: the first moment of a response over its sum.
    private func delay(_ response: [Float]) -> Double {
        let sum = response.reduce(0.0) { $0 + Double($1) }
        return response.enumerated().reduce(0.0) { $0 + Double($1.offset) * Double($1.element) } / sum / Self.rate
    }

    @Test(
        "The ears of a sphere hear a source apart by (a/c)(θ + sin θ), within 20 µs",
        arguments: [15.0, 30, 45, 60, 75, 90]
    )
    func interauralTime(azimuth: Double) {
        let output = rendered(impulse()) { _ in head(azimuth) }
        let angle = azimuth * .pi / 180
        let wanted = 0.0875 / 343 * (angle + sin(angle))
        // The shelf moves the group delay of each ear by a known time: (1 − α) / 2ω₀, which the formula leaves out.
        func shelf(_ incidence: Double) -> Double {
            let alpha = 1.05 + 0.95 * cos(incidence / (150 * .pi / 180) * .pi)
            return (1 - alpha) * 0.0875 / (2 * 343)
        }
        let measured = delay(output.left) - shelf(.pi / 2 + angle) - delay(output.right) + shelf(.pi / 2 - angle)
        #expect(abs(measured - wanted) < 20e-6, "\(measured * 1e6) µs, \(wanted * 1e6) µs")
    }

    @Test("A measured direction sounds as it was measured")
    func measuredDirections() {
        let measured = stride(from: -180.0, to: 180, by: 30).map { azimuth -> HeadResponse in
            var noise = whiteNoise(frameCount: 64, seed: UInt64(azimuth + 200))
            noise = noise.enumerated().map { $1 * Float(exp(-Double($0) / 10)) }
            let lag = Int(20 + 15 * sin(azimuth * .pi / 180))
            let left = [Float](repeating: 0, count: lag) + [1] + noise
            let right = [Float](repeating: 0, count: 40 - lag) + [1] + noise.reversed()
            return HeadResponse(
                direction: SpatialDirection(azimuth: azimuth, elevation: 0),
                left: left + [Float](repeating: 0, count: 120 - left.count),
                right: right + [Float](repeating: 0, count: 120 - right.count)
            )
        }
        let responses = HeadResponses(measured: measured, sampleRate: Self.rate)
        for response in measured {
            let rendered = rendered(impulse(512), measuredHead: responses) { _ in
                head(response.direction.azimuth, rendering: .measuredHead)
            }
            let left = Array(rendered.left.dropFirst(BinauralMixer.blockFrames(sampleRate: Self.rate)))
            // All directions have one delay in common.
            let lags = (0..<40).map { lag in
                (0..<100).reduce(0.0) { sum, index in
                    guard index + lag >= 12 else { return sum + abs(Double(left[index])) }
                    let place = index + lag - 12
                    return sum + abs(Double(left[index] - (place < 120 ? response.left[place] : 0)))
                }
            }
            #expect((lags.min() ?? 1) < 1e-4, "\(response.direction.azimuth)")
        }
    }

    @Test("Output does not depend on the blocks", arguments: [1, 17, 256, 1_000])
    func blocks(block: Int) {
        let noise = whiteNoise(frameCount: 5_000)
        let (whole, parts) = (
            rendered(noise, block: 5_000) { _ in head(40) }, rendered(noise, block: block) { _ in head(40) }
        )
        #expect(whole.left == parts.left && whole.right == parts.right)
    }

    @Test("Sources that come to rest within a block are the same as by frames", arguments: [1, 100, 250])
    func resting(block: Int) {
        let noise = whiteNoise(frameCount: 12_000)
        func way(_ frame: Int) -> SpatialTarget {
            // Gains and a send that glide and come to rest; then a low pass that comes and goes; then a head instead of gains.
            var target = frame < 9_000 ? SpatialTarget() : head(40)
            target.left = frame < 3_000 ? 0.2 : 0.7
            target.right = frame < 3_000 ? 0.9 : 0
            target.directGain = 0.8
            target.sendGain = frame < 3_000 ? 0 : 0.3
            target.occlusion = (5_000..<7_000).contains(frame) ? -9 : 0
            return target
        }
        let whole = rendered(noise, block: 1_000, way)
        let parts = rendered(noise, block: block, way)
        #expect(whole.left == parts.left && whole.right == parts.right && whole.send == parts.send)
        // At rest nothing but the gains is left.
        for frame in 2_000..<3_000 {
            #expect(abs(whole.left[frame] - noise[frame] * 0.16) < 1e-6)
            #expect(whole.send[frame] == 0)
        }
    }

    @Test("A change of blocks does not move a fade")
    func blocksWhileFading() {
        let noise = whiteNoise(frameCount: 8_000)
        let whole = rendered(noise, block: 2_000) { $0 < 2_000 ? head(0) : head(70) }
        let parts = rendered(noise, block: 250) { $0 < 2_000 ? head(0) : head(70) }
        #expect(whole.left == parts.left)
    }

    @Test("A source that jumps to the other side does not click", arguments: [true, false])
    func jumps(isHead: Bool) {
        let sine = sineWave(frequency: 100, sampleRate: Self.rate, frameCount: 48_000)
        let output = rendered(sine) { start in
            let side: Double = start / 5_120 % 2 == 0 ? -80 : 80
            var target = isHead ? head(side) : SpatialTarget()
            if !isHead {
                (target.left, target.right) = SpatialDirection(azimuth: side, elevation: 0).equalPowerGains
            }
            return target
        }
        let high = highPassed(output.left, frequency: 10_000)[4_800...]
        #expect(10 * log10(high.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(high.count)) < -90)
    }

    @Test("Occlusion acts on the reverb too, and obstruction on the direct way alone")
    func obstacles() {
        let sine = sineWave(frequency: 5_000, sampleRate: Self.rate, frameCount: 24_000)
        var target = SpatialTarget()
        target.sendGain = 0.5
        (target.occlusion, target.obstruction) = (-6, -12)
        let output = rendered(sine) { _ in target }
        let input = levelDecibels(Array(sine[4_800...]))
        #expect(abs(levelDecibels(Array(output.left[4_800...])) - input + 18) < 0.1)
        #expect(abs(levelDecibels(Array(output.send[4_800...])) - input + 6 + 6.02) < 0.1)
    }

    @Test("Sources share a mixer, and each is heard as it would be alone")
    func sharing() {
        let inputs = (0..<3).map { whiteNoise(frameCount: 4_000, seed: UInt64($0 + 1)) }
        let mixer = BinauralMixer(sampleRate: Self.rate, maximumFrameCount: 4_000)
        let (left, right, send) = (memory(4_000), memory(4_000), memory(4_000))
        defer { for plane in [left, right, send] { plane.deallocate() } }
        var alone = [Float](repeating: 0, count: 4_000)
        let voices = inputs.map { _ in
            SpatialVoice(sampleRate: Self.rate, mixer: mixer, sphericalHead: Self.sphere, measuredHead: nil)
        }
        for (index, input) in inputs.enumerated() {
            let azimuth = Double(index) * 70 - 60
            voices[index].set(head(azimuth))
            voices[index].process(input, left: left, right: right, send: send, frameCount: input.count)
            for (frame, sample) in rendered(input, block: 4_000, { _ in head(azimuth) }).left.enumerated() {
                alone[frame] += sample
            }
        }
        mixer.finish(left: left, right: right, frameCount: 4_000)
        for frame in 0..<4_000 { #expect(abs(left[frame] - alone[frame]) < 1e-5) }
    }

    @Test("A source that has ended leaves silence behind its tail, and fades nothing when it begins elsewhere")
    func silence() {
        let block = BinauralMixer.blockFrames(sampleRate: Self.rate)
        let noise = whiteNoise(frameCount: 10 * block)
        let input = noise + [Float](repeating: 0, count: 20 * block) + noise
        let output = rendered(input) { $0 < 20 * block ? head(-80) : head(80) }
        let end = 10 * block + BinauralMixer.tailFrames(sampleRate: Self.rate)
        #expect(output.left[end..<30 * block].allSatisfy { $0 == 0 })
        #expect(output.left[..<(10 * block)].contains { $0 != 0 })
        // From the first frame on it is as a source that has never been anywhere else.
        let fresh = rendered(noise) { _ in head(80) }
        #expect(Array(output.left[(30 * block)...]) == fresh.left)
    }
}
