import AudioDevice
import TestSupport
import Testing

@Suite struct PulseOutputTests {
    @Test func whatIsRenderedIsWhatTheSinkPlays() throws {
        let server = try PulseServer(rewinds: true)
        let device = PulseOutput(server: server.server)
        let format = try device.open(preferred: nil)
        #expect(format == DeviceFormat(sampleRate: 44_100, channelCount: 2))
        let left = whiteNoise(frameCount: 88_200, seed: 1)
        let right = whiteNoise(frameCount: 88_200, seed: 2)
        let source = SignalSource([left, right])
        let recording = try server.startRecording()
        try device.start(source.callback)
        #expect(waitUntil(timeout: 10) { source.renderedFrameCount == 88_200 })
        recording.wait(forSeconds: 0.3)
        #expect((0.005...0.2).contains(device.latency))
        #expect(device.underrunCount == 0)
        device.stop()
        let heard = try recording.stop()
        let place = try #require(alignment(of: left, in: heard[0]))
        for (channel, signal) in [left, right].enumerated() {
            let part = heard[channel][place.offset..<min(heard[channel].count, place.offset + 88_200)]
            #expect(part.count == 88_200)
            #expect(residualDecibels(signal[...], part) < -100)
        }
        #expect(source.largestBlock <= 4096)
        #expect(source.badTimeCount == 0)
    }
}
