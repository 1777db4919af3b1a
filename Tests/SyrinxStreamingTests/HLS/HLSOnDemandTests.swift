import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

@Suite("HLS on demand")
struct HLSOnDemandTests {
    @Test("Every kind of segments gives the samples that ffmpeg decodes", arguments: HLSFixtures.Kind.allCases)
    func kinds(kind: HLSFixtures.Kind) throws {
        let scratch = try ScratchDirectory()
        let folder = try HLSFixtures.make(kind, in: scratch)
        let expected = try HLSFixtures.decoded(folder)
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        try HLSFixtures.serve(folder, on: server)
        for reading in [try HLSReading(server.url("/index.m3u8")), try HLSReading(path: folder + "/index.m3u8")] {
            let info = reading.reader.info
            #expect(info.container == "hls" && info.sampleRate == 44_100 && info.channelCount == 1 && info.isSeekable)
            let duration = try #require(info.duration)
            #expect(abs(duration - Double(expected.count) / 44_100) < 0.1)
            let samples = try reading.read()
            // Of fragments ffmpeg's program gives the padding at the end too.
            #expect(abs(samples.count - expected.count) <= (kind == .fragmented ? 1024 : 0))
            #expect(largestDifference(samples, expected) < 1e-4)
            #expect(reading.reader.info.frameCount == Int64(samples.count) && reading.reader.isAtEnd)
            #expect(reading.reader.corruptPacketCount == 0)
        }
        // One request for each resource.
        let paths = server.requests.map(\.path)
        #expect(Set(paths).count == paths.count, "\(paths)")
    }

    @Test("A seek lands on the frame that reading through gives", arguments: HLSFixtures.Kind.allCases)
    func seeks(kind: HLSFixtures.Kind) throws {
        let scratch = try ScratchDirectory()
        let folder = try HLSFixtures.make(kind, in: scratch)
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        try HLSFixtures.serve(folder, on: server)
        let all = try HLSReading(server.url("/index.m3u8")).read()
        let reading = try HLSReading(server.url("/index.m3u8"))
        // Within a segment, at and about the start of one, at the start and near the end.
        for frame in [200_000, 88_064, 88_100, 88_000, 177_000, 5, 0, 430_000, 90_000] {
            try reading.reader.seek(toFrame: Int64(frame))
            #expect(reading.reader.position == Int64(frame))
            let samples = try reading.read(6_000)
            #expect(samples.count == 6_000)
            #expect(largestDifference(samples, all[frame...]) < 2e-3, "\(frame)")
        }
        try reading.reader.seek(toFrame: 10_000_000)
        #expect(try reading.read().isEmpty && reading.reader.isAtEnd)
        try reading.reader.seek(toFrame: 100_000)
        #expect(largestDifference(try reading.read(6_000), all[100_000...]) < 2e-3)
    }

    @Test("Discontinuities follow on the next sample, with other clocks, rates and kinds")
    func discontinuities() throws {
        let scratch = try ScratchDirectory()
        let one = try HLSFixtures.make(.transport, in: scratch, named: "one", source: HLSFixtures.chirp(seconds: 4))
        let two = try HLSFixtures.make(.transport, in: scratch, named: "two", source: HLSFixtures.sine(seconds: 3))
        let three = try HLSFixtures.make(
            .fragmented,
            in: scratch,
            named: "three",
            source: ["-f", "lavfi", "-i", "sine=600:r=48000:d=4", "-ac", "2"]
        )
        var text = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:3\n"
        var counts: [Int] = []
        for (name, folder) in [("one", one), ("two", two), ("three", three), ("one", one)] {
            let lines = try HLSFixtures.text(folder).split(separator: "\n")
            text += counts.isEmpty ? "" : "#EXT-X-DISCONTINUITY\n"
            for line in lines where line.hasPrefix("#EXTINF") || line.hasPrefix("#EXT-X-MAP") || !line.hasPrefix("#") {
                let isName = !line.hasPrefix("#")
                text +=
                    (isName ? name + "/" : "") + line.replacingOccurrences(of: "URI=\"", with: "URI=\"\(name)/") + "\n"
            }
            counts.append(try HLSReading(path: folder + "/index.m3u8").read().count)
        }
        try (text + "#EXT-X-ENDLIST\n").write(toFile: scratch.file("index.m3u8"), atomically: true, encoding: .utf8)
        let reading = try HLSReading(path: scratch.file("index.m3u8"))
        let samples = try reading.read()
        try #require(samples.count > counts.reduce(0, +) - counts[2])
        let third = Int((Double(counts[2]) * 44_100 / 48_000).rounded())
        #expect(abs(samples.count - (counts[0] + counts[1] + third + counts[3])) <= 1)
        let first = try HLSReading(path: one + "/index.m3u8").read()
        let second = try HLSReading(path: two + "/index.m3u8").read()
        #expect(largestDifference(samples, first) == 0)
        #expect(largestDifference(samples[counts[0]...], second) == 0)
        #expect(largestDifference(samples[(samples.count - counts[3])...], first) == 0)
        // The one at another rate is a tone of 600 Hz all through.
        let tone = samples[(counts[0] + counts[1] + 3000)..<(counts[0] + counts[1] + third - 3000)]
        #expect(abs(frequency(of: Array(tone), sampleRate: 44_100) - 600) < 0.5)
        // After a seek the clocks are known.
        let place = counts[0] + counts[1] + third + 20_000
        try reading.reader.seek(toFrame: Int64(place))
        #expect(largestDifference(try reading.read(4_000), samples[place...]) < 2e-3)
        try reading.reader.seek(toFrame: 30_000)
        #expect(largestDifference(try reading.read(100_000), samples[30_000...]) < 2e-3)
    }

