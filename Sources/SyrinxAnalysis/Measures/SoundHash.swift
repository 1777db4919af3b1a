internal import SyrinxByteStream

/// A digest of the decoded samples of a recording, by which equal sound is found in different files.
///
/// It is equal for equal samples in any lossless container and codec, and does not depend on tags, pictures or the size of integers: a
/// sound of 16 bits has the same digest when its samples are stored in 24 bits or as floats. Another sample rate, number of channels,
/// length, or a single other sample gives another digest. Two lossy files have the same only if they decode to the same samples.
///
/// The digest is SHA-256 of these bytes, all numbers being little-endian: the sample rate in hertz and the number of channels, each as an
/// integer of 32 bits, then all samples as 32-bit floats. Samples are ordered by frame, those of a frame in the decoder's order of
/// channels. Integers of *n* bits are divided by 2ⁿ⁻¹ first, which is exact up to 25 bits. Those of 32 bits, and floats of 64 bits, are
/// rounded to the nearest 32-bit float. −0 counts as 0, and everything that is not a number as the same quiet NaN (7FC00000).
///
/// Buffers of any length give the same result. One thread at a time.
public final class SoundHash {
    private let digest = SHA256Digest()
    private let channelCount: Int
    private var words: [UInt32] = []

    /// Creates the digest of an empty recording of a sample rate, in frames per second, and a number of channels.
    public init(sampleRate: Double, channelCount: Int) {
        self.channelCount = max(channelCount, 0)
        let header = [UInt32(clamped: sampleRate.rounded()).littleEndian, UInt32(clamping: channelCount).littleEndian]
        header.withUnsafeBytes { digest.update($0) }
    }

    /// Takes the next samples, one pointer for each channel.
    public func append(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        var done = 0
        while done < frameCount {
            let count = min(frameCount - done, PeakKernel.blockFrames)
            if words.count < count * channelCount { words = Array(repeating: 0, count: count * channelCount) }
            for channel in 0..<channelCount {
                let samples = channels[channel] + done
                for frame in 0..<count {
                    // The sum makes −0 positive.
                    let sample = samples[frame] + 0
                    let bits = sample.isNaN ? 0x7FC0_0000 : sample.bitPattern
                    words[frame * channelCount + channel] = bits.littleEndian
                }
            }
            words.withUnsafeBytes {
                digest.update(UnsafeRawBufferPointer(rebasing: $0.prefix(4 * count * channelCount)))
            }
            done += count
        }
    }

    /// Ends the recording, and returns the digest as 64 lower-case hexadecimal digits.
    ///
    /// Call it once, last.
    public func finalize() -> String { digest.finalize() }
}
