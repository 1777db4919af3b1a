import AVFAudio
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxTestSupport
import Testing

/// The output goes away, moves, comes back otherwise: the engine goes on with the next frame.
@Suite struct OutputChangeTests {
    /// Counts an engine's configuration changes.
    private final class Changes: @unchecked Sendable {
        // Unchecked: the token is written in `init` alone.
        private let count = Mutex(0)
        private var token: (any NSObjectProtocol)?
        var value: Int { count.withLock { $0 } }

        init(_ engine: AVAudioEngine) {
            token = NotificationCenter.default.addObserver(
                forName: .AVAudioEngineConfigurationChange,
                object: engine,
                queue: nil
            ) { [weak self] _ in self?.count.withLock { $0 += 1 } }
        }

        deinit { token.map { NotificationCenter.default.removeObserver($0) } }
    }

    /// A device that counts how often it is opened: an engine that looks for its lost output opens it again and again.
    private final class CountedOutput: OutputDevice {
        private let device: PulseOutput
        private let count = Atomic<Int>(0)
        var openings: Int { count.load(ordering: .acquiring) }

        init(_ device: PulseOutput) { self.device = device }

        func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat {
            count.add(1, ordering: .releasing)
            return try device.open(preferred: preferred)
        }

        var name: String { device.name }
        var isPaced: Bool { device.isPaced }
        var latency: Double { device.latency }
        var underrunCount: Int { device.underrunCount }
        var onLoss: (@Sendable (DeviceError) -> Void)? {
            get { device.onLoss }
            set { device.onLoss = newValue }
        }
        var onChange: (@Sendable () -> Void)? {
            get { device.onChange }
            set { device.onChange = newValue }
        }
        func start(_ callback: RenderCallback) throws(DeviceError) { try device.start(callback) }
        func pause() { device.pause() }
        func resume() { device.resume() }
        func stop() { device.stop() }
    }

    private func playing(_ samples: [Float], on device: any OutputDevice, _ rate: Double) throws -> AVAudioEngine {
        let engine = AVAudioEngine()
        engine.outputDevice = device
        let player = AVAudioPlayerNode()
        engine.attach(player)
        let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: 1)
        engine.connect(player, to: engine.mainMixerNode, format: format)
        player.scheduleBuffer(buffer([samples], sampleRate: rate))
        try engine.start()
        player.play()
        return engine
    }

    @Test("A lost output device continues with the next frame")
    func aLostOutputGoesOnWithTheNextFrame() throws {
        let device = ManualOutput(format: DeviceFormat(sampleRate: 48_000, channelCount: 2))
        let samples = noise(20_000)
        let engine = try playing(samples, on: device, 48_000)
        let changes = Changes(engine)
        var heard = device.render(frameCount: 5_000)[0]
        device.simulateLoss()
        #expect(waitUntil { changes.value == 1 })
        #expect(engine.isRunning)
        heard += device.render(frameCount: 5_000)[0]
        #expect(heard == Array(samples[..<10_000]))
        #expect(engine.outputNode.lastRenderTime?.sampleTime == 10_000)
        device.simulateChange()
        #expect(waitUntil { changes.value == 2 })
        engine.stop()
        try engine.start()
        engine.stop()
    }

    @Test("A new device of another rate and channel count gets converted sound")
    func anotherRateAndOtherChannelsAreConvertedAtTheEnd() throws {
        let device = ManualOutput(format: DeviceFormat(sampleRate: 44_100, channelCount: 2))
        let tone = sine(1_000, 200_000)
        let engine = try playing(tone, on: device, 44_100)
        let changes = Changes(engine)
        #expect(device.render(frameCount: 10_000)[1] == Array(tone[..<10_000]))
        device.simulateLoss(newFormat: DeviceFormat(sampleRate: 96_000, channelCount: 1))
        #expect(waitUntil { changes.value == 1 })
        #expect(engine.outputNode.outputFormat(forBus: 0).sampleRate == 96_000)
        #expect(engine.mainMixerNode.outputFormat(forBus: 0).sampleRate == 44_100)
        let heard = device.render(frameCount: 48_000)
        #expect(heard.count == 1)
        #expect(abs(cents(from: 1_000, to: toneFrequency(Array(heard[0][1_000...]), sampleRate: 96_000))) < 0.1)
        // The phase goes on: the tone of 1 kHz began 10 000 frames of 44.1 kHz before.
        let errors = (1_000..<48_000).map { (frame: Int) -> Float in
            let seconds: Double = 10_000 / 44_100 + Double(frame) / 96_000
            let expected = Float(sin(2 * .pi * 1_000 * seconds)) / 2
            return abs(heard[0][frame] - expected)
        }
        #expect(errors.max()! < 0.001)
        engine.stop()
        try engine.start()
        #expect(engine.mainMixerNode.outputFormat(forBus: 0).sampleRate == 96_000)
        engine.stop()
    }

    @Test("An engine that does not follow output changes stops")
    func anEngineThatDoesNotFollowStops() throws {
        let device = ManualOutput()
        let engine = try playing(noise(1_000), on: device, 48_000)
        engine.followsOutputChanges = false
        let changes = Changes(engine)
        device.simulateLoss()
        #expect(waitUntil { changes.value == 1 })
        #expect(!engine.isRunning)
    }

    @Test("Stopping the engine ends the search for a device", arguments: SoundServerKind.allCases)
    func stopEndsTheSearch(kind: SoundServerKind) throws {
        let server = try kind.start()
        let device = CountedOutput(PulseOutput(server: server.server))
        let engine = try playing(noise(500_000), on: device, 44_100)
        let changes = Changes(engine)
        #expect(waitUntil { (engine.outputNode.lastRenderTime?.sampleTime ?? 0) > 0 })
        let opened = device.openings
        server.kill()
        // The search is on.
        #expect(waitUntil { device.openings > opened + 1 })
        #expect(isPrompt { engine.stop() })
        #expect(!engine.isRunning)
        #expect(changes.value == 0)
        #expect(throws: DeviceError.self) { try engine.start() }
        // Another run and another loss: by the time that is over, an attempt left of the first search would have come.
        try server.restart()
        try engine.start()
        server.kill()
        try server.restart()
        #expect(waitUntil { changes.value > 0 })
        engine.stop()
        #expect(changes.value == 1)
    }

    @Test("Playback continues after the sound server restarts", arguments: SoundServerKind.allCases)
    func aSoundServerMayRestart(kind: SoundServerKind) throws {
        let server = try kind.start()
        let samples = noise(600_000)
        let device = CountedOutput(PulseOutput(server: server.server, latency: 0.25))
        let engine = try playing(samples, on: device, 44_100)
        let changes = Changes(engine)
        #expect(waitUntil { (engine.outputNode.lastRenderTime?.sampleTime ?? 0) > 20_000 })
        let opened = device.openings
        server.kill()
        // The search for an output has stopped the one that was lost: from here on time stands.
        #expect(waitUntil { device.openings > opened })
        let stood = try #require(engine.outputNode.lastRenderTime?.sampleTime)
        try server.restart()
        #expect(waitUntil { changes.value == 1 })
        let recording = try server.startRecording()
        #expect(waitUntil { (engine.outputNode.lastRenderTime?.sampleTime ?? 0) > stood + 60_000 })
        let heard = try recording.stop()[0]
        engine.stop()
        // What is heard is the sound from later on, without a gap.
        let part = Array(heard.drop { $0 == 0 }.dropFirst(10_000).prefix(10_000))
        let place = try #require(alignment(of: part, in: Array(samples[Int(stood)...])))
        let original = samples[(Int(stood) + place.offset)...].prefix(10_000)
        #expect(residualDecibels(original, part[...]) < -100)
    }

    @Test("Playback continues when the stream moves to another sink", arguments: SoundServerKind.allCases)
    func aSinkMayMove(kind: SoundServerKind) throws {
        let server = try kind.start()
        let engine = try playing(noise(600_000), on: PulseOutput(server: server.server), 44_100)
        let changes = Changes(engine)
        #expect(waitUntil { (engine.outputNode.lastRenderTime?.sampleTime ?? 0) > 0 })
        #expect(try server.control("load-module", "module-null-sink", "sink_name=second").status == 0)
        #expect(try server.control("set-default-sink", "second").status == 0)
        #expect(waitUntil { changes.value == 1 })
        let time = engine.outputNode.lastRenderTime?.sampleTime ?? 0
        #expect(waitUntil { (engine.outputNode.lastRenderTime?.sampleTime ?? 0) > time })
        #expect(engine.isRunning)
        engine.stop()
    }
}

