import CoreAudioTypes
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxTestSupport
import Testing

/// Plays to a real PulseAudio, or PipeWire, and holds what its sink played against what was rendered.
@Suite struct PulseOutputTests {
    // A quarter of a second: the machine of a test run is busier than a listener's.
    private func device(_ server: any SoundServer) -> PulseOutput { PulseOutput(server: server.server, latency: 0.25) }

    private func expectHeard(_ signal: [[Float]], in heard: [[Float]], _ residual: Double = -100) throws {
        let place = try #require(alignment(of: signal[0], in: heard[0]))
        for (channel, samples) in signal.enumerated() {
            let part = heard[channel].dropFirst(max(0, place.offset)).prefix(samples.count)
            #expect(part.count == samples.count)
            #expect(residualDecibels(samples[...], part) < residual)
        }
    }

    @Test("The sink plays every rendered sample", arguments: SoundServerKind.allCases)
    func whatIsRenderedIsWhatTheSinkPlays(kind: SoundServerKind) throws {
        try expectPlayed(by: kind.start())
    }

    @Test("A rewinding sink plays every rendered sample")
    func whatIsRenderedIsWhatASinkThatGivesBackPlays() throws {
        try expectPlayed(by: PulseServer(rewinds: true))
    }

    private func expectPlayed(by server: any SoundServer) throws {
        let device = device(server)
        #expect(try device.open(preferred: nil) == DeviceFormat(sampleRate: 44_100, channelCount: 2))
        let signal = [whiteNoise(frameCount: 88_200, seed: 1), whiteNoise(frameCount: 88_200, seed: 2)]
        let source = SignalSource(signal)
        let recording = try server.startRecording()
        try device.start(source.callback)
        #expect(waitUntil { source.renderedFrameCount == 88_200 })
        recording.wait(forSeconds: 0.5)
        #expect(device.underrunCount == 0)
        device.stop()
        try expectHeard(signal, in: try recording.stop())
    }

    @Test("The output takes the sink's own format", arguments: SoundServerKind.allCases)
    func takesTheSinksOwnFormat(kind: SoundServerKind) throws {
        for (rate, channelCount) in [(48_000, 1), (96_000, 6), (44_100, 8)] {
            let server = try kind.start(sampleRate: rate, channelCount: channelCount)
            let device = device(server)
            let format = try device.open(preferred: nil)
            #expect(format == DeviceFormat(sampleRate: Double(rate), channelCount: channelCount))
        }
    }

    @Test("Surround channels play on their loudspeakers")
    func surroundComesOutInTheRightPlaces() throws {
        let server = try PulseServer(
            sampleRate: 48_000,
            channelCount: 6,
            channelMap: "front-left,front-right,rear-left,rear-right,front-center,lfe"
        )
        let device = device(server)
        _ = try device.open(preferred: nil)
        let signal = (1...6 as ClosedRange<UInt64>).map { whiteNoise(frameCount: 24_000, seed: $0) }
        let source = SignalSource(signal)
        let recording = try server.startRecording()
        try device.start(source.callback)
        #expect(waitUntil { source.renderedFrameCount == 24_000 })
        recording.wait(forSeconds: 0.5)
        device.stop()
        // The sink has the rear before the centre, as sound cards do.
        try expectHeard([0, 1, 4, 5, 2, 3].map { signal[$0] }, in: try recording.stop())
    }

    @Test("The latency is the one that was requested")
    func latencyIsWhatTheServerWasAskedFor() throws {
        let server = try PulseServer()
        for wanted in [0.06, 0.3] {
            let device = PulseOutput(server: server.server, latency: wanted)
            _ = try device.open(preferred: nil)
            let source = SignalSource([whiteNoise(frameCount: 1000), whiteNoise(frameCount: 1000)], repeats: true)
            try device.start(source.callback)
            #expect(waitUntil { source.renderedFrameCount > 44_100 })
            #expect(((wanted * 0.4)...(wanted * 1.6)).contains(device.latency))
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            let ahead = Double(source.hostTime) / 1e9 - Double(now.tv_sec) - Double(now.tv_nsec) / 1e9
            #expect((-0.1...(wanted * 1.6)).contains(ahead))
            device.stop()
        }
    }

