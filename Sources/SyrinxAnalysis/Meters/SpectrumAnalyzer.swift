public import AVFAudio
internal import Foundation
internal import SyrinxDSP

/// Computes the current spectrum of a signal.
///
/// A full-scale sine at the center of a bin reads 0 dB with every window. Owns the memory of its transform; use it on
/// one thread at a time.
///
/// ```swift
/// let analyzer = try SpectrumAnalyzer(size: 4096, sampleRate: 48_000)
/// analyzer.append(buffer) // an AVAudioPCMBuffer
/// let levels = analyzer.decibels()
/// if let bin = levels.indices.max(by: { levels[$0] < levels[$1] }) { print(analyzer.frequency(ofBin: bin), "Hz") }
/// ```
public final class SpectrumAnalyzer {
    /// The window function, a sum of cosines.
    public enum Window: Sendable, CaseIterable {
        /// No window: the narrowest main lobe and the strongest side lobes.
        case rectangular
        /// The Hann window, for general use.
        case hann
        /// The Blackman window: side lobes at −58 dB.
        case blackman
        /// A flat-top window for exact levels: an error of at most 0.01 dB between bins.
        case flatTop

        var cosines: [Double] {
            switch self {
            case .rectangular: [1]
            case .hann: [0.5, -0.5]
            case .blackman: [0.42, -0.5, 0.08]
            // The coefficients are those of ISO 18431-2.
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

    /// The number of samples of a spectrum.
    public let size: Int
    /// The sample rate in hertz.
    public let sampleRate: Double
    /// The weight of the previous spectrum in the next one, 0..<1; 0 switches smoothing off.
    public var smoothing: Float
    /// The number of bins, from 0 Hz to half the sample rate.
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

    /// Creates an analyzer that has received silence.
    /// - Parameters:
    ///   - size: The number of samples of a spectrum, a power of two, 32…65 536.
    ///   - sampleRate: The sample rate in hertz.
    ///   - window: The window function.
    ///   - smoothing: The weight of the previous spectrum, 0..<1.
    /// - Throws: `.badParameter` for an invalid size, a sample rate that is not positive, or an invalid smoothing.
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

    /// Returns the frequency of a bin in hertz.
    public func frequency(ofBin bin: Int) -> Double { Double(bin) * sampleRate / Double(size) }

    /// Adds samples, one pointer for each channel; the channels are averaged.
    public func append(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        channelCount: Int,
        frameCount: Int
    ) {
        guard channelCount > 0 else { return }
        let parts = Float(channelCount)
        // Older samples would be overwritten.
        for frame in max(frameCount - size, 0)..<frameCount {
            var sum: Float = 0
            for channel in 0..<channelCount { sum += channels[channel][frame] }
            recent[next] = sum.isFinite ? sum / parts : 0
            next = (next + 1) & (size - 1)
        }
    }

    /// Adds the samples of a buffer of 32-bit floats; buffers of another format are ignored.
    public func append(_ buffer: AVAudioPCMBuffer) {
        let channels = Int(buffer.format.channelCount)
        SampleView.read(buffer, channelCount: channels) { append($0, channelCount: channels, frameCount: $1) }
    }

    /// Returns the smoothed spectrum of the last `size` samples in decibels, one value for each bin; −∞ for silence.
    public func decibels() -> [Float] { magnitudes().map { $0 > 0 ? 20 * log10($0) : -.infinity } }

    /// Returns the smoothed spectrum of the last `size` samples as magnitudes, one for each bin; 1 is a full-scale
    /// sine.
    public func magnitudes() -> [Float] {
        for index in 0..<size { samples[index] = recent[(next + index) & (size - 1)] * window[index] }
        transform.forward(samples, into: spectrum)
        for bin in 0..<binCount {
            let real = spectrum[2 * bin]
            let imaginary = spectrum[2 * bin + 1]
            // The bins at both ends represent one frequency, all others two.
            let double: Float = bin == 0 || bin == size / 2 ? 0.5 : 1
            let magnitude = (real * real + imaginary * imaginary).squareRoot() * scale * double
            smoothed[bin] = smoothed[bin] * smoothing + magnitude * (1 - smoothing)
        }
        return smoothed
    }
}
