import Foundation
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// The start of a live stream: a frame that has begun, a file that is being relayed, a future that has not been sent.
@Suite("Joining a broadcast") struct BroadcastStartTests {
    private static let frequency = 700.0

    private func tone(_ name: String, _ scratch: ScratchDirectory, seconds: Double, _ options: String...) throws
        -> [UInt8]
    {
        let source = "sine=\(Self.frequency):r=44100:d=\(seconds)"
        try FFmpeg.make(scratch.file(name), from: source, ["-ac", "2"] + options)
        return try Inputs.bytes(scratch.file(name))
    }

    /// Tunes in to a station that has sent `bytes`, and sends no more.
    private func tunedIn(_ bytes: [UInt8], type: String) throws -> (Rig, ScriptedHTTPServer) {
        let server = try ScriptedHTTPServer()
        let answer = ScriptedResponse.file(bytes, type: type).withoutRanges().withoutLength().withoutHeader("ETag")
        server.route("/a", answer.header("icy-br", "128").cut(after: Int64(bytes.count), .hang))
        let rig = Rig()
        rig.streamer.network = quickNetwork
        rig.streamer.open(.url(try #require(URL(string: server.url("/a")))), andPlay: true)
        return (rig, server)
    }

    /// Plays a broadcast of which so many seconds have come.
    private func playing(seconds: Double) throws -> (Rig, ScriptedHTTPServer) {
        let bytes = try tone("a.mp3", try ScratchDirectory(), seconds: seconds, "-b:a", "128k")
        let (rig, server) = try tunedIn(bytes, type: "audio/mpeg")
        #expect(rig.crank { rig.streamer.status == .playing })
        let count = { rig.streamer.withController { $0.tracks.current.pump?.networkStream?.receivedByteCount ?? 0 } }
        #expect(waitUntil { count() >= bytes.count })
        return (rig, server)
    }

    private func isHeard(_ rig: Rig) -> Bool {
        let last = Array(rig.output.suffix(4096))
        return last.count == 4096 && last.contains { abs($0) > 0.02 }
            && abs(toneFrequency(last, sampleRate: 44_100) - Self.frequency) < 5
    }

    /// A station sends from wherever it is, and at once little more than what is heard in two or three seconds.
    @Test(
        "A frame that began before the join is skipped",
        arguments: [
            ("a.mp3", "audio/mpeg", "128k", 32_768), ("a.mp3", "audio/mpeg", "320k", 65_536),
            ("a.mp3", "application/octet-stream", "64k", 16_384), ("a.aac", "audio/aac", "96k", 24_576),
        ]
    )
    func aFrameThatHasBegunIsPassed(name: String, type: String, rate: String, count: Int) throws {
        let scratch = try ScratchDirectory()
        let bytes = try tone(name, scratch, seconds: 10, "-b:a", rate)
        let middle = bytes.count / 2 + 101
        let (rig, server) = try tunedIn(Array(bytes[middle..<middle + count]), type: type)
        #expect(rig.crank { isHeard(rig) }, "\(rig.streamer.status)")
        #expect(server.requests.count == 1)
    }

    /// The first frame of a file may tell its length; what comes is as long as it is sent.
    @Test("A file relayed by a station has no end")
    func aFileThatIsRelayedHasNoEnd() throws {
        let scratch = try ScratchDirectory()
        let short = try tone("short.mp3", scratch, seconds: 3)
        let long = try tone("long.mp3", scratch, seconds: 9, "-write_xing", "0", "-id3v2_version", "0")
        let (rig, server) = try tunedIn(short + long, type: "audio/mpeg")
        defer { server.stop() }
        #expect(rig.crank { rig.streamer.currentTime ?? 0 > 8 }, "\(rig.streamer.currentTime ?? 0)")
        let info = try #require(rig.streamer.info)
        #expect(info.duration == nil && info.frameCount == nil)
        #expect(rig.streamer.duration == nil)
    }

    /// It would have to be waited for in silence; what has come and has not been heard can be gone to.
    @Test("A seek does not go beyond what has been sent")
    func whatHasNotBeenSentIsNotGoneTo() throws {
        let (rig, server) = try playing(seconds: 20)
        defer { server.stop() }
        let error = #expect(throws: SyrinxError.self) { try rig.streamer.seek(to: 600) }
        #expect(error?.code == .notSeekable && error?.message == "This is live: there is nothing ahead to skip to.")
        #expect(rig.streamer.status == .playing)
        try rig.streamer.seek(to: 12)
        #expect(rig.crank { rig.streamer.status == .playing && rig.streamer.currentTime ?? 0 > 12 })
        rig.output = []
        #expect(rig.crank { isHeard(rig) })
    }

    /// The first was not carried out yet when the second came: what lay before it does not lie before that once more.
    @Test("A second seek in a broadcast counts from the decoded position")
    func aSecondSeekIsMeasuredFromWhereDecodingIs() throws {
        let (rig, server) = try playing(seconds: 20)
        defer { server.stop() }
        rig.streamer.withController { controller in
            #expect(throws: Never.self) { try rig.streamer.seek(to: 18) }
            #expect { try rig.streamer.seek(to: 30) } throws: { ($0 as? SyrinxError)?.code == .notSeekable }
        }
        // Most of it has been passed over by now, and does not wait any more.
        #expect(
            waitUntil {
                rig.streamer.withController { $0.tracks.current.pump?.broadcastBytes?.unread ?? .max } < 64_000
            }
        )
        #expect(throws: Never.self) { try rig.streamer.seek(to: 18.5) }
        #expect(rig.crank { rig.streamer.status == .playing && rig.streamer.currentTime ?? 0 > 18.5 })
    }

    enum Before: CaseIterable { case startTime, seek }

    /// Sound that the station has yet to send would be awaited in silence.
    @Test("A broadcast starts at its present, whatever start was asked for", arguments: Before.allCases)
    func aBroadcastBeginsWhereItIs(_ before: Before) async throws {
        let scratch = try ScratchDirectory()
        let bytes = try tone("a.mp3", scratch, seconds: 5, "-b:a", "128k")
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        let blocks = [Array("StreamTitle='One';".utf8), [], Array("StreamTitle='Two';".utf8)]
        let head = "HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\nicy-name: A\r\nicy-metaint: 8192\r\n\r\n"
        let answer = ScriptedResponse.raw(head, woven(bytes, every: 8_192, blocks))
        server.route("/a", answer.delayed(seconds: 0.3).cut(after: 0, .hang))
        let rig = Rig()
        let events = rig.streamer.events
        if before == .startTime { rig.streamer.startTime = 600 }
        rig.streamer.open(.url(try #require(URL(string: server.url("/a")))), andPlay: true)
        if before == .seek { try rig.streamer.seek(to: 600) }
        #expect(rig.crank { isHeard(rig) })
        let isTold = { rig.streamer.withController { $0.progress.metadata.titles.isEmpty } }
        #expect(rig.crank { rig.streamer.currentTime ?? 0 > 2 && isTold() })
        #expect(rig.streamer.status == .playing && (0...5).contains(rig.streamer.currentTime ?? -1))
        rig.streamer.stop()
        var warnings: [SyrinxError.Code] = []
        var titles: [String] = []
        for await event in events {
            if case .warning(let error) = event { warnings.append(error.code) }
            if case .metadata(let tags) = event, let title = tags["title"] { titles.append(title) }
            if case .status(.stopped, _) = event { break }
        }
        #expect(warnings == [.notSeekable])
        #expect(titles == ["One", "Two"])
    }
}
