import Foundation
import SyrinxAnalysis
import SyrinxTestSupport
import Testing

@Suite("waveform: cache")
struct WaveformCacheTests {
    @Test("What was kept is used while the file is the same")
    func cache() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"))
        func run() throws -> Data {
            let result = try Syrinx.run(
                "waveform",
                "-o",
                scratch.file("a.dat"),
                "--cache",
                scratch.file("cache"),
                scratch.file("a.wav")
            )
            try #require(result.status == 0, "\(result.errors)")
            return try Data(contentsOf: scratch.url("a.dat"))
        }
        let first = try run()
        let kept = try #require(try FileManager.default.contentsOfDirectory(atPath: scratch.file("cache")).first)
        // Something else, kept for the same file, shows that it was not decoded again.
        let key = try #require(
            WaveformCache.Key(
                filePath: scratch.file("a.wav"),
                settings: "zoom 256, span 0.0 end, split false, padding false"
            )
        )
        let other = PeakWaveform(sampleRate: 44100, samplesPerPixel: 256, channelCount: 1, values: [-5, 5])
        try WaveformCache(directory: scratch.url("cache")).keep(other, for: key)
        #expect(try run() == other.datFile())
        try Data([1]).write(to: scratch.url("cache/\(kept)"))
        #expect(try run() == first)
    }

    @Test("What was made of a URL is used while the server names the same version; a picture's part is no whole")
    func webCache() throws {
        let scratch = try ScratchDirectory()
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        try Fixture.make(scratch.file("a.flac"), seconds: 20)
        try Fixture.make(scratch.file("b.flac"), seconds: 2)
        let first = [UInt8](try Data(contentsOf: scratch.url("a.flac")))
        let second = [UInt8](try Data(contentsOf: scratch.url("b.flac")))
        func run(_ path: String, _ name: String = "a.dat") throws -> Data {
            let options = ["--cache", scratch.file("cache"), "-o", scratch.file(name), server.url(path)]
            let result = try runProcess(Syrinx.path, ["waveform"] + options, environment: Syrinx.environment)
            try #require(result.status == 0, "\(result.errors)")
            return try Data(contentsOf: scratch.url(name))
        }
        server.route("/a", .file(first, type: "audio/flac").etag("\"one\""))
        _ = try run("/a", "a.png")
        let whole = try run("/a")
        #expect(try PeakWaveform(datFile: whole).count == (20 * 44_100 + 255) / 256)
        // The same tag and length with other bytes shows that they are not read again.
        server.route("/a", .file(first.map { _ in 0 }, type: "audio/flac").etag("\"one\""))
        #expect(try run("/a") == whole)
        server.route("/a", .file(second, type: "audio/flac").etag("\"two\""))
        #expect(try PeakWaveform(datFile: try run("/a")).count == (2 * 44_100 + 255) / 256)
        // Without tag and date there is no telling.
        server.route("/b", .file(first, type: "audio/flac").withoutHeader("ETag"))
        #expect(try run("/b") == whole)
        server.route("/b", .file(second, type: "audio/flac").withoutHeader("ETag"))
        #expect(try run("/b") != whole)
    }
}
