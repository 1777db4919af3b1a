import AVFAudio
import SyrinxDevice
import Testing

/// The connection of the output node, and when there is a main mixer.
@Suite struct OutputConnectionTests {
    private func player(_ samples: [Float], on engine: AVAudioEngine) -> AVAudioPlayerNode {
        let player = AVAudioPlayerNode()
        engine.attach(player)
        player.scheduleBuffer(buffer([samples, samples]))
        return player
    }

    /// Returns the output of a player of `samples` that `connect` has connected.
    private func heard(
        _ samples: [Float],
        on rig: some TestRig,
        _ connect: (AVAudioEngine, AVAudioPlayerNode) throws -> Void
    ) throws -> [Float] {
        let player = player(samples, on: rig.engine)
        try connect(rig.engine, player)
        if !rig.engine.isRunning { try rig.engine.start() }
        player.play()
        return try rig.render(samples.count)[0]
    }

    @Test("What a program connects to the output is heard, rendered by hand or for a device")
    func theOutputKeepsItsConnection() throws {
        let samples = noise(3_000)
        for rig in [try OfflineRig(), DeviceRig()] as [any TestRig] {
            let mixer = AVAudioMixerNode()
            let output = try heard(samples, on: rig) { engine, player in
                engine.attach(mixer)
                engine.connect(player, to: mixer, format: rig.format)
                engine.connect(mixer, to: engine.outputNode, format: rig.format)
                engine.prepare()
            }
            #expect(output == samples)
            #expect(rig.engine.inputConnectionPoint(for: rig.engine.outputNode, inputBus: 0)?.node === mixer)
            #expect(rig.engine.attachedNodes.count == 3)
        }
    }

    @Test("A node without a mixer is heard at the output, also when the engine starts anew")
    func aNodeLeadsToTheOutput() throws {
        let samples = noise(3_000)
        let rig = try OfflineRig()
        let player = player(samples, on: rig.engine)
        rig.engine.connect(player, to: rig.engine.outputNode, format: nil)
        try rig.engine.start()
        player.play()
        #expect(try rig.render(1_000)[0] == Array(samples[..<1_000]))
        rig.engine.stop()
        try rig.engine.start()
        player.play()
        #expect(try rig.render(1_000)[0] == Array(samples[1_000..<2_000]))
    }