    /// The frequency of a tone, by its zero crossings.
    private func frequency(of samples: [Float], sampleRate: Double) -> Double {
        let crossings = samples.indices.dropFirst().filter { samples[$0 - 1] < 0 && samples[$0] >= 0 }
        guard let first = crossings.first, let last = crossings.last, crossings.count > 1 else { return 0 }
        return Double(crossings.count - 1) * sampleRate / Double(last - first)
    }

    @Test("Opening waits for the first packets of a segment only", arguments: HLSFixtures.Kind.allCases)
    func economy(kind: HLSFixtures.Kind) throws {
        let scratch = try ScratchDirectory()
        let folder = try HLSFixtures.make(kind, in: scratch, segmentSeconds: 5)
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        try HLSFixtures.serve(folder, on: server)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            guard !name.hasSuffix("m3u8"), name != "key", !name.hasPrefix("init") else { continue }
            // No more bytes come than this: a reader that needs more is cancelled in the end. AC-3 has twice the bit rate.
            let count: Int64 = kind == .packedAC3 ? 40_000 : 20_000
            server.route("/" + name, ScriptedResponse.file(try HLSFixtures.file(folder, name)).cut(after: count, .hang))
        }
        let reading = try HLSReading(server.url("/index.m3u8"))
        #expect(try reading.read(10_000).count == 10_000)
    }

    @Test("Segments in ranges of one resource are fetched in one request")
    func ranges() throws {
        let scratch = try ScratchDirectory()
        let folder = try HLSFixtures.make(.ranges, in: scratch)
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        try HLSFixtures.serve(folder, on: server)
        let samples = try HLSReading(server.url("/index.m3u8")).read()
        #expect(samples.count > 400_000)
        #expect(server.requests("/index.ts").count == 1)
    }

    @Test("Titles of segments and the dates of the playlist are tags when they are heard")
    func titles() throws {
        let scratch = try ScratchDirectory()
        let folder = try HLSFixtures.make(.transport, in: scratch)
        var index = 0
        var text = ""
        for line in try HLSFixtures.text(folder).split(separator: "\n") {
            if line.hasPrefix("#EXTINF") {
                if index == 0 { text += "#EXT-X-PROGRAM-DATE-TIME:2024-05-06T07:08:09.500Z\n" }
                text += line + (index == 1 ? "title=\"Zwei\",artist=\"Sie\"" : index == 3 ? "Vier" : "") + "\n"
                index += 1
            } else {
                text += line + "\n"
            }
        }
        try text.write(toFile: folder + "/index.m3u8", atomically: true, encoding: .utf8)
        let reading = try HLSReading(path: folder + "/index.m3u8")
        #expect(reading.reader.info.tags == ["date_time": "2024-05-06T07:08:09.500Z"])
        _ = try reading.read(80_000)
        #expect(reading.reader.tags["title"] == nil)
        _ = try reading.read(20_000)
        #expect(reading.reader.tags["title"] == "Zwei" && reading.reader.tags["artist"] == "Sie")
        _ = try reading.read(180_000)
        #expect(reading.reader.tags["title"] == "Vier" && reading.reader.tags["artist"] == nil)
    }

    @Test("A playlist of recordings that ends with .m3u8 is no presentation")
    func list() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("list.m3u8")
        try "#EXTM3U\n#EXTINF:3,Song\nsong.mp3\n".write(toFile: path, atomically: true, encoding: .utf8)
        let url = URL(fileURLWithPath: path)
        let input = StreamingInput.url(url)
        let stream = try input.makeByteStream()
        #expect(throws: (any Error).self) { _ = try input.open(stream) }
        #expect(try Playlist(reading: try input.makeByteStream(), from: url).entries.count == 1)
    }
}
