/// Measures the spectral centroid of a recording: the mean of its frequencies, weighted by their magnitudes.
///
/// A high centroid means a bright sound. The recording is divided into frames of about 46 ms. The centroid of a frame
/// is Σ f·M(f) / Σ M(f), where M is the magnitude of the Fourier transform under a Hann window (G. Tzanetakis and P.
/// Cook, "Musical Genre Classification of Audio Signals", IEEE Transactions on Speech and Audio Processing 10, 2002,
/// section III).
///
/// The result is the mean of all frames and channels, weighted by the sums of their magnitudes, so that pauses do not
/// count. The two lowest bins are ignored, because they contain the DC offset.
///
/// Owns the memory of its transform; use it on one thread at a time.
public final class SpectralCentroid {
    private let frames: SpectrumFrames
    private let channelCount: Int
    private let hertzPerBin: Double
    private var weighted = 0.0
    private var total = 0.0

    /// Creates a measurement for a sample rate in hertz and a number of channels.
    public init(sampleRate: Double, channelCount: Int) {
        frames = SpectrumFrames(seconds: 0.046, sampleRate: sampleRate, channelCount: channelCount)
        self.channelCount = channelCount
        hertzPerBin = sampleRate / Double(frames.size)
    }

    /// Adds samples, one pointer for each channel.
    public func append(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        frames.append(channels, frameCount: frameCount, add)
    }

    /// Ends the recording and returns the centroid in hertz, from 0 to half the sample rate; `nil` for silence.
    public func finish() -> Double? {
        frames.finish(add)
        return total > 0 ? weighted / total * hertzPerBin : nil
    }

    private func add() {
        for channel in 0..<channelCount {
            let spectrum = frames.spectrum(of: frames.samples(channel))
            var (sum, moment): (Float, Float) = (0, 0)
            for bin in 2..<frames.binCount {
                let (real, imaginary) = (spectrum[2 &* bin], spectrum[2 &* bin &+ 1])
                let magnitude = (real * real + imaginary * imaginary).squareRoot()
                sum += magnitude
                moment += magnitude * Float(bin)
            }
            guard moment.isFinite else { continue }
            total += Double(sum)
            weighted += Double(moment)
        }
    }
}
