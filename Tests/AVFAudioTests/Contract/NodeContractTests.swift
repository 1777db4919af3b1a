import AVFAudio
import CoreAudioTypes
import Testing

@Suite struct NodeContractTests {
    @Test(
        "Every node keeps the contract of nodes",
        arguments: players + mixers + environments + sources + timeEffects + varispeeds + units
    )
    func holds(_ node: NodeCase) throws {
        let broken = try checkNode(node)
        #expect(broken.isEmpty, "\(broken.joined(separator: "\n"))")
    }

    // MARK: Cases

    /// Windows stand a hop of 384 frames apart, so that the last may begin as much before it could, and what a transient might
    /// move it by is seldom taken.
    private static let twoHops = 768.0

    private static let players: [NodeCase] = [
        NodeCase(name: "player") { graph in
            connect(graph.feeders[0], in: graph)
        },
        NodeCase(
            name: "player with volume and pan",
            build: { graph in
                graph.feeders[0].volume = 0.7
                graph.feeders[0].pan = -0.4
                return connect(graph.feeders[0], in: graph)
            },
            changes: [
                change(1_000) { (player: AVAudioPlayerNode) in player.volume = 0.2 },
                change(1_300) { (player: AVAudioPlayerNode) in player.pan = 0.9 },
                change(3_000) { (player: AVAudioPlayerNode) in player.volume = 1 },
            ]
        ),
        NodeCase(
            name: "player that is paused and goes on",
            build: { connect($0.feeders[0], in: $0) },
            changes: [
                change(1_001) { (player: AVAudioPlayerNode) in player.pause() },
                change(3_000) { (player: AVAudioPlayerNode) in player.play() },
                change(3_100) { (player: AVAudioPlayerNode) in player.pause() },
                change(3_217) { (player: AVAudioPlayerNode) in player.play() },
            ]
        ),
        NodeCase(name: "player, mono", inputChannels: 1) { connect($0.feeders[0], in: $0) },
        NodeCase(name: "player at 44.1 kHz", inputRate: 44_100) {
            connect($0.feeders[0], in: $0)
        },
        NodeCase(name: "player at 192 kHz, mono", inputRate: 192_000, inputChannels: 1) {
            connect($0.feeders[0], in: $0)
        },
    ]

    private static let mixers: [NodeCase] = [
        NodeCase(name: "mixer of one") { mixer(in: $0) },
        NodeCase(
            name: "mixer of three with volumes",
            feeders: 3,
            build: { graph in
                graph.feeders[1].volume = 0.25
                graph.feeders[2].pan = 1
                return mixer(in: graph)
            },
            changes: [
                change(500) { (mixer: AVAudioMixerNode) in mixer.outputVolume = 0.3 },
                change(700) { (mixer: AVAudioMixerNode) in mixer.outputVolume = 0.9 },
                change(2_500) { (mixer: AVAudioMixerNode) in mixer.volume = 0.5 },
            ]
        ),
        NodeCase(name: "mixer of two, mono to stereo", feeders: 2, inputChannels: 1) { mixer(in: $0) },
        NodeCase(name: "mixer of 5.1 to stereo", inputChannels: 6) { mixer(in: $0) },
        NodeCase(name: "mixer of two at 44.1 kHz", feeders: 2, inputRate: 44_100) {
            mixer(in: $0)
        },
    ]

    private static let environments: [NodeCase] = [
        NodeCase(
            name: "environment of one that moves",
            inputChannels: 1,
            // The way around a head, and the tail that is stated for all heads.
            latencyTolerance: 40,
            tailTolerance: 480,
            build: { environment(.sphericalHead, in: $0) },
            changes: [
                change(1_000) { (node: AVAudioEnvironmentNode) in
                    node.listenerAngularOrientation = AVAudioMake3DAngularOrientation(70, 0, 0)
                },
                change(3_000) { (node: AVAudioEnvironmentNode) in node.outputVolume = 0.5 },
            ]
        ),
        NodeCase(
            name: "environment of three on a measured head",
            feeders: 3,
            inputChannels: 1,
            latencyTolerance: 40,
            tailTolerance: 480
        ) { environment(.HRTF, in: $0) },
        NodeCase(name: "environment of two, stereo", feeders: 2, tailTolerance: 480) {
            environment(.equalPowerPanning, in: $0)
        },
    ]

    private static func environment(_ algorithm: AVAudio3DMixingRenderingAlgorithm, in graph: NodeGraph) -> AVAudioNode
    {
        let environment = AVAudioEnvironmentNode()
        graph.engine.attach(environment)
        for (index, feeder) in graph.feeders.enumerated() {
            graph.engine.connect(feeder, to: environment, format: graph.input)
            feeder.renderingAlgorithm = algorithm
            feeder.position = AVAudioMake3DPoint(Float(index) * 0.6 - 0.5, 0.2, -0.7)
        }
        graph.engine.connect(environment, to: graph.engine.mainMixerNode, format: graph.output)
        return environment
    }

