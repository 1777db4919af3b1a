import AVFAudio
import CoreAudioTypes
import Testing

@Suite("Units of nodes") struct NodeUnitTests {
    private let stereo = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)
    private let mono = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1)

    @Test("A mixer's unit has a bus for each connected input, and a free one")
    func mixerBusses() throws {
        let engine = AVAudioEngine()
        let (mixer, first, second) = (AVAudioMixerNode(), AVAudioPlayerNode(), AVAudioPlayerNode())
        let (stereo, mono) = (try #require(stereo), try #require(mono))
        try engine.enableManualRenderingMode(.offline, format: stereo, maximumFrameCount: 512)
        for node in [mixer, first, second] { engine.attach(node) }
        let busses = mixer.auAudioUnit.inputBusses
        #expect(mixer.auAudioUnit === mixer.auAudioUnit && busses.count == 1)
        engine.connect(first, to: mixer, fromBus: 0, toBus: 0, format: stereo)
        engine.connect(second, to: mixer, fromBus: 0, toBus: 1, format: mono)
        engine.connect(mixer, to: engine.mainMixerNode, format: stereo)
        #expect(busses.count == 2 && busses.ownerAudioUnit === mixer.auAudioUnit)
        #expect(busses[0].format == stereo && busses[1].format == mono)
        #expect(busses[1].index == 1 && busses[1].busType == .input && busses[1] === busses[1])
        #expect(mixer.auAudioUnit.outputBusses.count == 1 && mixer.auAudioUnit.outputBusses[0].format == stereo)
    }

    @Test("A mixer takes a number of busses, and no fewer than are connected")
    func busCount() throws {
        let engine = AVAudioEngine()
        let (mixer, player) = (AVAudioMixerNode(), AVAudioPlayerNode())
        engine.attach(mixer)
        engine.attach(player)
        let busses = mixer.auAudioUnit.inputBusses
        #expect(busses.isCountChangeable)
        try busses.setBusCount(5)
        #expect(busses.count == 5)
        engine.connect(player, to: mixer, fromBus: 0, toBus: 0, format: stereo)
        #expect(throws: AVAudioEngineError.self) { try busses.setBusCount(0) }
        #expect(throws: AVAudioEngineError.self) { try busses.setBusCount(100_000) }
        try busses.setBusCount(1)
        #expect(busses.count == 1)
        let outputs = mixer.auAudioUnit.outputBusses
        #expect(!outputs.isCountChangeable)
        #expect(throws: AVAudioEngineError.self) { try outputs.setBusCount(2) }
        let delay = AVAudioUnitDelay().auAudioUnit.inputBusses
        #expect(!delay.isCountChangeable)
        #expect(throws: AVAudioEngineError.self) { try delay.setBusCount(2) }
    }

    @Test("The kinds of nodes have Core Audio's descriptions")
    func descriptions() {
        let engine = AVAudioEngine()
        let kinds: [(AVAudioNode, OSType, OSType)] = [
            (AVAudioMixerNode(), kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer),
            (AVAudioEnvironmentNode(), kAudioUnitType_Mixer, kAudioUnitSubType_SpatialMixer),
            (AVAudioPlayerNode(), kAudioUnitType_Generator, kAudioUnitSubType_ScheduledSoundPlayer),
            (engine.outputNode, kAudioUnitType_Output, kAudioUnitSubType_HALOutput),
        ]
        for (node, type, subtype) in kinds {
            let description = node.auAudioUnit.componentDescription
            #expect(description.componentType == type && description.componentSubType == subtype)
            #expect(description.componentManufacturer == kAudioUnitManufacturer_Apple)
        }
    }

    @Test("A node that is no effect is never bypassed, has no parameters, and is rendered by an engine only")
    func limits() {
        let player = AVAudioPlayerNode()
        let unit = player.auAudioUnit
        unit.shouldBypassEffect = true
        #expect(!unit.shouldBypassEffect && unit.parameterTree == nil && unit.scheduleMIDIEventBlock == nil)
        #expect(unit.audioUnitName == "AVAudioPlayerNode" && unit.inputBusses.count == 0)
        #expect(throws: AVAudioEngineError.self) { try unit.allocateRenderResources() }
    }

    @Test("An effect's unit is its own, by way of the node as well")
    func effects() throws {
        let delay = AVAudioUnitDelay()
        let node: AVAudioNode = delay
        #expect(node.auAudioUnit === delay.auAudioUnit)
        node.auAudioUnit.shouldBypassEffect = true
        #expect(delay.bypass)
        #expect(try #require(node.auAudioUnit.parameterTree).allParameters.count == 4)
    }

    @Test("A unit does not keep its node alive")
    func ownership() {
        var player: AVAudioPlayerNode? = AVAudioPlayerNode()
        weak let former = player
        let unit = player?.auAudioUnit
        let busses = unit?.outputBusses
        #expect(busses?.count == 1)
        player = nil
        #expect(former == nil && busses?.count == 0 && unit?.latency == 0)
    }
}
