internal import SyrinxByteStream

/// A digest of the decoded samples of a recording, which identifies equal audio in different files.
///
/// Files with equal samples have equal digests, in any lossless container and codec. Tags, pictures and the size of
/// integers have no effect: 16-bit audio has the same digest when it is stored in 24 bits or as floats. Another sample
/// rate, number of channels or length, or a single different sample, changes the digest. Two lossy files have equal
/// digests only if they decode to the same samples.
///
/// The digest is SHA-256 of these little-endian bytes: the sample rate in hertz and the number of channels, as 32-bit
/// integers, then all samples as 32-bit floats. Samples are ordered by frame, and within a frame in the decoder's
/// channel order. Integers of *n* bits are divided by 2ⁿ⁻¹ first, which is exact up to 25 bits. 32-bit integers and
/// 64-bit floats are rounded to the nearest 32-bit float. −0 counts as 0, and every NaN as the quiet NaN 7FC00000.
///
/// The digest does not depend on the lengths of the buffers. Use it on one thread at a time.
///
/// ```swift
/// let hash = SoundHash(sampleRate: format.sampleRate, channelCount: Int(format.channelCount))
/// hash.append(buffer.floatChannelData!, frameCount: Int(buffer.frameLength))
/// print(hash.finalize()) // 64 hexadecimal digits
/// ```
public final class SoundHash {
    private let digest = SHA256Digest()
    private let channelCount: Int
    private var words: [UInt32] = []

    /// Creates the digest for a recording with a sample rate in hertz and a number of channels.
    public init(sampleRate: Double, channelCount: Int) {
        self.channelCount = max(channelCount, 0)
        let header = [UInt32(clamped: sampleRate.rounded()).littleEndian, UInt32(clamping: channelCount).littleEndian]
        header.withUnsafeBytes { digest.update($0) }
    }

    /// Adds samples, one pointer for each channel.
    public func append(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        var done = 0
        while done < frameCount {
            let count = min(frameCount - done, PeakKernel.blockFrames)
            if words.count < count * channelCount { words = Array(repeating: 0, count: count * channelCount) }
            for channel in 0..<channelCount {
                let samples = channels[channel] + done
                for frame in 0..<count {
                    // Adding 0 makes −0 positive.
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

    /// Ends the recording and returns the digest as 64 lower-case hexadecimal digits.
    ///
    /// Call it once, as the last method.
    public func finalize() -> String { digest.finalize() }
}
