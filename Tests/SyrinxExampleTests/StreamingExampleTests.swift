import SyrinxAnalysis
import SyrinxStreaming
import SyrinxTestSupport
import Testing

@testable import syrinx_examples

@Suite("Examples of streaming and drawing")
struct StreamingExampleTests {
    private let directory: ScratchDirectory

    init() throws { directory = try ScratchDirectory() }

    /// A WAV file of `seconds` of a tone in mono.
    private func recording(seconds: Int) -> [UInt8] {
        let rate = 8_000
        let samples = sineWave(frequency: 400, sampleRate: Double(rate), frameCount: seconds * rate, amplitude: 0.5)
        let data = samples.flatMap { sample -> [UInt8] in
            let value = Int16(sample * 32_767)
            return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        }
        func little(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        var header = Array("RIFF".utf8) + little(36 + data.count, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
        header += little(1, 2) + little(1, 2) + little(rate, 4) + little(2 * rate, 4) + little(2, 2) + little(16, 2)
        return header + Array("data".utf8) + little(data.count, 4) + data
    }

    @Test("A streamed episode ends at its end")
    func episode() async throws {
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        server.route("/a.wav", .file(recording(seconds: 62), type: "audio/wav"))
        let url = try #require(URL(string: server.url("/a.wav")))
        let end = try await streamAnEpisode(at: url, cachedIn: directory.file("cache"), on: NullOutput())
        #expect(abs(end - 62) < 0.1)
    }

    @Test("A waveform is drawn while it arrives, with a bar for each column")
    func waveform() async throws {
        let stream = MemoryByteStream(recording(seconds: 30), name: "a.wav")
        var pictures = 0
        let last = try await drawWaveform(of: stream, width: 400) { _ in pictures += 1 }
        #expect(pictures > 1)
        // 30 s at 8 kHz are 469 blocks of 512 frames.
        #expect(last.hasPrefix("<svg") || last.hasPrefix("<?xml"))
        #expect(last.contains("width=\"400\""))
    }

    @Test("A downloaded episode plays without a server")
    func offline() async throws {
        let server = try ScriptedHTTPServer()
        let bytes = recording(seconds: 1)
        server.route("/a.wav", .file(bytes, type: "audio/wav"))
        let url = try #require(URL(string: server.url("/a.wav")))
        #expect(try await downloadEpisode(at: url, to: directory.file("cache")) == Int64(bytes.count))
        server.stop()
        try await playDownload(of: url, in: directory.file("cache"), on: NullOutput())
    }
}
