/// Counts the clipped samples of a recording: runs of full-scale samples in one channel.
///
/// A single full-scale sample is not clipping, because a peak may just reach full scale. Three in a row with the same
/// sign are. This is the rule of Audacity's *Find Clipping* (start threshold of 3 samples at 32767/32768) and of the
/// "over" lamps of digital recorders. Clipping before lossy encoding is found if the decoded samples still reach full
/// scale.
///
/// The count does not depend on the lengths of the buffers. A value; use it on one thread at a time.
public struct ClippingDetector: Sendable {
    /// The magnitude that counts as full scale: the largest positive 16-bit sample, where 1 is full scale.
    public static let level: Float = 32767 / 32768
    /// The minimum length of a run that counts, in samples.
    public static let minimumRunLength = 3

    /// The number of samples, in all channels, in runs of at least ``minimumRunLength``.
    public private(set) var clippedSampleCount: Int64 = 0

    private struct Run: Sendable {
        /// 1 for positive samples, −1 for negative ones, 0 outside of a run.
        var sign = 0
        /// The length of the run so far, at most `minimumRunLength`.
        var length = 0
    }

    private var runs: [Run]

    /// Creates a detector for a number of channels.
    public init(channelCount: Int) { runs = Array(repeating: Run(), count: max(channelCount, 0)) }

    /// Adds samples, one pointer for each channel.
    public mutating func append(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        for channel in runs.indices {
            var run = runs[channel]
            var done = 0
            while done < frameCount {
                let count = min(frameCount - done, PeakKernel.blockFrames)
                let samples = UnsafePointer(channels[channel] + done)
                let extent = PeakKernel.scan(samples, count: count, measuresEnergy: false)
                if extent.low > -Self.level && extent.high < Self.level {
                    run = Run()
                } else {
                    clippedSampleCount += Self.count(samples, count, &run)
                }
                done += count
            }
            runs[channel] = run
        }
    }

    /// Returns the number of clipped samples among `count` that continue `run`.
    private static func count(_ samples: UnsafePointer<Float>, _ count: Int, _ run: inout Run) -> Int64 {
        var clipped: Int64 = 0
        for index in 0..<count {
            let sign = samples[index] >= level ? 1 : samples[index] <= -level ? -1 : 0
            if sign != run.sign { run = Run(sign: sign, length: 0) }
            guard sign != 0 else { continue }
            if run.length == minimumRunLength {
                clipped += 1
            } else {
                run.length += 1
                // With this sample, the earlier samples of the run count too.
                if run.length == minimumRunLength { clipped += Int64(minimumRunLength) }
            }
        }
        return clipped
    }
}
