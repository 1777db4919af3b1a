import AudioDSP
import Foundation
import TestSupport
import Testing

@testable import AVFAudio

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

    @Test("Both ears hear measured directions as the data set has them: 20 µs and 1 dB")
    func cues() throws {
        let measured = try #require(MeasuredHead.measurements(sampleRate: rate))
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
            let wanted = try #require(
                measured.first {
                    abs($0.direction.azimuth - azimuth) < 0.2 && abs($0.direction.elevation - elevation) < 0.2
                        || abs(azimuth) == 180 && abs(abs($0.direction.azimuth) - 180) < 0.2
                            && abs($0.direction.elevation) < 0.2
                },
                "\(azimuth)°, \(elevation)°"
            )
            let way = wanted.direction.vector
            player.position = AVAudio3DPoint(x: Float(way.x), y: Float(way.y), z: Float(-way.z))
            // Fades end before the click comes.
            _ = try rig.render(4_096)
            player.scheduleBuffer(click)
            let output = try rig.render(1_024)
            let time = lag(output[0], output[1]) - lag(wanted.left, wanted.right)
            #expect(abs(time) / rate < 20e-6, "\(azimuth)°, \(elevation)°: \(time / rate * 1e6) µs")
            let offsets =
                zip(octaveLevels(output[0]), octaveLevels(wanted.left)).map { $0 - $1 }
                + zip(octaveLevels(output[1]), octaveLevels(wanted.right)).map { $0 - $1 }
            for offset in offsets { #expect(abs(offset) < 1, "\(azimuth)°, \(elevation)°: \(offsets)") }
        }
    }
}
