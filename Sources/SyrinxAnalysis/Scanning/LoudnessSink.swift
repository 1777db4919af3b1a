internal import AVFAudio
package import SyrinxByteStream
package import SyrinxDSP
package import SyrinxMediaCodec

/// Measures the gated loudness and the true peak of a recording that arrives, in the channels of the output.
///
/// Use it on one thread.
package final class LoudnessSink: ArrivalSink {
    private let loudness: ProgrammeLoudness
    private var peaks: [TruePeakKernel]
    private let earlierPeak: Float
    /// Converts to the channels of the output, if the recording has others.
    private let converter: Resampler?
    private let converted: AVAudioPCMBuffer?
    private let report: (MeasuredLoudness) -> Void
    private var nextFrame: Int64 = 0
    package let blockLength: Int
    package private(set) var blockCount = 0
    package private(set) var pendingFrameCount = 0

    private static let convertedFrames = 4096

    /// Creates a measurement.
    /// - Parameters:
    ///   - info: The description of the recording, whose sample rate is at least 100 Hz.
    ///   - channelCount: The number of output channels; at least 1.
    ///   - earlier: An earlier measurement that counts too, such as that of the same album.
    ///   - report: Called with the measurement whenever blocks were added.
    /// - Throws: `.unsupported` if the channels cannot be converted or the sample rate is too low, `.outOfMemory`.
    package init(
        _ info: MediaInfo,
        channelCount: Int,
        following earlier: MeasuredLoudness = MeasuredLoudness(),
        _ report: @escaping (MeasuredLoudness) -> Void
    ) throws(SyrinxError) {
        guard info.sampleRate >= 100, channelCount > 0 else {
            throw SyrinxError(.unsupported, "Its sample rate is too low to measure loudness.", name: "loudness")
        }
        converter =
            info.channelCount == channelCount
            ? nil
            : try Resampler(
                from: (info.sampleRate, info.channelCount),
                sourceLayout: info.channelLayout,
                to: (info.sampleRate, channelCount)
            )
        converted = AVAudioFormat(
            standardFormatWithSampleRate: info.sampleRate,
            channels: AVAudioChannelCount(channelCount)
        ).flatMap { AVAudioPCMBuffer(pcmFormat: $0, frameCapacity: AVAudioFrameCount(Self.convertedFrames)) }
        loudness = ProgrammeLoudness(
            sampleRate: info.sampleRate,
            channelCount: channelCount,
            following: earlier
        )
        peaks = Array(repeating: TruePeakKernel(), count: channelCount)
        earlierPeak = earlier.peak
        blockLength = loudness.stepFrames
        self.report = report
    }

    package func begin(at frame: Int64) {
        if frame == nextFrame { loudness.dropPending() } else { loudness.move() }
        try? converter?.reset()
        nextFrame = frame
        (blockCount, pendingFrameCount) = (0, 0)
    }

    package func append(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        if let converter {
            guard let target = converted?.floatChannelData else { return }
            // If memory is exhausted, the samples are skipped.
            try? converter.push(channels, frameCount: frameCount) { () throws(SyrinxError) in
                while true {
                    let count = converter.pull(into: target, frameCount: Self.convertedFrames)
                    if count == 0 { return }
                    measure(target, count)
                }
            }
        } else {
            measure(channels, frameCount)
        }
        pendingFrameCount += frameCount
        blockCount += pendingFrameCount / blockLength
        pendingFrameCount %= blockLength
    }

    private func measure(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int) {
        loudness.append(channels, frameCount: count)
        for channel in peaks.indices { peaks[channel].append(channels[channel], count: count) }
    }

    package func finish() {
        if pendingFrameCount > 0 { blockCount += 1 }
        pendingFrameCount = 0
    }

    package func handOver(from index: Int, lastFrameCount: Int?) {
        nextFrame += Int64(blockCount) * Int64(blockLength)
        blockCount = 0
        let peak = peaks.reduce(earlierPeak) { max($0, $1.peak) }
        report(MeasuredLoudness(blocks: loudness.measured.blocks, peak: peak))
    }
}
