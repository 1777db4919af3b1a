public import AVFAudio
internal import Foundation
internal import SyrinxDSP

/// Shows which frequencies are in a signal at this moment.
///
/// A full-scale sine in the middle of a bin reads 0 dB, whatever the window. Owns the memory of its transform; one thread
/// at a time.
public final class SpectrumAnalyzer {
    /// The curve under which samples are taken, each a sum of cosines.
    public enum Window: Sendable, CaseIterable {
        /// None: the narrowest line, and the widest skirts.
        case rectangular
        /// The usual one.
        case hann
        /// Side lobes 58 dB down.
        case blackman
        /// For reading levels: at most 0.01 dB off between bins.
        case flatTop

        var cosines: [Double] {
            switch self {
            case .rectangular: [1]
            case .hann: [0.5, -0.5]
            case .blackman: [0.42, -0.5, 0.08]
            // The coefficients of ISO 18431-2.
            case .flatTop: [0.21557895, -0.41663158, 0.277263158, -0.083578947, 0.006947368]
            }
        }

        /// Returns the window for `size` samples.
        func curve(_ size: Int) -> [Double] {
            (0..<size).map { index in
                cosines.enumerated().reduce(0.0) {
                    $0 + $1.element * cos(2 * .pi * Double($1.offset * index) / Double(size))
                }
            }
        }
    }

    /// Samples in a spectrum.
    public let size: Int
    /// Frames per second.
    public let sampleRate: Double
    /// The share of the last spectrum in the next one: 0 for none … below 1.
    public var smoothing: Float
    /// The number of lines, from 0 Hz up to half the sample rate.
    public var binCount: Int { size / 2 + 1 }

    private let transform: RealFFT
    private let window: [Float]
    private let scale: Float
    private var recent: [Float]
    private var next = 0
    private var smoothed: [Float]
    private let sampleBuffer: AlignedFloatBuffer
    private let spectrumBuffer: AlignedFloatBuffer
    private var samples: UnsafeMutablePointer<Float> { sampleBuffer.pointer }
    private var spectrum: UnsafeMutablePointer<Float> { spectrumBuffer.pointer }

    /// An analyser that has heard silence.
    /// - Parameters:
    ///   - size: A power of two, 32 … 65 536.
    ///   - sampleRate: Frames per second.
    ///   - window: The window function.
    ///   - smoothing: The share of the spectrum before that is kept, 0…1.
    /// - Throws: `.badParameter` for another size, a rate that is not positive, or a smoothing outside of 0 ..< 1.
    public init(
        size: Int = 2048,
        sampleRate: Double,
        window: Window = .hann,
        smoothing: Float = 0.8
    ) throws(AnalysisError) {
        guard (32...65536).contains(size), size.nonzeroBitCount == 1 else {
            throw AnalysisError(
                .badParameter,
                "A spectrum of \(size) samples: it has to be a power of two, 32 … 65536."
            )
        }
        guard sampleRate > 0, sampleRate.isFinite, smoothing >= 0, smoothing < 1 else {
            throw AnalysisError(.badParameter, "A rate of \(sampleRate), smoothed by \(smoothing), makes no sense.")
        }
        self.size = size
        self.sampleRate = sampleRate
        self.smoothing = smoothing
        transform = RealFFT(length: size)
        let curve = window.curve(size)
        self.window = curve.map { Float($0) }
        scale = Float(2 / curve.reduce(0, +))
        recent = Array(repeating: 0, count: size)
        smoothed = Array(repeating: 0, count: size / 2 + 1)
        sampleBuffer = AlignedFloatBuffer(count: size)
        spectrumBuffer = AlignedFloatBuffer(count: size + 2)
    }

    /// The frequency of a line in hertz.
    public func frequency(ofBin bin: Int) -> Double { Double(bin) * sampleRate / Double(size) }

    /// Takes the next samples, one pointer for each channel; channels are averaged.
    public func append(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        channelCount: Int,
        frameCount: Int
    ) {
        guard channelCount > 0 else { return }
        let parts = Float(channelCount)
        // Older ones would be written over.
        for frame in max(frameCount - size, 0)..<frameCount {
            var sum: Float = 0
            for channel in 0..<channelCount { sum += channels[channel][frame] }
            recent[next] = sum.isFinite ? sum / parts : 0
            next = (next + 1) & (size - 1)
        }
    }

    /// Takes the samples of a buffer of 32-bit floats; one of other samples is left out.
    public func append(_ buffer: AVAudioPCMBuffer) {
        let channels = Int(buffer.format.channelCount)
        SampleView.read(buffer, channelCount: channels) { append($0, channelCount: channels, frameCount: $1) }
    }

    /// The spectrum of the last `size` samples, smoothed with those before: decibels of each line, −∞ for nothing.
    public func decibels() -> [Float] { magnitudes().map { $0 > 0 ? 20 * log10($0) : -.infinity } }

    /// As `decibels()`, but magnitudes: 1 for a full-scale sine.
    public func magnitudes() -> [Float] {
        for index in 0..<size { samples[index] = recent[(next + index) & (size - 1)] * window[index] }
        transform.forward(samples, into: spectrum)
        for bin in 0..<binCount {
            let real = spectrum[2 * bin]
            let imaginary = spectrum[2 * bin + 1]
            // The lines at both ends stand for one frequency, all others for two.
            let double: Float = bin == 0 || bin == size / 2 ? 0.5 : 1
            let magnitude = (real * real + imaginary * imaginary).squareRoot() * scale * double
            smoothed[bin] = smoothed[bin] * smoothing + magnitude * (1 - smoothing)
        }
        return smoothed
    }
}
