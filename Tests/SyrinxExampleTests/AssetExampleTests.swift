import AVFoundation
import SyrinxTestSupport
import Testing

@testable import syrinx_examples

/// The examples of assets do what they say.
@Suite struct AssetExampleTests {
    private let directory: ScratchDirectory

    init() throws { directory = try ScratchDirectory() }

    private func sine(_ name: String, _ frequency: Double, seconds: Int) throws -> URL {
        try FFmpeg.make(directory.file(name), from: "sine=f=\(frequency):r=44100:d=\(seconds)", ["-c:a", "pcm_f32le"])
        return directory.url(name)
    }

    @Test("The level of each bar is read")
    func barsAreRead() async throws {
        let half = try sine("loud.wav", 440, seconds: 2)
        let bars = try await readBars(of: AVURLAsset(url: half), barCount: 20)
        #expect(bars.count == 20)
        // The mean of the logarithm of a sine's magnitude is 6.02 dB below its peak, which is 1/8 here.
        for bar in bars { #expect(abs(bar - (20 * log10(0.125) - 6.02)) < 0.3) }
    }

    @Test("Two recordings are joined by a fade")
    func recordingsAreJoined() async throws {
        let (first, second) = (try sine("a.wav", 500, seconds: 3), try sine("b.wav", 2_000, seconds: 3))
        let output = directory.url("joined.m4a")
        try await join(first, second, fadeDuration: CMTime(value: 1, timescale: 1), to: output)
        let asset = AVURLAsset(url: output)
        #expect(try await asset.load(.duration).seconds == 5)
        let samples = try FFmpeg.decode(output.path, ["-ac", "1"])
        func level(_ frequency: Double, at seconds: Double) -> Double {
            let start = Int(seconds * 44_100)
            // Over a whole number of both tones' periods.
            let part = samples[start..<start + 4_410]
            var (real, imaginary) = (0.0, 0.0)
            for (index, sample) in part.enumerated() {
                let angle = 2 * Double.pi * frequency * Double(index) / 44_100
                real += Double(sample) * cos(angle)
                imaginary += Double(sample) * sin(angle)
            }
            return 20 * log10(2 * (real * real + imaginary * imaginary).squareRoot() / 4_410)
        }
        let full = 20 * log10(0.125)
        #expect(abs(level(500, at: 1) - full) < 0.2 && level(2_000, at: 1) < -70)
        #expect(abs(level(2_000, at: 4) - full) < 0.2 && level(500, at: 4) < -70)
        #expect(abs(level(500, at: 2.45) - (full - 6.02)) < 0.3 && abs(level(2_000, at: 2.45) - (full - 6.02)) < 0.3)
    }
}
