import Foundation
import Synchronization
import SyrinxDevice
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// The effects of a connection that is slow, uneven or gone: cases 19 to 23 of the faults.
@Suite("Network priority") struct LinkTests {
    private let server: ScriptedHTTPServer
    private let scratch: ScratchDirectory

    init() throws {
        server = try ScriptedHTTPServer()
        scratch = try ScratchDirectory()
    }

    /// A rig that plays `/in.wav`, and what watches the samples.
    private func rig(seconds: Double) throws -> (rig: Rig, bytes: [UInt8], check: SampleCheck, frameCount: Int) {
        let path = try Inputs.make("in.wav", in: scratch, seconds: seconds)
        let expected = try Inputs.decoded(path)
        let rig = Rig()
        rig.streamer.network = quickNetwork
        let check = SampleCheck(expected)
        check.watch(rig.streamer)
        return (rig, try Inputs.bytes(path), check, expected[0].count)
    }

    private func open(_ rig: Rig) throws {
        rig.streamer.open(.url(try #require(URL(string: server.url("/in.wav")))), andPlay: true)
    }

    private struct Log {
        var statuses: [PlaybackStatus] = []
        var warnings: [String] = []
        var ended: (frames: Int64, underruns: Int)?
    }

    /// The events up to the last state.
    private func log(_ events: AsyncStream<StreamingEvent>) async -> Log {
        var log = Log()
        for await event in events {
            switch event {
            case .status(let status, _):
                log.statuses.append(status)
                if [.ended, .failed, .stopped].contains(status) { return log }
            case .warning(let error): log.warnings.append(error.code.rawValue)
            case .ended(let frames, let underruns, _): log.ended = (frames, underruns)
            default: break
            }
        }
        return log
    }

    @Test("19: what comes too slowly is waited for, which is no error, and can be ended at once")
    func case19() async throws {
        let (rig, bytes, check, _) = try rig(seconds: 6)
        // 176 kB a second are needed.
        server.route("/in.wav", .file(bytes).paced(bytesPerSecond: 60_000))
        let events = rig.streamer.events
        try open(rig)
        #expect(rig.crank { rig.streamer.status == .playing })
        #expect(rig.crank { rig.streamer.status == .buffering })
        #expect(rig.crank { rig.streamer.status == .playing })
        #expect(rig.crank { rig.streamer.status == .buffering })
        #expect(isPrompt { rig.streamer.stop() })
        let log = await log(events)
        #expect(log.statuses == [.opening, .buffering, .playing, .buffering, .playing, .buffering, .stopped])
        #expect(log.warnings.isEmpty)
        #expect(check.wrongCount == 0)
        #expect(server.requests.count == 1)
        #expect(server.waitUntilAllClosed())
    }

    /// Ten minutes on a clock moved by hand, at 99 % of what is needed, each tenth of a second more or less by up to all of it.
    @Test("20: a line that is just too slow makes few and long pauses, never a flutter", arguments: 1...8)
    func case20(seed: UInt64) {
        var machine = PlaybackMachine()
        _ = machine.open(andPlay: true)
        _ = machine.opened()
        var chance = seed
        var ahead = 0.0
        var pauses = 0
        var playingSince: Double?
        var shortest = Double.infinity
        for tick in 0..<6_000 {
            chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            ahead += 0.1 * 0.99 * 2 * Double(chance >> 33) / Double(1 << 31)
            let now = Double(tick) * 0.1
            for part in 0..<10 {
                for action in machine.level(ahead, isComplete: false, mayStarve: true) {
                    switch action {
                    case .startOutput: playingSince = now + 0.01 * Double(part)
                    case .holdOutput:
                        pauses += 1
                        if let since = playingSince { shortest = min(shortest, now + 0.01 * Double(part) - since) }
                    default: break
                    }
                }
                guard machine.isOutputOpen else { continue }
                ahead = max(0, ahead - 0.01)
                _ = machine.sounded()
            }
        }
        // Six seconds are missing in all, give or take what chance makes of it, and each pause gathers one.
        #expect(pauses <= 30)
        #expect(shortest >= 0.2)
        #expect(machine.status == .playing || machine.status == .buffering)
    }

    @Test("21: a short outage is not heard")
    func case21() async throws {
        let (rig, bytes, check, frameCount) = try rig(seconds: 6)
        let isBack = Mutex(false)
        server.route("/in.wav") { _, index in
            if index == 0 { return .file(bytes).cut(after: 600_000, .hang) }
            return isBack.withLock { $0 } ? .file(bytes) : .drop
        }
        let events = rig.streamer.events
        try open(rig)
        // The line goes once some of what came has been decoded: what it takes with it unread would be a matter of chance.
        #expect(waitUntil { check.frames.count >= 88_200 })
        server.dropConnections()
        #expect(server.wait { $0.count >= 5 })
        #expect(rig.crank { rig.streamer.status == .playing })
        rig.crank(frames: 20_480)
        #expect(rig.streamer.status == .playing)
        isBack.withLock { $0 = true }
        #expect(rig.crank { rig.streamer.status == .ended })
        let log = await log(events)
        #expect(log.statuses.starts(with: [.opening, .buffering, .playing]) && log.statuses.last == .ended)
        #expect(log.ended?.frames == Int64(frameCount) && log.ended?.underruns == 0)
        #expect(check.wrongCount == 0 && check.frames == IndexSet(integersIn: 0..<frameCount))
    }

    @Test("22: a long outage is waited for, and playback continues at the same sample")
    func case22() async throws {
        let (rig, bytes, check, frameCount) = try rig(seconds: 6)
        let isBack = Mutex(false)
        server.route("/in.wav") { _, index in
            if index == 0 { return .file(bytes).cut(after: 400_000, .hang) }
            return isBack.withLock { $0 } ? .file(bytes) : .drop
        }
        let events = rig.streamer.events
        try open(rig)
        #expect(rig.crank { rig.streamer.status == .playing })
        server.dropConnections()
        #expect(rig.crank { rig.streamer.status == .buffering })
        let asked = server.requests.count
        #expect(rig.crank { server.requests.count >= asked + 20 })
        #expect(rig.streamer.status == .buffering)
        isBack.withLock { $0 = true }
        #expect(rig.crank { rig.streamer.status == .ended })
        let log = await log(events)
        #expect(log.statuses == [.opening, .buffering, .playing, .buffering, .playing, .ended])
        #expect(log.warnings == ["network.waiting"])
        #expect(log.ended?.frames == Int64(frameCount) && log.ended?.underruns == 0)
        #expect(check.wrongCount == 0 && check.frames == IndexSet(integersIn: 0..<frameCount))
        // All the while only what is missing is asked for.
        let ranges = server.requests.dropFirst().map(\.range)
        #expect(Set(ranges).count == 1 && ranges.first != "bytes=0-")
    }

    @Test("23: a connection that the server closes in a long pause is opened again where it ended")
    func case23() async throws {
        let (rig, bytes, check, frameCount) = try rig(seconds: 12)
        server.route("/in.wav", .file(bytes).paced(bytesPerSecond: 600_000), .file(bytes))
        let events = rig.streamer.events
        try open(rig)
        #expect(rig.crank { rig.streamer.status == .playing })
        rig.streamer.pause()
        let held = rig.streamer.currentTime
        server.dropConnections()
        #expect(server.wait { $0.count == 2 })
        #expect(rig.streamer.status == .paused)
        rig.streamer.play()
        #expect(rig.streamer.currentTime == held)
        #expect(rig.crank { rig.streamer.status == .ended })
        let log = await log(events)
        #expect(log.statuses == [.opening, .buffering, .playing, .paused, .buffering, .playing, .ended])
        #expect(log.warnings.isEmpty)
        #expect(log.ended?.frames == Int64(frameCount) && log.ended?.underruns == 0)
        #expect(check.wrongCount == 0 && check.frames == IndexSet(integersIn: 0..<frameCount))
        #expect(server.requests.count == 2 && server.requests[1].headers["if-range"] != nil)
    }
}