/// The engine's handling of its device when there is nothing to play, and its latency.
@Suite struct DeviceRestTests {
    @Test("An idle device is shut down and wakes with the next sound")
    func anIdleDeviceRestsAndWakes() throws {
        let device = ManualOutput(format: DeviceFormat(sampleRate: 8_000, channelCount: 1))
        let engine = AVAudioEngine()
        engine.outputDevice = device
        engine.isAutoShutdownEnabled = true
        let player = AVAudioPlayerNode()
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: nil)
        try engine.start()
        func time() -> Int64 { engine.outputNode.lastRenderTime?.sampleTime ?? -1 }
        // Renders until time stands, and returns how long that took.
        func rest() -> Int64 {
            var last: Int64 = -1
            _ = waitUntil {
                _ = device.render(frameCount: 800)
                defer { last = time() }
                usleep(1_000)
                return time() == last
            }
            return time()
        }
        let rested = rest()
        #expect(rested >= 40_000)
        _ = device.render(frameCount: 8_000)
        #expect(time() == rested && engine.isRunning)
        let samples = [Float](repeating: 0.5, count: 800)
        player.scheduleBuffer(buffer([samples], sampleRate: 8_000))
        player.play()
        #expect(device.render(frameCount: 800)[0] == samples)
        #expect(time() == rested + 800)
        player.stop()
        #expect(rest() >= rested + 40_000)
        engine.pause()
        try engine.start()
        let before = time()
        _ = device.render(frameCount: 800)
        #expect(time() == before + 800)
        engine.stop()
    }

    @Test("A device that plays is not shut down")
    func aPlayingDeviceDoesNotRest() throws {
        let device = ManualOutput(format: DeviceFormat(sampleRate: 8_000, channelCount: 1))
        let engine = AVAudioEngine()
        engine.outputDevice = device
        engine.isAutoShutdownEnabled = true
        let player = AVAudioPlayerNode()
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: nil)
        try engine.start()
        player.play()
        for _ in 0..<100 {
            _ = device.render(frameCount: 800)
            usleep(200)
        }
        #expect(engine.outputNode.lastRenderTime?.sampleTime == 80_000)
        engine.stop()
    }

    @Test("Latencies of nodes and device add up to the presentation latency")
    func latenciesAddUpOnTheWay() throws {
        let device = ManualOutput()
        device.latency = 0.25
        let engine = AVAudioEngine()
        engine.outputDevice = device
        let (player, unit) = (AVAudioPlayerNode(), DelayUnit(frames: 441))
        engine.attach(player)
        engine.attach(unit)
        engine.connect(player, to: unit, format: nil)
        engine.connect(unit, to: engine.mainMixerNode, format: nil)
        try engine.start()
        #expect(abs(player.outputPresentationLatency - 0.26) < 1e-9)
        #expect(abs(unit.outputPresentationLatency - 0.25) < 1e-9)
        engine.stop()
    }
}
