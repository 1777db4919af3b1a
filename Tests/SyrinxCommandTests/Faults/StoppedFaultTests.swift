import Foundation
import SyrinxTestSupport
import Testing

/// The listener ends the command, whatever it waits for.
///
/// No clock says so but the order of things: the server lets go of nothing before the command has ended, and what the command
/// waits for (answers: 8 s, as often as three times; for a busy server: 30 s; for the network: an hour) would show.
@Suite("Stopping during faults") struct StoppedFaultTests {
    /// The wait of the command when it is ended.
    enum Wait: String, CaseIterable {
        case connection, headers, beginning, moreSound, busyServer, busyServerInTheMiddle, network, listener
    }

    enum Way: CaseIterable { case command, interruption }

    private func answers(_ wait: Wait, _ bytes: [UInt8]) -> [ScriptedResponse] {
        let busy = ScriptedResponse.status(503).header("Retry-After", "1000")
        return switch wait {
        case .connection: []
        case .headers: [.hang]
        case .beginning: [PlayedFault.whole(bytes).cut(after: 20_000, .hang)]
        case .moreSound, .listener: [PlayedFault.whole(bytes).cut(after: Int64(PlayedFault.half), .hang)]
        case .busyServer: [busy]
        case .busyServerInTheMiddle: [PlayedFault.firstHalf(bytes), busy]
        case .network: [PlayedFault.firstHalf(bytes), .drop]
        }
    }

    /// Returns when the command has come there.
    private func reach(_ wait: Wait, _ running: RunningSyrinx, _ server: ScriptedHTTPServer) throws {
        // The server may see it before the event.
        _ = try running.state("opening")
        switch wait {
        case .connection: break
        case .headers: #expect(server.wait { $0.count == 1 })
        case .beginning: #expect(server.wait { $0.first?.bytesSent == 20_000 })
        case .moreSound:
            _ = try running.state("playing")
            _ = try running.state("buffering", after: try #require(running.firstIndex(ofState: "playing")))
        case .busyServer, .busyServerInTheMiddle:
            let retry = try running.event("retry") { $0["code"] as? String == "http.503" }
            #expect(retry["delay"] as? Double == 30)
        case .network: _ = try running.event("warning") { $0["code"] as? String == "network.waiting" }
        case .listener:
            _ = try running.state("playing")
            running.send(#"{"command":"pause"}"#)
            _ = try running.state("paused")
        }
    }

    @Test("stop ends playback at once in each fault", arguments: Wait.allCases, Way.allCases) func endsAtOnce(
        _ wait: Wait,
        _ way: Way
    ) async throws {
        let clean = try await Sound.wave.clean
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        let all = answers(wait, clean.bytes)
        if !all.isEmpty { server.route("/a") { _, index in all[min(index, all.count - 1)] } }
        let hole = try wait == .connection ? BlackHole() : nil
        let scratch = try ScratchDirectory()
        let output = scratch.file("out.wav")
        let running = try RunningSyrinx(
            "play",
            "--json",
            "--control",
            "--output",
            "file:\(output)",
            "http://listener:hush-hush@127.0.0.1:\(hole?.port ?? server.port)/a"
        )
        try reach(wait, running, server)
        let mark = running.events.count
        let asked = server.requests.count
        switch way {
        case .command: running.send(#"{"command":"stop"}"#)
        case .interruption: running.process.signal(SIGINT)
        }
        #expect(running.process.wait() == (way == .command ? 0 : 130))
        let told = running.events.dropFirst(mark)
        #expect(told.compactMap { $0["state"] as? String } == ["stopped"], "\(told)")
        #expect(!told.contains { $0["event"] as? String == "error" }, "\(told)")
        let totals = told.filter { $0["event"] as? String == "ended" }
        #expect(totals.count == 1 && told.last?["state"] as? String == "stopped", "\(told)")
        // While the network is waited for, it is asked now and then.
        if wait != .network {
            #expect(!told.contains { $0["event"] as? String == "retry" }, "\(told)")
            #expect(server.requests.count == asked)
        }
        #expect(server.waitUntilAllClosed())
        #expect(!(running.output + running.errors).contains("hush"))
        let written = FileManager.default.fileExists(atPath: output) ? try readWAV(output).channels : []
        #expect(totals.first?["frames"] as? Int == written.first?.count ?? 0)
        // A pause, and an end, may fade out for 20 ms.
        let isRight = zip(written, clean.samples).allSatisfy { $1.starts(with: $0.dropLast(882)) }
        #expect(isRight)
    }
}
