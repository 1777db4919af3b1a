import Foundation
import SyrinxTestSupport
import Testing

@testable import syrinx

@Suite("syrinx resume, --chapter and --sleep") struct ListeningPlayTests {
    private let scratch: ScratchDirectory
    private let environment: [String: String]
    private let options = ["--json", "--control", "--output", "null"]

    init() throws {
        scratch = try ScratchDirectory()
        environment = ["XDG_STATE_HOME": scratch.file("state")]
    }

    private func start(_ arguments: String...) throws -> RunningSyrinx {
        try RunningSyrinx(arguments: arguments + options, environment: environment)
    }

    private func time(_ event: [String: Any]) -> Double { event["time"] as? Double ?? -1 }

    @Test("After kill -9, resume goes on within five seconds of where one was")
    func resumesAfterACrash() throws {
        let path = scratch.file("a.flac")
        try Fixture.make(path, seconds: 60, ["-c:a", "flac"])
        let first = try start("play", "--resume", path)
        _ = try first.state("playing")
        first.send(#"{"command":"seek","time":20}"#)
        _ = try first.event("position") { time($0) >= 24.5 }
        let left = first.events.last { $0["event"] as? String == "position" }.map(time) ?? 0
        first.process.kill()

        let second = try start("resume")
        let heard = time(try second.event("position"))
        #expect(heard > left - 5 && heard < left + 5, "left at \(left), resumed at \(heard)")
        second.send(#"{"command":"stop"}"#)
        #expect(second.process.wait() == 0)
        // Without --resume a script gets the start.
        let third = try start("play", path)
        #expect(time(try third.event("position")) < 2)
        third.send(#"{"command":"stop"}"#)
        #expect(third.process.wait() == 0)
        let fourth = try start("resume", "--no-resume")
        #expect(time(try fourth.event("position")) < 2)
        fourth.send(#"{"command":"stop"}"#)
        #expect(fourth.process.wait() == 0)
    }

    @Test("Resume goes on with the input of the queue that was heard last, with those around it")
    func resumesAQueue() throws {
        let paths = ["a", "b", "c"].map { scratch.file("\($0).wav") }
        for path in paths { try Fixture.make(path, seconds: 60, ["-c:a", "pcm_s16le"], sampleRate: 8_000) }
        let first = try start("play", "--resume", paths[0], paths[1], paths[2])
        _ = try first.state("playing")
        first.send(#"{"command":"goto","index":1}"#)
        _ = try first.event("opened") { ($0["url"] as? String)?.hasSuffix("b.wav") == true }
        let index = first.events.count
        _ = try first.event("position", after: index)
        first.send(#"{"command":"stop"}"#)
        #expect(first.process.wait() == 0)

        let second = try start("resume")
        #expect((try second.event("opened")["url"] as? String)?.hasSuffix("b.wav") == true)
        second.send(#"{"command":"next"}"#)
        _ = try second.event("opened") { ($0["url"] as? String)?.hasSuffix("c.wav") == true }
        second.send(#"{"command":"goto","index":0}"#)
        _ = try second.event("opened") { ($0["url"] as? String)?.hasSuffix("a.wav") == true }
        second.send(#"{"command":"stop"}"#)
        #expect(second.process.wait() == 0)
    }

    @Test("Scripts keep no positions, and without any there is nothing to resume")
    func scripts() throws {
        let path = scratch.file("a.wav")
        try Fixture.make(path, seconds: 1, ["-c:a", "pcm_s16le"])
        let played = try runProcess(
            Syrinx.path,
            ["play", "--output", "null", path],
            environment: Syrinx.environment.merging(environment) { $1 }
        )
        #expect(played.status == 0)
        #expect(!FileManager.default.fileExists(atPath: scratch.file("state")))
        let resumed = try runProcess(
            Syrinx.path,
            ["resume", "--json"],
            environment: Syrinx.environment.merging(environment) { $1 }
        )
        #expect(resumed.status == 66 && resumed.objects.first?["code"] as? String == "usage.nothingToResume")
        #expect(try Syrinx.run("resume").status == 64)
    }

    @Test("--chapter begins at the chapter, and one that does not exist is refused")
    func chapter() throws {
        let path = scratch.file("a.flac")
        // As samples, so that the length is exact.
        try Fixture.makeChaptered(scratch.file("a.mkv"), ["-c:a", "flac", "-f", "matroska"])
        try FileManager.default.moveItem(atPath: scratch.file("a.mkv"), toPath: path)
        let output = "file:\(scratch.file("out.wav"))"
        let played = try Syrinx.run("play", "--json", "--chapter", "2", "--output", output, path)
        let frames = played.objects.first { $0["event"] as? String == "ended" }?["frames"] as? Int ?? 0
        #expect(played.status == 0 && abs(frames - 40 * 44_100) <= 1, "\(frames)")
        #expect(try Syrinx.run("play", "--chapter", "4", "--output", output, path).status == 64)
        #expect(try Syrinx.run("play", "--chapter", "1", "--start", "2", "--output", output, path).status == 64)
        #expect(try Syrinx.run("play", "--chapter", "1", "--output", output, path, path).status == 64)
    }

    @Test("--sleep chapter ends playback at the end of the chapter, and --sleep item before the next input")
    func sleep() throws {
        let path = scratch.file("a.mp4")
        try Fixture.makeChaptered(path)
        let chapter = try start("play", "--rate", "8", "--start", "10", "--sleep", "chapter", path, path)
        #expect(chapter.process.wait() == 0)
        let end = try #require(chapter.events.last { $0["event"] as? String == "state" })
        // Positions come four times a second, which is every two seconds of the input.
        #expect(end["state"] as? String == "stopped" && time(end) >= 19 && time(end) < 26, "\(end)")
        let item = try start("play", "--rate", "32", "--start", "50", "--sleep", "item", path, path)
        #expect(item.process.wait() == 0)
        #expect(item.events.filter { $0["event"] as? String == "opened" }.count == 1)
        #expect(try Syrinx.run("play", "--sleep", "never", path).status == 64)
    }
}
