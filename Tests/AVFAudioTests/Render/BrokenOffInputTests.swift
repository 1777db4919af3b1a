import AVFAudio
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxTestSupport
import Testing

/// An output that keeps no time waits for data. When the engine stops meanwhile, the block that was being rendered holds the
/// samples that had come and silence behind them, which is not sound.
@Suite("Inputs that end within a block") struct BrokenOffInputTests {
    /// The node between the player and the output.
    enum Step: CaseIterable, CustomTestStringConvertible {
        case nothing, timePitchAtRest, faster, higher, otherSampleRate

        var testDescription: String { "\(self)" }
    }

    private static let pieceLength = 6_000

    /// Plays pieces of noise into a file: all of them to the end, or the first only, broken off by `stop()`.
    private func write(_ step: Step, to path: String, isWhole: Bool) throws -> [Float] {
        let rate = step == .otherSampleRate ? 22_050.0 : 44_100
        let pieces = [noise(Self.pieceLength), noise(Self.pieceLength, channel: 1)].map {
            buffer([$0], sampleRate: rate)
        }
        let engine = AVAudioEngine()
        engine.outputDevice = WAVFileOutput(path: path)
        engine.preferredOutputFormat = DeviceFormat(sampleRate: 44_100, channelCount: 1)
        let player = AVAudioPlayerNode()
        engine.attach(player)
        switch step {
        case .nothing, .otherSampleRate:
            engine.connect(player, to: engine.mainMixerNode, format: pieces[0].format)
        case .timePitchAtRest, .faster, .higher:
            let unit = AVAudioUnitTimePitch()
            unit.rate = step == .faster ? 1.5 : 1
            unit.pitch = step == .higher ? 300 : 0
            engine.attach(unit)
            engine.connect(player, to: unit, format: pieces[0].format)
            engine.connect(unit, to: engine.mainMixerNode, format: pieces[0].format)
        }
        player.scheduleStreamed(pieces[0], isLast: false)
        if isWhole { player.scheduleStreamed(pieces[1], isLast: true) }
        player.play()
        try engine.start()
        if isWhole {
            #expect(waitUntil { engine.hasOutputEnded })
        } else {
            // The render that waits for the second piece has begun.
            #expect(waitUntil { isWaiting(engine, player) })
        }
        engine.stop()
        return try readWAV(path).channels[0]
    }

    private func isWaiting(_ engine: AVAudioEngine, _ player: AVAudioPlayerNode) -> Bool {
        let renderer = engine.lock.withLock { engine.run.renderer }
        guard let renderer, player.playedFrames > 0 else { return false }
        let serial = renderer.renderSerial.load(ordering: .sequentiallyConsistent)
        usleep(20_000)
        return serial % 2 == 1 && renderer.renderSerial.load(ordering: .sequentiallyConsistent) == serial
    }

    @Test("A stopped recording is the beginning of the whole, without added silence", arguments: Step.allCases)
    func writesNoSilence(step: Step) throws {
        let scratch = try ScratchDirectory()
        let whole = try write(step, to: scratch.file("whole.wav"), isWhole: true)
        let part = try write(step, to: scratch.file("part.wav"), isWhole: false)
        #expect(part.count > 0 && part.count < whole.count)
        #expect(whole.starts(with: part))
        if step == .nothing || step == .timePitchAtRest { #expect(part.count == Self.pieceLength) }
    }

    /// The graph is let go on before it has come to the bottom at which nodes drop what they hold.
    @Test("Sound that is scheduled after an end is heard through any node", arguments: Step.allCases)
    func goesOnAfterAnEnd(step: Step) throws {
        let rate = step == .otherSampleRate ? 22_050.0 : 44_100
        let sounds = [sine(500, 3_000, sampleRate: rate), sine(1_000, 30_000, sampleRate: rate)].map {
            buffer([$0], sampleRate: rate)
        }
        let engine = AVAudioEngine()
        let device = ManualOutput(format: DeviceFormat(sampleRate: 44_100, channelCount: 1))
        engine.outputDevice = device
        let (player, unit) = (AVAudioPlayerNode(), AVAudioUnitTimePitch())
        unit.rate = step == .faster ? 1.5 : 1
        unit.pitch = step == .higher ? 300 : 0
        engine.attach(player)
        engine.attach(unit)
        engine.connect(player, to: unit, format: sounds[0].format)
        engine.connect(unit, to: engine.mainMixerNode, format: sounds[0].format)
        player.scheduleStreamed(sounds[0], isLast: true)
        player.play()
        try engine.start()
        for _ in 0..<100 where !engine.hasOutputEnded { _ = device.render(frameCount: 512) }
        #expect(engine.hasOutputEnded)
        engine.holdForChange()
        player.stop()
        unit.reset()
        player.scheduleStreamed(sounds[1], isLast: true)
        player.play()
        engine.release(fades: false, dropsUnheard: false)
        let output = (0..<20).flatMap { _ in device.render(frameCount: 512)[0] }
        let frequency = step == .higher ? 1_000 * pow(2, 300.0 / 1_200) : 1_000
        #expect(abs(cents(from: frequency, to: toneFrequency(Array(output[2_000...]), sampleRate: 44_100))) < 5)
        engine.stop()
    }
}
