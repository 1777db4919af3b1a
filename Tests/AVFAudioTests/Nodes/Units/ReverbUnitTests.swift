import AVFAudio
import CoreAudioTypes
import Foundation
import SyrinxTestSupport
import Testing

@Suite("Reverb units") struct ReverbUnitTests {
    private struct Parameter {
        let id: AudioUnitParameterID
        let identifier: String
        let range: ClosedRange<Float>
        let initial: Float
        let unit: AudioUnitParameterUnit

        init(
            _ id: AudioUnitParameterID,
            _ identifier: String,
            _ range: ClosedRange<Float>,
            _ initial: Float,
            _ unit: AudioUnitParameterUnit = .generic
        ) {
            (self.id, self.identifier, self.range, self.initial, self.unit) = (id, identifier, range, initial, unit)
        }
    }

    private static let matrix = [
        Parameter(kReverbParam_DryWetMix, "wetDryMix", 0...100, 100, .equalPowerCrossfade),
        Parameter(kReverbParam_SmallLargeMix, "smallLargeMix", 0...100, 50, .equalPowerCrossfade),
        // The header says 0.06, beyond its own range.
        Parameter(kReverbParam_SmallSize, "smallSize", 0.005...0.02, 0.02, .seconds),
        Parameter(kReverbParam_LargeSize, "largeSize", 0.4...10, 3.07, .seconds),
        Parameter(kReverbParam_PreDelay, "preDelay", 0.001...0.03, 0.025, .seconds),
        Parameter(kReverbParam_LargeDelay, "largeDelay", 0.001...0.1, 0.035, .seconds),
        Parameter(kReverbParam_SmallDensity, "smallDensity", 0...1, 0.28),
        Parameter(kReverbParam_LargeDensity, "largeDensity", 0...1, 0.82),
        Parameter(kReverbParam_LargeDelayRange, "largeDelayRange", 0...1, 0.3),
        Parameter(kReverbParam_SmallBrightness, "smallBrightness", 0.1...1, 0.96),
        Parameter(kReverbParam_LargeBrightness, "largeBrightness", 0.1...1, 0.49),
        Parameter(kReverbParam_SmallDelayRange, "smallDelayRange", 0...1, 0.5),
        Parameter(kReverbParam_ModulationRate, "modulationRate", 0.001...2, 1, .hertz),
        Parameter(kReverbParam_ModulationDepth, "modulationDepth", 0...1, 0.2),
        Parameter(kReverbParam_FilterFrequency, "filterFrequency", 10...20_000, 800, .hertz),
        Parameter(kReverbParam_FilterBandwidth, "filterBandwidth", 0.05...4, 3, .octaves),
        Parameter(kReverbParam_FilterGain, "filterGain", -18...18, 0, .decibels),
    ]

    private static let reverb2 = [
        Parameter(kReverb2Param_DryWetMix, "dryWetMix", 0...100, 100, .equalPowerCrossfade),
        Parameter(kReverb2Param_Gain, "gain", -20...20, 0, .decibels),
        Parameter(kReverb2Param_MinDelayTime, "minDelayTime", 0.000_1...1, 0.008, .seconds),
        Parameter(kReverb2Param_MaxDelayTime, "maxDelayTime", 0.000_1...1, 0.05, .seconds),
        Parameter(kReverb2Param_DecayTimeAt0Hz, "decayTimeAt0Hz", 0.001...20, 1, .seconds),
        Parameter(kReverb2Param_DecayTimeAtNyquist, "decayTimeAtNyquist", 0.001...20, 0.5, .seconds),
        Parameter(kReverb2Param_RandomizeReflections, "randomizeReflections", 1...1_000, 1),
    ]

    private static func effect(_ subtype: OSType) -> AVAudioUnitEffect {
        var description = AudioComponentDescription()
        (description.componentType, description.componentSubType) = (kAudioUnitType_Effect, subtype)
        return AVAudioUnitEffect(audioComponentDescription: description)
    }

