import AVFAudio
import Foundation
import SyrinxDSP
import SyrinxTestSupport
import Testing

@Suite("Measured head", .enabled(if: MeasuredHead.isInstalled, "libmysofa's data are not installed."))
struct MeasuredHeadTests {
    private let rate = 44_100.0

    /// The place in frames of the highest point of the correlation of two responses, between frames by a parabola.
    private func lag(_ a: [Float], _ b: [Float]) -> Double {
        func product(_ lag: Int) -> Double {
            a.indices.reduce(0.0) { sum, index in
                b.indices.contains(index + lag) ? sum + Double(a[index] * b[index + lag]) : sum
            }
        }
        let best = (-50...50).max { product($0) < product($1) } ?? 0
        let (before, at, after) = (product(best - 1), product(best), product(best + 1))
        return Double(best) + 0.5 * (before - after) / (before - 2 * at + after)
    }

    private func octaveLevels(_ response: [Float]) -> [Double] {
        [250.0, 500, 1_000, 2_000, 4_000, 8_000].map { centre in
            let power = (0..<9).reduce(0.0) { sum, step in
                let frequency = centre * pow(2, (Double(step) - 4) / 9)
                var (real, imaginary) = (0.0, 0.0)
                for (index, sample) in response.enumerated() {
                    let angle = 2 * .pi * frequency * Double(index) / rate
                    real += Double(sample) * cos(angle)
                    imaginary += Double(sample) * sin(angle)
                }
                return sum + real * real + imaginary * imaginary
            }
            return 10 * log10(power)
        }
    }

    @Test("Both ears hear measured directions as the equalised data set has them: 20 µs and 1 dB")
    func cues() throws {
        // The equaliser moves no time between the ears, so times are those of the data set as it is.
        let measured = try #require(MeasuredHead.measurements(sampleRate: rate))
        let equalized = HeadResponses.equalized(measured, sampleRate: rate)
        let rig = try OfflineRig(sampleRate: rate)
        let (environment, player) = (AVAudioEnvironmentNode(), AVAudioPlayerNode())
        rig.engine.attach(environment)
        rig.engine.attach(player)
        rig.engine.connect(
            player,
            to: environment,
            format: AVAudioFormat(standardFormatWithSampleRate: rate, channels: 1)
        )
        rig.engine.connect(environment, to: rig.engine.mainMixerNode, format: nil)
        player.renderingAlgorithm = .HRTF
        let click = buffer([[1] + [Float](repeating: 0, count: 1_023)], sampleRate: rate)
        try rig.engine.start()
        player.play()
        for (azimuth, elevation) in [(0.0, 0.0), (30, 0), (90, 0), (-45, 0), (180, 0), (-120, 0), (0, 60), (60, 60)] {
            let index = try #require(
                measured.firstIndex {
                    abs($0.direction.azimuth - azimuth) < 0.2 && abs($0.direction.elevation - elevation) < 0.2
                        || abs(azimuth) == 180 && abs(abs($0.direction.azimuth) - 180) < 0.2
                            && abs($0.direction.elevation) < 0.2
                },
                "\(azimuth)°, \(elevation)°"
            )
            let (wanted, levels) = (measured[index], equalized[index])
            let way = wanted.direction.vector
            player.position = AVAudio3DPoint(x: Float(way.x), y: Float(way.y), z: Float(-way.z))
            // Fades end before the click comes.
            _ = try rig.render(4_096)
            player.scheduleBuffer(click)
            let output = try rig.render(1_024)
            let time = lag(output[0], output[1]) - lag(wanted.left, wanted.right)
            #expect(abs(time) / rate < 20e-6, "\(azimuth)°, \(elevation)°: \(time / rate * 1e6) µs")
            let offsets =
                zip(octaveLevels(output[0]), octaveLevels(levels.left)).map { $0 - $1 }
                + zip(octaveLevels(output[1]), octaveLevels(levels.right)).map { $0 - $1 }
            for offset in offsets { #expect(abs(offset) < 1, "\(azimuth)°, \(elevation)°: \(offsets)") }
        }
    }

