/// Restores the level that sound loses where overlapping frames do not agree.
///
/// A steady partial adds up with itself: its frames agree, and the overlap-add keeps its level. The frames of noise agree less, and so do
/// those of a quiet sound that shares the turn of a loud partial. Without a gain they lose up to 2 dB. The side of a stereo sound is
/// often such a quiet sound, and the stereo image becomes narrower.
///
/// The agreement of two successive frames is the normalized inner product z of the bins of one partial. If each further frame differs
/// by the same factor, frames at a distance of d hops agree by zᵈ. The power of their sum is Σ aᵈ · Re zᵈ, where aᵈ is the
/// autocorrelation of the windows. The gain is one over the square root of this power. For a steady partial z = 1, and the gain is 1.
struct CoherenceGain: ~Copyable {
    /// The inner product and the powers of two spectra.
    struct Agreement {
        var re: Float = 0
        var im: Float = 0
        var own: Float = 0
        var other: Float = 0

        /// Adds a bin of one spectrum, and the same bin of the other.
        @_noLocks @_noAllocation
        mutating func add(_ a: (Float, Float), _ b: (Float, Float)) {
            re += a.0 * b.0 + a.1 * b.1
            im += a.1 * b.0 - a.0 * b.1
            own += a.0 * a.0 + a.1 * a.1
            other += b.0 * b.0 + b.1 * b.1
        }
    }

    /// The most windows that overlap.
    private static var mostLags: Int { 34 }
    /// The least power for which the gain still rises: −7 dB.
    private static var least: Float { 0.2 }
    /// The least weight of a distance that counts: 0.004 dB.
    private static var leastWeight: Float { 0.001 }

    private let length: Int
    private let weights: AlignedFloatBuffer
    private var lagCount = 1
    private var hop = 0

    /// Gains for windows of `length` frames.
    init(length: Int) {
        self.length = length
        weights = AlignedFloatBuffer(count: Self.mostLags)
        weights.pointer[0] = 1
    }

    /// Takes the distance of the windows.
    ///
    /// - Parameters:
    ///   - hop: the frames from one window to the next.
    ///   - window: the window, which each frame is multiplied by twice.
    @_noLocks @_noAllocation
    mutating func tune(hop new: Int, window: UnsafePointer<Float>) {
        guard new != hop, new > 0 else { return }
        hop = new
        lagCount = min((length + hop - 1) / hop, Self.mostLags)
        let weights = weights.pointer
        weights.update(repeating: 0, count: Self.mostLags)
        // The mean over places between two windows.
        let placeCount = 8
        for part in 0..<placeCount {
            let place = hop * part / placeCount
            var sum: Float = 0
            var index = place
            while index < length {
                sum += window[index] * window[index]
                index += hop
            }
            guard sum > 0 else { continue }
            for lag in 0..<lagCount {
                var product: Float = 0
                var index = place
                while index + lag * hop < length {
                    let (a, b) = (window[index], window[index + lag * hop])
                    product += a * a * b * b
                    index += hop
                }
                weights[lag] += (lag == 0 ? 1 : 2) * product / (sum * sum * Float(placeCount))
            }
        }
        // Windows that overlap only at their ends.
        while lagCount > 1, weights[lagCount - 1] < Self.leastWeight { lagCount -= 1 }
    }

    /// Returns the gain for a part of a frame with this agreement with the frame before.
    ///
    /// - Parameters:
    ///   - agreement: the sums over its bins.
    ///   - turn: the angle, as a complex number of length one, by which the first spectrum is turned.
    // Not marked `@_noLocks`: the standard library's square root is not.
    func gain(_ agreement: Agreement, turnedBy turn: (Float, Float)) -> Float {
        let scale = (agreement.own * agreement.other).squareRoot()
        guard scale > 1e-20, scale.isFinite else { return 1 }
        let x = (agreement.re * turn.0 - agreement.im * turn.1) / scale
        let y = (agreement.re * turn.1 + agreement.im * turn.0) / scale
        var (power, re, im): (Float, Float, Float) = (0, 1, 0)
        for lag in 0..<lagCount {
            power += weights.pointer[lag] * re
            (re, im) = (re * x - im * y, re * y + im * x)
        }
        return 1 / max(power, Self.least).squareRoot()
    }
}
