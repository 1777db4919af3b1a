import AVFAudio
import CoreAudioTypes
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxTestSupport
import Testing

/// The graph taken apart and put together at random, ten thousand times, while another thread renders it.
@Suite struct GraphChurnTests {
    @Test("A voice that no change touches plays every sample while the graph changes", arguments: [UInt64(1), 2])
    func anUntouchedVoiceHearsNothingOfIt(_ seed: UInt64) throws {
        let voice = (0..<2).map { whiteNoise(frameCount: 48_000, seed: UInt64($0) + 10) }
        let device = ManualOutput(format: DeviceFormat(sampleRate: 48_000, channelCount: 2))
        let engine = AVAudioEngine()
        engine.outputDevice = device
        let player = AVAudioPlayerNode()
        engine.attach(player)
        let churn = GraphChurn(engine: engine, seed: seed)
        engine.connect(player, to: engine.mainMixerNode, format: churn.format)
        player.scheduleBuffer(buffer(voice, sampleRate: 48_000), at: nil, options: .loops)
        player.play()
        try engine.start()

        let listener = Listener(device: device, expected: voice)
        listener.start()
        for step in 0..<5_000 {
            churn.step()
            // The graph must not run away from the rendering.
            if step % 4 == 0 { listener.waitForBlock() }
        }
        listener.end()
        engine.stop()

        #expect(listener.firstWrongFrame == nil)
        #expect(listener.frameCount > 100_000)
        churn.forget()
        // Whatever waits for the engine's thread or its queue is over when a block that came later is.
        #expect(waitUntil { churn.survivors == 0 }, "\(churn.survivors) of \(churn.made) nodes are kept alive")
    }
}

/// Changes a graph at random, beside the main mixer's other inputs, which it leaves alone.
private final class GraphChurn {
    let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)!
    private(set) var made = 0

    private let engine: AVAudioEngine
    private var numbers: SplitMix64
    /// The end of everything: shut, so that it is silent.
    private let sink = AVAudioMixerNode()
    /// By how far from the end they may stand, so that no connection closes a circle.
    private var nodes: [(node: AVAudioNode, rank: Int)] = []
    private var remembered: [Weak] = []
    private let sound: AVAudioPCMBuffer

    private struct Weak { weak var node: AVAudioNode? }

    var survivors: Int { remembered.filter { $0.node != nil }.count }

    init(engine: AVAudioEngine, seed: UInt64) {
        self.engine = engine
        numbers = SplitMix64(seed: seed)
        sound = buffer([whiteNoise(frameCount: 3_000), whiteNoise(frameCount: 3_000, seed: 2)], sampleRate: 48_000)
        engine.attach(sink)
        engine.connect(sink, to: engine.mainMixerNode, format: format)
        sink.outputVolume = 0
    }

    func step() {
        switch numbers.next(below: 10) {
        case 0, 1: add()
        case 2, 3, 4: connect()
        case 5: pick().map { engine.disconnectNodeOutput($0.node) }
        case 6: pick().map { engine.disconnectNodeInput($0.node) }
        case 7: remove()
        default: play()
        }
    }

    func forget() {
        while !nodes.isEmpty { remove() }
    }

    private func pick() -> (node: AVAudioNode, rank: Int)? {
        nodes.isEmpty ? nil : nodes[numbers.next(below: nodes.count)]
    }

    private func add() {
        guard nodes.count < 24 else { return remove() }
        let (node, rank): (AVAudioNode, Int) =
            switch numbers.next(below: 6) {
            case 0, 1: (AVAudioPlayerNode(), 3)
            case 2: (AVAudioSourceNode(format: format) { Self.tick($2, $3) }, 3)
            case 3: (AVAudioUnitTimePitch(), 2)
            case 4: (AVAudioUnitVarispeed(), 2)
            default: (AVAudioMixerNode(), 1)
            }
        engine.attach(node)
        nodes.append((node, rank))
        remembered.append(Weak(node: node))
        made += 1
    }

    /// Sets the first sample alone: nothing on the render thread may allocate, in debug either.
    private static func tick(_ count: AVAudioFrameCount, _ list: UnsafeMutablePointer<AudioBufferList>) -> OSStatus {
        guard count > 0, let samples = list.pointee.mBuffers.mData else { return 0 }
        samples.assumingMemoryBound(to: Float.self)[0] = 0.5
        return 0
    }

    private func connect() {
        guard let from = pick() else { return }
        let nearer = nodes.filter { $0.rank < from.rank }
        let choice = numbers.next(below: nearer.count + 1)
        engine.connect(from.node, to: choice < nearer.count ? nearer[choice].node : sink, format: format)
    }

    private func remove() {
        guard !nodes.isEmpty else { return }
        engine.detach(nodes.remove(at: numbers.next(below: nodes.count)).node)
    }

    private func play() {
        guard let node = pick()?.node else { return }
        switch node {
        case let player as AVAudioPlayerNode:
            if numbers.next(below: 3) == 0 {
                player.stop()
            } else {
                player.scheduleBuffer(sound)
                player.play()
            }
        case let unit as AVAudioUnitTimePitch: unit.rate = Float(numbers.next(below: 16) + 1) / 4
        case let unit as AVAudioUnitVarispeed: unit.rate = Float(numbers.next(below: 8) + 1) / 4
        case let mixer as AVAudioMixerNode: mixer.volume = Float(numbers.next(below: 5)) / 4
        default: node.reset()
        }
    }
}

/// Cranks a device on a thread of its own, and compares what comes with a loop of what should.
private final class Listener: @unchecked Sendable {
    // Unchecked: what is not atomic is the thread's own until `end()` has returned.
    private let device: ManualOutput
    private let expected: [[Float]]
    private let isEnding = Atomic<Bool>(false)
    private let blocks = Atomic<Int>(0)
    private let hasEnded = DispatchSemaphore(value: 0)
    private(set) var frameCount = 0
    private(set) var firstWrongFrame: Int?

    init(device: ManualOutput, expected: [[Float]]) {
        self.device = device
        self.expected = expected
    }

    func start() {
        Thread { [self] in
            var size = 1
            while !isEnding.load(ordering: .acquiring) {
                check(device.render(frameCount: size), size)
                blocks.add(1, ordering: .releasing)
                // Sizes that share no factor with the loop.
                size = size % 509 + 37
            }
            hasEnded.signal()
        }.start()
    }

    private func check(_ output: [[Float]], _ count: Int) {
        for channel in output.indices where firstWrongFrame == nil {
            var frame = 0
            while frame < count {
                if output[channel][frame] != expected[channel][(frameCount + frame) % expected[channel].count] {
                    firstWrongFrame = frameCount + frame
                    break
                }
                frame += 1
            }
        }
        frameCount += count
    }

    func waitForBlock() {
        let before = blocks.load(ordering: .acquiring)
        while blocks.load(ordering: .acquiring) == before { usleep(50) }
    }

    func end() {
        isEnding.store(true, ordering: .releasing)
        hasEnded.wait()
    }
}
