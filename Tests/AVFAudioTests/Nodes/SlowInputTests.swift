import AVFAudio
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxTestSupport
import Testing

/// An input that does not answer only holds up its users.
@Suite struct SlowInputTests {
    /// An input that, while it is held, answers neither `open` nor `start`.
    private final class SlowInput: InputDevice {
        let device = ManualInput()
        private let isHeld = Atomic<Bool>(false)
        private let calls = Atomic<Int>(0)
        private let mayAnswer = DispatchSemaphore(value: 0)

        /// Whether somebody waits for an answer.
        var isAwaited: Bool { calls.load(ordering: .acquiring) > 0 }

        func hold() { isHeld.store(true, ordering: .releasing) }

        func answer() {
            isHeld.store(false, ordering: .releasing)
            mayAnswer.signal()
        }

        private func wait() {
            guard isHeld.load(ordering: .acquiring) else { return }
            calls.add(1, ordering: .releasing)
            mayAnswer.wait()
            mayAnswer.signal()
            calls.subtract(1, ordering: .releasing)
        }

        func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat {
            wait()
            return try device.open(preferred: preferred)
        }

        func start(_ callback: CaptureCallback) throws(DeviceError) {
            wait()
            try device.start(callback)
        }

        func stop() { device.stop() }
        var name: String { device.name }
        var latency: Double { device.latency }
        var onLoss: (@Sendable (DeviceError) -> Void)? {
            get { device.onLoss }
            set { device.onLoss = newValue }
        }
    }

    private let output = ManualOutput(format: DeviceFormat(sampleRate: 48_000, channelCount: 2))
    private let input = SlowInput()
    private let engine = AVAudioEngine()
    private let player = AVAudioPlayerNode()

    init() {
        engine.outputDevice = output
        engine.inputDevice = input
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: nil)
    }

    /// Whether `work`, on a thread of its own, is over promptly: where it is not, the test goes on all the same.
    private func isOver(_ work: @escaping @Sendable () -> Void) -> Bool {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            work()
            done.signal()
        }
        return done.wait(timeout: .now() + promptly) == .success
    }

    /// Checks the parts that have nothing to do with the input, and the end.
    private func checkTheRest() {
        let (engine, output, player) = (engine, output, player)
        let samples = noise(480)
        #expect(isOver { player.scheduleBuffer(buffer([samples, samples], sampleRate: 48_000)) })
        #expect(isOver { player.play() })
        #expect(isOver { _ = output.render(frameCount: 480) })
        #expect(isOver { _ = engine.outputNode.lastRenderTime })
        let other = AVAudioPlayerNode()
        #expect(isOver { engine.attach(other) })
        #expect(isOver { engine.connect(other, to: engine.mainMixerNode, format: nil) })
        #expect(isOver { engine.stop() })
    }

    @Test("The graph keeps rendering while an input device opens slowly")
    func whileItIsOpenedTheRestGoesOn() throws {
        try engine.start()
        input.hold()
        let connected = DispatchSemaphore(value: 0)
        let engine = engine
        Thread.detachNewThread {
            engine.connect(engine.inputNode, to: engine.mainMixerNode, fromBus: 0, toBus: 7, format: nil)
            connected.signal()
        }
        #expect(waitUntil { input.isAwaited })
        checkTheRest()
        input.answer()
        connected.wait()
        #expect(!input.device.isRunning)
        try engine.start()
        #expect(input.device.isRunning)
        engine.stop()
        #expect(!input.device.isRunning)
    }

    @Test("The graph keeps rendering while a lost input device is looked for")
    func whileALostOneIsLookedForTheRestGoesOn() throws {
        engine.connect(engine.inputNode, to: engine.mainMixerNode, format: nil)
        try engine.start()
        #expect(input.device.isRunning)
        input.hold()
        input.device.simulateLoss()
        #expect(waitUntil { input.isAwaited })
        checkTheRest()
        input.answer()
        // The answer comes too late: it is not wanted any more.
        #expect(waitUntil { !input.isAwaited })
        #expect(waitUntil { !input.device.isRunning })
        try engine.start()
        #expect(input.device.isRunning)
        engine.stop()
    }
}
