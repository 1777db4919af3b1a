import AVFAudio
import Foundation
import SyrinxAnalysis
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

@Suite("Analysis of streams")
struct AnalyzerTests {
    /// A stream that gives what it has, and then nothing more until it is cancelled.
    private static func stalling(_ data: Data) -> PushByteStream {
        let stream = PushByteStream(name: "stalling")
        stream.append(data)
        return stream
    }

    private static func flac(_ scratch: ScratchDirectory, seconds: Int) throws -> Data {
        let source = "sine=frequency=1000:sample_rate=8000:duration=\(seconds)"
        try FFmpeg.make(scratch.file("a.flac"), from: source, ["-c:a", "flac"])
        return try Data(contentsOf: scratch.url("a.flac"))
    }

    @Test("The pieces make the waveform of the whole")
    func pieces() async throws {
        let scratch = try ScratchDirectory()
        _ = try Self.flac(scratch, seconds: 20)
        let path = scratch.file("a.flac")
        var pyramid: WaveformPyramid?
        var outcome: RecordingScan.Outcome?
        var pieces = 0
        let analyzer = RecordingAnalyzer()
        for try await update in analyzer.waveform(of: try FileByteStream(path: path), samplesPerPixel: 300) {
            switch update {
            case .opened(let info):
                pyramid = WaveformPyramid(sampleRate: Int(info.sampleRate), samplesPerPixel: 300, channelCount: 1)
            case .blocks(let blocks, let index, let last):
                pieces += 1
                pyramid?.insert(blocks, at: index, lastFrameCount: last)
            case .ended(let end): outcome = end
            }
        }
        #expect(pieces > 3)
        #expect(outcome?.frameCount == 160_000 && outcome?.failure == nil)
        #expect(pyramid?.knownRanges == [0..<160_000])
        let reader = try MediaReader.open(try FileByteStream(path: path))
        var builder = PeakBuilder(.init(sampleRate: 8000, channelCount: 1, samplesPerPixel: 300, rounding: .integer))
        _ = RecordingScan.read(reader) { channels, count, _ in builder.append(channels, frameCount: count) }
        builder.finish()
        #expect(pyramid?.finest == builder.waveform)
    }

    @Test("A second request takes the place of the first, which ends at once")
    func replacement() async throws {
        let scratch = try ScratchDirectory()
        let data = try Self.flac(scratch, seconds: 5)
        let analyzer = RecordingAnalyzer()
        let first = analyzer.waveform(of: Self.stalling(data.prefix(data.count / 2)))
        var updates = first.makeAsyncIterator()
        #expect(try await updates.next() != nil)
        let second = analyzer.loudness(of: try FileByteStream(path: scratch.file("a.flac")))
        await #expect(throws: CancellationError.self) { while try await updates.next() != nil {} }
        var report: LoudnessReport?
        for try await update in second {
            if case .ended(let last, _) = update { report = last }
        }
        // ffmpeg's sine is an eighth of full scale: −18.06 dBFS, and one channel of it 3 LU less.
        #expect(abs((report?.integrated ?? .nan) + 21.07) < 0.1)
    }

    @Test("A cancelled task releases its stream")
    func cancellation() async throws {
        let scratch = try ScratchDirectory()
        let data = try Self.flac(scratch, seconds: 5)
        let stream = Self.stalling(data.prefix(data.count / 2))
        let analyzer = RecordingAnalyzer()
        let task = Task {
            for try await _ in analyzer.waveform(of: stream) {}
        }
        task.cancel()
        _ = await task.result
        var byte: UInt8 = 0
        let error = #expect(throws: SyrinxError.self) {
            _ = try withUnsafeMutableBytes(of: &byte) { try stream.read(at: Int64(data.count), into: $0) }
        }
        #expect(error?.code == .cancelled)
    }

    @Test("A meter reads the rendered samples and releases its node")
    func node() async throws {
        let engine = AVAudioEngine()
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4096)
        let player = AVAudioPlayerNode()
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: format)
        let sine = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 48_000))
        sine.frameLength = 48_000
        let data = try #require(sine.floatChannelData)
        for frame in 0..<48_000 {
            let sample = Float(0.5 * sin(2 * .pi * 1000 * Double(frame) / 48_000))
            data[0][frame] = sample
            data[1][frame] = sample / 2
        }
        let meter = NodeMeter(node: engine.mainMixerNode, measuresLoudness: true)
        #expect(meter.reading.levels.isEmpty)
        let readings = meter.readings
        try engine.start()
        player.scheduleBuffer(sine, completionHandler: nil)
        player.play()
        let block = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4096))
        for _ in 0..<10 { _ = try engine.renderOffline(4096, to: block) }
        waitUntil { meter.reading.momentary != nil && meter.reading.levels.count == 2 }
        let reading = meter.reading
        try #require(reading.levels.count == 2)
        #expect(abs(reading.levels[0].rms + 9.03) < 0.1)
        #expect(abs(reading.levels[1].rms + 15.05) < 0.1)
        // One channel at −6.02 dBFS is −6 LUFS less 3; the other a quarter of its energy.
        let energy = -6.02 - 3.01 + 10 * log10(1.25)
        #expect(abs((reading.momentary ?? .nan) - energy) < 0.1)
        meter.stop()
        var seen: NodeMeter.Reading?
        for await reading in readings { seen = reading }
        #expect(seen == reading)
        _ = try engine.renderOffline(4096, to: block)
        #expect(meter.reading == reading)
    }
}
