import Foundation
import SyrinxTestSupport
import Testing

@testable import AVFoundation

/// The pictures of presentations of HTTP Live Streaming.
@Suite struct PresentationPictureTests {
    private let scratch: ScratchDirectory
    private let server: ScriptedHTTPServer
    private static let playlistType = "application/vnd.apple.mpegurl"

    /// A way to arrange a presentation.
    enum Arrangement: String, CaseIterable, Sendable {
        case transport
        case fragmented
        /// Sound and pictures have segments of their own.
        case separate
        /// The second half has a clock of its own.
        case discontinuous

        /// Pictures by which one may be off from the number that its time has in the film.
        ///
        /// ffmpeg states pictures without sound two later, as they are decoded in another order than they are shown in. At a
        /// discontinuity the sound of the first half is up to two packets longer than its pictures.
        var tolerance: Int { self == .separate || self == .discontinuous ? 2 : 1 }
    }

    init() throws {
        scratch = try ScratchDirectory()
        server = try ScriptedHTTPServer()
    }

    private func segments(_ name: String, _ input: [String], _ options: [String] = [], kind: String = "mpegts") throws {
        let folder = scratch.file(name)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let codec = [
            "-c:v", "libx264", "-bf", "2", "-g", "25", "-sc_threshold", "0", "-crf", "8", "-pix_fmt", "yuv420p",
        ]
        let list = ["-f", "hls", "-hls_time", "2", "-hls_list_size", "0", "-hls_playlist_type", "vod"]
        try FFmpeg.run(
            input + codec + ["-c:a", "aac"] + options + list
                + ["-hls_segment_type", kind, folder + "/index.m3u8"]
        )
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder + "/" + file)))
            let type = file.hasSuffix("m3u8") ? Self.playlistType : "video/mp2t"
            server.route("/\(name)/\(file)", .file(bytes, type: type))
        }
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: scratch.file(name) + "/index.m3u8", encoding: .utf8)
    }

    private func serve(_ text: String, at path: String) {
        server.route(path, .file(Array(text.utf8), type: Self.playlistType))
    }

    /// Serves eight seconds of numbered pictures with a tone, and returns the address.
    private func serve(_ arrangement: Arrangement) throws -> URL {
        let film = scratch.file("film.mkv")
        let encoding = ["-c:v", "ffv1", "-c:a", "flac", "-pix_fmt", "yuv420p"]
        let pictures = NumberedPictures.source(seconds: 8)
        try FFmpeg.run(
            ["-f", "lavfi", "-i", pictures, "-f", "lavfi", "-i", "sine=441:r=44100:d=8"] + encoding + [film]
        )
        var path = "/a/index.m3u8"
        switch arrangement {
        case .transport: try segments("a", ["-i", film])
        case .fragmented: try segments("a", ["-i", film], kind: "fmp4")
        case .separate:
            try segments("pictures", ["-i", film], ["-an"])
            try segments("sound", ["-i", film], ["-vn"])
            serve(
                """
                #EXTM3U
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="x",DEFAULT=YES,AUTOSELECT=YES,URI="sound/index.m3u8"
                #EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS="avc1.4d401f,mp4a.40.2",RESOLUTION=64x48,AUDIO="a"
                pictures/index.m3u8
                """,
                at: "/film.m3u8"
            )
            path = "/film.m3u8"
        case .discontinuous:
            try segments("a", ["-t", "4", "-i", film])
            try segments("b", ["-ss", "4", "-i", film])
            let lines = { (name: String) in
                try self.text(name).split(separator: "\n").filter { !$0.contains("ENDLIST") }
            }
            let first = try lines("a").map { $0.hasPrefix("#") ? String($0) : "a/\($0)" }
            let second = try lines("b").drop { !$0.hasPrefix("#EXTINF") }.map {
                $0.hasPrefix("#") ? String($0) : "b/\($0)"
            }
            serve(
                (first + ["#EXT-X-DISCONTINUITY"] + second + ["#EXT-X-ENDLIST"]).joined(separator: "\n"),
                at: "/film.m3u8"
            )
            path = "/film.m3u8"
        }
        return try #require(URL(string: server.url(path)))
    }

    /// Seeks without waiting for the sound.
    private func seek(_ player: AVPlayer, to time: CMTime) { player.seek(to: time) }

    /// Whether the output comes to give, for a time, the picture that belongs there, or one near it.
    private func shows(
        _ output: AVPlayerItemVideoOutput,
        _ arrangement: Arrangement,
        at time: CMTime
    ) -> Bool {
        let right = min(Int((time.seconds * 25).rounded(.down)), 199)
        var found = -1
        let isShown = waitUntil(timeout: 10) {
            found = output.copyPixelBuffer(forItemTime: time, itemTimeForDisplay: nil)?.number ?? -1
            return abs(found - right) <= arrangement.tolerance
        }
        if !isShown { Issue.record("picture \(found) for \(right)") }
        return isShown
    }

    @Test("Frames follow the clock of the item across seeks", arguments: Arrangement.allCases)
    func picturesFollowTheItemsClockThroughSeeks(_ arrangement: Arrangement) async throws {
        let item = AVPlayerItem(url: try serve(arrangement))
        let output = AVPlayerItemVideoOutput(pixelBufferAttributes: bgraSettings)
        item.add(output)
        let rig = PlayerRig([item])
        rig.player.play()
        #expect(rig.crank { rig.player.timeControlStatus == .playing && item.currentTime().seconds > 0.2 })
        for _ in 0..<4 {
            rig.crank(seconds: 0.2)
            #expect(shows(output, arrangement, at: item.currentTime()))
        }
        // Over the joint in the middle.
        for seconds in [6.5, 3.5, 1.02, 7.9] {
            let time = CMTime(seconds: seconds, preferredTimescale: 1000)
            seek(rig.player, to: time)
            #expect(shows(output, arrangement, at: time))
            if seconds == 3.5 {
                #expect(rig.crank { rig.player.timeControlStatus == .playing && item.currentTime().seconds > 3.6 })
                for _ in 0..<5 {
                    rig.crank(seconds: 0.2)
                    #expect(shows(output, arrangement, at: item.currentTime()))
                }
            }
        }
        #expect(item.errorLog() == nil)
    }

    @Test("Still images show the frame of their time", arguments: Arrangement.allCases)
    func stillsAreThoseOfTheirTimes(_ arrangement: Arrangement) async throws {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: try serve(arrangement)))
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        for value in [100, 7, 199, 60, 61, 101, 99] {
            // The middle of a picture.
            let time = CMTime(value: CMTimeValue(2 * value + 1), timescale: 50)
            let (image, _) = try await generator.image(at: time)
            #expect(abs(image.number - value) <= arrangement.tolerance, "\(image.number) for \(value)")
        }
        // The first picture may be shown a little later than the first sample is heard.
        generator.requestedTimeToleranceAfter = CMTime(value: 1, timescale: 5)
        let (first, _) = try await generator.image(at: .zero)
        #expect(CVPixelBufferGetWidth(first) == 64)
    }

    @Test("Segments are downloaded once for both audio and video", arguments: [Arrangement.transport, .fragmented])
    func segmentsAreFetchedOnceForSoundAndPictures(_ arrangement: Arrangement) async throws {
        let item = AVPlayerItem(url: try serve(arrangement))
        let output = AVPlayerItemVideoOutput(pixelBufferAttributes: bgraSettings)
        item.add(output)
        let rig = PlayerRig([item])
        rig.player.play()
        #expect(rig.crank { rig.player.timeControlStatus == .playing })
        for _ in 0..<20 {
            rig.crank(seconds: 0.25)
            #expect(shows(output, arrangement, at: item.currentTime()))
        }
        let segments = server.requests.map(\.path).filter { $0.hasSuffix(".ts") || $0.hasSuffix(".m4s") }
        #expect(Set(segments).count >= 3)
        #expect(segments.count == Set(segments).count, "\(segments)")
    }

    @Test("Without a video output, no video is downloaded")
    func withoutAnOutputNoPictureIsFetchedAndOfSoundAloneThereIsNone() async throws {
        _ = try serve(.separate)
        let item = AVPlayerItem(url: try #require(URL(string: server.url("/film.m3u8"))))
        let rig = PlayerRig([item], waits: true)
        rig.player.play()
        #expect(rig.crank { item.currentTime().seconds > 3 })
        #expect(!server.requests.contains { $0.path.hasPrefix("/pictures") })
        let generator = AVAssetImageGenerator(
            asset: AVURLAsset(url: try #require(URL(string: server.url("/sound/index.m3u8"))))
        )
        await #expect(throws: AVError.self) { _ = try await generator.image(at: .zero) }
    }
}