    @Test("The equaliser is the same for all directions and both ears")
    func oneEqualizer() throws {
        let measured = try #require(MeasuredHead.measurements(sampleRate: rate))
        let equalized = HeadResponses.equalized(measured, sampleRate: rate)
        // Products of spectra, which are sums of products of the responses: a · b' = a' · b if ' is one filter.
        for (first, second) in [(0, 300), (55, 610), (120, 121)] {
            let (a, b) = (measured[first].left, measured[second].right)
            let (filteredA, filteredB) = (equalized[first].left, equalized[second].right)
            let (one, other) = (convolved(a, filteredB), convolved(filteredA, b))
            let difference = zip(one, other).reduce(0.0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
            let energy = one.reduce(0.0) { $0 + Double($1 * $1) }
            #expect(difference < energy * 1e-5, "\(10 * log10(difference / energy)) dB")
        }
    }

    /// The part of a convolution that the cut ends of the responses leave alone.
    private func convolved(_ a: [Float], _ b: [Float]) -> [Float] {
        (0..<min(a.count, b.count)).map { place in (0...place).reduce(Float(0)) { $0 + a[$1] * b[place - $1] } }
    }

    @Test(
        "The mean of all directions is flat within 1.5 dB from 200 Hz to 12 kHz",
        .enabled(if: isOptimized, "Measured in release.")
    )
    func diffuseField() throws {
        let head = try #require(MeasuredHead.responses(sampleRate: rate))
        let length = 4_096
        let transform = RealFFT(length: length)
        let (left, right, other) = (plane(length), plane(length), plane(length + 2))
        let click = plane(length)
        defer { for plane in [left, right, other, click] { plane.deallocate() } }
        click[0] = 1
        var power = [Double](repeating: 0, count: length / 2 + 1)
        for elevation in stride(from: -85.0, through: 85, by: 10) {
            for azimuth in stride(from: -180.0, to: 180, by: 15) {
                let mixer = BinauralMixer(sampleRate: rate, maximumFrameCount: length)
                let voice = SpatialVoice(sampleRate: rate, mixer: mixer, sphericalHead: nil, measuredHead: head)
                var target = SpatialTarget()
                target.rendering = .measuredHead
                target.direction = SpatialDirection(azimuth: azimuth, elevation: elevation)
                left.update(repeating: 0, count: length)
                right.update(repeating: 0, count: length)
                voice.set(target)
                voice.process(click, left: left, right: right, send: other, frameCount: length)
                mixer.finish(left: left, right: right, frameCount: length)
                for ear in [left, right] {
                    transform.forward(ear, into: other)
                    for bin in power.indices {
                        let value = SIMD2(Double(other[2 * bin]), Double(other[2 * bin + 1]))
                        power[bin] += cos(elevation * .pi / 180) * (value * value).sum()
                    }
                }
                other.update(repeating: 0, count: length + 2)
            }
        }
        let levels = (0...18).map { step in
            let centre = 200 * pow(2, Double(step) / 3)
            let bins = Int(centre * pow(2, -1.0 / 6) / rate * 4_096)...Int(centre * pow(2, 1.0 / 6) / rate * 4_096)
            return 10 * log10(power[bins].reduce(0, +) / Double(bins.count))
        }
        let mean = levels.reduce(0, +) / Double(levels.count)
        for (step, level) in levels.enumerated() {
            #expect(abs(level - mean) < 1.5, "\(level - mean) dB at \(200 * pow(2, Double(step) / 3)) Hz")
        }
        // Each ear hears the mean direction as loud as the source is: the weights of the directions are 24 Σ cos.
        let weights = 2 * 24 * stride(from: -85.0, through: 85, by: 10).reduce(0.0) { $0 + cos($1 * .pi / 180) }
        #expect(abs(mean - 10 * log10(weights)) < 1)
    }

    private func plane(_ count: Int) -> UnsafeMutablePointer<Float> {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Float>.stride, alignment: 64)
        let plane = bytes.bindMemory(to: Float.self, capacity: count)
        plane.initialize(repeating: 0, count: count)
        return plane
    }
}
