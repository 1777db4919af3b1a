import Foundation
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// Going over from one rendition to another.
@Suite("HLS renditions")
struct HLSSwitchTests {
    private func master(_ variants: [(rate: Int, path: String)]) -> String {
        variants.reduce("#EXTM3U\n") {
            $0 + "#EXT-X-STREAM-INF:BANDWIDTH=\($1.rate),CODECS=\"mp4a.40.2\"\n\($1.path)\n"
        }
    }

    /// The part of samples that is not the tone, largest over 5 ms each, in decibels below it.
    private func noise(_ samples: [Float], frequency: Double, sampleRate: Double) -> [Double] {
        let size = Int(sampleRate * 0.005)
        return largestToneResiduals(samples, frequency: frequency, sampleRate: sampleRate, blockSize: size)
            .map { 20 * log10(max(Double($0), 1e-9)) }
    }

    /// The levels of blocks, each of whole periods of the tone, in decibels.
    private func levels(_ samples: [Float], blockSize: Int) -> [Double] {
        stride(from: 0, to: samples.count - blockSize, by: blockSize).map { start in
            10
                * log10(
                    samples[start..<start + blockSize].reduce(0) { $0 + Double($1) * Double($1) } / Double(blockSize)
                )
        }
    }

    @Test(
        "A switch makes no gap, no repeat and no click: the noise at it is that of the codec elsewhere",
        arguments: [HLSFixtures.Kind.transport, .fragmented, .packedAAC, .transportMP3],
        [true, false]
    )
    func switching(kind: HLSFixtures.Kind, goesUp: Bool) throws {
        let scratch = try ScratchDirectory()
        let source = HLSFixtures.sine(seconds: 24, frequency: 1000)
        let low = try HLSFixtures.make(kind, in: scratch, named: "low", source: source, bitRate: "64k")
        let high = try HLSFixtures.make(kind, in: scratch, named: "high", source: source, bitRate: "160k")
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        // The line is slow for the first rendition where the second is to be lower.
        try HLSFixtures.serve(low, on: server, under: "/low")
        try HLSFixtures.serve(high, on: server, under: "/high")
        if !goesUp {
            for name in try FileManager.default.contentsOfDirectory(atPath: high) where !name.hasSuffix("m3u8") {
                server.route("/high/\(name)", .file(try HLSFixtures.file(high, name)).paced(bytesPerSecond: 25_000))
            }
        }
        let rates = goesUp ? (low: 70_000, high: 300_000) : (low: 70_000, high: 250_000)
        let list = master([(rates.low, "low/index.m3u8"), (rates.high, "high/index.m3u8")])
        server.route("/master.m3u8", .file(Array(list.utf8), type: "application/vnd.apple.mpegurl"))
        let reading = try HLSReading(server.url("/master.m3u8"))
        var samples = try reading.read(4096)
        // What is fetched ahead shows that the line is fast.
        if goesUp { #expect(server.wait { $0.contains { $0.path.hasPrefix("/high") && !$0.path.hasSuffix("m3u8") } }) }
        samples += try reading.read()
        let paths = server.requests.map(\.path).filter { !$0.hasSuffix("m3u8") && !$0.hasSuffix("mp4") }
        #expect(paths.contains { $0.hasPrefix("/low") } && paths.contains { $0.hasPrefix("/high") }, "\(paths)")
        #expect(paths.first?.hasPrefix(goesUp ? "/low" : "/high") == true)
        // As long as one of them alone.
        let alone = try HLSReading(path: low + "/index.m3u8").read()
        #expect(abs(samples.count - alone.count) <= 1_152)
        let body = Array(samples[8_000..<(samples.count - 8_000)])
        let found = noise(body, frequency: 1000, sampleRate: 44_100)
        let usual = noise(Array(alone[8_000..<(alone.count - 8_000)]), frequency: 1000, sampleRate: 44_100)
        let worst = found.max() ?? 0
        let own = usual.max() ?? 0
        #expect(worst < max(own + 3, -60), "\(worst) dB, alone \(own) dB")
        // Both carry the same sound, which keeps its level while one is faded into the other.
        let decibels = levels(body, blockSize: 441)
        let (lowest, highest) = (decibels.min() ?? 0, decibels.max() ?? 0)
        // The codec moves it by up to 0.6 dB; a fade of equal power would raise it by 3 dB.
        #expect(highest - lowest < 1, "\(highest - lowest) dB")
        #expect(reading.reader.takeMissing().isEmpty)
    }

    @Test("Alternative sound is played in place of variants with pictures")
    func alternatives() throws {
        let scratch = try ScratchDirectory()
        let sound = try HLSFixtures.make(.fragmented, in: scratch, named: "sound")
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        try HLSFixtures.serve(sound, on: server, under: "/sound")
        let text = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="x",DEFAULT=YES,URI="sound/index.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS="avc1.4d401f,mp4a.40.2",RESOLUTION=640x360,AUDIO="a"
            video/index.m3u8
            """
        server.route("/master.m3u8", .file(Array(text.utf8)))
        let samples = try HLSReading(server.url("/master.m3u8")).read()
        #expect(samples == (try HLSReading(path: sound + "/index.m3u8").read()))
        #expect(!server.requests.contains { $0.path.hasPrefix("/video") })
    }

    @Test("The sound of segments with pictures is played", arguments: ["mpegts", "fmp4"])
    func pictures(kind: String) throws {
        let scratch = try ScratchDirectory()
        let folder = scratch.file("film")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FFmpeg.run(
            HLSFixtures.chirp(seconds: 6) + ["-f", "lavfi", "-i", "testsrc=d=6:s=640x360:r=25"]
                + ["-c:a", "aac", "-c:v", "libx264", "-g", "50", "-b:v", "2M", "-f", "hls", "-hls_time", "2"]
                + [
                    "-hls_segment_type", kind, "-hls_list_size", "0", "-hls_playlist_type", "vod",
                    folder + "/index.m3u8",
                ]
        )
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        try HLSFixtures.serve(folder, on: server)
        let samples = try HLSReading(server.url("/index.m3u8")).read()
        let expected = try HLSFixtures.decoded(folder)
        // The edit list cuts off what the encoder put before the sound, which ffmpeg's program leaves.
        let delay = expected.count - samples.count
        #expect(kind == "fmp4" ? 1024...1152 ~= delay : delay == 0)
        #expect(largestDifference(samples, expected[max(delay, 0)...]) < 1e-4)
    }

    @Test("A rendition whose segment is missing is replaced by another, without a gap")
    func failover() throws {
        let scratch = try ScratchDirectory()
        let source = HLSFixtures.sine(seconds: 12, frequency: 1000)
        let low = try HLSFixtures.make(.transport, in: scratch, named: "low", source: source, bitRate: "64k")
        let high = try HLSFixtures.make(.transport, in: scratch, named: "high", source: source, bitRate: "128k")
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        try HLSFixtures.serve(low, on: server, under: "/low")
        try HLSFixtures.serve(high, on: server, under: "/high")
        server.route("/high/index3.ts", .status(404))
        let list = master([(70_000, "low/index.m3u8"), (200_000, "high/index.m3u8")])
        server.route("/master.m3u8", .file(Array(list.utf8)))
        let reading = try HLSReading(server.url("/master.m3u8"))
        let samples = try reading.read()
        let alone = try HLSReading(path: low + "/index.m3u8").read()
        #expect(abs(samples.count - alone.count) <= 1024)
        #expect(server.requests("/low/index3.ts").count == 1)
        #expect(reading.reader.takeMissing().isEmpty)
        // The tone goes on in phase: the sample before and after the joint belong to one sine.
        let (real, imaginary) = (0..<44_100).reduce((0.0, 0.0)) { sum, index in
            let phase = 2 * Double.pi * 1000 * Double(index) / 44_100
            let difference = Double(samples[40_000 + index]) * cos(phase)
            return (sum.0 + difference, sum.1 + Double(samples[40_000 + index]) * sin(phase))
        }
        let amplitude = 2 * (real * real + imaginary * imaginary).squareRoot() / 44_100
        let phase = atan2(real, imaginary)
        let worst = (8_000..<(samples.count - 8_000)).reduce(0.0) { worst, index in
            let expected = amplitude * sin(2 * Double.pi * 1000 * Double(index - 40_000) / 44_100 + phase)
            return max(worst, abs(Double(samples[index]) - expected))
        }
        #expect(worst < amplitude * 0.5)
    }
}
