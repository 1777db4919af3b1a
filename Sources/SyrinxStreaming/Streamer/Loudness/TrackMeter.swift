import AVFAudio
import Foundation
import SyrinxDSP

/// The loudness of an input as far as it has been decoded.
final class TrackMeter: @unchecked Sendable {
    // Unchecked: everything is touched under `lock` only.
    private let lock = NSLock()
    private let loudness: ProgrammeLoudness
    private let channelCount: Int
    private var seek = 0

    /// - Parameter earlier: The measurement of an earlier track of the same album, which this one continues.
    init(_ format: AVAudioFormat, following earlier: MeasuredLoudness = MeasuredLoudness()) {
        channelCount = Int(format.channelCount)
        loudness = ProgrammeLoudness(
            sampleRate: format.sampleRate,
            channelCount: Int(format.channelCount),
            following: earlier
        )
    }

    /// Adds a buffer; `seek` is the number of seeks before it.
    func append(_ buffer: AVAudioPCMBuffer, seek: Int) {
        guard let channels = buffer.floatChannelData, Int(buffer.format.channelCount) == channelCount else { return }
        lock.withLock {
            if seek != self.seek { loudness.move() }
            self.seek = seek
            loudness.append(channels, frameCount: Int(buffer.frameLength))
        }
    }

    /// The measurement so far, to which more can be added.
    var measured: MeasuredLoudness { lock.withLock { loudness.measured } }

    /// The measurement so far.
    var measurement: LoudnessNormalization.Measurement {
        lock.withLock {
            LoudnessNormalization.Measurement(
                loudness: loudness.integrated,
                peak: Double(loudness.peak),
                duration: loudness.duration
            )
        }
    }
}
