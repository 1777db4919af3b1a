import AVFAudio
import CoreAudioTypes
import Glibc

/// Effects, in a row behind one player, or each behind its own.
extension Workload {
    static let effects: [Workload] = [
        chain("equaliser, 1 band", 16) { equaliser(bandCount: 1) },
        chain("equaliser, 10 bands", 16) { equaliser(bandCount: 10) },
        chain("delay with feedback", 16) { delay() },
        chain("compressor", 16) { compressor() },
        chain("soft clip", 16) { softClip() },
        chain("voice boost", 1) { VoiceBoostUnit() },
        chain("reverb", 1) { reverb(wetDryMix: 50) },
        sources("equal power, still", 16, .equalPowerPanning, moves: false),
        sources("equal power, moving", 16, .equalPowerPanning, moves: true),
        sources("HRTF, still", 16, .HRTFHQ, moves: false),
        sources("HRTF, moving", 16, .HRTFHQ, moves: true),
        mixing(64),
    ]

    /// The amplitude of the sources is 0.125.
    private static let gain: Float = 256

    private static func makePlayer(
        _ engine: AVAudioEngine,
        _ channelCount: AVAudioChannelCount
    ) throws -> (node: AVAudioPlayerNode, format: AVAudioFormat) {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: channelCount),
            let noise = noise(format, gain: gain)
        else { throw Unbuildable() }
        let player = AVAudioPlayerNode()
        engine.attach(player)
        player.scheduleBuffer(noise, at: nil, options: .loops)
        return (player, format)
    }

    /// One player through that many effects, one behind the other.
    private static func chain(
        _ name: String,
        _ count: Int,
        _ make: @escaping @Sendable () -> AVAudioUnitEffect
    ) -> Workload {
        Workload(name: name, count: count, seconds: 60) { engine in
            let (player, format) = try makePlayer(engine, 2)
            var last: AVAudioNode = player
            for _ in 0..<count {
                let unit = make()
                engine.attach(unit)
                engine.connect(last, to: unit, format: format)
                last = unit
            }
            engine.connect(last, to: engine.mainMixerNode, format: format)
            player.play()
            return { _ in }
        }
    }

    /// Players of one channel around a listener, which stand still or go round.
    private static func sources(
        _ name: String,
        _ count: Int,
        _ algorithm: AVAudio3DMixingRenderingAlgorithm,
        moves: Bool
    ) -> Workload {
        Workload(name: name, count: count, seconds: 20) { engine in
            let environment = AVAudioEnvironmentNode()
            engine.attach(environment)
            var players: [AVAudioPlayerNode] = []
            for _ in 0..<count {
                let (player, format) = try makePlayer(engine, 1)
                engine.connect(player, to: environment, format: format)
                player.renderingAlgorithm = algorithm
                player.play()
                players.append(player)
            }
            engine.connect(environment, to: engine.mainMixerNode, format: nil)
            let place = { (time: Float) in
                for (index, player) in players.enumerated() {
                    // A round takes four seconds.
                    let angle = 2 * Float.pi * (Float(index) / Float(count) + time / 4)
                    player.position = AVAudio3DPoint(x: 2 * sin(angle), y: 0.5, z: -2 * cos(angle))
                }
            }
            place(0)
            return { block in if moves { place(Float(block) * 512 / 48_000) } }
        }
    }

    /// Players, each through an equaliser of four bands and a compressor into one mixer, with a reverb that all share.
    private static func mixing(_ count: Int) -> Workload {
        Workload(name: "voices with equaliser, compressor, reverb", count: count, seconds: 20) { engine in
            let (send, reverb) = (AVAudioMixerNode(), reverb(wetDryMix: 100))
            engine.attach(send)
            engine.attach(reverb)
            for bus in 0..<count {
                let (player, format) = try makePlayer(engine, 2)
                let units = [equaliser(bandCount: 4), compressor()]
                for unit in units { engine.attach(unit) }
                engine.connect(player, to: units[0], format: format)
                engine.connect(units[0], to: units[1], format: format)
                let ends = [
                    AVAudioConnectionPoint(node: engine.mainMixerNode, bus: bus),
                    AVAudioConnectionPoint(node: send, bus: bus),
                ]
                engine.connect(units[1], to: ends, fromBus: 0, format: format)
                player.volume = 1 / Float(count)
                player.play()
                if bus == 0 {
                    engine.connect(send, to: reverb, format: format)
                    engine.connect(reverb, to: engine.mainMixerNode, fromBus: 0, toBus: count, format: format)
                }
            }
            return { _ in }
        }
    }

    private static func equaliser(bandCount: Int) -> AVAudioUnitEffect {
        let unit = AVAudioUnitEQ(numberOfBands: bandCount)
        for (index, band) in unit.bands.enumerated() {
            band.frequency = 60 * pow(2, Float(index) * 8 / Float(bandCount))
            band.gain = index % 2 == 0 ? 3 : -3
            band.bypass = false
        }
        return unit
    }

    private static func delay() -> AVAudioUnitEffect {
        let unit = AVAudioUnitDelay()
        (unit.delayTime, unit.feedback, unit.wetDryMix) = (0.1, 50, 50)
        return unit
    }

    private static func compressor() -> AVAudioUnitEffect {
        AVAudioUnitEffect(
            audioComponentDescription: AudioComponentDescription(
                componentType: kAudioUnitType_Effect,
                componentSubType: kAudioUnitSubType_DynamicsProcessor,
                componentManufacturer: kAudioUnitManufacturer_Apple,
                componentFlags: 0,
                componentFlagsMask: 0
            )
        )
    }

    private static func softClip() -> AVAudioUnitEffect {
        let unit = AVAudioUnitDistortion()
        unit.auAudioUnit.parameterTree?.parameter(withAddress: 2)?.value = 0
        unit.auAudioUnit.parameterTree?.parameter(withAddress: 5)?.value = 0
        unit.auAudioUnit.parameterTree?.parameter(withAddress: 9)?.value = 0
        (unit.preGain, unit.wetDryMix) = (6, 100)
        return unit
    }

    private static func reverb(wetDryMix: Float) -> AVAudioUnitEffect {
        let unit = AVAudioUnitReverb()
        unit.loadFactoryPreset(.mediumHall)
        unit.wetDryMix = wetDryMix
        return unit
    }
}
