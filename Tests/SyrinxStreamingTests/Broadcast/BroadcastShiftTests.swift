import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

@testable import SyrinxMediaCodec
@testable import SyrinxStreaming

@Suite("Going back in a broadcast") struct BroadcastShiftTests {
    private final class Events: Sendable {
        let titles = Mutex<[String]>([])
    }

    /// Ten seconds of 500 Hz, then ten of 1,500 Hz.
    private func bytes(_ name: String, _ options: String...) throws -> [UInt8] {
        let scratch = try ScratchDirectory()
        return try [500, 1_500].flatMap { frequency in
            let file = scratch.file("\(frequency)-\(name)")
            try FFmpeg.make(file, from: "sine=\(frequency):r=44100:d=10", ["-ac", "2"] + options)
            return try Inputs.bytes(file)
        }
    }

    private func isHeard(_ frequency: Double, _ rig: Rig) -> Bool {
        let last = Array(rig.output.suffix(4096))
        return last.count == 4096 && last.contains { abs($0) > 0.02 }
            && abs(toneFrequency(last, sampleRate: 44_100) - frequency) < 10
    }

    /// Tunes in to a station that sends `bytes` at once, with a buffer.
    private func tunedIn(
        _ bytes: [UInt8],
        type: String,
        titles: [String] = [],
        in scratch: ScratchDirectory,
        _ events: Events = Events()
    ) throws -> (Rig, ScriptedHTTPServer) {
        let server = try ScriptedHTTPServer()
        let sent = woven(bytes, every: 16_000, titles.map { $0.isEmpty ? [] : Array("StreamTitle='\($0)';".utf8) })
        let body = titles.isEmpty ? bytes : sent
        var answer = ScriptedResponse.file(body, type: type).withoutRanges().withoutLength().withoutHeader("ETag")
        answer = answer.header("icy-br", "128")
        if !titles.isEmpty { answer = answer.header("icy-metaint", "16000") }
        server.route("/a", answer.cut(after: Int64(body.count), .hang))
        let rig = Rig()
        rig.streamer.network = quickNetwork
        rig.streamer.network.broadcastBuffer = HTTPByteStream.Options.BroadcastBuffer(
            folder: FilePath(scratch.path),
            seconds: 1_800
        )
        let item = StreamingItem(.url(try #require(URL(string: server.url("/a")))))
        rig.streamer.open(item, andPlay: true, followedBy: []) { event in
            if case .metadata(let tags) = event, let title = tags["title"] {
                events.titles.withLock { $0.append(title) }
            }
        }
        #expect(rig.crank { rig.streamer.currentTime ?? 0 > 12 })
        return (rig, server)
    }

    @Test(
        "What was heard is heard again, and the live sound after that",
        arguments: [
            ("a.mp3", "audio/mpeg", ["-b:a", "128k", "-write_xing", "0", "-id3v2_version", "0"]),
            ("a.aac", "audio/aac", ["-b:a", "96k", "-f", "adts"]), ("a.opus", "application/ogg", ["-b:a", "96k"]),
        ]
    )
    func back(name: String, type: String, options: [String]) throws {
        let scratch = try ScratchDirectory()
        let all = try [500, 1_500].flatMap { frequency -> [UInt8] in
            let file = scratch.file("\(frequency)-\(name)")
            try FFmpeg.make(file, from: "sine=\(frequency):r=44100:d=10", ["-ac", "2"] + options)
            return try Inputs.bytes(file)
        }
        let buffer = try ScratchDirectory()
        let (rig, server) = try tunedIn(all, type: type, in: buffer)
        defer { server.stop() }
        #expect(rig.crank { isHeard(1_500, rig) })
        let live = try #require(rig.streamer.liveDistance)
        #expect(live.behind == 0 && live.earlier > 11)
        try rig.streamer.seek(to: 3)
        rig.output = []
        #expect(
            rig.crank { rig.streamer.currentTime ?? 99 > 4 && rig.streamer.currentTime ?? 99 < 9 && isHeard(500, rig) }
        )
        #expect(rig.crank { rig.streamer.status == .playing })
        #expect(try #require(rig.streamer.liveDistance).behind > 3)
        try rig.streamer.goLive()
        rig.output = []
        #expect(rig.crank { rig.streamer.currentTime ?? 0 > 14 && isHeard(1_500, rig) })
        #expect(try #require(rig.streamer.liveDistance).behind == 0)
        // Ahead of the live sound, which is 4 s behind what has arrived, there is nothing.
        #expect(rig.crank { rig.streamer.currentTime ?? 0 > 17 })
        let error = #expect(throws: SyrinxError.self) { try rig.streamer.seek(to: 500) }
        #expect(error?.code == .notSeekable)
        // The time before the first frame is the first frame.
        try rig.streamer.seek(to: 0)
        rig.output = []
        #expect(rig.crank { rig.streamer.currentTime ?? 99 < 5 && isHeard(500, rig) })
        #expect(server.requests.count == 1, "nothing is fetched again")
    }

    @Test("The titles are those of the sound that is heard")
    func titles() throws {
        let (scratch, events) = (try ScratchDirectory(), Events())
        let all = try bytes("a.mp3", "-b:a", "128k", "-write_xing", "0", "-id3v2_version", "0")
        let titles = ["One", "", "", "", "", "", "", "", "", "Two"]
        let (rig, server) = try tunedIn(all, type: "audio/mpeg", titles: titles, in: scratch, events)
        defer { server.stop() }
        #expect(rig.crank { events.titles.withLock { $0 == ["One", "Two"] } })
        try rig.streamer.seek(to: 3)
        #expect(rig.crank { events.titles.withLock { $0 == ["One", "Two", "One"] } })
        #expect(rig.crank { rig.streamer.currentTime ?? 0 > 11 })
        #expect(events.titles.withLock { $0 } == ["One", "Two", "One", "Two"])
    }

    @Test("Without a buffer, a broadcast cannot be gone back in")
    func withoutBuffer() throws {
        let all = try bytes("a.mp3", "-b:a", "128k")
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        let answer = ScriptedResponse.file(all, type: "audio/mpeg").withoutRanges().withoutLength().withoutHeader(
            "ETag"
        )
        server.route("/a", answer.header("icy-br", "128").cut(after: Int64(all.count), .hang))
        let rig = Rig()
        rig.streamer.network = quickNetwork
        rig.streamer.open(.url(try #require(URL(string: server.url("/a")))), andPlay: true)
        #expect(rig.crank { rig.streamer.currentTime ?? 0 > 5 })
        #expect(rig.streamer.liveDistance == nil)
        let error = #expect(throws: SyrinxError.self) { try rig.streamer.seek(to: 2) }
        #expect(error?.code == .notSeekable)
        #expect(throws: SyrinxError.self) { try rig.streamer.goLive() }
    }

    @Test("The index finds the frame of a time among those that are held")
    func index() {
        var index = BroadcastIndex()
        index.skip(100)
        for _ in 0..<1_000 { index.append(StreamSplitter.Unit(bytes: [UInt8](repeating: 0, count: 10), duration: 0.1)) }
        #expect(abs(index.seconds - 100) < 1e-6)
        let mark = index.mark(at: 50)
        #expect(
            mark.map { $0.seconds <= 50 && $0.seconds > 49 && $0.offset == 100 + Int64(($0.seconds * 100).rounded()) }
                == true
        )
        #expect(index.mark(at: 0)?.offset == 100 && index.mark(at: 1e9)?.seconds ?? 0 > 99)
        #expect(index.mark(at: 3, from: 5_100)?.offset ?? 0 >= 5_100, "earlier frames are not held")
        #expect(index.mark(at: 3, from: 50_000) == nil)
    }
}
