import AVFoundation
import SyrinxTestSupport
import Testing

/// A program that draws waveforms, as written for Apple's systems, sees what `ffmpeg` decodes.
@Suite struct WaveformReaderTests {
    /// The samples of a file as 16-bit mono.
    private func decoded(_ file: String) throws -> [Int16] {
        let raw = file + ".raw"
        try FFmpeg.run(["-i", file, "-f", "s16le", "-ac", "1", "-dither_method", "none", raw])
        return try Data(contentsOf: URL(fileURLWithPath: raw)).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    }

    @Test("Blocks give the same bars as the whole", arguments: ["a.m4a", "a.mp3", "a.wav", "a.flac", "a.aiff"])
    func bars(_ name: String) throws {
        let folder = try ScratchDirectory()
        let url = folder.url(name)
        let sound = "aevalsrc=0.4*sin(2*PI*440*t)*sin(t)|0.4*sin(2*PI*440*t)*sin(t):s=44100:d=7.3"
        try FFmpeg.run(["-f", "lavfi", "-i", sound, url.path])
        let program = WaveformReader()
        let asset = AVAsset(url: url)
        let whole = try decoded(url.path)
        let (count, rate) = program.countSamples(asset: asset)
        // `ffmpeg` does not take off the end of the last packet of AAC.
        #expect(rate == 44100 && (-1...(name == "a.m4a" ? 1023 : 1)).contains(whole.count - count))
        let samples = whole.prefix(count)
        #expect(abs(asset.duration.seconds - Double(count) / rate) < 0.001)
        var results: [[Double]] = []
        for seconds in [nil, 1, 2] {
            program.bars(asset: asset, count: 100, secondsPerBlock: seconds) { bars in
                if let bars = bars { results.append(bars) }
            }
        }
        try #require(results.count == 3)
        #expect(results[0].count == 100 && results[1] == results[0] && results[2] == results[0])
        // The mean level of each bar, from samples that another program has decoded.
        let factor = samples.count / 100
        for (bar, level) in results[0].enumerated() {
            let part = samples[bar * factor..<(bar + 1) * factor]
            let expected = part.reduce(0.0) { $0 + max(20 * log10(abs(Double($1)) / 32767), -70) } / Double(factor)
            #expect(abs(level - expected) < 0.5, "bar \(bar) of \(name)")
        }
    }

    @Test("Two channels are merged at half their level each")
    func merging() throws {
        let folder = try ScratchDirectory()
        let url = folder.url("a.wav")
        try FFmpeg.run(["-f", "lavfi", "-i", "aevalsrc=0.5|0:s=8000:d=1", "-c:a", "pcm_s16le", url.path])
        let program = WaveformReader()
        let (reader, output) = try #require(program.makeReader(asset: AVURLAsset(url: url)))
        #expect(reader.startReading())
        let buffer = try #require(output.copyNextSampleBuffer())
        let samples = try #require(program.samples(of: buffer))
        #expect(samples.count == 8000 && samples.allSatisfy { abs(Int($0) - 8192) <= 1 })
        #expect(output.copyNextSampleBuffer() == nil && reader.status == .completed && reader.error == nil)
    }
}
