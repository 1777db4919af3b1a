import Foundation
import SyrinxTestSupport
import Testing

@testable import AVFoundation

/// Players of media on a server.
@Suite struct PlayerNetworkTests {
    private let files: PlayerFiles
    private let server: ScriptedHTTPServer

    init() throws {
        files = try PlayerFiles()
        server = try ScriptedHTTPServer()
    }

    private func url(_ path: String) throws -> URL { try #require(URL(string: server.url(path))) }

    private func bytes(seconds: Double) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: files.sine(seconds: seconds)))
    }

    @Test("Playback resumes by itself after a stall")
    func aStallWaitsAndGoesOnByItself() async throws {
        let bytes = try bytes(seconds: 6)
        // The first answer stops after two seconds of sound, and the server is busy for a moment; then it gives the rest.
        let whole = ScriptedResponse.file(bytes, type: "audio/wav")
        server.route("/a.wav", whole.cut(after: 705_600, .close), .status(503), whole)
        let item = AVPlayerItem(url: try url("/a.wav"))
        let rig = PlayerRig([item])
        let list = NotificationList(of: item, ["log": .AVPlayerItemNewErrorLogEntry])
        rig.player.play()
        #expect(rig.crank { rig.player.rate == 0 })
        #expect(list.events.all.contains("log"))
        // All of the sine, and silence wherever data was missing.
        #expect(abs(rig.output.count { $0 != 0 } - 6 * 44_100) < 6_000)
        #expect(item.errorLog()?.events.isEmpty == false)
        let access = try #require(item.accessLog()?.events.first)
        #expect(access.uri == server.url("/a.wav"))
        #expect(access.numberOfBytesTransferred >= Int64(bytes.count))
    }

    @Test("A stall pauses only a player that does not wait", arguments: [true, false])
    func aStallPausesOnlyAPlayerThatDoesNotWait(_ waits: Bool) async throws {
        let bytes = try bytes(seconds: 6)
        server.route("/a.wav", .file(bytes, type: "audio/wav").cut(after: 1_058_400, .hang))
        let item = AVPlayerItem(url: try url("/a.wav"))
        let rig = PlayerRig([item])
        let stalled = NotificationList(of: item, ["stalled": .AVPlayerItemPlaybackStalled])
        rig.player.automaticallyWaitsToMinimizeStalling = waits
        rig.player.play()
        #expect(rig.crank { stalled.events.count(of: "stalled") == 1 })
        #expect(rig.player.rate == (waits ? 1 : 0))
        #expect(rig.player.timeControlStatus == (waits ? .waitingToPlayAtSpecifiedRate : .paused))
        #expect(rig.player.reasonForWaitingToPlay == (waits ? .toMinimizeStalls : nil))
        #expect(item.isPlaybackBufferEmpty)
        #expect(!item.isPlaybackLikelyToKeepUp)
        #expect(item.accessLog()?.events.first?.numberOfStalls == 1)
    }

    @Test("Loaded time ranges are reported")
    func rangesThatHaveArrivedAreReported() async throws {
        let bytes = try bytes(seconds: 6)
        server.route("/a.wav", .file(bytes, type: "audio/wav").cut(after: 1_058_400, .hang))
        let item = AVPlayerItem(url: try url("/a.wav"))
        let rig = PlayerRig([item])
        #expect(rig.crank { item.loadedTimeRanges.first.map { $0.timeRangeValue.end.seconds > 2.9 } ?? false })
        let range = try #require(item.loadedTimeRanges.first?.timeRangeValue)
        #expect(range.start == .zero)
        #expect(abs(range.end.seconds - 3) < 0.1)
        #expect(item.seekableTimeRanges.first?.timeRangeValue.duration.seconds == 6)
        #expect(!item.isPlaybackBufferFull)
    }

    @Test("Headers of the asset are sent")
    func headersOfTheAssetAreSent() async throws {
        server.route("/a.wav", .file(try bytes(seconds: 0.3), type: "audio/wav"))
        let asset = AVURLAsset(
            url: try url("/a.wav"),
            options: [
                "AVURLAssetHTTPHeaderFieldsKey": ["X-Token": "abc"], AVURLAssetHTTPUserAgentKey: "Player/1",
            ]
        )
        let rig = PlayerRig([AVPlayerItem(asset: asset)])
        #expect(rig.crank { rig.player.currentItem?.status == .readyToPlay })
        let request = try #require(server.requests.first)
        #expect(request.headers["x-token"] == "abc")
        #expect(request.headers["user-agent"] == "Player/1")
    }

    @Test("A missing resource fails with an error code")
    func aServerThatHasNothingIsAFailureWithACode() async throws {
        server.route("/a.wav", .status(404))
        let item = AVPlayerItem(url: try url("/a.wav"))
        let rig = PlayerRig([item])
        let failed = NotificationList(of: item, ["failed": .AVPlayerItemFailedToPlayToEndTime])
        rig.player.play()
        #expect(rig.crank { item.status == .failed })
        let error = try #require(item.error as? AVError)
        #expect(error.reason.rawValue == "http.404")
        #expect(error.code == .contentIsUnavailable)
        await drainMainQueue()
        #expect(failed.events.all.isEmpty)
    }

    @Test("An HTTP Live Streaming presentation plays")
    func aPresentationOfHTTPLiveStreamingIsPlayed() async throws {
        let scratch = try ScratchDirectory()
        let arguments = ["-c:a", "aac", "-f", "hls", "-hls_time", "1", "-hls_list_size", "0", scratch.file("a.m3u8")]
        try FFmpeg.run(["-i", files.sine(seconds: 3).path] + arguments)
        for name in try FileManager.default.contentsOfDirectory(atPath: scratch.path) {
            let bytes = try [UInt8](Data(contentsOf: scratch.url(name)))
            let type = name.hasSuffix("m3u8") ? "application/vnd.apple.mpegurl" : "video/mp2t"
            server.route("/\(name)", .file(bytes, type: type))
        }
        let item = AVPlayerItem(url: try url("/a.m3u8"))
        let rig = PlayerRig([item], waits: true)
        rig.player.play()
        #expect(rig.crank { rig.player.rate == 0 })
        #expect(item.error == nil)
        #expect(abs(item.duration.seconds - 3) < 0.1)
        #expect(abs(try await item.asset.load(.duration).seconds - 3) < 0.1)
        #expect(abs(rig.sound.count - 3 * 44_100) < 4_410)
        #expect(abs(cents(from: 441, to: toneFrequency(rig.sound, sampleRate: 44_100))) < 1)
    }

    @Test("Titles of a broadcast are timed metadata")
    func titlesOfABroadcastAreMetadata() async throws {
        let bytes = try bytes(seconds: 4)
        let titles = ["StreamTitle='First';", "", "StreamTitle='Second';"].map { [UInt8]($0.utf8) }
        server.route(
            "/radio",
            .file(woven(bytes, every: 200_000, titles), type: "audio/wav").withoutRanges().withoutLength()
                .withoutHeader("ETag").header("icy-metaint", "200000").header("icy-name", "Radio")
        )
        let item = AVPlayerItem(url: try url("/radio"))
        let output = AVPlayerItemMetadataOutput()
        let listener = MetadataListener()
        output.setDelegate(listener, queue: nil)
        item.add(output)
        let rig = PlayerRig([item])
        rig.player.play()
        #expect(rig.crank { listener.events.all.count >= 2 })
        #expect(Array(listener.events.all.suffix(2)) == ["First", "Second"])
        let title = try #require(item.timedMetadata?.first)
        #expect(title.identifier == .icyMetadataStreamTitle)
        #expect(title.stringValue == "Second")
        #expect(item.duration.isIndefinite)
    }
}

private final class MetadataListener: AVPlayerItemMetadataOutputPushDelegate {
    let events = EventList()

    func metadataOutput(
        _ output: AVPlayerItemMetadataOutput,
        didOutputTimedMetadataGroups groups: [AVTimedMetadataGroup],
        from track: AVPlayerItemTrack?
    ) {
        for item in groups.flatMap(\.items) where item.commonKey == .commonKeyTitle {
            events.add(item.stringValue ?? "")
        }
    }
}
