import AVFoundation
import Foundation
import SyrinxTestSupport
import Testing

/// Programs that observe notifications with the queue `.main`, each in a process of its own: how a program runs its main queue is
/// decided by its `main`.
@Suite struct NotificationProgramTests {
    private let scratch: ScratchDirectory
    private let file: String

    init() throws {
        scratch = try ScratchDirectory()
        file = scratch.file("short.wav")
        try FFmpeg.run(["-f", "lavfi", "-i", "sine=d=0.2:r=44100", file])
    }

    /// The path of a program that lies beside the one that runs the tests.
    private func path(_ name: String) throws -> String {
        let runner = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: runner).deletingLastPathComponent().appendingPathComponent(name).path
    }

    @Test(
        "A program with a run loop, and one with dispatchMain(), are told that an item has ended",
        arguments: ["runLoop", "dispatchMain"]
    )
    func synchronousMain(_ mode: String) throws {
        let result = try runProcess(path("syrinx-notification-probe"), [mode, file], timeout: 30)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == "rate 1.0\nended\non the main actor\n")
    }

    @Test(
        "A program with an asynchronous main, and a model on the main actor, are told that an item has ended",
        arguments: ["async", "mainActor"]
    )
    func asynchronousMain(_ mode: String) throws {
        let result = try runProcess(path("syrinx-async-probe"), [mode, file], timeout: 30)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == "ended\n")
    }

    @Test("A seek at the top level of main.swift waits for its arrival if its result is asked for")
    func topLevelSeek() throws {
        let result = try runProcess(path("syrinx-async-probe"), ["seek", file], timeout: 30)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == "arrived true at 0.1\n")
    }

    @Test(
        "A value that is no loop status does not end a program, and its command handlers may post notifications",
        arguments: ["commandRunLoop", "commandDispatchMain"]
    )
    func commands(_ mode: String) throws {
        let bus = try SessionBus()
        let log = scratch.file("out")
        let program = try ChildProcess(
            path("syrinx-notification-probe"),
            [mode, file],
            environment: bus.environment,
            stdout: .file(log)
        )
        defer { program.kill() }
        let name = "org.mpris.MediaPlayer2.syrinx_notification_probe.instance\(program.pid)"
        let said = { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }
        try #require(waitUntil { said().contains("offered") })
        let player = "org.mpris.MediaPlayer2.Player"
        let set = "org.freedesktop.DBus.Properties.Set"
        try #require(waitUntil { (try? bus.call(set, of: name, [player, "LoopStatus", "<'None'>"]))?.status == 0 })
        #expect(try bus.call(set, of: name, [player, "LoopStatus", "<'Bogus'>"]).status == 1)
        // The program may end before it has answered.
        _ = try bus.call("\(player).Pause", of: name, [])
        #expect(waitUntil { said().contains("paused") })
    }
}