    @Test("Nodes of every kind give the output what they give the main mixer")
    func everyKindOfNodeLeadsToTheOutput() throws {
        let samples = noise(6_000)
        let kinds: [() -> AVAudioNode] = [
            { AVAudioMixerNode() }, { AVAudioEnvironmentNode() }, { AVAudioUnitEQ(numberOfBands: 1) },
            { AVAudioUnitDistortion() },
            { AVAudioUnitTimePitch() }, { AVAudioUnitVarispeed() },
        ]
        for make in kinds {
            func rendered(_ destination: (AVAudioEngine) -> AVAudioNode) throws -> [Float] {
                let node = make()
                return try heard(samples, on: OfflineRig()) { engine, player in
                    engine.attach(node)
                    let mono = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1)
                    engine.connect(player, to: node, format: node is AVAudioEnvironmentNode ? mono : nil)
                    engine.connect(node, to: destination(engine), format: nil)
                }
            }
            let (direct, mixed) = (try rendered(\.outputNode), try rendered(\.mainMixerNode))
            #expect(direct == mixed && direct.contains { $0 != 0 }, "\(type(of: make()))")
        }
        // Of another rate and fewer channels than the output has.
        let slow = try OfflineRig(sampleRate: 48_000)
        let output = try heard(sine(441, 6_000), on: slow) { engine, player in
            let mono = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1)
            engine.connect(player, to: engine.outputNode, format: mono)
        }
        #expect(abs(amplitude(of: 441, in: output[1_000..<5_000], sampleRate: 48_000) - 0.5) < 0.01)
    }

    @Test("The main mixer leaves the connection of another node to the output as it is")
    func theMainMixerComesSecond() throws {
        let samples = noise(3_000)
        let output = try heard(samples, on: OfflineRig()) { engine, player in
            engine.connect(player, to: engine.outputNode, format: nil)
            #expect(engine.outputConnectionPoints(for: engine.mainMixerNode, outputBus: 0).isEmpty)
            #expect(engine.inputConnectionPoint(for: engine.outputNode, inputBus: 0)?.node === player)
        }
        #expect(output == samples)
        // A program may connect it itself.
        let mixed = try heard(samples, on: OfflineRig()) { engine, player in
            engine.connect(player, to: engine.outputNode, format: nil)
            engine.connect(player, to: engine.mainMixerNode, format: nil)
            engine.connect(engine.mainMixerNode, to: engine.outputNode, format: nil)
            engine.mainMixerNode.outputVolume = 0.5
        }
        #expect(mixed == samples.map { $0 * 0.5 })
    }

    @Test("An engine that starts with nothing connected is silent, and plays what is connected later")
    func connectionsAfterTheStart() throws {
        let samples = noise(3_000)
        let toOutput = try heard(samples, on: OfflineRig()) { engine, player in
            try engine.start()
            #expect(engine.isRunning)
            let node = engine.inputConnectionPoint(for: engine.outputNode, inputBus: 0)?.node
            #expect(node === engine.mainMixerNode)
            engine.connect(player, to: engine.outputNode, format: nil)
        }
        let rig = DeviceRig()
        let toMixer = try heard(samples, on: rig) { engine, player in
            try engine.start()
            #expect(try rig.render(500)[0].allSatisfy { $0 == 0 })
            engine.connect(player, to: engine.mainMixerNode, format: nil)
        }
        #expect(toOutput == samples && toMixer == samples)
    }

    @Test("A node takes the place of the one at the output while the engine runs")
    func theOutputIsConnectedAnew() throws {
        let (first, second) = (noise(4_000), noise(4_000, channel: 3))
        let rig = try OfflineRig()
        let players = [first, second].map { player($0, on: rig.engine) }
        rig.engine.connect(players[0], to: rig.engine.outputNode, format: nil)
        try rig.engine.start()
        for player in players { player.play() }
        #expect(try rig.render(1_000)[0] == Array(first[..<1_000]))
        rig.engine.detach(players[0])
        #expect(try rig.render(1_000)[0].allSatisfy { $0 == 0 })
        rig.engine.connect(players[1], to: rig.engine.outputNode, format: nil)
        #expect(try rig.render(1_000)[0] == Array(second[..<1_000]))
        rig.engine.disconnectNodeInput(rig.engine.outputNode)
        rig.engine.attach(players[0])
        rig.engine.connect(players[0], to: rig.engine.outputNode, format: nil)
        #expect(try rig.render(1_000)[0] == Array(first[1_000..<2_000]))
    }

    @Test("A main mixer that was detached is made anew, and connected")
    func aDetachedMainMixer() throws {
        let samples = noise(1_000)
        let output = try heard(samples, on: OfflineRig()) { engine, player in
            let former = engine.mainMixerNode
            engine.detach(former)
            #expect(engine.mainMixerNode !== former && engine.mainMixerNode === engine.mainMixerNode)
            engine.connect(player, to: engine.mainMixerNode, format: nil)
        }
        #expect(output == samples)
    }

    @Test("The inputs of a mixer are counted up to the highest that is connected")
    func inputsAreCounted() throws {
        let engine = try OfflineRig().engine
        for mixer in [AVAudioMixerNode(), AVAudioEnvironmentNode()] as [AVAudioNode] {
            #expect(mixer.numberOfInputs == 1)
            engine.attach(mixer)
            let players = (0..<16).map { _ in AVAudioPlayerNode() }
            for player in players {
                engine.attach(player)
                engine.connect(player, to: mixer, format: nil)
            }
            #expect(mixer.numberOfInputs == 16 && mixer.auAudioUnit.inputBusses.count == 16)
            engine.detach(players[3])
            #expect(mixer.numberOfInputs == 16)
            engine.disconnectNodeInput(mixer, bus: 15)
            #expect(mixer.numberOfInputs == 15)
            engine.connect(players[15], to: mixer, fromBus: 0, toBus: 40, format: nil)
            #expect(mixer.numberOfInputs == 41)
            engine.disconnectNodeInput(mixer)
            #expect(mixer.numberOfInputs == 1)
        }
    }
}