    @Test("Both reverbs have Core Audio's parameters, with their ranges and defaults")
    func parameters() throws {
        for (subtype, expected) in [
            (kAudioUnitSubType_MatrixReverb, Self.matrix), (kAudioUnitSubType_Reverb2, Self.reverb2),
        ] {
            let tree = try #require(Self.effect(subtype).auAudioUnit.parameterTree)
            #expect(tree.allParameters.count == expected.count)
            for parameter in expected {
                let found = try #require(tree.parameter(withAddress: AUParameterAddress(parameter.id)))
                #expect(found.identifier == parameter.identifier && found.unit == parameter.unit)
                #expect(found.minValue...found.maxValue == parameter.range, "\(found.identifier)")
                #expect(found.value == parameter.initial, "\(found.identifier)")
            }
        }
    }

    @Test("Every preset sets all parameters but the mix, and is also a room type")
    func presets() {
        let unit = AVAudioUnitReverb()
        unit.wetDryMix = 30
        func values() -> [Float] { unit.auAudioUnit.parameterTree?.allParameters.map(\.value) ?? [] }
        var seen: Set<[Float]> = []
        for preset in AVAudioUnitReverbPreset.allCases {
            AudioUnitSetParameter(unit.audioUnit, kReverbParam_SmallDensity, kAudioUnitScope_Global, 0, 0.1, 0)
            AudioUnitSetParameter(unit.audioUnit, kReverbParam_FilterGain, kAudioUnitScope_Global, 0, 9, 0)
            unit.loadFactoryPreset(preset)
            let loaded = values()
            seen.insert(loaded)
            #expect(loaded[0] == 30 && loaded[6] != 0.1 && loaded[16] == 0, "\(preset)")
            unit.loadFactoryPreset(preset == .plate ? .smallRoom : .plate)
            var room = UInt32(preset.rawValue)
            let status = AudioUnitSetProperty(
                unit.audioUnit,
                kAudioUnitProperty_ReverbRoomType,
                kAudioUnitScope_Global,
                0,
                &room,
                4
            )
            #expect(status == noErr && values() == loaded, "\(preset)")
        }
        #expect(seen.count == 13)
    }

    private func rendered(_ unit: AVAudioUnitEffect, frames: Int) throws -> [Float] {
        let rig = try OfflineRig()
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.attach(unit)
        rig.engine.connect(player, to: unit, format: rig.format)
        rig.engine.connect(unit, to: rig.engine.mainMixerNode, format: rig.format)
        let click = [0.5] + [Float](repeating: 0, count: 99)
        player.scheduleStreamed(buffer([click, click]), isLast: true)
        try rig.engine.start()
        player.play()
        return try rig.render(frames)[0]
    }

    @Test("Reverb 2 in an engine begins after its shortest delay, is scaled by its gain, and ends in silence")
    func reverb2() throws {
        func output(gain: Float) throws -> [Float] {
            let unit = Self.effect(kAudioUnitSubType_Reverb2)
            AudioUnitSetParameter(unit.audioUnit, kReverb2Param_MinDelayTime, kAudioUnitScope_Global, 0, 0.02, 0)
            AudioUnitSetParameter(unit.audioUnit, kReverb2Param_DecayTimeAt0Hz, kAudioUnitScope_Global, 0, 0.2, 0)
            AudioUnitSetParameter(unit.audioUnit, kReverb2Param_DecayTimeAtNyquist, kAudioUnitScope_Global, 0, 0.2, 0)
            AudioUnitSetParameter(unit.audioUnit, kReverb2Param_Gain, kAudioUnitScope_Global, 0, gain, 0)
            return try rendered(unit, frames: 66_150)
        }
        let (plain, loud) = (try output(gain: 0), try output(gain: 6))
        let first = try #require(plain.firstIndex { $0 != 0 })
        #expect(first >= 882 && first < 1_060, "\(first)")
        let factor = Float(pow(10, 6 / 20.0))
        let worst = zip(plain, loud).map { abs($0 * factor - $1) }.max() ?? 1
        #expect(worst < 1e-6 && (plain.map(abs).max() ?? 0) > 0.005, "\(worst)")
        #expect(plain[44_100...].allSatisfy { $0 == 0 })
    }
}
