internal import Synchronization
internal import SyrinxByteStream

/// Computes an acoustic fingerprint, with which AcoustID and others recognize a recording even after lossy encoding.
///
/// The fingerprint is that of Chromaprint's default algorithm for the first two minutes, in the compressed text form of
/// AcoustID and `fpcalc`. The system library libchromaprint computes it and is loaded at run time. Samples are rounded
/// to 16 bits. For lossy recordings, single bits may differ from the output of `fpcalc`, which may round differently.
///
/// Memory does not grow with the recording. Use it on one thread at a time.
///
/// ```swift
/// let fingerprint = try AcousticFingerprint(sampleRate: format.sampleRate, channelCount: Int(format.channelCount))
/// fingerprint.append(buffer.floatChannelData!, frameCount: Int(buffer.frameLength))
/// print(fingerprint.finish() ?? "too short")
/// ```
public final class AcousticFingerprint {
    /// The file name of the library.
    public static var libraryName: String { ChromaprintLibrary.defaultName }

    /// The maximum duration in seconds that a fingerprint covers, as with `fpcalc`.
    public static let duration = 120.0

    /// A Boolean value that indicates whether the system has libchromaprint.
    public static var isAvailable: Bool { ChromaprintLibrary.installed != nil }

    // Chromaprint may use FFTW, whose plans must be created and destroyed by one thread at a time.
    private static let planning = Mutex<Void>(())
    /// The library's CHROMAPRINT_ALGORITHM_DEFAULT.
    private static let algorithm: Int32 = 1

    private let library: ChromaprintLibrary
    // Created here, used by this object only, and freed in deinit.
    private let context: OpaquePointer
    private let channelCount: Int
    private var framesLeft: Int64
    private var hasFailed = false
    private var samples: [Int16]

    /// Creates a fingerprint for a recording with a sample rate in hertz and a number of channels.
    /// - Throws: `.chromaprintMissing` if libchromaprint is not installed; `.badParameter` unless the rate, rounded to
    ///   whole hertz, is above 1000 Hz and at most 10 MHz, and the recording has 1 to 256 channels.
    public convenience init(sampleRate: Double, channelCount: Int) throws(AnalysisError) {
        try self.init(sampleRate: sampleRate, channelCount: channelCount, library: ChromaprintLibrary.installed)
    }

    init(sampleRate: Double, channelCount: Int, library: ChromaprintLibrary?) throws(AnalysisError) {
        guard let library else {
            throw AnalysisError(
                .chromaprintMissing,
                "Fingerprints need Chromaprint, but \(ChromaprintLibrary.defaultName) cannot be loaded: install it, "
                    + "on Debian and Ubuntu by 'apt install libchromaprint1'."
            )
        }
        let rate = Int32(clamped: sampleRate.rounded())
        // The limits are those of Chromaprint's resampler.
        let isUsable = rate > 1000 && rate <= 10_000_000 && (1...256).contains(channelCount)
        var made: OpaquePointer?
        Self.planning.withLock { _ in
            guard isUsable, let context = library.make(Self.algorithm) else { return }
            if library.start(context, rate, Int32(channelCount)) == 1 {
                made = context
            } else {
                library.delete(context)
            }
        }
        guard let made else {
            throw AnalysisError(
                .badParameter,
                "Chromaprint does not support \(channelCount) channels at \(sampleRate) Hz."
            )
        }
        (self.library, context, self.channelCount) = (library, made, channelCount)
        framesLeft = Int64(clamped: Self.duration * sampleRate)
        samples = Array(repeating: 0, count: PeakKernel.blockFrames * channelCount)
    }

    deinit {
        Self.planning.withLock { _ in library.delete(context) }
    }

    /// Adds samples, one pointer for each channel; samples after ``duration`` are ignored.
    public func append(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        var done = 0
        let end = Int(min(Int64(frameCount), framesLeft))
        framesLeft -= Int64(end)
        while done < end, !hasFailed {
            let count = min(end - done, PeakKernel.blockFrames)
            for channel in 0..<channelCount {
                for frame in 0..<count {
                    samples[frame * channelCount + channel] = Self.integer(channels[channel][done + frame])
                }
            }
            hasFailed = library.feed(context, samples, Int32(count * channelCount)) != 1
            done += count
        }
    }

    /// Ends the recording and returns its fingerprint; `nil` if the recording is too short.
    ///
    /// Call it once, as the last method.
    public func finish() -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard !hasFailed, library.finish(context) == 1, library.getFingerprint(context, &text) == 1, let text else {
            return nil
        }
        defer { library.free(text) }
        // A fingerprint without items consists of the algorithm and a count only.
        let fingerprint = String(cString: text)
        return fingerprint.utf8.count > 6 ? fingerprint : nil
    }

    /// Rounds a sample to 16 bits.
    ///
    /// NaN becomes 0.
    private static func integer(_ sample: Float) -> Int16 {
        let scaled = sample * 32768
        // Bounded: by the comparisons.
        return scaled >= 32767 ? .max : scaled <= -32768 ? .min : scaled.isNaN ? 0 : Int16(scaled.rounded())
    }
}