    private static let sources: [NodeCase] = [
        NodeCase(name: "source", feeders: 0) { graph in
            let source = AVAudioSourceNode { _, time, count, list in
                let buffers = UnsafeMutableAudioBufferListPointer(list)
                // By index: unoptimised, the iterators of ranges and collections take locks.
                var channel = 0
                while channel < buffers.count {
                    guard let samples = buffers[channel].mData?.assumingMemoryBound(to: Float.self) else { return -1 }
                    var frame = 0
                    while frame < Int(count) {
                        samples[frame] = Float((Int(time.pointee.mSampleTime) &+ frame) % 1_000) / 2_000
                        frame &+= 1
                    }
                    channel += 1
                }
                return noErr
            }
            graph.engine.attach(source)
            return connect(source, in: graph)
        }
    ]

    private static let timeEffects: [NodeCase] =
        [
            NodeCase(name: "time-pitch at rest") { timePitch(in: $0) },
            NodeCase(
                name: "time-pitch, bypassed",
                build: { graph in
                    let unit = timePitch(rate: 1.5, pitch: 500, in: graph)
                    unit.bypass = true
                    return unit
                }
            ),
            NodeCase(
                name: "time-pitch, changed as it plays",
                speed: 2,
                latencyTolerance: 512,
                tailTolerance: twoHops,
                build: { timePitch(rate: 2, in: $0) },
                changes: [
                    change(1_000) { (unit: AVAudioUnitTimePitch) in unit.rate = 0.7 },
                    change(2_500) { (unit: AVAudioUnitTimePitch) in unit.pitch = -300 },
                    change(4_000) { (unit: AVAudioUnitTimePitch) in unit.bypass = true },
                    change(5_500) { (unit: AVAudioUnitTimePitch) in unit.bypass = false },
                ]
            ),
        ]
        + [(0.5, 0.0), (1, 700), (1, -1_200), (1.25, 0), (2, 2_400), (8, 0), (32, -2_400)].map {
            rate,
            pitch in
            NodeCase(
                name: "time-pitch at rate \(rate), \(pitch) cents",
                speed: rate,
                latencyTolerance: 512,
                tailTolerance: twoHops,
                length: 16_000
            ) { timePitch(rate: Float(rate), pitch: Float(pitch), in: $0) }
        }

    private static let varispeeds: [NodeCase] =
        [
            NodeCase(name: "varispeed at rest") { varispeed(1, in: $0) },
            NodeCase(
                name: "varispeed, changed as it plays",
                build: { varispeed(1, in: $0) },
                changes: [
                    change(1_000) { (unit: AVAudioUnitVarispeed) in unit.rate = 0.7 },
                    change(2_500) { (unit: AVAudioUnitVarispeed) in unit.rate = 3 },
                    change(4_000) { (unit: AVAudioUnitVarispeed) in unit.bypass = true },
                    change(5_500) { (unit: AVAudioUnitVarispeed) in unit.bypass = false },
                ]
            ),
        ]
        + [0.25, 0.5, 1.01, 2, 4].map { rate in
            NodeCase(name: "varispeed at rate \(rate)", speed: rate, tailTolerance: 8, length: 20_000) {
                varispeed(Float(rate), in: $0)
            }
        }

