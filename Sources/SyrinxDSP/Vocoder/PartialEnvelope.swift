import Glibc

/// The spectral envelope of a voice: a cubic spline through the levels of its partials.
///
/// The partials of a voice are multiples of one pitch, and sample the envelope at these frequencies. A spline passes through
/// the samples exactly, whatever their distance is. Cepstral smoothing of one order instead blurs the formants of low
/// voices. Levels are natural logarithms. Use from one thread at a time; nothing allocates after `init`.
final class PartialEnvelope {
    /// The pitches of voices in Hz.
    private static let pitches = 60.0...500.0
    /// The least peak of the cepstrum of a voice; the peaks of noise are below 0.08.
    private static let leastPeak: Float = 0.12
    /// The least share of the highest peak that the peak of the pitch itself has; others are at its multiples.
    private static let shareOfHighest: Float = 0.8
    /// The most by which one partial is lower than the mean of its neighbors: 12 dB.
    private static let deepest: Float = 1.4

    /// The highest peak of the cepstrum that was examined last.
    // One thread renders, so that no access overlaps another.
    @exclusivity(unchecked) private(set) var clarity: Float = 0

    private let binCount: Int
    private let length: Int
    private let sampleRate: Double
    private let levels: AlignedFloatBuffer
    private let places: AlignedFloatBuffer
    private let bends: AlignedFloatBuffer
    private let factors: AlignedFloatBuffer
    private let mostKnots: Int

    init(length: Int, sampleRate: Double) {
        self.length = length
        self.sampleRate = sampleRate
        binCount = length / 2 + 1
        // Partials are at least two bins apart.
        mostKnots = binCount / 2 + 4
        levels = AlignedFloatBuffer(count: mostKnots)
        places = AlignedFloatBuffer(count: mostKnots)
        bends = AlignedFloatBuffer(count: mostKnots)
        factors = AlignedFloatBuffer(count: mostKnots)
    }

    /// Finds the distance of the partials in bins, or returns nil if the sound has no single pitch.
    ///
    /// - Parameters:
    ///   - cepstrum: the inverse transform of the levels of a frame.
    ///   - ratio: the factor by which the sound was raised.
    @_noLocks @_noAllocation
    func distance(in cepstrum: UnsafePointer<Float>, ratio: Double) -> Float? {
        // Bounded: the sample rate is at most 768 kHz, and the ratio at least 1/4.
        let first = max(Int(sampleRate / (Self.pitches.upperBound * ratio)), 2)
        // Bounded: as above.
        let last = min(Int(sampleRate / (Self.pitches.lowerBound * ratio)), length / 4)
        clarity = 0
        guard first < last else { return nil }
        var highest = first
        for index in first...last where cepstrum[index] > cepstrum[highest] { highest = index }
        clarity = cepstrum[highest]
        guard clarity > Self.leastPeak else { return nil }
        let enough = Self.shareOfHighest * cepstrum[highest]
        var place = highest
        for index in first..<highest where cepstrum[index] > enough && cepstrum[index] >= cepstrum[index + 1] {
            place = index
            break
        }
        let (a, b, c) = (cepstrum[place - 1], cepstrum[place], cepstrum[place + 1])
        let bend = a - 2 * b + c
        let part = bend < 0 ? max(-0.5, min(0.5, 0.5 * (a - c) / bend)) : 0
        return Float(length) / (Float(place) + part)
    }

    /// Computes the envelope from the levels of the bins and the distance of the partials in bins, at least 2.
    @_noLocks @_noAllocation
    func fill(_ envelope: UnsafeMutablePointer<Float>, from level: UnsafePointer<Float>, distance: Float) {
        let count = findKnots(level, distance: max(distance, 2))
        guard count > 2 else {
            copyFloats(level, to: envelope, count: binCount)
            return
        }
        lift(count)
        bend(count)
        let (x, y, m) = (places.pointer, levels.pointer, bends.pointer)
        var knot = 0
        for bin in 0..<binCount {
            let at = Float(bin)
            while knot + 2 < count, at > x[knot + 1] { knot += 1 }
            guard at < x[count - 1] else {
                envelope[bin] = y[count - 1]
                continue
            }
            let width = x[knot + 1] - x[knot]
            let (a, b) = ((x[knot + 1] - at) / width, (at - x[knot]) / width)
            let curve = (a * a * a - a) * m[knot] + (b * b * b - b) * m[knot + 1]
            envelope[bin] = a * y[knot] + b * y[knot + 1] + curve * width * width / 6
        }
    }

    /// Finds the strongest bin around each multiple of the distance, and interpolates its place and level.
    ///
    /// The first knot is the mirror image of the first partial, because the envelope is even.
    @_noLocks @_noAllocation
    private func findKnots(_ level: UnsafePointer<Float>, distance: Float) -> Int {
        let (x, y) = (places.pointer, levels.pointer)
        var count = 1
        var partial: Float = 1
        while count < mostKnots, (partial + 0.5) * distance < Float(binCount - 2) {
            // Bounded: the last place is a bin.
            let from = max(Int((partial - 0.4) * distance + 0.5), 1)
            // Bounded: the same.
            let to = max(Int((partial + 0.4) * distance + 0.5), from)
            var best = from
            for bin in from...to where level[bin] > level[best] { best = bin }
            let (a, b, c) = (level[best - 1], level[best], level[best + 1])
            let curve = a - 2 * b + c
            let part = b >= a && b >= c && curve < 0 ? 0.5 * (a - c) / curve : 0
            x[count] = Float(best) + part
            y[count] = b - 0.25 * (a - c) * part
            // Two cells may meet in one bin.
            if count == 1 || x[count] > x[count - 1] + 0.5 { count += 1 }
            partial += 1
        }
        (x[0], y[0]) = (-x[1], y[1])
        return count
    }

    /// Raises partials that are missing, for example those of a pitch an octave too low.
    @_noLocks @_noAllocation
    private func lift(_ count: Int) {
        let y = levels.pointer
        var previous = y[0]
        for knot in 1..<count - 1 {
            let own = y[knot]
            y[knot] = max(own, (previous + y[knot + 1]) / 2 - Self.deepest)
            previous = own
        }
    }

    /// Computes the second derivatives of the natural cubic spline through the knots.
    @_noLocks @_noAllocation
    private func bend(_ count: Int) {
        let (x, y, m, factor) = (places.pointer, levels.pointer, bends.pointer, factors.pointer)
        (m[0], factor[0]) = (0, 0)
        for knot in 1..<count - 1 {
            let (before, after) = (x[knot] - x[knot - 1], x[knot + 1] - x[knot])
            let divisor = 2 * (before + after) - before * factor[knot - 1]
            let slopes = (y[knot + 1] - y[knot]) / after - (y[knot] - y[knot - 1]) / before
            factor[knot] = after / divisor
            m[knot] = (6 * slopes - before * m[knot - 1]) / divisor
        }
        m[count - 1] = 0
        var knot = count - 2
        while knot > 0 {
            m[knot] -= factor[knot] * m[knot + 1]
            knot -= 1
        }
        // Even about 0.
        m[0] = m[1]
    }
}
