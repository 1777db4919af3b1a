import AVFAudio
import Synchronization
import SyrinxDevice
import SyrinxTestSupport
import Testing

/// A graph that goes on after it has stood still is heard at once: the device drops the silence that it was given.
@Suite("Graph changes while rendering") struct ReleaseTests {
    /// A cranked device that drops whatever it is asked to.
    private final class DroppingOutput: OutputDevice {
        private let base: ManualOutput
        private let requests = Mutex<[Int]>([])

        init(sampleRate: Double) { base = ManualOutput(format: DeviceFormat(sampleRate: sampleRate, channelCount: 1)) }

        /// The most frames that could be dropped, each time.
        var asked: [Int] { requests.withLock { $0 } }

        func dropUnheard(atMost frameCount: Int, _ change: () -> Void) -> Bool {
            requests.withLock { $0.append(frameCount) }
            change()
            return true
        }

        func render(_ count: Int) -> [Float] { base.render(frameCount: count)[0] }
        func simulateLoss(newRate: Double) {
            base.simulateLoss(newFormat: DeviceFormat(sampleRate: newRate, channelCount: 1))
        }

        var name: String { base.name }
        var isPaced: Bool { base.isPaced }
        var latency: Double { base.latency }
        var underrunCount: Int { base.underrunCount }
        var onLoss: (@Sendable (DeviceError) -> Void)? {
            get { base.onLoss }
            set { base.onLoss = newValue }
        }
        func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat { try base.open(preferred: preferred) }
        func start(_ callback: RenderCallback) throws(DeviceError) { try base.start(callback) }
        func pause() { base.pause() }
        func resume() { base.resume() }
        func stop() { base.stop() }
    }

    private func playing(_ samples: [Float], on device: DroppingOutput) throws -> AVAudioEngine {
        let engine = AVAudioEngine()
        engine.outputDevice = device
        let player = AVAudioPlayerNode()
        engine.attach(player)
        let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)
        engine.connect(player, to: engine.mainMixerNode, format: format)
        player.scheduleBuffer(buffer([samples], sampleRate: 48_000))
        try engine.start()
        player.play()
        return engine
    }

    @Test("After a pause the silence behind the fade may be dropped, and no more") func pause() throws {
        let device = DroppingOutput(sampleRate: 48_000)
        let samples = noise(20_000)
        let engine = try playing(samples, on: device)
        #expect(device.render(1_000) == Array(samples[..<1_000]))
        engine.pause()
        let faded = device.render(1_000)
        #expect(faded[239] != 0 || faded[238] != 0)
        #expect(faded[240...].allSatisfy { $0 == 0 })
        try engine.start()
        #expect(device.asked == [760])
        #expect(Array(device.render(1_000)[240...]) == Array(samples[1_480..<2_240]))
        engine.stop()
    }

    @Test("What sounds yet is not dropped") func pauseThatIsOverAtOnce() throws {
        let device = DroppingOutput(sampleRate: 48_000)
        let engine = try playing(noise(20_000), on: device)
        _ = device.render(1_000)
        engine.pause()
        try engine.start()
        _ = device.render(1_000)
        engine.pause()
        _ = device.render(100)
        try engine.start()
        #expect(device.asked == [0, 0])
        engine.stop()
    }

    @Test("After a wait for data it is the silence, after a seek all") func hold() throws {
        let device = DroppingOutput(sampleRate: 48_000)
        let engine = try playing(noise(20_000), on: device)
        _ = device.render(1_000)
        engine.hold()
        _ = device.render(500)
        _ = device.render(500)
        engine.release(fades: true, dropsUnheard: false)
        _ = device.render(1_000)
        engine.holdForChange()
        engine.release(fades: true, dropsUnheard: true)
        #expect(device.asked == [760, .max])
        engine.stop()
    }

    @Test("Behind a change of the rate it is as much in time, less what the filter takes") func otherRate() throws {
        let device = DroppingOutput(sampleRate: 48_000)
        let engine = try playing(noise(90_000), on: device)
        _ = device.render(1_000)
        device.simulateLoss(newRate: 96_000)
        #expect(waitUntil { engine.outputNode.outputFormat(forBus: 0).sampleRate == 96_000 })
        #expect(waitUntil { device.render(4_000).contains { $0 != 0 } })
        engine.pause()
        let silence = device.render(4_000)
        try engine.start()
        let asked = try #require(device.asked.first)
        #expect(asked > 3_000)
        #expect(silence.suffix(asked).allSatisfy { $0 == 0 })
        engine.stop()
    }
}
