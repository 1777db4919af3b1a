import AVFAudio
import CoreAudioTypes
import Foundation
import SyrinxTestSupport
import Testing

/// The connections that are allowed, and their results.
@Suite struct ConnectionTests {
    /// A source node whose frame n is n, at its own count, in every channel.
    static func counter(_ rig: OfflineRig) -> AVAudioSourceNode {
        AVAudioSourceNode(format: rig.format) { _, time, count, list in
            // By index: without optimisation an iterator allocates, and this runs where nothing may.
            let buffers = UnsafeMutableAudioBufferListPointer(list)
            for channel in 0..<buffers.count {
                guard let samples = buffers[channel].mData?.assumingMemoryBound(to: Float.self) else { continue }
                for frame in 0..<Int(count) { samples[frame] = Float(time.pointee.mSampleTime) + Float(frame) }
            }
            return 0
        }
    }

    @Test("Connection points describe both ends of every connection")
    func connectionPointsTellWhatIsConnected() throws {
        let engine = AVAudioEngine()
        let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2)
        try engine.enableManualRenderingMode(.offline, format: #require(format), maximumFrameCount: 512)
        let player = AVAudioPlayerNode()
        let (first, second) = (AVAudioMixerNode(), AVAudioMixerNode())
        for node in [player, first, second] as [AVAudioNode] { engine.attach(node) }
        engine.connect(
            player,
            to: [AVAudioConnectionPoint(node: first, bus: 2), AVAudioConnectionPoint(node: second, bus: 0)],
            fromBus: 0,
            format: nil
        )
        #expect(
            engine.outputConnectionPoints(for: player, outputBus: 0) == [
                AVAudioConnectionPoint(node: first, bus: 2), AVAudioConnectionPoint(node: second, bus: 0),
            ]
        )
        #expect(engine.inputConnectionPoint(for: first, inputBus: 2) == AVAudioConnectionPoint(node: player, bus: 0))
        #expect(engine.inputConnectionPoint(for: first, inputBus: 0) == nil)
        #expect(first.nextAvailableInputBus == 0)
        engine.disconnectNodeInput(first, bus: 2)
        #expect(engine.outputConnectionPoints(for: player, outputBus: 0).map(\.node) == [second])
        engine.connect(player, to: first, format: nil)
        #expect(engine.outputConnectionPoints(for: player, outputBus: 0).map(\.node) == [first])
        engine.disconnectNodeOutput(player, bus: 0)
        #expect(engine.outputConnectionPoints(for: player, outputBus: 0).isEmpty)
    }

    @Test("A node that is connected again keeps its input bus")
    func connectingAgainTakesTheSameBus() throws {
        let rig = try OfflineRig()
        let players = (0..<3).map { _ in AVAudioPlayerNode() }
        for player in players {
            rig.engine.attach(player)
            rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        }
        rig.engine.connect(players[1], to: rig.engine.mainMixerNode, format: nil)
        #expect(rig.engine.outputConnectionPoints(for: players[1], outputBus: 0).map(\.bus) == [1])
        #expect(rig.engine.mainMixerNode.nextAvailableInputBus == 3)
        rig.engine.detach(players[0])
        #expect(rig.engine.mainMixerNode.nextAvailableInputBus == 0)
        #expect(rig.engine.attachedNodes.count == 4)
    }

    @Test("A wrong connection ends the process with a sentence that names the fault")
    func wrongConnectionsAreRefusedWithASentence() async {
        let unattached = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let engine = AVAudioEngine()
            engine.connect(AVAudioPlayerNode(), to: engine.outputNode, format: nil)
        }
        #expect(unattached?.text.contains("AVAudioPlayerNode is not attached to this engine") == true)
        let circle = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let engine = AVAudioEngine()
            let (first, second) = (AVAudioMixerNode(), AVAudioMixerNode())
            engine.attach(first)
            engine.attach(second)
            engine.connect(first, to: second, format: nil)
            engine.connect(second, to: first, format: nil)
        }
        #expect(circle?.text.contains("would create a cycle") == true)
        let shorts = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let engine = AVAudioEngine()
            let player = AVAudioPlayerNode()
            engine.attach(player)
            let format = AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 8_000, channels: 1, interleaved: true)
            engine.connect(player, to: engine.mainMixerNode, format: format)
        }
        #expect(shorts?.text.contains("needs 32-bit float") == true)
    }

    @Test("A source with two destinations is rendered once per block")
    func aSplitAtOneRateIsRenderedOnce() throws {
        let rig = try OfflineRig()
        let source = Self.counter(rig)
        let (first, second) = (AVAudioMixerNode(), AVAudioMixerNode())
        for node in [source, first, second] as [AVAudioNode] { rig.engine.attach(node) }
        rig.engine.connect(
            source,
            to: [AVAudioConnectionPoint(node: first, bus: 0), AVAudioConnectionPoint(node: second, bus: 0)],
            fromBus: 0,
            format: rig.format
        )
        first.outputVolume = 0.25
        rig.engine.connect(first, to: rig.engine.mainMixerNode, format: rig.format)
        rig.engine.connect(second, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        let expected = (0..<2_000).map { Float($0) * 0.25 + Float($0) }
        #expect(try rig.render(2_000, block: 77)[1] == expected)
    }

    @Test("A source split around a time effect feeds each path at its own rate", arguments: [1, 64, 4_096])
    func aSplitAroundATimeEffectGivesEachWayItsRate(block: Int) throws {
        let rig = try OfflineRig()
        let source = Self.counter(rig)
        let varispeed = AVAudioUnitVarispeed()
        varispeed.rate = 2
        let mono = AVAudioMixerNode()
        for node in [source, varispeed, mono] as [AVAudioNode] { rig.engine.attach(node) }
        rig.engine.connect(
            source,
            to: [AVAudioConnectionPoint(node: varispeed, bus: 0), AVAudioConnectionPoint(node: mono, bus: 0)],
            fromBus: 0,
            format: rig.format
        )
        source.destination(forMixer: mono, bus: 0)?.volume = 0
        rig.engine.connect(varispeed, to: rig.engine.mainMixerNode, format: rig.format)
        rig.engine.connect(mono, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        let fast = try rig.render(4_096, block: block)[0]
        // A ramp is read twice as fast, exactly, away from its beginning.
        for frame in 200..<4_096 { #expect(abs(fast[frame] - Float(frame * 2)) < 0.05) }
    }

    @Test("A time effect on one branch of a split does not disturb the other")
    func theSlowWayOfASplitIsNotDisturbed() throws {
        let rig = try OfflineRig()
        let source = Self.counter(rig)
        let varispeed = AVAudioUnitVarispeed()
        varispeed.rate = 2
        for node in [source, varispeed] as [AVAudioNode] { rig.engine.attach(node) }
        let mixer = rig.engine.mainMixerNode
        rig.engine.connect(
            source,
            to: [AVAudioConnectionPoint(node: varispeed, bus: 0), AVAudioConnectionPoint(node: mixer, bus: 1)],
            fromBus: 0,
            format: rig.format
        )
        rig.engine.connect(varispeed, to: mixer, fromBus: 0, toBus: 0, format: rig.format)
        mixer.outputVolume = 1
        source.destination(forMixer: mixer, bus: 0)?.volume = 0
        try rig.engine.start()
        let output = try rig.render(20_000, block: 512)[0]
        #expect(output.indices.first { output[$0] != Float($0) } == nil)
    }

    @Test("Each mixing destination has a volume of its own")
    func volumesOfDestinationsAreTheirOwn() throws {
        let rig = try OfflineRig()
        let source = Self.counter(rig)
        let (first, second) = (AVAudioMixerNode(), AVAudioMixerNode())
        for node in [source, first, second] as [AVAudioNode] { rig.engine.attach(node) }
        let points = [AVAudioConnectionPoint(node: first, bus: 0), AVAudioConnectionPoint(node: second, bus: 3)]
        rig.engine.connect(source, to: points, fromBus: 0, format: rig.format)
        rig.engine.connect(first, to: rig.engine.mainMixerNode, format: rig.format)
        rig.engine.connect(second, to: rig.engine.mainMixerNode, format: rig.format)
        let destination = try #require(source.destination(forMixer: second, bus: 3))
        destination.volume = 0.5
        #expect(source.destination(forMixer: second, bus: 0) == nil)
        #expect(destination.connectionPoint == points[1])
        try rig.engine.start()
        #expect(try rig.render(100)[0] == (0..<100).map { Float($0) * 1.5 })
        source.volume = 0
        #expect(destination.volume == 0)
        _ = try rig.render(441)
        #expect(try rig.render(10)[0].allSatisfy { $0 == 0 })
    }
}

extension ExitTest.Result {
    fileprivate var text: String { String(decoding: standardErrorContent, as: UTF8.self) }
}
