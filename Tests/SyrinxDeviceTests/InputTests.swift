import Foundation
import SyrinxDevice
import SyrinxTestSupport
import Testing

/// The input from the monitor of a real sound server, and from one that is fed by hand.
@Suite struct InputTests {
    @Test("The manual input keeps the contract of input devices")
    func manualInputKeepsTheContract() throws {
        let samples = [Float](repeating: 0.5, count: 5_000)
        let broken = try checkInputDevice(
            crank: { ($0 as? ManualInput)?.feed([samples, samples]) },
            { ManualInput() }
        )
        #expect(broken == [])
    }

    @Test("The sound server input keeps the contract of input devices", arguments: SoundServerKind.allCases)
    func pulseInputKeepsTheContract(kind: SoundServerKind) throws {
        let server = try kind.start()
        #expect(try checkInputDevice { PulseInput(server: server.server) } == [])
    }

    @Test("The input captures what the sink plays", arguments: SoundServerKind.allCases)
    func whatTheSinkPlaysIsWhatItsMonitorHears(kind: SoundServerKind) throws {
        let server = try kind.start()
        let input = PulseInput(server: server.server)
        #expect(try input.open(preferred: nil) == DeviceFormat(sampleRate: 44_100, channelCount: 2))
        let listener = CaptureListener()
        try input.start(listener.callback)
        #expect(waitUntil { listener.callCount > 2 })
        let output = PulseOutput(server: server.server, latency: 0.25)
        _ = try output.open(preferred: nil)
        let signal = whiteNoise(frameCount: 44_100, seed: 9)
        let source = SignalSource([signal, signal])
        try output.start(source.callback)
        #expect(waitUntil { source.renderedFrameCount == 44_100 })
        let heard = listener.samples.count
        #expect(waitUntil { listener.samples.count > heard + 44_100 })
        output.stop()
        input.stop()
        let samples = listener.samples
        let place = try #require(alignment(of: signal, in: samples))
        let part = samples.dropFirst(max(0, place.offset)).prefix(signal.count)
        #expect(part.count == signal.count && residualDecibels(signal[...], part) < -100)
    }

    @Test("An unknown source fails as not found", arguments: SoundServerKind.allCases)
    func anUnknownSourceIsNotFound(kind: SoundServerKind) throws {
        let server = try kind.start()
        let input = PulseInput(source: "nowhere", server: server.server)
        let error = #expect(throws: DeviceError.self) { try input.open(preferred: nil) }
        #expect(error?.code == .deviceNotFound && error?.device == "pulse:nowhere")
        let none = PulseInput(server: "unix:/nonexistent/native")
        #expect(#expect(throws: DeviceError.self) { try none.open(preferred: nil) }?.code == .deviceUnavailable)
    }
}
