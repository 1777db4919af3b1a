import Foundation
import SyrinxAnalysis
import SyrinxByteStream
import SyrinxDSP
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

@Suite("The loudness of what arrives in any order")
struct ArrivingLoudnessTests {
    /// Noise that swells by 20 dB in half a minute.
    private static func recording() throws -> [UInt8] {
        let scratch = try ScratchDirectory()
        let noise = (0..<2).map { "0.02*pow(10\\,t/30)*(2*random(\($0))-1)" }.joined(separator: "|")
        try FFmpeg.make(scratch.file("a.wav"), from: "aevalsrc=\(noise):s=44100:d=30")
        return [UInt8](try Data(contentsOf: scratch.url("a.wav")))
    }

    /// Measures what `stream` gives, after `arrive` has been called with the number of each report.
    private func measure(
        _ stream: SparseStream,
        frames: Range<Int64> = 0..<Int64.max,
        channelCount: Int = 2,
        _ arrive: @escaping (Int) -> Void = { _ in }
    ) throws -> (last: MeasuredLoudness, analysed: Int64) {
        let attentive = AttentiveStream(stream)
        let reader = try MediaReader.open(attentive)
        var (last, count) = (MeasuredLoudness(), 0)
        let sink = try LoudnessSink(reader.info, channelCount: channelCount) {
            last = $0
            count += 1
            arrive(count)
        }
        let request = RecordingAnalyzer.Request(attentive)
        let outcome = ArrivalScan(reader, attentive, frames: frames, to: sink, for: request).run()
        return (last, outcome.frameCount)
    }

    @Test("It is that of the whole, whatever comes first")
    func pieces() throws {
        let bytes = try Self.recording()
        let whole = SparseStream(bytes)
        whole.arriveWhole()
        let expected = try measure(whole).last
        let loudness = try #require(expected.blocks.integrated)
        let stream = SparseStream(bytes)
        stream.arrive(0..<200_000)
        stream.arrive(3_000_000..<4_100_000)
        let pieces = [200_000..<210_000, 210_000..<900_000, 2_000_000..<3_000_000, 4_100_000..<bytes.count]
        let (last, analysed) = try measure(stream) { count in
            if count <= pieces.count { stream.arrive(pieces[count - 1]) } else { stream.arriveWhole() }
        }
        #expect(analysed >= 1_323_000)
        #expect(abs(try #require(last.blocks.integrated) - loudness) < 0.1)
        #expect(abs(last.duration - expected.duration) < 2.5 && last.duration <= 29.8)
        #expect(abs(last.peak - expected.peak) < 0.05)
        // The report of all by the meter that has the samples in order.
        var meter = LoudnessMeter(sampleRate: 44_100, channelCount: 2)
        _ = RecordingScan.read(try MediaReader.open(MemoryByteStream(bytes, name: "whole"))) { channels, count, _ in
            meter.append(channels, frameCount: count)
        }
        #expect(abs(loudness - (try #require(meter.report.integrated))) < 0.02)
        #expect(abs(20 * log10(Double(expected.peak)) - (try #require(meter.report.truePeak))) < 0.001)
    }

    @Test("A part is measured by itself, and other channels as they are heard")
    func parts() throws {
        let stream = SparseStream(try Self.recording())
        stream.arriveWhole()
        let late = try measure(stream, frames: 882_000..<1_323_000).last
        let early = try measure(stream, frames: 0..<441_000).last
        let difference = try #require(late.blocks.integrated) - (try #require(early.blocks.integrated))
        #expect(abs(difference - 13.33) < 0.3 && abs(late.duration - 9.7) < 0.25)
        // Both channels are the same, so that one of them is 3 dB less than both.
        let mono = try measure(stream, frames: 0..<441_000, channelCount: 1).last
        #expect(abs(try #require(mono.blocks.integrated) - (try #require(early.blocks.integrated)) + 3.01) < 0.05)
    }

    @Test("A rate that is too low is refused")
    func rate() throws {
        let scratch = try ScratchDirectory()
        try FFmpeg.make(scratch.file("a.wav"), from: "anullsrc=r=64:d=4:cl=mono")
        let reader = try MediaReader.open(try FileByteStream(path: scratch.file("a.wav")))
        #expect(throws: SyrinxError.self) { _ = try LoudnessSink(reader.info, channelCount: 2) { _ in } }
    }
}
