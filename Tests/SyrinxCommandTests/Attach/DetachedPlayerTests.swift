import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxListening

/// A player without a terminal, as a process of its own.
@Suite("play --detach", .serialized)
struct DetachedPlayerTests {
    @Test("It returns when the player sounds, and control and queue reach the player without a session bus")
    func control() throws {
        let rig = try DetachedRig()
        let (first, second) = (try rig.recording("a.wav"), try rig.recording("b.wav"))
        let process = try rig.detach(first, second)
        #expect(rig.status()?.state == .playing)
        #expect(getsid(process) == process, "it has a session of its own")
        #expect(try rig.run("control", "pause").status == 0)
        let status = try rig.run("control", "status", "--json")
        #expect(status.objects.first?["state"] as? String == "paused")
        #expect(status.objects.first?["url"] as? String == first)
        #expect(try rig.run("control", "goto", "7").status == 64)
        #expect(try rig.run("queue", "add", first).status == 0)
        let queue = try rig.run("queue", "--json").objects
        #expect(queue.map { $0["url"] as? String } == [first, second, first])
        #expect(queue.map { $0["current"] as? Bool } == [true, false, false])
        #expect(try rig.run("control", "stop").status == 0)
        #expect(waitUntil { !rig.isRunning(process) })
        #expect(try rig.run("control", "status").status == 69)
        #expect(!FileManager.default.fileExists(atPath: rig.scratch.file("run/syrinx/player.sock")))
    }

    @Test("A second one ends with 69, and names attach and queue add; after a crash there may be another one")
    func lock() throws {
        let rig = try DetachedRig()
        let path = try rig.recording("a.wav")
        let first = try rig.detach(path)
        let second = try rig.run("play", "--detach", "--output", "null", path)
        #expect(second.status == 69)
        #expect(second.errors.contains("syrinx attach") && second.errors.contains("syrinx queue add"))
        #expect(try rig.player() == first)
        kill(first, SIGKILL)
        #expect(waitUntil { !rig.isRunning(first) })
        #expect(try rig.detach(path) != first)
    }

    @Test("A failure is reported to the terminal that started it, with its exit code")
    func failure() throws {
        let rig = try DetachedRig()
        let result = try rig.run("play", "--detach", "--output", "null", rig.scratch.file("missing.flac"))
        #expect(result.status == 66)
        #expect(result.errorLines.count == 1 && result.errors.contains("missing.flac"))
        #expect(try rig.run("play", "--detach", "--json", "a").status == 64)
        #expect(try rig.run("attach").status == 69)
    }

    @Test("Without an input it opens the last queue, paused")
    func lastQueue() throws {
        let rig = try DetachedRig()
        let process = try rig.detach("--resume", try rig.recording("a.wav"), try rig.recording("b.wav"))
        let face = try rig.face()
        try face.send("goto 2")
        try face.send("seek 30")
        #expect(waitUntil { face.seen?.queue.index == 1 && face.seen?.time ?? 0 >= 30 })
        try face.send("stop")
        #expect(waitUntil { !rig.isRunning(process) })
        try rig.detach()
        let state = try rig.face()
        #expect(waitUntil { state.seen != nil })
        #expect(state.seen?.isIdle == true && state.seen?.queue.count == 2 && state.seen?.queue.index == 1)
        try state.send("resume")
        #expect(waitUntil { state.seen?.state == .playing && state.seen?.time ?? 0 >= 25 })
    }

    @Test("Two faces see the same, and their commands have one order")
    func twoFaces() throws {
        let rig = try DetachedRig()
        try rig.detach(try rig.recording("a.wav"))
        let faces = [try rig.face(), try rig.face()]
        #expect(waitUntil { faces.allSatisfy { $0.seen != nil } })
        for round in 0..<25 {
            try faces[round % 2].send("volume \(10 + round)")
            try faces[1 - round % 2].send("volume \(60 + round)")
        }
        try faces[0].send("pause")
        #expect(waitUntil { faces.allSatisfy { $0.seen?.state == .paused && $0.answers.count >= 25 } })
        #expect(waitUntil { faces[0].seen == faces[1].seen })
        #expect(faces[0].volumes == faces[1].volumes)
        #expect(faces[0].volumes.count > 25, "each change was seen")
        #expect(faces.allSatisfy { $0.answers.allSatisfy { $0.error == nil } })
    }

