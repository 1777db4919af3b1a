import AVFAudio
import Foundation
import SyrinxListening
import SyrinxStreaming
import SyrinxTestSupport
import Testing

@testable import syrinx

@Suite("play: mono, balance, equalizer and the part that is repeated")
struct ToneAndPartTests {
    private func play(_ arguments: String...) throws -> [[Float]] {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 1)
        let out = scratch.file("out.wav")
        let result = try runProcess(
            Syrinx.path,
            ["play", "--output", "file:\(out)"] + arguments + [scratch.file("a.wav")],
            environment: Syrinx.environment
        )
        try #require(result.status == 0, "\(result.errors)")
        let file = try AVAudioFile(forReading: URL(fileURLWithPath: out))
        let buffer = try #require(
            AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(file.length))
        )
        try file.read(into: buffer)
        let channels = try #require(buffer.floatChannelData)
        return (0..<Int(file.processingFormat.channelCount)).map {
            Array(UnsafeBufferPointer(start: channels[$0], count: Int(buffer.frameLength)))
        }
    }

    private func peak(_ samples: some Collection<Float>) -> Float { samples.reduce(0) { max($0, abs($1)) } }

    @Test("Mono makes the channels alike, and balance leaves one of them alone")
    func tone() throws {
        let plain = try play()
        #expect(plain[0] != plain[1])
        let mono = try play("--mono")
        #expect(mono[0].dropFirst(2000) == mono[1].dropFirst(2000) && peak(mono[0]) > 0.1)
        let left = try play("--balance", "-1")
        #expect(peak(left[1].dropFirst(2000)) < 1e-4 && peak(left[0]) > 0.1)
        let treble = try play("--equalizer", "lesstreble")
        // What the filter rings on is written too.
        #expect(treble[0].count >= plain[0].count && treble[0].prefix(plain[0].count) != plain[0][...])
        #expect(try play("--equalizer", "flat") == plain)
        #expect(try Syrinx.run("play", "--balance", "2", "a.wav").status == 64)
        let unknown = try Syrinx.run("play", "--equalizer", "loud", "a.wav")
        #expect(unknown.status == 64 && unknown.errors.contains("small-speakers"))
    }

    @Test("A part that is set while it plays is repeated until it is left")
    func part() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 60)
        let running = try RunningSyrinx("play", "--json", "--control", "--output", "null", scratch.file("a.wav"))
        _ = try running.event("position")
        running.send(#"{"command":"ab","from":20,"to":20.5}"#)
        _ = try running.event("position") { ($0["time"] as? Double ?? 0) >= 20 }
        let mark = running.events.count
        func opened() -> Int { running.events.dropFirst(mark).count { $0["event"] as? String == "opened" } }
        waitUntil { opened() >= 3 || running.process.exitStatus != nil }
        #expect(opened() >= 3)
        let times = running.events.dropFirst(mark).filter { $0["event"] as? String == "position" }
            .compactMap { $0["time"] as? Double }
        #expect(times.allSatisfy { (19.9...20.6).contains($0) }, "\(times)")
        running.send(#"{"command":"ab"}"#)
        _ = try running.event("position", after: mark) { ($0["time"] as? Double ?? 0) > 21 }
        running.send(#"{"command":"ab","from":70,"to":80}"#)
        #expect(try running.event("warning")["code"] as? String == "usage.badCommand")
        running.send(#"{"command":"stop"}"#)
        #expect(running.process.wait() == 0)
    }

    @Test("A list's lengths are those of the queue, and what is opened tells its own")
    func lengths() throws {
        let list = "#EXTM3U\n#EXTINF:125,One\n/nowhere/a.wav\n#EXTINF:-1,Two\n/nowhere/b.wav\n"
        let scratch = try ScratchDirectory()
        let path = scratch.file("a.m3u")
        try list.write(toFile: path, atomically: true, encoding: .utf8)
        let input = try #require(ListeningInput(argument: path))
        let playlist = try Playlist(reading: try input.byteStream(network: .init()), from: input.url)
        var queue = ListeningQueue(playlist.entries.map { ListeningInput($0) })
        #expect(queue.duration(at: 0) == 125 && queue.duration(at: 1) == nil && queue.duration(at: 2) == nil)
        let revision = queue.revision
        queue.setDuration(63, of: queue.upcoming(.none, repeats: false)[0].id)
        queue.setDuration(.nan, of: queue.currentTurn.id)
        #expect(queue.duration(at: 1) == 63 && queue.duration(at: 0) == 125 && queue.revision != revision)
    }
}
