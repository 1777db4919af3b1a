import AVFAudio
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// A silent device that says that it takes silence back, and counts.
private final class EagerOutput: OutputDevice, @unchecked Sendable {
    // Unchecked: the device below keeps its own rules.
    private let device = NullOutput(format: DeviceFormat(sampleRate: 44_100, channelCount: 2))
    private let counts = Mutex((starts: 0, drops: 0, isRunning: false, formats: [DeviceFormat]()))

    var startCount: Int { counts.withLock { $0.starts } }
    var dropCount: Int { counts.withLock { $0.drops } }
    var isRunning: Bool { counts.withLock { $0.isRunning } }

    var name: String { "eager" }
    var isPaced: Bool { true }
    var takesBackSilence: Bool { true }
    var latency: Double { device.latency }
    var underrunCount: Int { device.underrunCount }
    var onLoss: (@Sendable (DeviceError) -> Void)? {
        get { device.onLoss }
        set { device.onLoss = newValue }
    }

    func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat { try device.open(preferred: preferred) }

    func start(_ callback: RenderCallback) throws(DeviceError) {
        try device.start(callback)
        counts.withLock { ($0.starts, $0.isRunning) = ($0.starts + 1, true) }
    }

    func pause() { device.pause() }
    func resume() { device.resume() }

    func dropUnheard(atMost frameCount: Int, _ change: () -> Void) -> Bool {
        counts.withLock { $0.drops += 1 }
        return false
    }

    func stop() {
        device.stop()
        counts.withLock { $0.isRunning = false }
    }
}

@Suite("Early start of the output")
struct EarlyStartTests {
    private let device = EagerOutput()

    /// A second of sound.
    private func wav() throws -> [UInt8] {
        let scratch = try ScratchDirectory()
        return try Inputs.bytes(try Inputs.make("a.wav", in: scratch, seconds: 1))
    }

    private func opened(_ response: ScriptedResponse) throws -> (TimePitchStreamer, ScriptedHTTPServer) {
        let server = try ScriptedHTTPServer()
        server.route("/a.wav", response)
        let streamer = TimePitchStreamer(device: device)
        streamer.network = quickNetwork
        let url = try #require(URL(string: server.url("/a.wav")))
        streamer.open(.url(url), andPlay: true)
        return (streamer, server)
    }

    @Test("The device is started while the input is still waited for, plays nothing, and is stopped with the streamer")
    func waiting() throws {
        let (streamer, server) = try opened(.hang)
        defer { server.stop() }
        #expect(waitUntil { device.isRunning })
        #expect(streamer.status == .opening && streamer.engine.outputFrames.content == 0)
        streamer.stop()
        #expect(!device.isRunning && streamer.engine.isStopped)
    }

    @Test("What is heard is the input from its first sample, on the device that has been started")
    func playing() throws {
        let wav = try wav()
        let (streamer, server) = try opened(.file(wav, type: "audio/wav").delayed(seconds: 0.3))
        defer { server.stop() }
        #expect(waitUntil { device.isRunning })
        #expect(waitUntil { streamer.status == .ended })
        #expect(device.startCount == 1 && device.dropCount == 1)
        #expect(streamer.engine.outputFrames.content == 44_100)
        streamer.stop()
        #expect(!device.isRunning)
    }

    @Test("An input that fails, or is paused before it is open, leaves the device stopped", arguments: [true, false])
    func nothing(fails: Bool) throws {
        let wav = try wav()
        let response = fails ? ScriptedResponse.status(404) : .file(wav, type: "audio/wav")
        let (streamer, server) = try opened(response.delayed(seconds: 0.3))
        defer { server.stop() }
        #expect(waitUntil { device.isRunning })
        if !fails { streamer.pause() }
        #expect(waitUntil { streamer.status == (fails ? .failed : .paused) })
        #expect(waitUntil { !device.isRunning })
        streamer.stop()
    }

    @Test("A streamer whose format depends on the input does not start the device before that is open")
    func dependent() throws {
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        server.route("/a.wav", .hang)
        let streamer = TimePitchStreamer(device: device)
        streamer.takesFormatOfOutput = false
        let url = try #require(URL(string: server.url("/a.wav")))
        streamer.open(.url(url), andPlay: true)
        #expect(server.wait { !$0.isEmpty })
        usleep(50_000)
        #expect(device.startCount == 0)
        streamer.stop()
    }
}
