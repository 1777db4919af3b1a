import AVFAudio
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// The listener chooses another output while something plays.
@Suite struct ChangedOutputTests {
    /// A streamer on the first of two devices, which the test cranks.
    private final class Player {
        let devices = [RemovableOutput(), RemovableOutput()]
        let streamer: TimePitchStreamer
        let scratch: ScratchDirectory
        let left: [Float]
        let path: String
        /// The left channel of each device.
        var outputs: [[Float]] = [[], []]
        private let log = EventLog()

        private final class EventLog: Sendable {
            let events = Mutex<[StreamingEvent]>([])
        }

        var events: [StreamingEvent] { log.events.withLock { $0 } }

        init(latency: Double = 0) throws {
            scratch = try ScratchDirectory()
            path = try Inputs.make("in.flac", in: scratch, seconds: 20)
            left = try Inputs.decoded(path)[0]
            for device in devices { device.base.latency = latency }
            streamer = TimePitchStreamer(device: devices[0])
        }

        deinit { streamer.stop() }

        func open() {
            streamer.open(StreamingItem(.url(URL(fileURLWithPath: path))), andPlay: true, followedBy: []) {
                [log] event in log.events.withLock { $0.append(event) }
            }
        }

        func crank(_ device: Int, until condition: () -> Bool) -> Bool {
            devices[device].base.crank(until: condition) { outputs[device] += $0 }
        }

        func crank(_ device: Int, frames: Int) { devices[device].base.crank(frames: frames) { outputs[device] += $0 } }

        /// Returns the frame of the input at which the sound of a device from `mark` on begins, once it has faded in.
        func place(_ device: Int, from mark: Int) throws -> Int {
            let begin = try #require(outputs[device].indices.dropFirst(mark).first { outputs[device][$0] != 0 })
            let part = Array(outputs[device][(begin + 500)...].prefix(4_000))
            try #require(part.count == 4_000)
            return try #require(alignment(of: part, in: left)).offset - 500
        }
    }

    /// The last half second is rendered and unheard, so that a position of rendered frames would be that much too far.
    @Test("Playback continues on another output at the position that was heard, within 100 ms")
    func continuesWhereItWasHeard() throws {
        let player = try Player(latency: 0.5)
        player.open()
        #expect(player.crank(0) { player.streamer.status == .playing && player.outputs[0].count > 44_100 })
        var gaps: [Double] = []
        for change in 1...4 {
            let (old, new) = ((change + 1) % 2, change % 2)
            player.crank(old, frames: 20_480)
            let mark = player.outputs[new].count
            let controller = player.streamer.controller
            let rendered = controller.lock.withLock {
                controller.progress.timeline.renderedTime(playedFrames: player.streamer.playedFrameCount)
            }
            let begin = ContinuousClock.now
            try player.streamer.setOutput(player.devices[new])
            let lasted = (ContinuousClock.now - begin) / .seconds(1)
            let stood = try #require(player.streamer.currentTime)
            #expect(stood < rendered - 0.1, "\(stood) of \(rendered) rendered")
            #expect(stood > rendered - 0.6, "\(stood) of \(rendered) rendered")
            // A card that plays silence until there is sound.
            player.crank(new, frames: 20_480)
            #expect(player.streamer.status == .playing)
            let first = try #require(player.outputs[new].dropFirst(mark).firstIndex { $0 != 0 })
            gaps.append(Double(first - mark) / 44_100 + lasted)
            #expect(abs(Double(try player.place(new, from: mark)) / 44_100 - stood) < 0.01)
            // The former device is left.
            #expect(player.devices[old].base.render(frameCount: 512)[0].allSatisfy { $0 == 0 })
        }
        // Other work of the machine may delay one of them.
        #expect(try #require(gaps.min()) < 0.1, "\(gaps)")
        #expect(player.events.allSatisfy { if case .outputLost = $0 { false } else { true } })
    }

    @Test("A paused streamer stays paused on another output, and continues there")
    func staysPaused() throws {
        let player = try Player()
        player.open()
        #expect(player.crank(0) { player.streamer.status == .playing && player.outputs[0].count > 44_100 })
        player.streamer.pause()
        player.crank(0, frames: 10_240)
        let stood = try #require(player.streamer.currentTime)
        try player.streamer.setOutput(player.devices[1])
        #expect(player.streamer.status == .paused && player.streamer.engine.isStopped)
        #expect(abs(try #require(player.streamer.currentTime) - stood) < 0.02)
        player.crank(1, frames: 10_240)
        #expect(player.outputs[1].allSatisfy { $0 == 0 })
        let mark = player.outputs[1].count
        player.streamer.play()
        #expect(player.crank(1) { player.streamer.status == .playing })
        player.crank(1, frames: 20_480)
        #expect(abs(Double(try player.place(1, from: mark)) / 44_100 - stood) < 0.05)
    }

