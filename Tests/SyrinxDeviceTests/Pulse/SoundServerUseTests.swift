import Foundation
import Synchronization
import SyrinxDevice
import SyrinxTestSupport
import Testing

/// The calls of a listener to a device of a sound server: pauses, resumes and seeks, often and fast.
@Suite("Sound servers") struct SoundServerUseTests {
    private static let rate = 44_100

    /// Plays `signal`, has `body` do something with the device, and stops a second of sound after that.
    private func play(
        on server: any SoundServer,
        _ signal: [[Float]],
        _ body: (PulseOutput, SignalSource, MonitorRecording) throws -> Void
    ) throws -> [[Float]] {
        let device = PulseOutput(server: server.server, latency: 0.25)
        _ = try device.open(preferred: nil)
        let source = SignalSource(signal)
        let recording = try server.startRecording()
        try device.start(source.callback)
        #expect(waitUntil { source.renderedFrameCount > Self.rate })
        try body(device, source, recording)
        let rendered = source.renderedFrameCount
        #expect(waitUntil { source.renderedFrameCount >= rendered + Self.rate })
        recording.wait(forSeconds: 0.4)
        device.stop()
        return try recording.stop()
    }

    private func noise(seconds: Int) -> [[Float]] {
        (3...4).map { whiteNoise(frameCount: seconds * Self.rate, seed: $0) }
    }

    /// Silence that was rendered before a pause is what a resume must not wait for.
    @Test(
        "Samples that a paused server holds are dropped, and the next sound follows",
        arguments: SoundServerKind.allCases
    )
    func whatAPausedServerHasIsDroppedAndFollowedByWhatComesNext(kind: SoundServerKind) throws {
        let signal = noise(seconds: 8)
        var rendered = 0
        let heard = try play(on: kind.start(), signal) { device, source, recording in
            device.pause()
            recording.wait(forSeconds: 0.5)
            let paused = source.renderedFrameCount
            #expect(device.dropUnheard(atMost: 3_000) { rendered = source.renderedFrameCount })
            #expect(rendered == paused)
            recording.wait(forSeconds: 0.2)
            device.resume()
        }
        let begin = try #require(alignment(of: Array(signal[0].prefix(22_050)), in: heard[0])).offset
        let played = Array(heard[0].dropFirst(begin))
        let cut = try #require(firstSilence(in: played, length: 10_000))
        let gapEnd = try #require(played.indices.first { $0 > cut && played[$0] != 0 })
        let dropped = rendered - 3_000
        // What was not dropped is heard to its end, and what comes next follows on it.
        let kept = signal[0][cut..<dropped]
        #expect(residualDecibels(kept, played[gapEnd...].prefix(kept.count)) < -100)
        let rest = signal[0][(rendered + 220)...].prefix(20_000)
        #expect(residualDecibels(rest, played[(gapEnd + kept.count + 220)...].prefix(rest.count)) < -100)
    }

    @Test("Twenty pauses keep every sample", arguments: SoundServerKind.allCases)
    func manyPausesKeepEverySample(kind: SoundServerKind) throws {
        let signal = noise(seconds: 12)
        let heard = try play(on: kind.start(), signal) { device, source, recording in
            for round in 0..<20 {
                device.pause()
                if round % 2 == 0 { recording.wait(forSeconds: 0.05) }
                device.resume()
                let rendered = source.renderedFrameCount
                if round % 3 == 0 { #expect(waitUntil { source.renderedFrameCount > rendered + 2_000 }) }
            }
        }
        // Without the silence between them all parts are one signal.
        let begin = try #require(alignment(of: Array(signal[0].prefix(22_050)), in: heard[0])).offset
        let sound = heard[0].dropFirst(begin).filter { $0 != 0 }
        let expected = signal[0].filter { $0 != 0 }.prefix(sound.count)
        #expect(sound.count > 2 * Self.rate)
        #expect(residualDecibels(expected, sound[...]) < -100)
    }

    @Test("A burst of drops ends in the samples of the last", arguments: SoundServerKind.allCases)
    func dropsInABurstEndInTheLast(kind: SoundServerKind) throws {
        let signal = noise(seconds: 12)
        var rendered = 0
        let heard = try play(on: kind.start(), signal) { device, source, recording in
            for round in 0..<40 {
                let isDone = device.dropUnheard(atMost: .max) { rendered = source.renderedFrameCount }
                #expect(isDone || round > 0)
                if round % 5 == 0 { recording.wait(forSeconds: 0.03) }
            }
            #expect(device.underrunCount == 0)
        }
        let rest = Array(signal[0][(rendered + 2_000)...].prefix(20_000))
        let place = try #require(alignment(of: rest, in: heard[0])).offset
        #expect(residualDecibels(rest[...], heard[0][place...].prefix(rest.count)) < -100)
    }

    /// PulseAudio's null sink has two seconds of silence ahead when nothing plays.
    @Test("An idle sink plays the first sample at once")
    func anIdleSinkPlaysAtOnce() throws {
        let server = try PulseServer(rewinds: true)
        let device = PulseOutput(server: server.server)
        _ = try device.open(preferred: nil)
        let source = SignalSource(noise(seconds: 4))
        let first = Mutex<UInt64>(0)
        try device.start(source.callback)
        #expect(waitUntil { source.callCount > 0 })
        first.withLock { $0 = source.hostTime }
        let rendered = source.renderedFrameCount
        #expect(waitUntil { source.renderedFrameCount > rendered + Self.rate / 2 })
        // Between the two, as much time passes as sound.
        let passed = Double(source.hostTime - first.withLock { $0 }) / 1e9
        let played = Double(source.renderedFrameCount - rendered) / Double(Self.rate)
        #expect(passed - played < 0.3)
        device.stop()
    }

    /// The session manager of PipeWire has a stream wait for another sink; PulseAudio ends it.
    @Test("A PipeWire sink may be removed and come back")
    func aSinkOfPipeWireMayGoAndComeBack() throws {
        let server = try PipeWireServer()
        let module = try server.control("load-module", "module-null-sink", "sink_name=second", "rate=44100").output
        let losses = Mutex(0)
        let device = PulseOutput(sink: "second", server: server.server, latency: 0.25)
        device.onLoss = { _ in losses.withLock { $0 += 1 } }
        _ = try device.open(preferred: nil)
        let source = SignalSource(noise(seconds: 1), repeats: true)
        try device.start(source.callback)
        #expect(waitUntil { source.renderedFrameCount > Self.rate })
        let identifier = module.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try server.control("unload-module", identifier).status == 0)
        let rendered = source.renderedFrameCount
        let goesOn = waitUntil(timeout: 10) {
            source.renderedFrameCount > rendered + 2 * Self.rate || losses.withLock { $0 > 0 }
        }
        #expect(goesOn)
        device.stop()
    }
}
