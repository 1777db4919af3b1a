import Foundation
import SyrinxTestSupport
import Testing

/// The only sink of a sound server goes away while the command plays.
@Suite("play without an output", .serialized)
struct LostOutputTests {
    private func removeSink(_ server: any SoundServer) throws {
        #expect(try server.control("unload-module", "module-null-sink").status == 0)
    }

    @Test("With a listener it waits where it was, keeps the queue, and continues on the next sink")
    func waits() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a.wav")
        try FFmpeg.run(["-f", "lavfi", "-i", "anoisesrc=a=0.3:d=20:r=44100:seed=7", "-ac", "2", path])
        let expected = try Fixture.decode(path)[0]
        let server = try PulseServer()
        defer { server.kill() }
        let running = try RunningSyrinx(
            arguments: ["play", "--control", "--json", path, path],
            environment: server.environment
        )
        _ = try running.event("position") { $0["time"] as? Double ?? 0 > 1.5 }
        try removeSink(server)
        let warning = try running.event("warning")
        #expect(warning["code"] as? String == "device.lost")
        #expect((warning["message"] as? String)?.contains("continues here when there is one") == true)
        let place = try #require(running.events.firstIndex { $0["event"] as? String == "warning" })
        let stood = try #require(running.state("buffering", after: place)["time"] as? Double)
        let count = running.events.count
        #expect(stood > 1.4)
        #expect(
            try server.control(
                "load-module",
                "module-null-sink",
                "sink_name=out",
                "rate=44100",
                "format=float32le",
                "norewinds=1"
            ).status == 0
        )
        let recording = try server.startRecording()
        _ = try running.state("playing", after: count)
        _ = try running.event("position", after: count) { $0["time"] as? Double ?? 0 > stood + 2 }
        running.send(#"{"command":"stop"}"#)
        let heard = Array(try recording.stop()[0].drop { abs($0) < 1e-4 })
        let offset = try #require(alignment(of: Array(heard.dropFirst(4_410).prefix(30_000)), in: expected)).offset
        // The recording may have begun after the sound.
        let begin = Double(offset - 4_410) / 44_100
        #expect((stood - 0.2...stood + 1.5).contains(begin))
        #expect(!running.events.contains { $0["event"] as? String == "error" })
        #expect(running.events.count { $0["event"] as? String == "opened" } == 1)
        #expect(running.process.wait() == 0)
    }

    @Test("A pause while it waits lasts, and a stop ends it")
    func pause() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a.wav")
        try Fixture.make(path, seconds: 20)
        let server = try PulseServer()
        defer { server.kill() }
        let running = try RunningSyrinx(
            arguments: ["play", "--control", "--json", path, path],
            environment: server.environment
        )
        _ = try running.event("position") { $0["time"] as? Double ?? 0 > 0.5 }
        try removeSink(server)
        _ = try running.event("warning")
        running.send(#"{"command":"pause"}"#)
        _ = try running.state("paused")
        let count = running.events.count
        running.send(#"{"command":"resume"}"#)
        _ = try running.state("buffering", after: count)
        running.send(#"{"command":"stop"}"#)
        _ = try running.state("stopped")
        #expect(running.process.wait() == 0)
    }

    @Test("A script is told by the exit code")
    func script() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a.wav")
        try Fixture.make(path, seconds: 20)
        let server = try PulseServer()
        defer { server.kill() }
        let running = try RunningSyrinx(arguments: ["play", path], environment: server.environment)
        #expect(waitUntil { (try? server.control("list", "sink-inputs", "short"))?.output.isEmpty == false })
        try removeSink(server)
        #expect(running.process.wait() == 69)
        #expect(running.errors.contains("syrinx: pulse: "))
    }
}