    @Test("A streamer that waits for its output continues on another one")
    func endsTheWait() throws {
        let player = try Player()
        player.open()
        #expect(player.crank(0) { player.streamer.status == .playing && player.outputs[0].count > 44_100 })
        player.devices[0].remove()
        #expect(waitUntil { player.streamer.status == .buffering })
        let stood = try #require(player.streamer.currentTime)
        try player.streamer.setOutput(player.devices[1])
        #expect(player.crank(1) { player.streamer.status == .playing })
        player.crank(1, frames: 20_480)
        #expect(abs(Double(try player.place(1, from: 0)) / 44_100 - stood) < 0.01)
        let findings = player.events.count { if case .outputFound = $0 { true } else { false } }
        #expect(findings == 1)
        // The former output is not looked for any more.
        let openings = player.devices[0].openingCount
        player.devices[0].bringBack()
        player.crank(1, frames: 51_200)
        #expect(player.devices[0].openingCount <= openings + 1)
        #expect(player.streamer.engine.openedDevice === player.devices[1])
    }

    @Test("An output that cannot be opened leaves the former one playing")
    func aFailureChangesNothing() throws {
        let player = try Player()
        player.open()
        #expect(player.crank(0) { player.streamer.status == .playing && player.outputs[0].count > 44_100 })
        player.crank(0, frames: 20_480)
        player.devices[1].remove()
        let mark = player.outputs[0].count
        let error = #expect(throws: SyrinxError.self) { try player.streamer.setOutput(player.devices[1]) }
        #expect(error?.code == .deviceUnavailable)
        #expect(player.streamer.status == .playing)
        #expect(player.streamer.engine.openedDevice === player.devices[0])
        player.crank(0, frames: 20_480)
        // Not a frame is missing around the attempt.
        let part = Array(player.outputs[0][(mark - 4_096)...].prefix(8_192))
        #expect(try #require(alignment(of: part, in: player.left)).correlation > 0.999)
        player.devices[1].bringBack()
        try player.streamer.setOutput(player.devices[1])
        #expect(player.crank(1) { player.streamer.status == .playing })
    }

    @Test("Another output may have another format")
    func takesAnotherFormat() throws {
        let player = try Player()
        let other = ManualOutput(format: DeviceFormat(sampleRate: 48_000, channelCount: 1))
        player.open()
        #expect(player.crank(0) { player.streamer.status == .playing && player.outputs[0].count > 44_100 })
        try player.streamer.setOutput(other)
        let stood = try #require(player.streamer.currentTime)
        var output: [Float] = []
        #expect(other.crank(until: { player.streamer.status == .playing && output.count >= 96_000 }) { output += $0 })
        let first = try #require(output.firstIndex { $0 != 0 })
        let heard = Double(output.count - first) / 48_000
        // An output that is cranked too fast gets silence between.
        #expect(try #require(player.streamer.currentTime) - stood < heard + 0.1)
        #expect(try #require(player.streamer.currentTime) - stood > 0.3)
    }

    @Test("A streamer that is stopped takes another output, and its next input plays there")
    func whileStopped() throws {
        let player = try Player()
        try player.streamer.setOutput(player.devices[1])
        #expect(player.streamer.status == .stopped && player.streamer.engine.outputDevice === player.devices[1])
        player.open()
        #expect(player.crank(1) { player.streamer.status == .playing })
        player.crank(1, frames: 20_480)
        #expect(abs(try player.place(1, from: 0)) < 441)
        #expect(player.outputs[0].isEmpty)
    }

    /// Two sinks of a real server.
    @Test("Playback changes between two sinks of a server")
    func betweenSinks() throws {
        let server = try PulseServer()
        #expect(try server.control("load-module", "module-null-sink", "sink_name=other", "rate=44100").status == 0)
        let scratch = try ScratchDirectory()
        let path = try Inputs.make("in.flac", in: scratch, seconds: 30)
        let streamer = TimePitchStreamer(device: PulseOutput(server: server.server))
        defer { streamer.stop() }
        streamer.open(.url(URL(fileURLWithPath: path)), andPlay: true)
        #expect(waitUntil { (streamer.currentTime ?? 0) > 1 })
        let error = #expect(throws: SyrinxError.self) {
            try streamer.setOutput(PulseOutput(sink: "missing", server: server.server))
        }
        #expect(error?.code == .deviceNotFound && streamer.status == .playing)
        let before = try #require(streamer.currentTime)
        try streamer.setOutput(PulseOutput(sink: "other", server: server.server))
        let after = try #require(streamer.currentTime)
        #expect(after >= before && after < before + 3)
        #expect(waitUntil { streamer.status == .playing && (streamer.currentTime ?? 0) > after + 0.5 })
        #expect(streamer.engine.openedDevice?.name == "pulse:other")
    }
}
