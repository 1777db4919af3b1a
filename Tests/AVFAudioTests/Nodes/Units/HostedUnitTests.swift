import AVFAudio
import CoreAudioTypes
import Foundation
import Testing

@Suite("Units that a program registers") struct HostedUnitTests {
    /// A player of noise through a unit, which has not been started.
    private func rig(_ unit: AVAudioUnit, channels: AVAudioChannelCount = 2) throws -> (OfflineRig, [Float]) {
        let rig = try OfflineRig(channels: channels)
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.attach(unit)
        rig.engine.connect(player, to: unit, format: rig.format)
        rig.engine.connect(unit, to: rig.engine.mainMixerNode, format: rig.format)
        let sound = (0..<Int(channels)).map { noise(60_000, channel: $0) }
        player.scheduleBuffer(buffer(sound))
        player.play()
        return (rig, sound[0])
    }

    private func gain() async throws -> AVAudioUnit {
        GainUnit.registered
        return try await AVAudioUnit.instantiate(with: GainUnit.description)
    }

    @Test("A registered class renders in the graph, and its parameter is set through tree, call and state")
    func rendersInTheGraph() async throws {
        let unit = try await gain()
        #expect(unit is AVAudioUnitEffect && unit.auAudioUnit is GainUnit)
        #expect(unit.name == "Gain" && unit.manufacturerName == "Tests" && unit.version == 3)
        #expect(unit.auAudioUnit.componentName == "Tests: Gain")
        #expect(unit.audioComponentDescription.componentSubType == GainUnit.description.componentSubType)
        let (rig, sound) = try rig(unit)
        try rig.engine.start()
        #expect(try rig.render(1_000)[0] == Array(sound[..<1_000]))
        unit.auAudioUnit.parameterTree?.parameter(withAddress: 0)?.value = 0.5
        #expect(try rig.render(1_000)[0] == sound[1_000..<2_000].map { $0 * 0.5 })
        #expect(AudioUnitSetParameter(unit.audioUnit, 0, kAudioUnitScope_Global, 0, 2, 0) == noErr)
        #expect(AudioUnitSetParameter(unit.audioUnit, 0, kAudioUnitScope_Global, 0, 5, 0) != noErr)
        #expect(try rig.render(1_000)[0] == sound[2_000..<3_000].map { $0 * 2 })
        let state = unit.auAudioUnit.fullState
        unit.auAudioUnit.parameterTree?.parameter(withAddress: 0)?.value = 0
        unit.auAudioUnit.fullState = state
        var value: Float = 0
        #expect(AudioUnitGetParameter(unit.audioUnit, 0, kAudioUnitScope_Global, 0, &value) == noErr && value == 2)
        // Bypassed after a fade of 5 ms.
        unit.auAudioUnit.shouldBypassEffect = true
        let bypassed = try rig.render(1_000)[0]
        #expect(Array(bypassed[500...]) == Array(sound[3_500..<4_000]))
    }

    @Test("A scheduled parameter changes at its frame, whatever the blocks", arguments: [64, 480, 4_096])
    func schedulesToTheSample(_ block: Int) async throws {
        let unit = try await gain()
        let (rig, sound) = try rig(unit)
        try rig.engine.start()
        let schedule = unit.auAudioUnit.scheduleParameterBlock
        schedule(7_001, 0, 0, 3)
        schedule(1_234, 0, 0, 0.5)
        schedule(AUEventSampleTimeImmediate + 10, 0, 0, 0.25)
        let output = try rig.render(10_000, block: block)[0]
        let expected = sound[..<10_000].enumerated().map { frame, sample in
            sample * (frame < 10 ? 1 : frame < 1_234 ? 0.25 : frame < 7_001 ? 0.5 : 3)
        }
        #expect(output == expected)
    }

    @Test("An instrument without an initialiser of its own plays notes to the sample")
    func instrumentsPlayNotes() async throws {
        GateInstrument.registered
        let unit = try await AVAudioUnit.instantiate(with: GateInstrument.description)
        let instrument = try #require(unit as? AVAudioUnitMIDIInstrument)
        #expect(instrument.numberOfInputs == 0 && instrument.name == "Gate")
        let rig = try OfflineRig(channels: 1)
        rig.engine.attach(unit)
        rig.engine.connect(unit, to: rig.engine.mainMixerNode, format: rig.format)
        instrument.volume = 0.5
        try rig.engine.start()
        let send = try #require(unit.auAudioUnit.scheduleMIDIEventBlock)
        [UInt8]([0x90, 60, 100]).withUnsafeBufferPointer { send(777, 0, 3, $0.baseAddress!) }
        [UInt8]([0x80, 60, 0]).withUnsafeBufferPointer { send(3_000, 0, 3, $0.baseAddress!) }
        let output = try rig.render(5_000)[0]
        #expect(output.enumerated().allSatisfy { $1 == (777..<3_000 ~= $0 ? 0.5 : 0) })
    }

