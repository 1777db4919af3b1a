import AVFAudio
import Foundation
import Synchronization
import Testing

/// A subclass overrides what Apple's lets it override.
private final class LoggingEngine: AVAudioEngine, @unchecked Sendable {
    // Unchecked: the log is behind a lock.
    let log = Mutex<[String]>([])
    private func note(_ name: String) { log.withLock { $0.append(name) } }

    override func attach(_ node: AVAudioNode) {
        note("attach")
        super.attach(node)
    }
    override func detach(_ node: AVAudioNode) {
        note("detach")
        super.detach(node)
    }
    override func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {
        note("connect")
        super.connect(node1, to: node2, format: format)
    }
    override func connect(
        _ sourceNode: AVAudioNode,
        to destNodes: [AVAudioConnectionPoint],
        fromBus sourceBus: AVAudioNodeBus,
        format: AVAudioFormat?
    ) {
        note("connect many")
        super.connect(sourceNode, to: destNodes, fromBus: sourceBus, format: format)
    }
    override func disconnectNodeOutput(_ node: AVAudioNode) {
        note("disconnect")
        super.disconnectNodeOutput(node)
    }
    override func prepare() {
        note("prepare")
        super.prepare()
    }
    override func start() throws {
        note("start")
        try super.start()
    }
    override func pause() {
        note("pause")
        super.pause()
    }
    override func reset() {
        note("reset")
        super.reset()
    }
    override func stop() {
        note("stop")
        super.stop()
    }
    override var mainMixerNode: AVAudioMixerNode { super.mainMixerNode }
    override var isRunning: Bool { super.isRunning }
    override func renderOffline(_ numberOfFrames: AVAudioFrameCount, to buffer: AVAudioPCMBuffer) throws
        -> AVAudioEngineManualRenderingStatus
    {
        note("render")
        return try super.renderOffline(numberOfFrames, to: buffer)
    }
}

private final class LoggingMixer: AVAudioMixerNode, @unchecked Sendable {
    // Unchecked: the count is behind a lock.
    let taps = Mutex(0)
    override var outputVolume: Float {
        get { super.outputVolume }
        set { super.outputVolume = newValue / 2 }
    }
    override func installTap(
        onBus bus: AVAudioNodeBus,
        bufferSize: AVAudioFrameCount,
        format: AVAudioFormat?,
        block tapBlock: @escaping AVAudioNodeTapBlock
    ) {
        taps.withLock { $0 += 1 }
        super.installTap(onBus: bus, bufferSize: bufferSize, format: format, block: tapBlock)
    }
    override func removeTap(onBus bus: AVAudioNodeBus) {
        taps.withLock { $0 += 1 }
        super.removeTap(onBus: bus)
    }
}

/// Subclasses of the engine and its nodes, as programs for Apple's systems have them.
@Suite struct EngineSubclassTests {
    @Test("A subclass of the engine overrides its methods, and each is called once, by who uses it")
    func anEngineCanBeSubclassed() throws {
        let engine = LoggingEngine()
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 64))
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 64)
        let mixer = LoggingMixer()
        engine.attach(mixer)
        engine.connect(mixer, to: engine.mainMixerNode, format: nil)
        let point = AVAudioConnectionPoint(node: engine.mainMixerNode, bus: 0)
        engine.connect(mixer, to: [point], fromBus: 0, format: nil)
        mixer.outputVolume = 1
        #expect(mixer.outputVolume == 0.5)
        mixer.installTap(onBus: 0, bufferSize: 64, format: nil) { _, _ in }
        mixer.removeTap(onBus: 0)
        #expect(mixer.taps.withLock { $0 } == 2)
        engine.prepare()
        try engine.start()
        #expect(engine.isRunning)
        _ = try engine.renderOffline(64, to: buffer)
        engine.pause()
        try engine.start()
        engine.reset()
        engine.disconnectNodeOutput(mixer)
        engine.detach(mixer)
        engine.stop()
        engine.disableManualRenderingMode()
        let expected = [
            "attach", "connect", "connect many", "prepare", "start", "render", "pause", "start", "reset", "disconnect",
            "detach", "stop",
        ]
        #expect(engine.log.withLock { $0 } == expected)
    }
}
