import AVFAudio
import Foundation
import SyrinxTestSupport
import Testing

@Suite("Environment") struct EnvironmentTests {
    /// A player of one tone in an environment.
    private struct Scene {
        let rig: OfflineRig
        let environment = AVAudioEnvironmentNode()
        let player = AVAudioPlayerNode()

        init(_ channels: [[Float]], outputs: AVAudioChannelCount = 2, sampleRate: Double = 48_000) throws {
            rig = try OfflineRig(sampleRate: sampleRate, channels: outputs)
            rig.engine.attach(environment)
            rig.engine.attach(player)
            let sound = buffer(channels, sampleRate: sampleRate)
            rig.engine.connect(player, to: environment, format: sound.format)
            rig.engine.connect(environment, to: rig.engine.mainMixerNode, format: nil)
            player.position = AVAudioMake3DPoint(0, 0, -1)
            player.scheduleBuffer(sound)
        }

        func render(_ frames: Int, block: Int = 512) throws -> [[Float]] {
            if !rig.engine.isRunning {
                try rig.engine.start()
                player.play()
            }
            return try rig.render(frames, block: block)
        }

        /// The levels of all channels in dB, behind the glides.
        func levels() throws -> [Double] { try render(24_000).map { levelDecibels(Array($0[9_600...])) } }
    }

    private static let tone = sineWave(frequency: 500, sampleRate: 48_000, frameCount: 200_000, amplitude: 0.25)
    private static let level = levelDecibels(Array(tone[9_600..<24_000]))

