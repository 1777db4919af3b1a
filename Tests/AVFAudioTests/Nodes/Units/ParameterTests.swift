import AVFAudio
import CoreAudioTypes
import Foundation
import Synchronization
import Testing

@Suite("Parameters of units") struct ParameterTests {
    private func effect(_ subtype: OSType) async throws -> AVAudioUnit {
        var description = AudioComponentDescription()
        description.componentType = kAudioUnitType_Effect
        description.componentSubType = subtype
        return try await AVAudioUnit.instantiate(with: description)
    }

    private func value(_ unit: AVAudioUnit, _ id: AudioUnitParameterID) -> Float? {
        var value: Float = .nan
        return AudioUnitGetParameter(unit.audioUnit, id, kAudioUnitScope_Global, 0, &value) == noErr ? value : nil
    }

    @Test("The defaults are those of Core Audio")
    func defaults() async throws {
        let expected: [(OSType, [AudioUnitParameterID: Float])] = [
            (kAudioUnitSubType_LowPassFilter, [0: 6_900, 1: 0]),
            (kAudioUnitSubType_HighPassFilter, [0: 6_900, 1: 0]),
            (kAudioUnitSubType_BandPassFilter, [0: 5_000, 1: 600]),
            (kAudioUnitSubType_LowShelfFilter, [0: 80, 1: 0]),
            (kAudioUnitSubType_HighShelfFilter, [0: 10_000, 1: 0]),
            (kAudioUnitSubType_ParametricEQ, [0: 2_000, 1: 1, 2: 0]),
            (kAudioUnitSubType_DynamicsProcessor, [0: -20, 1: 5, 2: 2, 4: 0.001, 5: 0.05, 6: 0]),
            (
                kAudioUnitSubType_MultiBandCompressor,
                [
                    0: 0, 2: 120, 4: 3_000, 5: -22, 8: -36, 9: 5, 12: 7.5, 13: 0.08, 14: 0.12, 15: 0, 1_000: 0,
                    8_000: -160,
                ]
            ),
            (kAudioUnitSubType_PeakLimiter, [0: 0.012, 1: 0.024, 2: 0]),
            (kAudioUnitSubType_Delay, [0: 100, 1: 1, 2: 50, 3: 15_000]),
            (kAudioUnitSubType_Distortion, [0: 0.1, 2: 50, 6: 1, 10: 100, 14: -6, 15: 50]),
            (kAudioUnitSubType_NBandEQ, [0: 0, 1_003: 1, 2_003: 0, 3_003: 1_000, 4_003: 0, 5_003: 0.5]),
        ]
        for (subtype, values) in expected {
            let unit = try await effect(subtype)
            for (id, expected) in values { #expect(value(unit, id) == expected, "\(unit.name) \(id)") }
        }
    }

    @Test("Property, tree and call share one value")
    func shared() throws {
        let unit = AVAudioUnitDelay()
        let tree = try #require(unit.auAudioUnit.parameterTree)
        unit.feedback = 20
        #expect(value(unit, 2) == 20 && tree.parameter(withAddress: 2)?.value == 20)
        #expect(AudioUnitSetParameter(unit.audioUnit, 2, kAudioUnitScope_Global, 0, -30, 0) == noErr)
        #expect(unit.feedback == -30 && tree.parameter(withAddress: 2)?.value == -30)
        tree.parameter(withAddress: 2)?.value = 70
        #expect(unit.feedback == 70 && value(unit, 2) == 70)
        tree.parameter(withAddress: 2)?.value = 1_000
        #expect(unit.feedback == 100)
        let pitch = AVAudioUnitTimePitch()
        #expect(AudioUnitSetParameter(pitch.audioUnit, 1, kAudioUnitScope_Global, 0, -300, 0) == noErr)
        pitch.rate = 1.5
        #expect(pitch.pitch == -300 && value(pitch, 0) == 1.5)
        let tape = AVAudioUnitVarispeed()
        tape.auAudioUnit.parameterTree?.parameter(withAddress: 1)?.value = 1_200
        #expect(tape.rate == 2 && value(tape, 0) == 2)
        let band = AVAudioUnitEQ(numberOfBands: 3)
        #expect(AudioUnitSetParameter(band.audioUnit, 3_002, kAudioUnitScope_Global, 0, 440, 0) == noErr)
        #expect(band.bands[2].frequency == 440 && band.bands[1].frequency == 1_000)
    }

    @Test("Calls refuse what is not there or out of range, and change nothing")
    func refusals() async throws {
        let unit = try await effect(kAudioUnitSubType_DynamicsProcessor)
        let global = kAudioUnitScope_Global
        #expect(AudioUnitSetParameter(unit.audioUnit, 77, global, 0, 0, 0) == kAudioUnitErr_InvalidParameter)
        #expect(AudioUnitSetParameter(unit.audioUnit, 1_000, global, 0, 0, 0) == kAudioUnitErr_InvalidParameter)
        #expect(AudioUnitSetParameter(unit.audioUnit, 0, kAudioUnitScope_Input, 0, 0, 0) == kAudioUnitErr_InvalidScope)
        #expect(AudioUnitSetParameter(unit.audioUnit, 0, global, 0, 21, 0) == kAudioUnitErr_InvalidParameterValue)
        #expect(AudioUnitSetParameter(unit.audioUnit, 0, global, 0, .nan, 0) == kAudioUnitErr_InvalidParameterValue)
        #expect(value(unit, 0) == -20 && value(unit, 77) == nil)
    }

    @Test("Observers hear of changes by others, until they are removed")
    func observers() throws {
        let unit = AVAudioUnitDelay()
        let tree = try #require(unit.auAudioUnit.parameterTree)
        let heard = Mutex<[Float]>([])
        let token = tree.token { address, value in
            if address == 1 { heard.withLock { $0.append(value) } }
        }
        let own = tree.parameter(withAddress: 1)?.token { _, value in heard.withLock { $0.append(-value) } }
        unit.delayTime = 0.5
        unit.delayTime = 0.5
        tree.parameter(withAddress: 1)?.setValue(0.25, originator: token)
        #expect(heard.withLock { $0 } == [-0.5, 0.5, -0.25])
        tree.removeParameterObserver(token)
        if let own { tree.parameter(withAddress: 1)?.removeParameterObserver(own) }
        unit.delayTime = 2
        #expect(heard.withLock { $0.count } == 3)
    }

    @Test("A tree of one's own hands values to its implementor")
    func ownTree() {
        let first = AUParameterTree.createParameter(
            withIdentifier: "depth",
            name: "Depth",
            address: 7,
            min: 1,
            max: 5,
            unit: .indexed,
            valueStrings: ["one", "two", "three"]
        )
        let group = AUParameterTree.createGroup(withIdentifier: "lfo", name: "Modulation", children: [first])
        let tree = AUParameterTree.createTree(withChildren: [group])
        let last = Mutex<Float>(0)
        tree.implementorValueObserver = { _, value in last.withLock { $0 = value } }
        #expect(first.value == 1 && first.keyPath == "lfo.depth" && tree.allParameters.count == 1)
        tree.parameter(withAddress: 7)?.value = 9
        #expect(first.value == 5 && last.withLock { $0 } == 5)
        first.value = .nan
        #expect(first.value == 5)
        var number: Float = 2
        #expect(first.string(fromValue: &number) == "two" && first.value(from: "three") == 3)
        tree.implementorValueProvider = { _ in 4 }
        #expect(first.value == 4)
    }

    @Test("A unit shows hosts its presets and its state")
    func hosted() throws {
        let unit = AVAudioUnitDistortion()
        let hosted = unit.auAudioUnit
        #expect(hosted === unit.auAudioUnit && hosted.audioUnitName == "AUDistortion" && hosted.currentPreset == nil)
        let presets = try #require(hosted.factoryPresets)
        #expect(presets.count == 22 && presets[21].name == "Speech: Waves")
        hosted.currentPreset = presets[11]
        #expect(hosted.currentPreset?.name == "Multi: Distorted Squared" && value(unit, 7) == 10)
        unit.preGain = 5
        let other = AVAudioUnitDistortion()
        other.auAudioUnit.fullState = hosted.fullState
        #expect(other.preGain == 5 && value(other, 7) == 10 && other.auAudioUnit.currentPreset?.number == 11)
        other.auAudioUnit.fullState = [
            "parameters": ["14": NSNumber(value: 99), "x": "y"], "preset": NSNumber(value: 77),
        ]
        #expect(other.preGain == 20 && other.auAudioUnit.currentPreset == nil)
        hosted.shouldBypassEffect = true
        #expect(unit.bypass && hosted.latency == unit.latency && hosted.latency > 0)
        let reverb = AVAudioUnitReverb()
        reverb.wetDryMix = 20
        reverb.auAudioUnit.currentPreset = reverb.auAudioUnit.factoryPresets?[8]
        #expect(reverb.wetDryMix == 20 && reverb.auAudioUnit.currentPreset?.name == "cathedral")
        #expect(AVAudioUnitEffect().auAudioUnit.parameterTree == nil)
    }

    @Test("Every preset of the distortion sets its values, and none sounds as another")
    func presets() throws {
        var seen: Set<[Float]> = []
        for preset in AVAudioUnitDistortionPreset.allCases {
            let unit = AVAudioUnitDistortion()
            unit.loadFactoryPreset(preset)
            seen.insert((0...15).compactMap { value(unit, $0) })
        }
        #expect(seen.count == 22)
        #expect(AVAudioUnitDistortionPreset.speechWaves.rawValue == 21)
    }
}
