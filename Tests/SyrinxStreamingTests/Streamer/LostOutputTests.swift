import AVFAudio
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// The only output goes away, and comes back.
@Suite struct LostOutputTests {
    private final class Player {
        let scratch: ScratchDirectory
        let device = RemovableOutput()
        let streamer: TimePitchStreamer
        let left: [Float]
        let path: String
        var output: [Float] = []
        private let log = EventLog()

        /// The events so far, which come on other threads.
        private final class EventLog: Sendable {
            let events = Mutex<[StreamingEvent]>([])
        }

        var events: [StreamingEvent] { log.events.withLock { $0 } }
        var losses: [SyrinxError] { events.compactMap { if case .outputLost(let error) = $0 { error } else { nil } } }
        var findings: [String?] { events.compactMap { if case .outputFound(let name) = $0 { name } else { nil } } }

        init(latency: Double = 0) throws {
            scratch = try ScratchDirectory()
            path = try Inputs.make("in.flac", in: scratch, seconds: 20)
            left = try Inputs.decoded(path)[0]
            device.base.latency = latency
            streamer = TimePitchStreamer(device: device)
        }

        deinit { streamer.stop() }

        func open(followedBy next: [StreamingItem] = [], andPlay: Bool = true) {
            streamer.open(StreamingItem(.url(URL(fileURLWithPath: path))), andPlay: andPlay, followedBy: next) {
                [log] event in log.events.withLock { $0.append(event) }
            }
        }

        func crank(until condition: () -> Bool) -> Bool { device.base.crank(until: condition) { output += $0 } }
        func crank(frames: Int) { device.base.crank(frames: frames) { output += $0 } }

        /// Returns the frame of the input at which what is in `output` from `mark` on begins, once it has faded in.
        func place(from mark: Int) throws -> Int {
            let begin = try #require(output.indices.dropFirst(mark).first { output[$0] != 0 })
            let part = Array(output[(begin + 500)...].prefix(4_000))
            try #require(part.count == 4_000)
            return try #require(alignment(of: part, in: left)).offset - 500
        }
    }

    @Test("Playing waits at the place that was heard last, and goes on there with the output")
    func playingGoesOnWhereItWasHeard() throws {
        let player = try Player(latency: 0.15)
        player.open()
        #expect(player.crank { player.streamer.status == .playing && player.output.count > 44_100 })
        player.crank(frames: 20_480)
        let heard = try #require(player.streamer.currentTime)
        player.device.remove()
        #expect(waitUntil { player.streamer.status == .buffering })
        #expect(player.losses.map(\.code) == [.deviceLost])
        #expect(player.losses.first?.message.contains("“Headphones”") == true)
        let stood = try #require(player.streamer.currentTime)
        #expect(abs(stood - heard) < 0.1)
        // It is looked for, and time stands.
        let openings = player.device.openingCount
        #expect(waitUntil { player.device.openingCount > openings + 2 })
        #expect(player.streamer.currentTime == stood)
        #expect(player.streamer.status == .buffering)
        #expect(!player.streamer.controller.isTicking)
        player.device.bringBack()
        let mark = player.output.count
        #expect(player.crank { player.streamer.status == .playing })
        player.crank(frames: 20_480)
        #expect(abs(Double(try player.place(from: mark)) / 44_100 - stood) < 0.01)
        #expect(player.findings == ["Headphones"])
        #expect(player.losses.count == 1)
    }

    @Test("A pause while there is no output lasts when there is one again")
    func aPauseMeanwhileLasts() throws {
        let player = try Player()
        player.open()
        #expect(player.crank { player.streamer.status == .playing && player.output.count > 44_100 })
        player.device.remove()
        #expect(waitUntil { player.streamer.status == .buffering })
        player.streamer.pause()
        #expect(player.streamer.status == .paused)
        let stood = try #require(player.streamer.currentTime)
        player.device.bringBack()
        player.crank(frames: 51_200)
        #expect(player.streamer.status == .paused)
        let mark = player.output.count
        player.streamer.play()
        #expect(player.crank { player.streamer.status == .playing })
        player.crank(frames: 20_480)
        #expect(abs(Double(try player.place(from: mark)) / 44_100 - stood) < 0.01)
    }

    @Test("A stop while there is no output ends the search for one")
    func aStopEndsTheSearch() throws {
        let player = try Player()
        player.open()
        #expect(player.crank { player.streamer.status == .playing })
        player.device.remove()
        #expect(waitUntil { player.streamer.status == .buffering })
        player.streamer.stop()
        #expect(player.streamer.status == .stopped)
        player.device.bringBack()
        player.crank(frames: 30_720)
        #expect(player.streamer.status == .stopped)
        #expect(player.findings.isEmpty)
    }

    @Test("An output that goes in a pause is missed only when playing is to go on")
    func anOutputThatGoesInAPauseIsMissedLater() throws {
        let player = try Player()
        player.open()
        #expect(player.crank { player.streamer.status == .playing && player.output.count > 44_100 })
        player.streamer.pause()
        player.crank(frames: 10_240)
        let stood = try #require(player.streamer.currentTime)
        player.device.remove()
        #expect(waitUntil { player.streamer.engine.isStopped })
        #expect(player.streamer.status == .paused && player.losses.isEmpty)
        player.streamer.play()
        #expect(waitUntil { player.losses.map(\.code) == [.deviceUnavailable] })
        #expect(player.streamer.status == .buffering)
        player.device.bringBack()
        let mark = player.output.count
        #expect(player.crank { player.streamer.status == .playing })
        player.crank(frames: 20_480)
        #expect(abs(Double(try player.place(from: mark)) / 44_100 - stood) < 0.05)
    }