    @Test("A change of rows comes before the state that counts them")
    func queueOrder() throws {
        let rig = try DetachedRig()
        let path = try rig.recording("a.wav")
        try rig.detach(path, path, path, path)
        let face = try rig.face()
        face.connection.send(.watch(AttachWatch(levels: false, peaks: false, queue: true)))
        #expect(waitUntil { face.seen?.queue.count == 4 && !face.answers.isEmpty })
        try face.send("goto 3")
        #expect(waitUntil { face.seen?.queue.index == 2 })
        try face.send("clear")
        #expect(waitUntil { face.seen?.queue.count == 1 && face.counts.contains(.change(1)) })
        let counts = face.counts
        let change = try #require(counts.firstIndex(of: .change(1)))
        let state = try #require(counts.firstIndex(of: .state(1)))
        #expect(change < state, "\(counts)")
    }

    @Test("10,000 malformed lines, and a face that does not read, change nothing")
    func malformed() throws {
        let rig = try DetachedRig()
        try rig.detach(try rig.recording("a.wav"))
        let face = try rig.face()
        try face.send("pause")
        #expect(waitUntil { face.seen?.state == .paused })
        let before = face.seen
        let folder = try AttachFolder(creates: false, environment: rig.environment)
        let (bad, slow) = (try folder.makeConnection(), try folder.makeConnection())
        defer { for descriptor in [bad, slow] { close(descriptor) } }
        Descriptor.writeAll(Array((#"{"request":"watch","levels":true,"peaks":true}"# + "\n").utf8), to: slow)
        var time = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(bad, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        // Its answers are not read either, so that it is dropped in the end or kept waiting.
        let line = #"{"command":"seek","time":"later"}"# + "\n"
        Descriptor.writeAll(Array(String(repeating: line, count: 10_000).utf8), to: bad)
        try face.send("mute")
        #expect(waitUntil { face.seen?.sound.isMuted == true })
        try face.send("mute")
        #expect(waitUntil { face.seen == before })
    }

    @Test("Attaching and detaching while it plays leaves no gap in the recording, and no memory")
    func noGap() throws {
        let rounds = Int(ProcessInfo.processInfo.environment["SYRINX_ATTACH_ROUNDS"] ?? "") ?? 20
        let rig = try DetachedRig()
        let (path, record) = (rig.scratch.file("a.flac"), rig.scratch.file("record.wav"))
        try Fixture.make(path, seconds: 60)
        let process = try rig.detach("--sample-rate", "44100", "--record", record, path)
        func memory() -> Int {
            let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
        }
        var first = 0
        for round in 0..<rounds {
            let face = try rig.face()
            face.connection.send(.watch(AttachWatch(levels: true, peaks: true, queue: true)))
            #expect(waitUntil { face.seen?.state == .playing && !face.answers.isEmpty })
            if round % 2 == 0 { face.connection.send(.leave) } else { face.stop() }
            #expect(waitUntil { face.isOver })
            if round == rounds / 2 { first = memory() }
        }
        #expect(memory() < first + 4_000, "kilobytes")
        let face = try rig.face()
        #expect(waitUntil { face.seen?.time ?? 0 > 3 })
        try face.send("stop")
        #expect(waitUntil { !rig.isRunning(process) })
        let heard = try Fixture.decode(record)[0], source = try Fixture.decode(path)[0]
        let mark = 44_100
        let pattern = source[mark..<mark + 32]
        let start = try #require((0..<heard.count - 32).first { heard[$0..<$0 + 32].elementsEqual(pattern) })
        // But for the fade at the end.
        let count = heard.count - start - 44_100 / 5
        try #require(count > 44_100)
        #expect(heard[start..<start + count].elementsEqual(source[mark..<mark + count]))
    }
}
