import Foundation
import SyrinxAnalysis
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// The real recordings beside the package, where they are.
private let recordings: [URL] = {
    let folder = repositoryRoot.deletingLastPathComponent().appending(path: "shared/audio").resolvingSymlinksInPath()
    let all = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return all.filter { ["ogg", "flac", "wav"].contains($0.pathExtension) }.sorted { $0.path < $1.path }
}()

@Suite("Loudness of recordings")
struct RecordingTests {
    #if DEBUG
        // Unoptimised loops over samples take a hundred times as long.
        private static let seconds = 10
    #else
        private static let seconds = 3600
    #endif

    /// Returns a value of ffmpeg's summary, such as `I: -20.6 LUFS`.
    private static func summary(_ text: String, _ name: String) -> Double? {
        let part = text.components(separatedBy: "Summary:").last ?? ""
        let line = part.split(separator: "\n").first { $0.trimmingCharacters(in: .whitespaces).hasPrefix(name) }
        return line?.split(separator: " ").compactMap { Double($0) }.first
    }

    @Test(
        "As ffmpeg's ebur128 has it, within 0.1 LU",
        .enabled(if: !recordings.isEmpty, "../shared/audio is not there"),
        arguments: recordings
    )
    func recording(_ file: URL) throws {
        let reader = try MediaReader.open(try FileByteStream(path: file.path))
        let info = reader.info
        let limit = Int64(Double(Self.seconds) * info.sampleRate)
        var meter = LoudnessMeter(
            sampleRate: info.sampleRate,
            weights: ChannelWeights(layout: info.channelLayout, channelCount: info.channelCount)
        )
        let outcome = RecordingScan.read(reader, frames: 0..<limit) { channels, count, _ in
            meter.append(channels, frameCount: count)
        }
        #expect(outcome.failure == nil && outcome.damagedPacketCount == 0)
        let report = meter.report
        let options = ["-nostats", "-hide_banner", "-nostdin", "-t", "\(Self.seconds)", "-i", file.path]
        let result = try runProcess("ffmpeg", options + ["-af", "ebur128=peak=true+sample", "-f", "null", "-"])
        let integrated = try #require(Self.summary(result.errors, "I:"))
        #expect(abs((report.integrated ?? .nan) - integrated) <= 0.1)
        let range = try #require(Self.summary(result.errors, "LRA:"))
        // It has no short-term of less than 3 s, and rounds to steps of its own.
        if Double(outcome.frameCount) / info.sampleRate > 12 { #expect(abs((report.range ?? .nan) - range) <= 0.3) }
        let peaks = result.errors.split(separator: "\n").filter { $0.contains("Peak:") }
            .compactMap { $0.split(separator: " ").compactMap { Double($0) }.first }
        #expect(peaks.count == 2)
        #expect(abs((report.samplePeak ?? .nan) - (peaks.first ?? .nan)) <= 0.06)
        #expect(abs((report.truePeak ?? .nan) - (peaks.last ?? .nan)) <= 0.3)
    }
}
