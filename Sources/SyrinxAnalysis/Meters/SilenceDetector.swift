internal import Foundation
internal import SyrinxByteStream

/// Finds the stretches of a recording in which every sample of every channel is quieter than a threshold.
///
/// Exact to the frame, however the samples are cut into buffers. A value; one thread at a time.
public struct SilenceDetector: Sendable {
    /// The silences that have ended, in frames.
    public private(set) var ranges: [Range<Int64>] = []
    /// The frames that have come.
    public private(set) var position: Int64 = 0

    private let threshold: Float
    private let minimumFrameCount: Int64
    private var start: Int64?

    /// A detector of silences.
    /// - Parameters:
    ///   - sampleRate: Frames per second.
    ///   - threshold: In decibels of full scale; a sample of this level is not silent.
    ///   - minimumDuration: Seconds; shorter silences do not count.
    public init(sampleRate: Double, threshold: Double = -60, minimumDuration: Double = 0.5) {
        self.threshold = Float(pow(10, threshold / 20))
        minimumFrameCount = max(Int64(clamped: (minimumDuration * sampleRate).rounded()), 1)
    }

    /// The silence that goes on at this moment, if it is long enough to count.
    public var current: Range<Int64>? {
        start.flatMap { position - $0 >= minimumFrameCount ? $0..<position : nil }
    }

    /// Takes the next samples, one pointer for each channel.
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
                // Silences within the block may be long enough.
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

    /// Says that nothing more comes, which ends the last silence.
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
