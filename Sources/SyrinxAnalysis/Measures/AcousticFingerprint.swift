internal import Synchronization
internal import SyrinxByteStream

/// Makes the acoustic fingerprint of a recording, by which AcoustID and others recognize the same recording after lossy encoding.
///
/// The fingerprint is Chromaprint's, of its default algorithm and of the first two minutes, in the compressed text form that AcoustID takes
/// and that `fpcalc` prints. It is made by the system's libchromaprint, which is looked for at run time. Samples are rounded to 16 bits for
/// it; of lossy recordings, which `fpcalc` may round otherwise, single bits may differ from those of `fpcalc`.
///
/// Memory does not grow with the recording. One thread at a time.
public final class AcousticFingerprint {
    /// The name of the library that is looked for.
    public static var libraryName: String { ChromaprintLibrary.defaultName }

    /// Seconds of a recording that its fingerprint covers at most, as with `fpcalc`.
    public static let duration = 120.0

    /// A Boolean value that indicates whether the system has libchromaprint.
    public static var isAvailable: Bool { ChromaprintLibrary.installed != nil }

    // Chromaprint may be built with FFTW, whose plans are made and freed by one thread at a time.
    private static let planning = Mutex<Void>(())
    /// The library's CHROMAPRINT_ALGORITHM_DEFAULT.
    private static let algorithm: Int32 = 1

    private let library: ChromaprintLibrary
    // Created here, used by this object alone, and freed in deinit.
    private let context: OpaquePointer
    private let channelCount: Int
    private var framesLeft: Int64
    private var hasFailed = false
    private var samples: [Int16]

    /// Creates the fingerprint of a recording of a sample rate, in frames per second, and a number of channels.
    /// - Throws: `.chromaprintMissing` if the system has no libchromaprint, `.badParameter` for a rate of at most 1000 Hz or without
    ///   channels, which it does not take.
    public convenience init(sampleRate: Double, channelCount: Int) throws(AnalysisError) {
        try self.init(sampleRate: sampleRate, channelCount: channelCount, library: ChromaprintLibrary.installed)
    }

    init(sampleRate: Double, channelCount: Int, library: ChromaprintLibrary?) throws(AnalysisError) {
        guard let library else {
            throw AnalysisError(
                .chromaprintMissing,
                "Fingerprints are made by Chromaprint, and \(ChromaprintLibrary.defaultName) cannot be loaded: install it, "
                    + "on Debian and Ubuntu by 'apt install libchromaprint1'."
            )
        }
        let rate = Int32(clamped: sampleRate.rounded())
        // Its rates and channels are those that its converter was made for.
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
                "Chromaprint makes no fingerprint of \(channelCount) channels at \(sampleRate) Hz."
            )
        }
        (self.library, context, self.channelCount) = (library, made, channelCount)
        framesLeft = Int64(clamped: Self.duration * sampleRate)
        samples = Array(repeating: 0, count: PeakKernel.blockFrames * channelCount)
    }

    deinit {
        Self.planning.withLock { _ in library.delete(context) }
    }

    /// Takes the next samples, one pointer for each channel; those beyond ``duration`` are left out.
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

    /// Ends the recording, and returns its fingerprint; `nil` if it is too short for one.
    ///
    /// Call it once, last.
    public func finish() -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard !hasFailed, library.finish(context) == 1, library.getFingerprint(context, &text) == 1, let text else {
            return nil
        }
        defer { library.free(text) }
        // The form of no items: their algorithm and their number alone.
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
