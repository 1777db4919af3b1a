internal import Foundation
internal import SyrinxByteStream
internal import SyrinxDSP

/// Divides the channels of a recording into frames of one size, without overlap, and transforms each under a Hann
/// window.
///
/// Owns the memory of its transform; use it on one thread at a time.
final class SpectrumFrames {
    /// The number of samples in a frame, a power of two.
    let size: Int
    /// The number of bins of a spectrum, from 0 Hz to half the sample rate.
    var binCount: Int { size / 2 + 1 }

    private let channelCount: Int
    private let transform: RealFFT
    private let window: AlignedFloatBuffer
    private let pending: AlignedFloatBuffer
    private let samples: AlignedFloatBuffer
    private let spectrum: AlignedFloatBuffer
    private var filled = 0

    /// Creates frames of about `seconds` for a sample rate in hertz and a number of channels.
    init(seconds: Double, sampleRate: Double, channelCount: Int) {
        let exponent = log2(max(seconds * sampleRate, 64)).rounded()
        size = 1 << min(Int(clamped: exponent), 15)
        self.channelCount = channelCount
        transform = RealFFT(length: size)
        window = AlignedFloatBuffer(count: size)
        pending = AlignedFloatBuffer(count: size * max(channelCount, 1))
        samples = AlignedFloatBuffer(count: size)
        spectrum = AlignedFloatBuffer(count: size + 2)
        for (index, value) in SpectrumAnalyzer.Window.hann.curve(size).enumerated() {
            window.pointer[index] = Float(value)
        }
    }

    /// Adds samples, and calls `body` for each complete frame.
    func append(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        frameCount: Int,
        _ body: () -> Void
    ) {
        var done = 0
        while done < frameCount {
            let count = min(size - filled, frameCount - done)
            for channel in 0..<channelCount {
                (pending.pointer + (channel * size + filled)).update(from: channels[channel] + done, count: count)
            }
            filled += count
            done += count
            if filled == size {
                body()
                filled = 0
            }
        }
    }

    /// Pads the last frame with silence and calls `body`, if the frame has samples.
    func finish(_ body: () -> Void) {
        guard filled > 0 else { return }
        for channel in 0..<channelCount {
            (pending.pointer + (channel * size + filled)).update(repeating: 0, count: size - filled)
        }
        body()
        filled = 0
    }

    /// Returns the samples of a channel in the complete frame.
    func samples(_ channel: Int) -> UnsafePointer<Float> { UnsafePointer(pending.pointer + channel * size) }

    /// Returns the spectrum of samples; for each bin, the real part precedes the imaginary part.
    ///
    /// NaN counts as 0.
    func spectrum(of source: UnsafePointer<Float>) -> UnsafePointer<Float> {
        let target = samples.pointer
        var index = 0
        while index < size {
            let sample = source[index]
            target[index] = abs(sample) < 1e12 ? sample * window.pointer[index] : 0
            index &+= 1
        }
        transform.forward(target, into: spectrum.pointer)
        return UnsafePointer(spectrum.pointer)
    }
}
