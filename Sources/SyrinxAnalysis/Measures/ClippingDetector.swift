/// Counts the samples at which a recording is clipped: runs of samples of one channel at full scale.
///
/// A single sample at full scale is not clipping, since a peak may just reach it. Three of one sign in a row are: this is the rule of
/// Audacity's *Find Clipping* (a start threshold of 3 samples at 32767/32768), and the usual count of the "over" lamps of digital
/// recorders. Clipping before a lossy encoder is found as far as the decoder's samples still reach full scale.
///
/// The count does not depend on how the samples are cut into buffers. A value; one thread at a time.
public struct ClippingDetector: Sendable {
    /// The magnitude that counts as full scale: the largest positive sample of 16 bits, where 1 is full scale.
    public static let level: Float = 32767 / 32768
    /// The length of the shortest run that counts, in samples.
    public static let minimumRunLength = 3

    /// The number of samples in runs of at least ``minimumRunLength``, of all channels.
    public private(set) var clippedSampleCount: Int64 = 0

    private struct Run: Sendable {
        /// 1 for positive samples, −1 for negative ones, 0 outside of a run.
        var sign = 0
        /// Samples so far, at most `minimumRunLength`.
        var length = 0
    }

    private var runs: [Run]

    /// Creates a detector for recordings with a number of channels.
    public init(channelCount: Int) { runs = Array(repeating: Run(), count: max(channelCount, 0)) }

    /// Takes the next samples, one pointer for each channel.
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
                // With this sample the earlier ones of the run count, too.
                if run.length == minimumRunLength { clipped += Int64(minimumRunLength) }
            }
        }
        return clipped
    }
}
