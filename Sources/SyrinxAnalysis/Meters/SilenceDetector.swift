internal import Foundation
internal import SyrinxByteStream

/// Finds the silences of a recording: ranges in which every sample of every channel is below a threshold.
///
/// The ranges are exact to the frame, for any lengths of the buffers. A value; use it on one thread at a time.
///
/// ```swift
/// var detector = SilenceDetector(sampleRate: format.sampleRate, threshold: -50, minimumDuration: 1)
/// let (channels, frames) = (Int(format.channelCount), Int(buffer.frameLength))
/// detector.append(buffer.floatChannelData!, channelCount: channels, frameCount: frames)
/// detector.finish()
/// print(detector.ranges)
/// ```
public struct SilenceDetector: Sendable {
    /// The silences that have ended, in frames.
    public private(set) var ranges: [Range<Int64>] = []
    /// The number of frames added so far.
    public private(set) var position: Int64 = 0

    private let threshold: Float
    private let minimumFrameCount: Int64
    private var start: Int64?

    /// Creates a detector.
    /// - Parameters:
    ///   - sampleRate: The sample rate in hertz.
    ///   - threshold: The threshold in dBFS; a sample at this level is not silent.
    ///   - minimumDuration: The minimum duration of a silence in seconds.
    public init(sampleRate: Double, threshold: Double = -60, minimumDuration: Double = 0.5) {
        self.threshold = Float(pow(10, threshold / 20))
        minimumFrameCount = max(Int64(clamped: (minimumDuration * sampleRate).rounded()), 1)
    }

    /// The silence at the current position, if it is already long enough to count.
    public var current: Range<Int64>? {
        start.flatMap { position - $0 >= minimumFrameCount ? $0..<position : nil }
    }

    /// Adds samples, one pointer for each channel.
    public mutating func append(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        channelCount: Int,
        frameCount: Int
    ) {
        var done = 0
        while done < frameCount {
            let end = min(done + PeakKernel.blockFrames, frameCount)
            let sounding = PeakKernel.sounding(
                channels,
                channelCount: channelCount,
                done..<end,
                threshold: threshold
            )
            if sounding != nil, Int64(end - done) > minimumFrameCount {
                // There may be long enough silences within the block.
                for frame in done..<end {
                    let isSilent = (0..<channelCount).allSatisfy { !(abs(channels[$0][frame]) >= threshold) }
                    note(isSilent: isSilent, frameCount: 1)
                }
            } else if let sounding {
                note(isSilent: true, frameCount: sounding.lowerBound - done)
                note(isSilent: false, frameCount: sounding.count)
                note(isSilent: true, frameCount: end - sounding.upperBound)
            } else {
                note(isSilent: true, frameCount: end - done)
            }
            done = end
        }
    }

    /// Ends the recording, and with it the last silence.
    public mutating func finish() { end() }

    private mutating func note(isSilent: Bool, frameCount: Int) {
        guard frameCount > 0 else { return }
        if !isSilent { end() } else if start == nil { start = position }
        position += Int64(frameCount)
    }

    private mutating func end() {
        if let range = current { ranges.append(range) }
        start = nil
    }
}
