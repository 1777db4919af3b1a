import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

@Suite("HLS live")
struct HLSLiveTests {
    /// Segments of half a second, and their samples.
    private func presentation(
        in scratch: ScratchDirectory,
        _ kind: HLSFixtures.Kind = .transport,
        seconds: Double = 8
    ) throws -> (folder: String, samples: [Float]) {
        let folder = try HLSFixtures.make(
            kind,
            in: scratch,
            source: HLSFixtures.chirp(seconds: seconds),
            segmentSeconds: 0.5
        )
        return (folder, try HLSReading(path: folder + "/index.m3u8").read())
    }

    /// The place of `piece` in `whole`.
    private func place(of piece: [Float], in whole: [Float]) -> Int? {
        let head = Array(piece[5000..<5400])
        let last = whole.count - head.count - 5000
        return (0..<max(last, 0)).first { start in
            abs(whole[start + 5000] - head[0]) < 1e-3
                && head.indices.allSatisfy { abs(whole[start + 5000 + $0] - head[$0]) < 1e-3 }
        }
    }

    @Test(
        "A moving window is played without a gap to its end",
        arguments: [HLSFixtures.Kind.transport, .fragmented, .packedAAC]
    )
    func movingWindow(kind: HLSFixtures.Kind) throws {
        let scratch = try ScratchDirectory()
        let (folder, whole) = try presentation(in: scratch, kind)
        let live = try HLSLiveServer(folder, window: 10, pace: 0.25, first: 6)
        defer { live.stop() }
        let reading = try HLSReading(live.url)
        #expect(reading.reader.info.duration == nil && reading.reader.info.isSeekable && reading.stream.isLive)
        // It starts three target durations before the end, which in a short window is its beginning.
        #expect(reading.reader.position == 0)
        let samples = try reading.read()
        let start = try #require(place(of: samples, in: whole))
        #expect(samples.count == whole.count - start)
        // The first packet lacks the one before it.
        #expect(largestDifference(samples[2048...], whole[(start + 2048)...]) < 1e-4)
        #expect(!reading.stream.isLive && reading.reader.isAtEnd)
        let requests = live.server.requests.filter { !$0.path.hasSuffix("m3u8") }.map(\.path)
        #expect(Set(requests).count == requests.count)
    }

    @Test("A reader that was left behind goes on where the window is, and its time goes on too")
    func expired() throws {
        let scratch = try ScratchDirectory()
        let (folder, whole) = try presentation(in: scratch)
        let live = try HLSLiveServer(folder, window: 4, pace: 1_000, first: 4)
        defer { live.stop() }
        let server = live.server
        server.route("/live.m3u8") { _, index in
            // One step leaves the window behind, and the others do not.
            .file(Array(live.text(end: [4, 12, 15, 100][min(index, 3)]).utf8), type: "audio/mpegurl")
        }
        let reading = try HLSReading(live.url)
        let samples = try reading.read()
        #expect(largestDifference(samples[..<80_000], whole) < 1e-4)
        #expect(reading.reader.position == Int64(samples.count))
        // The last segments are there, and those between are not.
        #expect(largestDifference(samples.suffix(60_000), whole.suffix(60_000)) < 1e-4)
        #expect(samples.count < whole.count - 60_000)
        let missing = reading.reader.takeMissing()
        let length = Double(whole.count - samples.count) / 44_100
        #expect(missing.map(\.error.code.rawValue) == ["media.incomplete"])
        #expect(abs((missing.first?.duration ?? 0) - length) < 0.3, "\(missing), \(length) s")
        let paths = Set(server.requests.map(\.path))
        #expect(!paths.contains("/index5.ts") && paths.contains("/index3.ts"))
    }

    @Test("A segment that is gone is passed over, and a playlist that stands still is waited for")
    func missingSegment() throws {
        let scratch = try ScratchDirectory()
        let (folder, whole) = try presentation(in: scratch)
        let live = try HLSLiveServer(folder, window: 20, pace: 0.1, first: 4)
        defer { live.stop() }
        live.server.route("/index2.ts", .status(404))
        live.server.route("/live.m3u8") { _, index in
            .file(Array(live.text(end: index < 3 ? 4 : 100).utf8), type: "audio/mpegurl")
        }
        let reading = try HLSReading(live.url)
        let samples = try reading.read()
        #expect(largestDifference(samples.suffix(200_000), whole.suffix(200_000)) < 1e-4)
        let missing = whole.count - samples.count
        #expect(abs(missing - 22_050) < 1_500, "\(missing)")
        let parts = reading.reader.takeMissing()
        #expect(parts.map(\.error.name) == [live.server.url("/index2.ts")])
        #expect(abs((parts.first?.time ?? 0) - 1) < 0.1 && abs((parts.first?.duration ?? 0) - 0.5) < 0.1, "\(parts)")
        #expect(live.server.requests("/live.m3u8").count >= 4)
    }