    @Test("A paused stream keeps every sample", arguments: SoundServerKind.allCases)
    func aPauseKeepsEverySample(kind: SoundServerKind) throws {
        let server = try kind.start()
        let device = device(server)
        _ = try device.open(preferred: nil)
        let signal = [whiteNoise(frameCount: 132_300, seed: 3), whiteNoise(frameCount: 132_300, seed: 4)]
        let source = SignalSource(signal)
        let recording = try server.startRecording()
        try device.start(source.callback)
        #expect(waitUntil { source.renderedFrameCount > 60_000 })
        device.pause()
        let atPause = source.renderedFrameCount
        recording.wait(forSeconds: 0.6)
        #expect(source.renderedFrameCount == atPause)
        device.resume()
        #expect(waitUntil { source.renderedFrameCount == 132_300 })
        recording.wait(forSeconds: 0.5)
        device.stop()
        let heard = try recording.stop()
        // Silence where it was held, and what comes before and after it joins without a sample lost or repeated.
        let begin = try #require(alignment(of: Array(signal[0].prefix(44_100)), in: heard[0])).offset
        let played = Array(heard[0].dropFirst(begin))
        let gapStart = try #require(firstSilence(in: played, length: 10_000))
        let gapEnd = try #require(played.indices.first { $0 > gapStart && played[$0] != 0 })
        #expect(residualDecibels(signal[0][0..<gapStart], played[0..<gapStart]) < -100)
        let rest = signal[0][gapStart...]
        #expect(residualDecibels(rest, played[gapEnd...].prefix(rest.count)) < -100)
    }

    /// The signal is heard up to a cut, then the frames rendered after the drop, all to the sample.
    ///
    /// The dropped frames fade over the first 5 ms.
    @Test("Dropped sound fades out, and the next sound follows at once", arguments: SoundServerKind.allCases)
    func whatIsDroppedFadesAndWhatComesNextFollowsAtOnce(kind: SoundServerKind) throws {
        let (signal, played, rendered) = try drop(on: kind.start())
        for channel in 0...1 {
            let played = played[channel]
            let cut = try #require(played.indices.first { abs(played[$0] - signal[channel][$0]) > 1e-6 })
            #expect(rendered - cut > 2000)
            let mixed = (0..<220).map {
                signal[channel][rendered + $0] + signal[channel][cut + $0] * (1 - Float($0 + 1) / 220)
            }
            #expect(zip(mixed, played[cut...]).allSatisfy { abs($0 - $1) < 1e-6 })
            let rest = signal[channel][(rendered + 220)...]
            #expect(residualDecibels(rest, played[(cut + 220)...].prefix(rest.count)) < -100)
        }
    }

    /// A sink that gives back what it has been handed plays the next of it in a few milliseconds. Its monitor has told the old by
    /// then, and misses as much of the new as that is long: no more than the sink holds.
    @Test("A sink that rewinds drops the samples it has not played")
    func aSinkGivesBackWhatItHasNotPlayed() throws {
        let (signal, played, rendered) = try drop(on: PulseServer(rewinds: true))
        for channel in 0...1 {
            let played = played[channel]
            let cut = try #require(played.indices.first { abs(played[$0] - signal[channel][$0]) > 1e-6 })
            let rest = Array(signal[channel][(rendered + 2000)...].prefix(22_050))
            let place = try #require(alignment(of: rest, in: played)).offset - 2000
            #expect((0...1000).contains(cut - place))
            // Of a tenth of a second nearly all is taken back: what the sink holds, too.
            #expect(rendered - place > 6000)
            #expect(residualDecibels(rest[...], played[(place + 2000)...].prefix(rest.count)) < -100)
        }
    }

    /// Drops in the middle of a signal.
    /// - Returns: The signal, what was heard from its start on, and up to where it had been rendered then.
    private func drop(on server: any SoundServer) throws -> (signal: [[Float]], played: [[Float]], rendered: Int) {
        let device = device(server)
        _ = try device.open(preferred: nil)
        let signal = [whiteNoise(frameCount: 132_300, seed: 5), whiteNoise(frameCount: 132_300, seed: 6)]
        let source = SignalSource(signal)
        let recording = try server.startRecording()
        try device.start(source.callback)
        #expect(waitUntil { source.renderedFrameCount > 60_000 })
        var rendered = 0
        #expect(device.dropUnheard(atMost: .max) { rendered = source.renderedFrameCount })
        #expect(waitUntil { source.renderedFrameCount == 132_300 })
        recording.wait(forSeconds: 0.5)
        #expect(device.underrunCount == 0)
        device.stop()
        let heard = try recording.stop()
        let begin = try #require(alignment(of: Array(signal[0].prefix(22_050)), in: heard[0])).offset
        return (signal, heard.map { Array($0.dropFirst(begin)) }, rendered)
    }