    @Test("A format that the unit refuses is an error, and another one is taken up while the engine runs")
    func formatsAreSettled() async throws {
        let unit = try await gain()
        let (rig, _) = try rig(unit, channels: 2)
        try rig.engine.start()
        _ = try rig.render(1_000)
        #expect(unit.auAudioUnit.renderResourcesAllocated)
        let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
        rig.engine.connect(unit, to: rig.engine.mainMixerNode, format: mono)
        let point = try #require(rig.engine.inputConnectionPoint(for: unit, inputBus: 0)?.node)
        rig.engine.connect(point, to: unit, format: mono)
        _ = try rig.render(1_000)
        #expect(unit.auAudioUnit.inputBusses[0].format.channelCount == 1)
        let other = try await gain()
        let wide = try OfflineRig(channels: 4)
        wide.engine.attach(other)
        wide.engine.connect(other, to: wide.engine.mainMixerNode, format: wide.format)
        let error = #expect(throws: AVAudioEngineError.self) { try wide.engine.start() }
        #expect(error?.code == .formatMismatch)
    }

    @Test("An effect of the library is rendered by a host without an engine, as in one")
    func hostsRenderEffects() async throws {
        var description = AudioComponentDescription()
        description.componentType = kAudioUnitType_Effect
        description.componentSubType = kAudioUnitSubType_LowPassFilter
        let unit = try await AUAudioUnit.instantiate(with: description)
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        try unit.inputBusses[0].setFormat(format)
        try unit.outputBusses[0].setFormat(format)
        unit.maximumFramesToRender = 512
        try unit.allocateRenderResources()
        let render = unit.renderBlock
        let sound = noise(4_096)
        var flags: AudioUnitRenderActionFlags = []
        var time = AudioTimeStamp()
        time.mFlags = .sampleTimeValid
        var output: [Float] = []
        let block = buffer([[Float]](repeating: [Float](repeating: 0, count: 512), count: 2))
        for start in stride(from: 0, to: 4_096, by: 512) {
            time.mSampleTime = Double(start)
            let status = render(&flags, &time, 512, 0, block.mutableAudioBufferList) { _, _, count, _, data in
                for plane in UnsafeMutableAudioBufferListPointer(data) {
                    for frame in 0..<Int(count) {
                        plane.mData?.assumingMemoryBound(to: Float.self)[frame] = sound[start + frame]
                    }
                }
                return noErr
            }
            #expect(status == noErr)
            output += UnsafeBufferPointer(start: try #require(block.floatChannelData)[0], count: 512)
        }
        let node = AVAudioUnitEffect(audioComponentDescription: description)
        let (rig, same) = try rig(node)
        try rig.engine.start()
        #expect(Array(same[..<4_096]) == sound)
        #expect(try rig.render(4_096)[0] == output)
    }

    @Test("Scheduled changes and ramps of the library's effects are exact, whatever the blocks", arguments: [64, 333])
    func effectsAreAutomated(_ block: Int) throws {
        func rendered(_ block: Int, _ schedule: (AUScheduleParameterBlock) -> Void) throws -> [Float] {
            let unit = AVAudioUnitEQ(numberOfBands: 1)
            let (rig, _) = try rig(unit)
            schedule(unit.auAudioUnit.scheduleParameterBlock)
            try rig.engine.start()
            return try rig.render(20_000, block: block)[0]
        }
        // Address 0 is the global gain, in dB.
        let plain = try rendered(512) { _ in }
        let stepped = try rendered(512) { $0(5_003, 0, 0, -20) }
        #expect(Array(stepped[..<5_003]) == Array(plain[..<5_003]))
        #expect(stepped[5_003..<5_100] != plain[5_003..<5_100])
        #expect(try rendered(block) { $0(5_003, 0, 0, -20) } == stepped)
        // A straight line in decibels: half way after half of the time, but for the 20 ms (1.1 dB here) of the gain's own glide.
        let ramped = try rendered(512) { $0(1_000, 16_000, 0, -20) }
        let middle = (8_000..<10_000).map { ramped[$0] / plain[$0] }.sorted()[1_000]
        #expect(abs(20 * log10(middle) + 10) < 1.2)
        #expect(try rendered(block) { $0(1_000, 16_000, 0, -20) } == ramped)
        let end = (19_000..<20_000).map { ramped[$0] / plain[$0] }.sorted()[500]
        #expect(abs(20 * log10(end) + 20) < 0.05)
    }

    @Test("The manager lists the library's units and the registered ones")
    func unitsAreListed() {
        GainUnit.registered
        let manager = AVAudioUnitComponentManager.shared()
        var any = AudioComponentDescription()
        any.componentType = kAudioUnitType_Effect
        let effects = manager.components(matching: any)
        #expect(effects.contains { $0.name == "Gain" && $0.manufacturerName == "Tests" && $0.typeName == "Effect" })
        #expect(effects.contains { $0.audioComponentDescription.componentSubType == kAudioUnitSubType_MatrixReverb })
        any.componentSubType = kAudioUnitSubType_Delay
        #expect(manager.components(matching: any).count == 1)
        let first = manager.components { _, stop in
            stop.pointee = true
            return true
        }
        #expect(first.count == 1)
    }
}
