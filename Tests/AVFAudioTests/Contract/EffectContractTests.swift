import AVFAudio
import CoreAudioTypes
import SyrinxTestSupport
import Testing

@Suite("Effects in a graph") struct EffectContractTests {
    @Test("Every effect keeps the contract of nodes", arguments: filters + dynamics + (isOptimized ? others : []))
    func holds(_ node: NodeCase) throws {
        let broken = try checkNode(node)
        #expect(broken.isEmpty, "\(broken.joined(separator: "\n"))")
    }

    // MARK: Cases

    private static let filters: [NodeCase] = [
        (kAudioUnitSubType_LowPassFilter, "low pass", 3_000, 500),
        (kAudioUnitSubType_HighPassFilter, "high pass", 300, 2_000),
        (kAudioUnitSubType_BandPassFilter, "band pass", 1_000, 4_000),
        (kAudioUnitSubType_LowShelfFilter, "low shelf", 100, 200),
        (kAudioUnitSubType_HighShelfFilter, "high shelf", 10_000, 15_000),
        (kAudioUnitSubType_ParametricEQ, "parametric equaliser", 500, 3_000),
    ].map { (subtype: OSType, name: String, first: Float, second: Float) in
        // A filter delays as its phase does, and its tail ends where nothing of it is left, which its input decides too.
        NodeCase(
            name: name,
            latencyTolerance: 100,
            tailTolerance: 6_000,
            build: { graph in
                let unit = effect(subtype, in: graph)
                AudioUnitSetParameter(unit.audioUnit, 0, kAudioUnitScope_Global, 0, first, 0)
                return unit
            },
            changes: [
                NodeCase.Change(frame: 1_000) { node in
                    guard let unit = node as? AVAudioUnit else { return }
                    AudioUnitSetParameter(unit.audioUnit, 0, kAudioUnitScope_Global, 0, second, 0)
                }
            ]
        )
    }

    private static let dynamics: [NodeCase] = [
        NodeCase(
            name: "dynamics processor",
            // Its attack lets the beginning of a loud burst through, and not the end: that moves the middle.
            latencyTolerance: 36,
            build: { effect(kAudioUnitSubType_DynamicsProcessor, in: $0) },
            changes: [
                NodeCase.Change(frame: 2_000) { node in
                    guard let unit = node as? AVAudioUnit else { return }
                    AudioUnitSetParameter(unit.audioUnit, 0, kAudioUnitScope_Global, 0, -40, 0)
                }
            ]
        ),
        NodeCase(name: "peak limiter", build: { effect(kAudioUnitSubType_PeakLimiter, in: $0) }),
        NodeCase(name: "voice boost", latencyTolerance: 36, build: { connect(VoiceBoostUnit(), in: $0) }),
        NodeCase(name: "mono and balance", build: { connect(StereoBalanceUnit(), in: $0) }),
    ]

    private static let others: [NodeCase] = [
        NodeCase(
            name: "multiband compressor",
            // Its crossovers delay what is low, as an all pass does.
            latencyTolerance: 400,
            tailTolerance: 6_000,
            build: { effect(kAudioUnitSubType_MultiBandCompressor, in: $0) },
            changes: [
                NodeCase.Change(frame: 2_000) { node in
                    guard let unit = node as? AVAudioUnit else { return }
                    AudioUnitSetParameter(unit.audioUnit, 3, kAudioUnitScope_Global, 0, 2_000, 0)
                    AudioUnitSetParameter(unit.audioUnit, 16, kAudioUnitScope_Global, 0, -12, 0)
                }
            ]
        ),
        NodeCase(
            name: "distortion",
            tailTolerance: 12_000,
            length: 16_000,
            build: { graph in
                let unit = AVAudioUnitDistortion()
                unit.loadFactoryPreset(.multiDistortedCubed)
                return connect(unit, in: graph)
            },
            changes: [
                NodeCase.Change(frame: 2_000) { ($0 as? AVAudioUnitDistortion)?.wetDryMix = 100 },
                NodeCase.Change(frame: 3_000) { ($0 as? AVAudioUnitDistortion)?.loadFactoryPreset(.multiDecimated1) },
            ]
        ),
        // Its tail reaches its end by what is kept, which its input decides too.
        NodeCase(
            name: "reverb",
            latencyTolerance: 4_000,
            tailTolerance: 48_000,
            length: 110_000,
            build: { graph in
                let unit = AVAudioUnitReverb()
                unit.loadFactoryPreset(.smallRoom)
                unit.wetDryMix = 50
                return connect(unit, in: graph)
            },
            changes: [NodeCase.Change(frame: 2_000) { ($0 as? AVAudioUnitReverb)?.wetDryMix = 100 }]
        ),
        NodeCase(
            name: "reverb 2",
            latencyTolerance: 4_000,
            tailTolerance: 48_000,
            length: 110_000,
            build: { graph in
                let unit = effect(kAudioUnitSubType_Reverb2, in: graph)
                set(unit, kReverb2Param_DryWetMix, 50)
                set(unit, kReverb2Param_DecayTimeAt0Hz, 0.4)
                set(unit, kReverb2Param_DecayTimeAtNyquist, 0.3)
                return unit
            },
            changes: [
                NodeCase.Change(frame: 2_000) { set($0, kReverb2Param_MaxDelayTime, 0.1) },
                NodeCase.Change(frame: 3_000) { set($0, kReverb2Param_RandomizeReflections, 9) },
            ]
        ),
    ]

    private static func effect(_ subtype: OSType, in graph: NodeGraph) -> AVAudioUnitEffect {
        var description = AudioComponentDescription()
        description.componentType = kAudioUnitType_Effect
        description.componentSubType = subtype
        return connect(AVAudioUnitEffect(audioComponentDescription: description), in: graph)
    }

    private static func set(_ node: AVAudioNode, _ parameter: AudioUnitParameterID, _ value: Float) {
        guard let unit = node as? AVAudioUnit else { return }
        AudioUnitSetParameter(unit.audioUnit, parameter, kAudioUnitScope_Global, 0, value, 0)
    }

    private static func connect<Unit: AVAudioUnitEffect>(_ unit: Unit, in graph: NodeGraph) -> Unit {
        graph.engine.attach(unit)
        graph.engine.connect(graph.feeders[0], to: unit, format: graph.input)
        graph.engine.connect(unit, to: graph.engine.mainMixerNode, format: graph.input)
        return unit
    }
}