    @Test("A queue keeps its place while there is no output, and so does an item that is opened then")
    func aQueueKeepsItsPlace() throws {
        let player = try Player()
        let next = StreamingItem(.url(URL(fileURLWithPath: player.path)), startTime: 5)
        player.open(followedBy: [next])
        #expect(player.crank { player.streamer.status == .playing })
        player.device.remove()
        #expect(waitUntil { player.streamer.status == .buffering })
        #expect(player.streamer.upcoming == [next])
        player.streamer.open(next, andPlay: true)
        #expect(waitUntil { player.losses.count == 2 })
        #expect(player.streamer.status == .buffering)
        #expect(player.streamer.currentTime == 5)
        player.device.bringBack()
        let mark = player.output.count
        #expect(player.crank { player.streamer.status == .playing })
        player.crank(frames: 20_480)
        #expect(abs(try player.place(from: mark) - 5 * 44_100) < 441)
        let failures = player.events.filter { if case .failed = $0 { true } else { false } }
        #expect(failures.isEmpty)
    }

    @Test("A seek while there is no output is where playing goes on")
    func aSeekMeanwhileCounts() throws {
        let player = try Player()
        player.open()
        #expect(player.crank { player.streamer.status == .playing })
        player.device.remove()
        #expect(waitUntil { player.streamer.status == .buffering })
        try player.streamer.seek(to: 12)
        #expect(player.streamer.currentTime == 12)
        player.device.bringBack()
        let mark = player.output.count
        #expect(player.crank { player.streamer.status == .playing })
        player.crank(frames: 20_480)
        #expect(abs(try player.place(from: mark) - 12 * 44_100) < 441)
    }

    @Test("The frames of an input are those given to all of its outputs")
    func framesAreCountedOverAllOutputs() throws {
        let player = try Player()
        player.open()
        #expect(player.crank { player.streamer.status == .playing && player.output.count > 88_200 })
        player.device.remove()
        #expect(waitUntil { player.streamer.status == .buffering })
        player.device.bringBack()
        #expect(player.crank { player.streamer.status == .playing })
        player.crank(frames: 20_480)
        player.streamer.stop()
        let counts = player.events.compactMap { if case .ended(let frames, _, _) = $0 { frames } else { nil } }
        #expect(try #require(counts.last) > 88_200 + 10_000)
    }

    @Test("A lost output is a failure where playing is not to wait")
    func itIsAFailureWhereNobodyWaits() throws {
        let player = try Player()
        player.streamer.waitsForOutput = false
        player.open()
        #expect(player.crank { player.streamer.status == .playing })
        player.device.remove()
        #expect(waitUntil { player.streamer.status == .failed })
        let codes = player.events.compactMap { if case .failed(let error) = $0 { error.code } else { nil } }
        #expect(codes == [.deviceLost])
    }

    /// The sink of a real server is unloaded while it plays, and loaded again.
    @Test("Playing goes on when the only sink of a server goes and comes", arguments: [false, true])
    func theOnlySinkGoesAndComes(hasSilentSink: Bool) throws {
        let server = try PulseServer()
        if hasSilentSink { #expect(try server.control("load-module", "module-always-sink").status == 0) }
        let scratch = try ScratchDirectory()
        let path = try Inputs.make("in.flac", in: scratch, seconds: 30)
        let left = try Inputs.decoded(path)[0]
        let streamer = TimePitchStreamer(device: PulseOutput(server: server.server))
        defer { streamer.stop() }
        streamer.open(.url(URL(fileURLWithPath: path)), andPlay: true)
        #expect(waitUntil { (streamer.currentTime ?? 0) > 1 })
        #expect(try server.control("unload-module", "module-null-sink").status == 0)
        #expect(waitUntil { streamer.status == .buffering })
        let stood = try #require(streamer.currentTime)
        #expect(try server.control("load-module", "module-null-sink", "sink_name=out", "rate=44100").status == 0)
        let recording = try server.startRecording()
        #expect(waitUntil { (streamer.currentTime ?? 0) > stood + 2 })
        let heard = try recording.stop()[0]
        // The recording may begin after the sound.
        let part = Array(heard.drop { $0 == 0 }.dropFirst(2_000).prefix(8_000))
        let offset = try #require(alignment(of: part, in: left)).offset - 2_000
        #expect(Double(offset) / 44_100 > stood - 0.2)
        #expect(Double(offset) / 44_100 < stood + 2)
    }

    @Test("Playing goes on when a sound card of ALSA is taken out and put back")
    func aCardGoesAndComes() throws {
        let card = try SimulatedCard()
        let scratch = try ScratchDirectory()
        let path = try Inputs.make("in.flac", in: scratch, seconds: 30)
        let left = try Inputs.decoded(path)[0]
        let streamer = TimePitchStreamer(device: ALSAOutput(pcm: card.pcm, simulation: card.configuration))
        streamer.engine.preferredOutputFormat = DeviceFormat(sampleRate: 44_100, channelCount: 2)
        defer { streamer.stop() }
        streamer.open(.url(URL(fileURLWithPath: path)), andPlay: true)
        #expect(waitUntil { (streamer.currentTime ?? 0) > 1 })
        card.remove()
        #expect(waitUntil { streamer.status == .buffering })
        let stood = try #require(streamer.currentTime)
        let played = card.playedFrameCount(channelCount: 2)
        #expect(streamer.currentTime == stood)
        try card.bringBack()
        #expect(waitUntil { (streamer.currentTime ?? 0) > stood + 1 })
        streamer.stop()
        let part = Array(try card.played(channelCount: 2)[0].dropFirst(played + 2_000).prefix(8_000))
        let offset = try #require(alignment(of: part, in: left)).offset - 2_000
        #expect(abs(Double(offset) / 44_100 - stood) < 0.2)
    }
}