    @Test("A source grows quieter with distance by the model that is set", arguments: [1, 2, 3])
    func distance(model: Int) throws {
        let scene = try Scene([Self.tone])
        let parameters = scene.environment.distanceAttenuationParameters
        parameters.distanceAttenuationModel = try #require(AVAudioEnvironmentDistanceAttenuationModel(rawValue: model))
        parameters.maximumDistance = 10
        parameters.rolloffFactor = 0.8
        let wanted =
            [
                { pow($0, -0.8) }, { 1 / (1 + 0.8 * ($0 - 1)) }, { 1 - 0.8 * ($0 - 1) / 9 },
            ] as [(Double) -> Double]
        for distance in [1.0, 2.5, 7, 10, 30] {
            scene.player.position = AVAudioMake3DPoint(0, 0, Float(-distance))
            let levels = try scene.levels()
            let gain = wanted[model - 1](min(distance, 10)) * 0.5.squareRoot()
            for level in levels { #expect(abs(level - Self.level - 20 * log10(gain)) < 0.01, "\(distance) m") }
        }
    }

    @Test("A source on the right is heard on the right, and on the left when the listener has turned around")
    func directions() throws {
        let scene = try Scene([Self.tone])
        scene.player.position = AVAudioMake3DPoint(1, 0, 0)
        var levels = try scene.levels()
        #expect(levels[0] < -100 && abs(levels[1] - Self.level) < 0.01)
        scene.environment.listenerAngularOrientation = AVAudioMake3DAngularOrientation(180, 0, 0)
        levels = try scene.levels()
        #expect(levels[1] < -90 && abs(levels[0] - Self.level) < 0.01)
        #expect(abs(scene.environment.listenerVectorOrientation.forward.z - 1) < 1e-6)
        scene.environment.listenerVectorOrientation = AVAudio3DVectorOrientation()
        scene.environment.listenerPosition = AVAudioMake3DPoint(1, 0, 1)
        levels = try scene.levels()
        #expect(abs(levels[0] - levels[1]) < 0.01)
    }

    @Test("Stereo is mixed as it is, and is placed as a point where that is asked for")
    func stereo() throws {
        let scene = try Scene([Self.tone, [Float](repeating: 0, count: Self.tone.count)])
        var levels = try scene.levels()
        #expect(abs(levels[0] - Self.level) < 0.01 && levels[1] < -100)
        scene.player.sourceMode = .pointSource
        scene.player.position = AVAudioMake3DPoint(2, 0, 0)
        levels = try scene.levels()
        #expect(levels[0] < -90 && abs(levels[1] - Self.level + 12.04) < 0.01)
        scene.player.sourceMode = .ambienceBed
        scene.environment.listenerAngularOrientation = AVAudioMake3DAngularOrientation(-30, 0, 0)
        levels = try scene.levels()
        #expect(abs(levels[0] - Self.level + 3.01) < 0.02 && abs(levels[1] - levels[0]) < 0.02)
    }

    @Test("A source inside the head is heard on both sides")
    func insideTheHead() throws {
        let scene = try Scene([Self.tone])
        scene.player.position = AVAudioMake3DPoint(0, 0, 0)
        for level in try scene.levels() { #expect(abs(level - Self.level) < 0.01) }
    }

    @Test("Obstruction and occlusion attenuate 5 kHz by their value", arguments: [true, false])
    func obstacles(isOcclusion: Bool) throws {
        let tone = sineWave(frequency: 5_000, sampleRate: 48_000, frameCount: 60_000, amplitude: 0.25)
        let scene = try Scene([tone])
        scene.player.renderingAlgorithm = .stereoPassThrough
        if isOcclusion { scene.player.occlusion = -9 } else { scene.player.obstruction = -9 }
        let levels = try scene.levels()
        #expect(abs(levels[0] - levelDecibels(Array(tone[9_600..<24_000])) + 9) < 0.1)
    }

    @Test("The reverb is heard of the share that a source sends, at its level, and ends when it is switched off")
    func reverb() throws {
        let scene = try Scene([Array(Self.tone.prefix(24_000))])
        scene.player.reverbBlend = 1
        #expect(try scene.levels().allSatisfy { $0 < -120 })
        let parameters = scene.environment.reverbParameters
        func tail(_ level: Float, blend: Float = 1) throws -> Double {
            let scene = try Scene([Array(Self.tone.prefix(24_000))])
            scene.player.reverbBlend = blend
            scene.environment.reverbParameters.enable = true
            scene.environment.reverbParameters.level = level
            _ = try scene.render(24_000)
            return levelDecibels(try scene.render(4_800)[0])
        }
        let full = try tail(0)
        #expect(full > Self.level - 30)
        #expect(abs(try tail(-12) - full + 12) < 0.1)
        #expect(abs(try tail(0, blend: 0.5) - full + 6.02) < 0.1)
        parameters.enable = true
        _ = try scene.render(1_000)
        parameters.enable = false
        _ = try scene.render(48_000)
        #expect(try scene.render(1_000).joined().allSatisfy { $0 == 0 })
    }

    @Test("The rate of a source moves its pitch")
    func rate() throws {
        let scene = try Scene([Self.tone])
        scene.player.rate = 1.5
        let output = try scene.render(48_000)
        #expect(abs(cents(from: 750, to: toneFrequency(output[0], sampleRate: 48_000))) < 1)
    }

    @Test("A destination has a place of its own")
    func destinations() throws {
        let scene = try Scene([Self.tone])
        let destination = try #require(scene.player.destination(forMixer: scene.environment, bus: 0))
        destination.position = AVAudioMake3DPoint(-1, 0, 0)
        #expect(scene.player.position.z == -1)
        let levels = try scene.levels()
        #expect(levels[1] < -90 && abs(levels[0] - Self.level) < 0.01)
    }

    @Test("Each input has its own place, and outputs of other channels get what a mixer would give", arguments: [1, 6])
    func outputs(channels: AVAudioChannelCount) throws {
        let scene = try Scene([Self.tone], outputs: channels)
        scene.player.position = AVAudioMake3DPoint(0, 0, 0)
        let levels = try scene.levels()
        #expect(abs(levels[0] - Self.level) < 0.01)
    }

    @Test("Output does not depend on the blocks", arguments: [AVAudio3DMixingRenderingAlgorithm.sphericalHead, .HRTF])
    func blocks(algorithm: AVAudio3DMixingRenderingAlgorithm) throws {
        func output(_ block: Int) throws -> [[Float]] {
            let scene = try Scene([noise(20_000)])
            scene.player.renderingAlgorithm = algorithm
            scene.player.position = AVAudioMake3DPoint(1, 0.5, -1)
            scene.player.reverbBlend = 0.3
            scene.environment.reverbParameters.enable = true
            return try scene.render(16_384, block: block)
        }
        #expect(try output(64) == output(512))
        #expect(try output(4_096) == output(512))
    }

    @Test("Values out of range are clamped, and those that are no numbers change nothing")
    func ranges() {
        let player = AVAudioPlayerNode()
        (player.rate, player.reverbBlend, player.obstruction, player.occlusion) = (9, -1, 5, -400)
        #expect(player.rate == 2 && player.reverbBlend == 0 && player.obstruction == 0 && player.occlusion == -100)
        (player.rate, player.reverbBlend) = (.nan, .nan)
        player.position = AVAudioMake3DPoint(.nan, .infinity, 3)
        #expect(player.rate == 2 && player.position == AVAudioMake3DPoint(0, 0, 3))
        let environment = AVAudioEnvironmentNode()
        environment.reverbParameters.level = 400
        #expect(environment.reverbParameters.level == 40)
        environment.listenerPosition = AVAudioMake3DPoint(.nan, 1, 1)
        #expect(environment.listenerPosition == AVAudioMake3DPoint(0, 1, 1))
    }
}