    @Test("A seek goes anywhere in the window, and no further")
    func seeking() throws {
        let scratch = try ScratchDirectory()
        let (folder, whole) = try presentation(in: scratch)
        let live = try HLSLiveServer(
            folder,
            window: 100,
            pace: 1_000,
            first: 14,
            header: "#EXT-X-PLAYLIST-TYPE:EVENT\n"
        )
        defer { live.stop() }
        let reading = try HLSReading(live.url)
        let range = try #require(reading.stream.seekableRange)
        #expect(range.lowerBound == 0 && range.upperBound > 2)
        let start = Int(reading.reader.position)
        #expect(start > 80_000)
        #expect(largestDifference(try reading.read(20_000)[2048...], whole[(start + 2048)...]) < 1e-4)
        try reading.reader.seek(toFrame: 50_000)
        #expect(reading.reader.position == 50_000)
        #expect(largestDifference(try reading.read(100_000), whole[50_000...]) < 2e-3)
        try reading.reader.seek(toFrame: 10_000_000)
        let edge = Int(reading.reader.position)
        #expect(abs(Double(edge) / 44_100 - range.upperBound) < 0.1)
        #expect(largestDifference(try reading.read(20_000), whole[edge...]) < 2e-3)
    }

    @Test("A server that holds requests back is asked for what comes next")
    func blockingReload() throws {
        let scratch = try ScratchDirectory()
        let (folder, whole) = try presentation(in: scratch, seconds: 4)
        let live = try HLSLiveServer(folder, window: 20, pace: 1_000, first: 4)
        defer { live.stop() }
        let server = live.server
        let control = "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1\n#EXT-X-MEDIA-SEQUENCE"
        let answer: @Sendable (Int) -> ScriptedResponse = { end in
            let text = live.text(end: end).replacingOccurrences(of: "#EXT-X-MEDIA-SEQUENCE", with: control)
            return .file(Array(text.utf8), type: "audio/mpegurl")
        }
        server.route("/live.m3u8") { request, _ in
            guard let next = request.path.components(separatedBy: "_HLS_msn=").dropFirst().first.flatMap({ Int($0) })
            else {
                return answer(4)
            }
            return answer(next + 1).delayed(seconds: 0.05)
        }
        let samples = try HLSReading(live.url).read()
        #expect(largestDifference(samples.suffix(60_000), whole.suffix(60_000)) < 1e-4)
        #expect(server.requests.contains { $0.path == "/live.m3u8?_HLS_msn=4" })
    }

    @Test("A live presentation without news ends with a time-out")
    func stalled() throws {
        let scratch = try ScratchDirectory()
        let (folder, _) = try presentation(in: scratch, seconds: 3)
        let live = try HLSLiveServer(folder, window: 20, pace: 1_000, first: 4)
        defer { live.stop() }
        var network = quickNetwork
        network.maximumOutage = 1.5
        let reading = try HLSReading(live.url, network: network)
        #expect(throws: (any Error).self) { _ = try reading.read() }
        #expect(reading.reader.position > 80_000)
    }

    @Test("An interrupted wait for segments ends at once, and a cancelled one too")
    func interruption() throws {
        let scratch = try ScratchDirectory()
        let (folder, whole) = try presentation(in: scratch, seconds: 6)
        let live = try HLSLiveServer(folder, window: 20, pace: 1_000, first: 10)
        defer { live.stop() }
        let reading = try HLSReading(live.url)
        let stream = reading.stream
        Thread.detachNewThread {
            _ = waitUntil { live.server.requests("/live.m3u8").count > 1 }
            stream.setInterrupted(true)
        }
        #expect(throws: (any Error).self) { _ = try reading.read() }
        stream.setInterrupted(false)
        try reading.reader.seek(toFrame: 10_000)
        #expect(largestDifference(try reading.read(5_000), whole[10_000...]) < 2e-3)
        let asked = live.server.requests("/live.m3u8").count
        Thread.detachNewThread {
            _ = waitUntil { live.server.requests("/live.m3u8").count > asked }
            stream.cancel()
        }
        #expect(throws: (any Error).self) { _ = try reading.read() }
        #expect(live.server.waitUntilAllClosed())
    }
}
