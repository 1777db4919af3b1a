import AVFAudio
import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// Read speech beside the package, where it is, and the share of it in percent that smart speed saves at least.
private let recordings: [(name: String, medium: Double, strong: Double)] = [
    ("speech-198.ogg", 6, 10), ("speech-3436.ogg", 6, 8), ("speech-5703.ogg", 2.8, 4.5), ("speech-jfk.flac", 17, 20),
]

private let folder = repositoryRoot.deletingLastPathComponent().appending(path: "shared/audio")

@Suite("Smart speed on recordings", .enabled(if: isOptimized, "Measured in release."))
struct SmartSpeedRecordingTests {
    private static let rate = 16_000

    private func parts(of samples: [Float], _ strength: SmartSpeed) throws -> [Range<Int>] {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: Double(Self.rate), channels: 1))
        let filter = try #require(PauseFilter(format))
        var (parts, removed) = ([Range<Int>](), 0)
        let take = { (next: PauseFilter.Output) in
            guard case .cut(let cut) = next else { return }
            let start = Int(cut.frame) + removed
            parts.append(start..<start + Int(cut.count))
            removed += Int(cut.count)
        }
        for start in stride(from: 0, to: samples.count, by: 4_096) {
            let count = min(4_096, samples.count - start)
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4_096))
            buffer.frameLength = AVAudioFrameCount(count)
            for frame in 0..<count { buffer.floatChannelData?[0][frame] = samples[start + frame] }
            filter.pass(buffer, strength.pauseLengths, to: take)
        }
        filter.end(to: take)
        return parts
    }

    /// Returns which blocks of 10 ms lie 10 dB above the noise of the pauses, and no more than 45 dB below the speech.
    private func loudBlocks(of samples: [Float]) -> [Bool] {
        let length = Self.rate / 100
        var (low, last) = (Float(0), Float(0))
        // Without what lies below 100 Hz.
        let filtered = samples.map { sample -> Float in
            low = 0.961 * (low + sample - last)
            last = sample
            return low
        }
        let powers = stride(from: 0, to: samples.count - length, by: length).map { start in
            filtered[start..<start + length].reduce(1e-12) { $0 + Double($1 * $1) / Double(length) }
        }
        let levels = zip(powers, powers.dropFirst()).map { 10 * log10(($0 + $1) / 2) }.sorted()
        let gate = max(levels[levels.count * 3 / 100] + 10, levels[levels.count * 95 / 100] - 45)
        return powers.map { 10 * log10($0) > gate }
    }

    @Test(
        "It saves time, and each sound above the noise is kept to within 10 ms",
        .enabled(if: FileManager.default.fileExists(atPath: folder.path), "../shared/audio is not there"),
        arguments: recordings
    )
    func savesTime(recording: (name: String, medium: Double, strong: Double)) throws {
        let path = folder.appending(path: recording.name).path
        let samples = try Inputs.decoded(path, channelCount: recording.name.hasSuffix("flac") ? 2 : 1, rate: Self.rate)[
            0
        ]
        let isLoud = loudBlocks(of: samples)
        for (strength, least) in [(SmartSpeed.medium, recording.medium), (.strong, recording.strong)] {
            let parts = try parts(of: samples, strength)
            let saved = 100 * Double(parts.reduce(0) { $0 + $1.count }) / Double(samples.count)
            #expect(saved >= least, "\(saved) %")
            for part in parts {
                let missing = part.reduce(0) { $0 + (isLoud[min($1 / (Self.rate / 100), isLoud.count - 1)] ? 1 : 0) }
                #expect(missing <= Self.rate / 100, "\(Double(part.lowerBound) / Double(Self.rate)) s")
            }
        }
    }
}
