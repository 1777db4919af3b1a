import AVFAudio
import CoreAudioTypes
import Foundation
import SyrinxDevice
import SyrinxTestSupport
import Testing

@Suite("The end of the tail of effects") struct EffectTailTests {
    private static let rate = 44_100.0
    private static let inputCount = 20_000

    /// Plays a sound through `units` into a file, up to the end of their tail.
    private func write(_ input: [Float], through units: [AVAudioUnitEffect]) throws -> [Float] {
        let scratch = try ScratchDirectory()
        let path = scratch.file("out.wav")
        let engine = AVAudioEngine()
        engine.outputDevice = WAVFileOutput(path: path)
        engine.preferredOutputFormat = DeviceFormat(sampleRate: Self.rate, channelCount: 1)
        let player = AVAudioPlayerNode()
        engine.attach(player)
        for unit in units { engine.attach(unit) }
        let sound = buffer([input], sampleRate: Self.rate)
        engine.connect(player, through: units, format: sound.format)
        engine.effectLatency = units.reduce(0) { $0 + $1.latency }
        player.scheduleStreamed(sound, isLast: true)
        player.play()
        try engine.start()
        #expect(waitUntil { engine.hasOutputEnded })
        engine.stop()
        return try readWAV(path).channels[0]
    }

    /// Renders the same by hand, for so many seconds behind the sound.
    private func render(_ input: [Float], through units: [AVAudioUnitEffect], seconds: Double) throws -> [Float] {
        let rig = try OfflineRig(sampleRate: Self.rate, channels: 1)
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        for unit in units { rig.engine.attach(unit) }
        let sound = buffer([input], sampleRate: Self.rate)
        rig.engine.connect(player, through: units, format: sound.format)
        player.scheduleStreamed(sound, isLast: true)
        try rig.engine.start()
        player.play()
        return try rig.render(input.count + Int(seconds * Self.rate))[0]
    }

    private func delay(_ seconds: Double, feedback: Float) -> AVAudioUnitDelay {
        let unit = AVAudioUnitDelay()
        (unit.delayTime, unit.feedback, unit.wetDryMix) = (seconds, feedback, 50)
        return unit
    }

    private func reverb(_ preset: AVAudioUnitReverbPreset) -> AVAudioUnitReverb {
        let unit = AVAudioUnitReverb()
        unit.loadFactoryPreset(preset)
        unit.wetDryMix = 50
        return unit
    }

    private var sound: [Float] { noise(Self.inputCount).map { $0 * 0.5 } }

    @Test("A tail ends when it has been below −90 dB for longer than the effect holds a sample")
    func endsBelowTheFloor() throws {
        let makes: [() -> [AVAudioUnitEffect]] = [
            { [delay(0.3, feedback: 30)] }, { [reverb(.cathedral)] },
            { [delay(0.2, feedback: 30), reverb(.smallRoom)] },
        ]
        for make in makes {
            let output = try write(sound, through: make())
            let whole = try render(sound, through: make(), seconds: 20)
            let last = try #require(whole.lastIndex { abs($0) >= 0.000_031_623 })
            #expect(last < whole.count - Int(8 * Self.rate))
            let isSame = output == Array(whole[...last])
            #expect(isSame, "\(output.count) frames, and not \(last + 1)")
        }
    }

    @Test(
        "What a listener hears ends when it has been quiet for as long as a delay may be silent, and not when all is 0"
    )
    func endsForListeners() throws {
        let rig = DeviceRig(sampleRate: Self.rate, channels: 1)
        let (player, unit) = (AVAudioPlayerNode(), delay(0.5, feedback: 30))
        rig.engine.attach(player)
        rig.engine.attach(unit)
        let piece = buffer([sound], sampleRate: Self.rate)
        rig.engine.connect(player, through: [unit], format: piece.format)
        player.scheduleStreamed(piece, isLast: true)
        try rig.engine.start()
        player.play()
        var seconds = 0.0
        while !rig.engine.hasOutputEnded, seconds < 60 {
            _ = try rig.render(4_410)
            seconds += 0.1
        }
        // 30 % are 10.5 dB: eight echoes are above −90 dB, and all is 0 after seventeen.
        #expect(unit.tailTime > 8 && seconds > 4.5 && seconds < 6.5, "\(seconds) s")
    }

    @Test("A tail that does not decay ends after 30 s, to the frame")
    func endsInAnyCase() throws {
        let output = try write(sound, through: [delay(2, feedback: 99.9)])
        #expect(abs(Self.inputCount + Int(EffectTail.longest * Self.rate) - output.count) < 10)
        #expect(abs(output[(output.count - Int(2 * Self.rate))...].max() ?? 0) > 0.1)
    }

    @Test("On an output that keeps no time, effects that look ahead neither delay the sound nor make it longer")
    func leavesOutLatency() throws {
        var description = AudioComponentDescription()
        description.componentType = kAudioUnitType_Effect
        description.componentSubType = kAudioUnitSubType_PeakLimiter
        let (boost, limiter) = (VoiceBoostUnit(), AVAudioUnitEffect(audioComponentDescription: description))
        boost.maximumGain = 0
        let places = [0, 9_000, Self.inputCount - 1]
        var input = [Float](repeating: 0, count: Self.inputCount)
        for place in places { input[place] = 0.01 }
        let output = try write(input, through: [boost, limiter])
        #expect(boost.latency + limiter.latency > 0.015)
        #expect(output.count == input.count)
        #expect(output.indices.filter { abs(output[$0]) > 0.005 } == places)
    }
}
