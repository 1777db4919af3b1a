import AVFAudio
import CoreAudioTypes
import Foundation
import SyrinxTestSupport
import Testing

@Suite("Delay unit") struct DelayTests {
    @Test("A new delay has Apple's defaults, and values out of range are clamped")
    func defaults() {
        let unit = AVAudioUnitDelay()
        #expect(unit.delayTime == 1 && unit.feedback == 50 && unit.lowPassCutoff == 15_000 && unit.wetDryMix == 100)
        (unit.delayTime, unit.feedback, unit.lowPassCutoff, unit.wetDryMix) = (3, -200, 1, 101)
        #expect(unit.delayTime == 2 && unit.feedback == -100 && unit.lowPassCutoff == 10 && unit.wetDryMix == 100)
        unit.delayTime = .nan
        #expect(unit.delayTime == 1)
        #expect(unit.tailTime == 3_600)
    }

    @Test("An engine plays the echoes to their end, at their frames")
    func echoes() throws {
        let rig = try OfflineRig()
        let (player, unit) = (AVAudioPlayerNode(), AVAudioUnitDelay())
        (unit.delayTime, unit.feedback, unit.lowPassCutoff, unit.wetDryMix) = (0.1, 25, 22_050, 100)
        rig.engine.attach(player)
        rig.engine.attach(unit)
        rig.engine.connect(player, to: unit, format: rig.format)
        rig.engine.connect(unit, to: rig.engine.mainMixerNode, format: rig.format)
        let click: [Float] = [1] + [Float](repeating: 0, count: 99)
        player.scheduleStreamed(buffer([click, click]), isLast: true)
        try rig.engine.start()
        player.play()
        let output = try rig.render(40_000)[0]
        // 0.1 s as a float is 4,410.00007 frames.
        let echoes = output.indices.filter { abs(output[$0]) > 1e-3 }.prefix(3)
        #expect(Array(echoes) == [4_410, 8_820, 13_230])
        #expect(abs(output[8_820] - 0.25) < 1e-4 && abs(output[13_230] - 0.0625) < 1e-4)
    }

    @Test("The delay is found by its description")
    func component() async throws {
        var description = AudioComponentDescription()
        description.componentType = kAudioUnitType_Effect
        description.componentSubType = kAudioUnitSubType_Delay
        let unit = try await AVAudioUnit.instantiate(with: description)
        #expect(unit is AVAudioUnitDelay && unit.name == "AUDelay")
    }
}
