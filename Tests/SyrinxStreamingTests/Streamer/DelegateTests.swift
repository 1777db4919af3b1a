import AVFAudio
import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxDevice
import SyrinxStreaming
import SyrinxTestSupport
import Testing

/// The calls of a delegate, and the times at other rates.
@Suite struct DelegateTests {
    private final class Listener: StreamingDelegate, Sendable {
        struct Told {
            var states: [StreamingState] = []
            var durations: [TimeInterval] = []
            var times: [TimeInterval] = []
            var progress: [Float] = []
            var failures: [String] = []
        }
        let told = Mutex(Told())

        func streamer(_ streamer: any Streaming, failedDownloadWithError error: any Error, forURL url: URL) {
            told.withLock { $0.failures.append("\(SyrinxError(error, name: "").code) \(url.lastPathComponent)") }
        }
        func streamer(_ streamer: any Streaming, updatedDownloadProgress progress: Float, forURL url: URL) {
            told.withLock { $0.progress.append(progress) }
        }
        func streamer(_ streamer: any Streaming, changedState state: StreamingState) {
            told.withLock { $0.states.append(state) }
        }
        func streamer(_ streamer: any Streaming, updatedCurrentTime currentTime: TimeInterval) {
            told.withLock { $0.times.append(currentTime) }
        }
        func streamer(_ streamer: any Streaming, updatedDuration duration: TimeInterval) {
            told.withLock { $0.durations.append(duration) }
        }
    }

    private func streamer(_ device: any OutputDevice, _ listener: Listener) -> TimePitchStreamer {
        let streamer = TimePitchStreamer(device: device)
        streamer.delegateQueue = DispatchQueue(label: "test.delegate")
        streamer.delegate = listener
        return streamer
    }

    @Test("The delegate gets states, progress, times and the duration")
    func aDelegateIsToldWhatHappens() throws {
        let scratch = try ScratchDirectory()
        let path = try Inputs.make("in.mp3", in: scratch, seconds: 3)
        let server = try ScriptedHTTPServer()
        server.route("/in.mp3", .file(try Inputs.bytes(path)))
        let listener = Listener()
        let streamer = streamer(NullOutput(), listener)
        streamer.url = URL(string: server.url("/in.mp3"))
        streamer.play()
        #expect(waitUntil { listener.told.withLock { $0.states.last == .stopped } })
        streamer.stop()
        let told = listener.told.withLock { $0 }
        // Opening and buffering are silent: a button shows them as a pause.
        #expect(told.states.drop { $0 == .paused } == [.playing, .stopped])
        #expect(abs(told.durations.last! - 3) < 0.001)
        #expect(told.times.count >= 12 && told.times == told.times.sorted() && told.times.last! <= 3)
        #expect(told.progress.last == 1)
        #expect(told.failures.isEmpty)
    }

    @Test("The delegate gets the failure of its URL")
    func aDelegateIsToldOfAFailure() throws {
        let server = try ScriptedHTTPServer()
        server.route("/gone.mp3", .status(410))
        let listener = Listener()
        let streamer = streamer(NullOutput(), listener)
        streamer.url = URL(string: server.url("/gone.mp3"))
        streamer.play()
        #expect(waitUntil { listener.told.withLock { !$0.failures.isEmpty } })
        #expect(listener.told.withLock { $0.failures } == ["http.410 gone.mp3"])
    }

    @Test("The current time counts in the input at every rate")
    func timeIsOfTheInputAtEveryRate() throws {
        let scratch = try ScratchDirectory()
        let path = try Inputs.make("in.wav", in: scratch, seconds: 40)
        let device = ManualOutput(format: DeviceFormat(sampleRate: 44_100, channelCount: 2))
        let streamer = TimePitchStreamer(device: device)
        defer { streamer.stop() }
        streamer.url = URL(fileURLWithPath: path)
        streamer.play()
        func crank(_ seconds: Double) {
            for _ in 0..<Int(seconds * 44_100 / 441) { _ = device.render(frameCount: 441) }
        }
        #expect(
            waitUntil {
                _ = device.render(frameCount: 441)
                return streamer.status == .playing
            }
        )
        for rate in [1.0, 2, 0.5, 1.5] {
            // The device does not keep time here: what is played at once has to be there. With more than 141,120 frames ahead
            // the decoder may rest.
            #expect(waitUntil { streamer.playerNode.framesAhead > 120_000 })
            streamer.rate = Float(rate)
            // A change of rate is heard at most 50 ms after it is asked for.
            crank(0.05)
            let before = streamer.currentTime!
            crank(1)
            #expect(abs(streamer.currentTime! - before - rate) < 0.02, "rate \(rate)")
        }
    }
}
