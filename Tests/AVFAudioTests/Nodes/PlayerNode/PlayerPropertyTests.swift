import AVFAudio
import Foundation
import SyrinxTestSupport
import Testing

/// Random sequences of all that can be asked of a player, cut into blocks at random, against a model of it.
@Suite struct PlayerPropertyTests {
    private static let sampleRate = 8_000.0
    /// 5 ms.
    private static let fade = 40

    @Test("Random edits in manual rendering give the samples and times of a model", arguments: 0..<100)
    func manualRenderingAndItsTimeAreTheModels(_ seed: UInt64) throws {
        try check(seed, OfflineRig(sampleRate: Self.sampleRate, channels: 2), fade: 0)
    }

    @Test("Random edits with a device give the samples and times of a model", arguments: 200..<300)
    func whatADeviceIsGivenAndItsTimeAreTheModels(_ seed: UInt64) throws {
        try check(seed, DeviceRig(sampleRate: Self.sampleRate, channels: 2), fade: Self.fade)
    }

    private func check(_ seed: UInt64, _ rig: some TestRig, fade: Int) throws {
        var random = SplitMix64(seed: seed &* 0x9E37_79B9_7F4A_7C15)
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        var model = PlayerModel(fade: fade)
        var history: [String] = []
        for step in 0..<60 {
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                history.append(change(player, &model, &random))
            }
            let count = [1, 7, 64, 100, 480, 1024].randomElement(using: &random) ?? 1
            history.append("render \(count)")
            let output = try rig.render(count, block: count)
            let expected = model.render(count)
            let time = player.frameNow
            let wrong = zip(output[0], expected).enumerated().first { $1.0 != $1.1 }
            let place = wrong.map { "frame \($0.offset): \($0.element.0) instead of \($0.element.1)" } ?? "right"
            let log = history.suffix(12).joined(separator: ", ")
            try #require(wrong == nil, "seed \(seed), step \(step), \(place) after \(log)")
            #expect(output[1] == expected.map { $0 * 0.5 })
            try #require(time == model.playerTime, "seed \(seed), step \(step), time after \(log)")
            #expect(player.isPlaying == model.isPlaying)
        }
    }

    /// Does something to both, and says what.
    private func change(
        _ player: AVAudioPlayerNode,
        _ model: inout PlayerModel,
        _ random: inout SplitMix64
    ) -> String {
        switch Int.random(in: 0..<13, using: &random) {
        case 0...2:
            player.play()
            model.play()
            return "play"
        case 3:
            let frame = model.nodeFrame + Int64.random(in: -20...700, using: &random)
            player.play(at: AVAudioTime(sampleTime: frame, atRate: Self.sampleRate))
            model.play(at: frame)
            return "play at \(frame)"
        case 4:
            player.pause()
            model.pause()
            return "pause"
        case 5:
            player.stop()
            model.stop()
            return "stop"
        case 6:
            // A seek as programs do it.
            player.stop()
            model.stop()
            let text = schedule(player, &model, &random, options: [])
            player.play()
            model.play()
            return "seek: \(text)"
        case 7:
            // A start while the pause before it is still fading.
            let frame = model.nodeFrame + Int64.random(in: 1...60, using: &random)
            player.pause()
            player.play(at: AVAudioTime(sampleTime: frame, atRate: Self.sampleRate))
            model.pause()
            model.play(at: frame)
            return "pause, play at \(frame)"
        default:
            let all: [AVAudioPlayerNodeBufferOptions] = [
                [], [], [], .loops, .interrupts, .interruptsAtLoop, [.loops, .interrupts], [.loops, .interruptsAtLoop],
            ]
            return schedule(player, &model, &random, options: all.randomElement(using: &random) ?? [])
        }
    }

    private func schedule(
        _ player: AVAudioPlayerNode,
        _ model: inout PlayerModel,
        _ random: inout SplitMix64,
        options: AVAudioPlayerNodeBufferOptions
    ) -> String {
        let count = [0, 1, 3, 39, 40, 41, 100, 333, 900].randomElement(using: &random) ?? 1
        let samples = (0..<count).map { _ in Float(Int.random(in: -1000...1000, using: &random)) / 1024 }
        var start: Int64?
        if Int.random(in: 0..<4, using: &random) == 0 {
            start = (model.playerTime ?? 0) + Int64.random(in: -50...600, using: &random)
        }
        let when = start.map { AVAudioTime(sampleTime: $0, atRate: Self.sampleRate) }
        let both = [samples, samples.map { $0 * 0.5 }]
        player.scheduleBuffer(buffer(both, sampleRate: Self.sampleRate), at: when, options: options)
        model.schedule(PlayerModel.Item(samples: samples, start: start, options: options))
        return "\(count) frames at \(start.map(String.init) ?? "-") options \(options.rawValue)"
    }
}
