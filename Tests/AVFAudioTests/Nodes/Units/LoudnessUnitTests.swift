import AVFAudio
import CoreAudioTypes
import Foundation
import SyrinxTestSupport
import Testing

@Suite("Units for even loudness, mono and presets") struct LoudnessUnitTests {
    private func played(_ input: [[Float]], through unit: AVAudioUnitEffect, frames: Int) throws -> [[Float]] {
        let rig = try OfflineRig()
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.attach(unit)
        rig.engine.connect(player, to: unit, format: rig.format)
        rig.engine.connect(unit, to: rig.engine.mainMixerNode, format: rig.format)
        player.scheduleStreamed(buffer(input), isLast: true)
        try rig.engine.start()
        player.play()
        return try rig.render(frames)
    }

    /// Bursts of noise, eight a second.
    private func bursts(_ count: Int, amplitude: Float) -> [Float] {
        noise(count).enumerated().map { $1 * amplitude * Float(pow(sin(.pi * 4 * Double($0) / 44_100), 2)) }
    }

    @Test("The boost raises what is quiet, and its meters say by how much", .enabled(if: isOptimized))
    func boost() throws {
        let unit = VoiceBoostUnit()
        #expect(unit.target == -16 && unit.maximumGain == 30 && unit.isActive && unit.startingGain == 0)
        let quiet = bursts(44_100 * 6, amplitude: 0.02)
        let output = try played([quiet, quiet], through: unit, frames: 44_100 * 6)
        let (before, after) = (quiet.suffix(88_200), output[0].suffix(88_200))
        let raised = 10 * log10(after.reduce(0) { $0 + $1 * $1 } / before.reduce(0) { $0 + $1 * $1 })
        #expect(unit.currentGain > 10 && abs(raised - unit.currentGain) < 2, "\(raised), \(unit.currentGain)")
        #expect(unit.measuredLoudness < -30 && unit.measuredLoudness > -60)
        #expect(unit.latency > 0.009 && unit.latency < 0.011)
        let tree = try #require(unit.auAudioUnit.parameterTree)
        #expect(tree.parameter(withAddress: 1_000)?.value == unit.currentGain)
    }

    @Test("Switched off, the boost passes samples to the bit, without latency or tail")
    func off() throws {
        let unit = VoiceBoostUnit()
        unit.isActive = false
        let input = [noise(8_000), noise(8_000, channel: 1)]
        let output = try played(input, through: unit, frames: 9_000)
        #expect(output.map { Array($0[..<8_000]) } == input)
        #expect(unit.latency == 0 && unit.tailTime == 0 && unit.currentGain == 0)
    }

    @Test("Both units are found by their descriptions")
    func components() async throws {
        for (subtype, type) in [(OSType(0x7662_7374), VoiceBoostUnit.self), (0x7362_616C, StereoBalanceUnit.self)]
            as [(OSType, AVAudioUnit.Type)]
        {
            var description = AudioComponentDescription()
            description.componentType = kAudioUnitType_Effect
            description.componentSubType = subtype
            let unit = try await AVAudioUnit.instantiate(with: description)
            #expect(Swift.type(of: unit) == type)
        }
    }

    @Test("Mono and balance change what is heard")
    func balance() throws {
        let unit = StereoBalanceUnit()
        (unit.mono, unit.balance) = (1, -1)
        let input = [noise(4_000), noise(4_000, channel: 1)]
        let output = try played(input, through: unit, frames: 4_000)
        #expect(zip(output[0], zip(input[0], input[1])).allSatisfy { abs($0 - ($1.0 + $1.1) / 2) < 1e-6 })
        #expect(output[1].allSatisfy { $0 == 0 })
    }

    @Test("Presets have names of their own, fit their bands, and set an equaliser")
    func presets() throws {
        let all = EqualizerPreset.all
        #expect(Set(all.map(\.identifier)).count == all.count && Set(all.map(\.name)).count == all.count)
        #expect(all.allSatisfy { $0.bands.count <= EqualizerPreset.maximumBandCount && $0.globalGain <= 0 })
        let unit = AVAudioUnitEQ(preset: .speech)
        #expect(unit.bands.filter { !$0.bypass }.count == EqualizerPreset.speech.bands.count)
        #expect(unit.bands[2].frequency == 3_000 && unit.bands[2].gain == 4 && unit.globalGain == -4)
        unit.load(try #require(EqualizerPreset.named("Flat")))
        #expect(unit.bands.allSatisfy(\.bypass) && unit.globalGain == 0)
        #expect(EqualizerPreset.named("none of these") == nil)
    }

    @Test("A stream's gains change at their frames, in straight lines", arguments: [512, 333])
    func streamedGains(block: Int) throws {
        let rig = try OfflineRig()
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        let ones = [Float](repeating: 0.5, count: 6_000)
        player.scheduleStreamed(buffer([ones, ones]), isLast: true)
        player.setStreamedGains([
            StreamedGain(startFrame: .min / 2, gain: 0.5, rampFrames: 10),
            StreamedGain(startFrame: 2_345, gain: 1, rampFrames: 1),
            StreamedGain(startFrame: 4_000, gain: 0, rampFrames: 100),
        ])
        try rig.engine.start()
        player.play()
        let output = try rig.render(6_000, block: block)[1]
        #expect(output[..<2_345].allSatisfy { $0 == 0.25 })
        #expect(output[2_345..<4_000].allSatisfy { $0 == 0.5 })
        #expect(abs(output[4_049] - 0.25) < 1e-4 && output[4_100] == 0)
        // After a stop they are forgotten by what comes, and what is set again is heard at once.
        player.stop()
        player.setStreamedGains([StreamedGain(startFrame: 0, gain: 0.25, rampFrames: 1_000)])
        player.scheduleStreamed(buffer([ones, ones]), isLast: true)
        player.play()
        #expect(try rig.render(1_000, block: block)[0].allSatisfy { $0 == 0.125 })
    }
}
