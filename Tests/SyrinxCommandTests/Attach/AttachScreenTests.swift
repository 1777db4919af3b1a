import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxListening

/// The full screen of a player in another process.
@Suite("attach", .serialized)
struct AttachScreenTests {
    /// Rounds of tests that kill processes.
    private static let rounds = Int(ProcessInfo.processInfo.environment["SYRINX_ATTACH_ROUNDS"] ?? "") ?? 3

    @Test("The screen shows the player, D leaves it running, and q ends both")
    func leaving() throws {
        let rig = try DetachedRig()
        let process = try rig.detach(try rig.recording("first.wav"), try rig.recording("second.wav"))
        let screen = try rig.terminal("attach")
        try rig.expect(screen, shows: "first.wav")
        try rig.expect(screen, shows: "playing")
        screen.type("]")
        try rig.expect(screen, shows: "1.1×")
        screen.type("2")
        try rig.expect(screen, shows: "second.wav")
        screen.type("D")
        try rig.expect(screen, shows: "status 0")
        #expect(screen.output.contains("syrinx attach"))
        #expect(screen.process.wait() == 0)
        rig.expectRestored(screen)
        #expect(rig.status()?.state == .playing && rig.status()?.rate == 1.1)

        let again = try rig.terminal("attach")
        try rig.expect(again, shows: "1.1×")
        again.type("q")
        try rig.expect(again, shows: "status 0")
        #expect(again.process.wait() == 0)
        rig.expectRestored(again)
        #expect(waitUntil { !rig.isRunning(process) })
    }

    @Test("If the player is killed, the screen says so and restores the terminal")
    func lostPlayer() throws {
        let rig = try DetachedRig()
        let path = try rig.recording("first.wav")
        for round in 0..<Self.rounds {
            let process = try rig.detach(path)
            let screen = try rig.terminal("attach")
            try rig.expect(screen, shows: "first.wav")
            usleep(useconds_t(round * 7_919 % 200_000))
            kill(process, SIGKILL)
            try rig.expect(screen, shows: "status 69")
            #expect(screen.output.contains("the connection to the player was lost"))
            #expect(screen.process.wait() == 0)
            rig.expectRestored(screen)
            #expect(waitUntil { !rig.isRunning(process) })
        }
    }

    @Test(
        "If the screen is lost, the player plays on, pauses or ends, as the settings say",
        arguments: ["", "pause", "end"]
    )
    func lostScreen(rule: String) throws {
        let rig = try DetachedRig(config: rule.isEmpty ? "" : "on-hangup = \"\(rule)\"\n")
        let path = try rig.recording("first.wav")
        for _ in 0..<Self.rounds {
            let process = try rig.detach(path)
            let screen = try rig.terminal("attach")
            try rig.expect(screen, shows: "first.wav")
            // The terminal goes with the program that made it.
            screen.process.kill()
            switch rule {
            case "pause": #expect(waitUntil { rig.status()?.state == .paused })
            case "end": #expect(waitUntil { !rig.isRunning(process) })
            default:
                usleep(300_000)
                #expect(rig.status()?.state == .playing)
            }
            if rig.isRunning(process) { #expect(try rig.run("control", "stop").status == 0) }
            #expect(waitUntil { !rig.isRunning(process) })
        }
    }

    @Test("D in the full screen of a player hands its queue over to a detached player")
    func handover() throws {
        let rig = try DetachedRig()
        let (first, second) = (try rig.recording("first.wav"), try rig.recording("second.wav"))
        let screen = try rig.terminal("--output null --effect reverb '\(first)' '\(second)'")
        try rig.expect(screen, shows: "playing")
        screen.type(">")
        try rig.expect(screen, shows: "second.wav")
        screen.type("]")
        try rig.expect(screen, shows: "1.1×")
        // A minute forward.
        screen.type("\u{1B}[A")
        screen.type("D")
        try rig.expect(screen, shows: "status 0")
        #expect(screen.process.wait() == 0)
        rig.expectRestored(screen)
        _ = try rig.player()
        let face = try rig.face()
        #expect(waitUntil { face.seen?.state == .playing })
        let state = try #require(face.seen)
        #expect(state.queue.count == 2 && state.queue.index == 1 && state.item?.shortName == "second.wav")
        #expect(state.sound.rate == 1.1 && state.sound.effects == ["reverb"])
        #expect((60.0..<75).contains(state.time), "\(state.time)")
        // The queue goes on as it would have.
        try face.send("previous")
        #expect(waitUntil { face.seen?.item?.shortName == "first.wav" && face.seen?.state == .playing })
        try face.send("stop")
        #expect(waitUntil { face.isOver })
        #expect(face.end != nil && face.end?.code == nil)
    }

    @Test("A change of the sound while the other player starts is handed over too")
    func lateChange() throws {
        let rig = try DetachedRig()
        let screen = try rig.terminal("--output null '\(try rig.recording("first.wav"))'")
        try rig.expect(screen, shows: "playing")
        // The second key follows before the other player can be ready.
        screen.type("D]")
        try rig.expect(screen, shows: "status 0")
        _ = try rig.player()
        #expect(waitUntil { rig.status()?.state == .playing })
        #expect(rig.status()?.rate == 1.1)
    }

    @Test("A paused player is handed over paused, and a second detached player is refused")
    func pausedHandover() throws {
        let rig = try DetachedRig()
        let path = try rig.recording("first.wav")
        let other = try rig.detach(path)
        let screen = try rig.terminal("--output null '\(path)'")
        try rig.expect(screen, shows: "playing")
        screen.type(" ")
        try rig.expect(screen, shows: "paused")
        screen.type("D")
        try rig.expect(screen, shows: "another one may run already")
        #expect(try rig.run("control", "stop").status == 0)
        #expect(waitUntil { !rig.isRunning(other) })
        screen.type("D")
        try rig.expect(screen, shows: "status 0")
        _ = try rig.player()
        let face = try rig.face()
        #expect(waitUntil { face.seen?.state == .paused })
        usleep(300_000)
        #expect(face.seen?.state == .paused)
    }

    @Test(
        "If the terminal closes, the player goes on without it, where the settings say so",
        arguments: ["play", "pause"]
    )
    func hangUp(rule: String) throws {
        let rig = try DetachedRig(config: "on-hangup = \"\(rule)\"\n")
        let screen = try rig.terminal("--output null '\(try rig.recording("first.wav"))'")
        try rig.expect(screen, shows: "playing")
        screen.process.kill()
        #expect(waitUntil { rig.status() != nil })
        _ = try rig.player()
        let face = try rig.face()
        #expect(waitUntil { face.seen?.state == (rule == "play" ? .playing : .paused) })
        #expect(face.seen?.item?.shortName == "first.wav")
    }

    @Test("Without a setting a closed terminal ends the player")
    func hangUpEnds() throws {
        let rig = try DetachedRig()
        let screen = try rig.terminal("--output null '\(try rig.recording("first.wav"))'")
        try rig.expect(screen, shows: "playing")
        screen.process.kill()
        usleep(500_000)
        #expect(rig.status() == nil)
    }
}