    @Test("A sound server that dies is reported as a lost device", arguments: SoundServerKind.allCases)
    func aServerThatDiesIsALoss(kind: SoundServerKind) throws {
        let server = try kind.start()
        let losses = Mutex<[DeviceError]>([])
        let device = device(server)
        device.onLoss = { error in losses.withLock { $0.append(error) } }
        _ = try device.open(preferred: nil)
        let source = SignalSource([whiteNoise(frameCount: 1000), whiteNoise(frameCount: 1000)], repeats: true)
        try device.start(source.callback)
        #expect(waitUntil { source.callCount > 3 })
        server.kill()
        #expect(waitUntil { losses.withLock { !$0.isEmpty } })
        device.pause()
        device.resume()
        #expect(isPrompt { device.stop() })
        #expect(losses.withLock { $0.map(\.code) } == [.deviceLost])
        let error = #expect(throws: DeviceError.self) { try device.open(preferred: nil) }
        #expect(error?.code == .deviceUnavailable)
    }

    @Test("A sink that is removed is reported as a lost device")
    func aSinkThatIsTakenAwayIsALoss() throws {
        let server = try PulseServer()
        let losses = Mutex<[DeviceError]>([])
        let device = device(server)
        device.onLoss = { error in losses.withLock { $0.append(error) } }
        _ = try device.open(preferred: nil)
        let source = SignalSource([whiteNoise(frameCount: 1000), whiteNoise(frameCount: 1000)], repeats: true)
        try device.start(source.callback)
        #expect(try server.control("unload-module", "module-null-sink").status == 0)
        #expect(waitUntil { losses.withLock { !$0.isEmpty } })
        device.stop()
        #expect(losses.withLock { $0.map(\.code) } == [.deviceLost])
    }

    @Test("A missing sound server fails as unavailable")
    func noServerIsUnavailable() {
        let device = PulseOutput(server: "unix:/nonexistent/native")
        let error = #expect(throws: DeviceError.self) { try device.open(preferred: nil) }
        #expect(error?.code == .deviceUnavailable)
        #expect(error?.message == "No sound server can be reached (Connection refused).")
    }

    @Test("A sound server that never answers fails as unavailable")
    func aServerThatNeverAnswersIsUnavailable() throws {
        let directory = try ScratchDirectory()
        let silent = try SilentServer(directory.file("native"))
        let device = PulseOutput(server: "unix:\(silent.path)")
        let error = #expect(throws: DeviceError.self) { try device.open(preferred: nil) }
        #expect(error?.code == .deviceUnavailable)
        #expect(error?.message == "The sound server does not answer.")
    }

    @Test("An unknown sink fails as not found", arguments: SoundServerKind.allCases)
    func anUnknownSinkIsNotFound(kind: SoundServerKind) throws {
        let server = try kind.start()
        let device = PulseOutput(sink: "nowhere", server: server.server)
        let error = #expect(throws: DeviceError.self) { try device.open(preferred: nil) }
        #expect(error?.code == .deviceNotFound)
        #expect(error?.device == "pulse:nowhere")
    }

    @Test("A preferred format is converted by the sound server", arguments: SoundServerKind.allCases)
    func theServerConvertsWhatIsPreferred(kind: SoundServerKind) throws {
        let server = try kind.start()
        let device = device(server)
        let wish = DeviceFormat(sampleRate: 22_050, channelCount: 1)
        #expect(try device.open(preferred: wish) == wish)
        let source = SignalSource([sineWave(frequency: 1000, sampleRate: 22_050, frameCount: 22_050)])
        let recording = try server.startRecording()
        try device.start(source.callback)
        #expect(waitUntil { source.renderedFrameCount == 22_050 })
        recording.wait(forSeconds: 0.4)
        device.stop()
        let heard = try recording.stop()[1]
        let middle = Array(heard.drop { abs($0) < 0.1 }.dropFirst(4000).prefix(32_768))
        #expect(abs(cents(from: 1000, to: toneFrequency(middle, sampleRate: 44_100))) < 1)
    }
}

/// A socket that takes connections and never says a word.
private final class SilentServer {
    let path: String
    private let descriptor: Int32

    init(_ path: String) throws {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0 && listen(descriptor, 5) == 0)
    }

    deinit { close(descriptor) }
}