    private static let units: [NodeCase] = [
        NodeCase(name: "unit of one's own", inputRate: 44_100) { delay(in: $0) },
        NodeCase(
            name: "unit of one's own, bypassed and not",
            inputRate: 44_100,
            build: { delay(in: $0) },
            changes: [
                change(1_000) { (unit: AVAudioUnitEffect) in unit.bypass = true },
                change(1_100) { (unit: AVAudioUnitEffect) in unit.bypass = false },
                change(3_000) { (unit: AVAudioUnitEffect) in unit.bypass = true },
                change(5_000) { (unit: AVAudioUnitEffect) in unit.bypass = false },
            ]
        ),
        NodeCase(
            name: "unit that is registered",
            build: { graph in
                let unit = AVAudioUnitEffect.registeredGain()
                graph.engine.attach(unit)
                graph.engine.connect(graph.feeders[0], to: unit, format: graph.input)
                graph.engine.connect(unit, to: graph.engine.mainMixerNode, format: graph.input)
                return unit
            },
            changes: [
                change(1_000) { (unit: AVAudioUnitEffect) in
                    unit.auAudioUnit.scheduleParameterBlock(1_777, 0, 0, 0.5)
                    unit.auAudioUnit.scheduleParameterBlock(3_001, 0, 0, 2)
                }
            ]
        ),
        NodeCase(name: "equaliser without bands") { equaliser(0, in: $0) },
        // Its echoes are no latency, and its tail is that of the loudest input.
        NodeCase(
            name: "delay",
            latencyTolerance: 400,
            tailTolerance: 8_000,
            build: { graph in
                let unit = AVAudioUnitDelay()
                (unit.delayTime, unit.feedback, unit.lowPassCutoff, unit.wetDryMix) = (0.004, 20, 12_000, 50)
                graph.engine.attach(unit)
                graph.engine.connect(graph.feeders[0], to: unit, format: graph.input)
                graph.engine.connect(unit, to: graph.engine.mainMixerNode, format: graph.input)
                return unit
            },
            changes: [
                change(1_000) { (unit: AVAudioUnitDelay) in unit.delayTime = 0.0111 },
                change(1_500) { (unit: AVAudioUnitDelay) in unit.delayTime = 0.002 },
                change(3_000) { (unit: AVAudioUnitDelay) in unit.feedback = -30 },
                change(3_100) { (unit: AVAudioUnitDelay) in unit.wetDryMix = 90 },
                change(5_000) { (unit: AVAudioUnitDelay) in unit.lowPassCutoff = 800 },
            ]
        ),
        // The tail of a filter ends where nothing of it is left, which its input decides too; a bell moves no burst's centre.
        NodeCase(
            name: "equaliser of three bands",
            latencyTolerance: 12,
            tailTolerance: 4_000,
            build: { equaliser(3, in: $0) },
            changes: [
                change(1_000) { (unit: AVAudioUnitEQ) in unit.bands[0].frequency = 9_000 },
                change(1_100) { (unit: AVAudioUnitEQ) in unit.globalGain = -6 },
                change(2_000) { (unit: AVAudioUnitEQ) in unit.bands[1].filterType = .highShelf },
                change(2_100) { (unit: AVAudioUnitEQ) in unit.bands[1].gain = -12 },
                change(4_000) { (unit: AVAudioUnitEQ) in unit.bands[2].bypass = true },
                change(6_000) { (unit: AVAudioUnitEQ) in unit.bands[2].bypass = false },
            ]
        ),
    ]

    // MARK: Graphs

    private static func change<Node: AVAudioNode>(
        _ frame: Int,
        _ apply: @escaping @Sendable (Node) -> Void
    ) -> NodeCase.Change {
        NodeCase.Change(frame: frame) { node in
            guard let node = node as? Node else { return }
            apply(node)
        }
    }

    private static func connect(_ node: AVAudioNode, in graph: NodeGraph) -> AVAudioNode {
        let format = node is AVAudioPlayerNode ? graph.input : nil
        graph.engine.connect(node, to: graph.engine.mainMixerNode, format: format)
        return node
    }

    private static func equaliser(_ bandCount: Int, in graph: NodeGraph) -> AVAudioNode {
        let unit = AVAudioUnitEQ(numberOfBands: bandCount)
        for (index, band) in unit.bands.enumerated() {
            band.frequency = 2_000 * Float(index + 1)
            band.bandwidth = 2
            band.gain = 4
            band.bypass = false
        }
        graph.engine.attach(unit)
        graph.engine.connect(graph.feeders[0], to: unit, format: graph.input)
        graph.engine.connect(unit, to: graph.engine.mainMixerNode, format: graph.input)
        return unit
    }

    private static func mixer(in graph: NodeGraph) -> AVAudioNode {
        let mixer = AVAudioMixerNode()
        graph.engine.attach(mixer)
        for feeder in graph.feeders { graph.engine.connect(feeder, to: mixer, format: graph.input) }
        graph.engine.connect(mixer, to: graph.engine.mainMixerNode, format: graph.output)
        return mixer
    }

    private static func timePitch(rate: Float = 1, pitch: Float = 0, in graph: NodeGraph) -> AVAudioUnitTimePitch {
        let unit = AVAudioUnitTimePitch()
        unit.rate = rate
        unit.pitch = pitch
        graph.engine.attach(unit)
        graph.engine.connect(graph.feeders[0], to: unit, format: graph.input)
        graph.engine.connect(unit, to: graph.engine.mainMixerNode, format: graph.input)
        return unit
    }

    private static func varispeed(_ rate: Float, in graph: NodeGraph) -> AVAudioUnitVarispeed {
        let unit = AVAudioUnitVarispeed()
        unit.rate = rate
        graph.engine.attach(unit)
        graph.engine.connect(graph.feeders[0], to: unit, format: graph.input)
        graph.engine.connect(unit, to: graph.engine.mainMixerNode, format: graph.input)
        return unit
    }

    /// A delay of 100 frames at 44.1 kHz.
    private static func delay(in graph: NodeGraph) -> AVAudioNode {
        let unit = DelayUnit(frames: 100)
        graph.engine.attach(unit)
        graph.engine.connect(graph.feeders[0], to: unit, format: graph.input)
        graph.engine.connect(unit, to: graph.engine.mainMixerNode, format: graph.input)
        return unit
    }
}
