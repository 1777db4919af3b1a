/// Estimates the magnitude of a signal between its samples.
///
/// Two filters, of 80 and 24 taps (windowed sincs), compute the values halfway between samples. Sound near half the
/// sample rate, such as white noise, has different peaks with long and short interpolation filters, and converters use
/// both kinds. Quarter positions are interpolated from the halves, and a parabola through three quarters gives the
/// peak, at most 0.07 dB too high for a tone. The peak is limited to √2 times the largest adjacent sample or half, as
/// for a tone at half the sample rate.
///
/// Most groups of samples need no such estimate, because other groups are certainly larger. `limit` decides this from
/// eight samples around each half, and `peak` from the halves. Use from one thread at a time; only `init` allocates.
struct TruePeakEstimator: ~Copyable {
    /// The frames of a group.
    static let groupFrames = 16
    /// The maximum number of frames before and after a group that its estimate reads.
    static let reach = 48

    /// Taps on each side.
    private static let (longCount, shortCount, nearCount, quarterCount) = (40, 12, 4, 4)
    /// The number of frames whose halves are computed for a group, and the number of those before the group.
    private static let (halfFrames, halvesBefore) = (24, 3)
    /// The part of the second differences of samples and halves by which magnitudes between them exceed them.
    ///
    /// The quarters have the taps tₖ; let Tₖ = tₖ + tₖ₊₁ + … and κ = 2|T₁| + 4|T₂| + 6|T₃|. For second differences up
    /// to D, a quarter is at most κD above the mean of its neighbours. A parabola is at most (½ + 2κ) D / 8 above its
    /// middle.
    private let bend: Float
    /// A factor slightly above 1 that allows for rounding errors.
    private static let slack: Float = 1.001
    /// The same factor for halves of the short filter, which is larger because of the missing taps.
    ///
    /// Determined by experiment: white, pink and blue noise stays 0.2 dB below the bound.
    private static let quickBend: Float = 0.64

    private let taps: AlignedFloatBuffer
    private let near: AlignedFloatBuffer
    private let quarter: AlignedFloatBuffer
    /// The halves around a group by the long filter and by the short one.
    private let halves: AlignedFloatBuffer

    init() {
        // The windows have low side lobes, so that peaks limited to −0.3 dB stay below −0.1 dB with any interpolation.
        taps = Self.buffer(
            HalfbandTaps.kaiser(count: Self.longCount, beta: 5) + HalfbandTaps.kaiser(count: Self.shortCount, beta: 6)
        )
        near = Self.buffer(HalfbandTaps.leastSquares(count: Self.nearCount, edge: 0.7 * Double.pi))
        let quarters = HalfbandTaps.leastSquares(count: Self.quarterCount, edge: Double.pi / 2)
        quarter = Self.buffer(quarters)
        halves = AlignedFloatBuffer(count: 2 * Self.halfFrames)
        var kappa = 0.0
        for first in 1..<Self.quarterCount { kappa += Double(2 * first) * abs(quarters[first...].reduce(0, +)) }
        bend = Float(kappa + (0.5 + 2 * kappa) / 8) * Self.slack
    }

    private static func buffer(_ taps: [Double]) -> AlignedFloatBuffer {
        let buffer = AlignedFloatBuffer(count: taps.count)
        for (index, tap) in taps.enumerated() { buffer.pointer[index] = Float(tap) }
        return buffer
    }

    /// Returns a cheap upper bound of the magnitudes in and after the frames of a group.
    func limit(_ samples: UnsafePointer<Float>) -> Float {
        let kept = halves.pointer
        kept[0] = quickHalf(samples - 1)
        let (first, second) = (quickHalves(samples), quickHalves(samples + 8))
        store8(first, to: kept + 1)
        store8(second, to: kept + 9)
        var (sizes, bends) = (SIMD8<Float>(), SIMD8<Float>())
        add(load8(kept), first, samples, &sizes, &bends)
        add(load8(kept + 8), second, samples + 8, &sizes, &bends)
        return largest(sizes) * Self.slack + largest(bends) * Self.quickBend
    }

    /// Updates the maxima of magnitudes and second differences with eight frames and the adjacent halves.
    @inline(__always)
    private func add(
        _ before: SIMD8<Float>,
        _ half: SIMD8<Float>,
        _ x: UnsafePointer<Float>,
        _ sizes: inout SIMD8<Float>,
        _ bends: inout SIMD8<Float>
    ) {
        let (now, next) = (load8(x), load8(x + 1))
        sizes = larger(sizes, larger(larger(absolute(now), absolute(next)), absolute(half)))
        let (bend, nextBend) = ((before + half) - (now + now), (now + next) - (half + half))
        bends = larger(bends, larger(absolute(bend), absolute(nextBend)))
    }

    @inline(__always)
    private func quickHalves(_ x: UnsafePointer<Float>) -> SIMD8<Float> {
        let taps = near.pointer
        var half = (load8(x) + load8(x + 1)) * taps[0]
        half += (load8(x - 1) + load8(x + 2)) * taps[1]
        half += (load8(x - 2) + load8(x + 3)) * taps[2]
        half += (load8(x - 3) + load8(x + 4)) * taps[3]
        return half
    }

    @inline(__always)
    private func quickHalf(_ x: UnsafePointer<Float>) -> Float {
        let taps = near.pointer
        return (x[0] + x[1]) * taps[0] + (x[-1] + x[2]) * taps[1] + (x[-2] + x[3]) * taps[2] + (x[-3] + x[4]) * taps[3]
    }

    /// Returns the maximum magnitude in and after the frames of a group; 0 if it is certainly not above `floor`.
    func peak(_ samples: UnsafePointer<Float>, above floor: Float) -> Float {
        let (long, short) = (halves.pointer, halves.pointer + Self.halfFrames)
        var frame = 0
        while frame < Self.halfFrames {
            fillHalves(samples + (frame - Self.halvesBefore), long + frame, short + frame)
            frame &+= 8
        }
        let (first, second) = (long + Self.halvesBefore, short + Self.halvesBefore)
        var top = SIMD8<Float>()
        if bound(samples, first) > floor { top = larger(peak(samples, first), peak(samples + 8, first + 8)) }
        if bound(samples, second) > floor {
            top = larger(top, larger(peak(samples, second), peak(samples + 8, second + 8)))
        }
        return largest(top)
    }

    /// Computes eight halves by both filters.
    @inline(__always)
    private func fillHalves(
        _ samples: UnsafePointer<Float>,
        _ long: UnsafeMutablePointer<Float>,
        _ short: UnsafeMutablePointer<Float>
    ) {
        let taps = taps.pointer
        var (sum, shortSum) = (SIMD8<Float>(), SIMD8<Float>())
        var tap = 0
        while tap < Self.shortCount {
            let pair = load8(samples - tap) + load8(samples + (tap &+ 1))
            sum += pair * taps[tap]
            shortSum += pair * taps[tap &+ Self.longCount]
            tap &+= 1
        }
        store8(shortSum, to: short)
        var odd = SIMD8<Float>()
        while tap < Self.longCount {
            sum += (load8(samples - tap) + load8(samples + (tap &+ 1))) * taps[tap]
            odd += (load8(samples - (tap &+ 1)) + load8(samples + (tap &+ 2))) * taps[tap &+ 1]
            tap &+= 2
        }
        store8(sum + odd, to: long)
    }

    /// Returns an upper bound of the magnitudes of a group, given its halves.
    @inline(__always)
    private func bound(_ x: UnsafePointer<Float>, _ h: UnsafePointer<Float>) -> Float {
        var (sizes, bends) = (SIMD8<Float>(), SIMD8<Float>())
        // From two frames before the group to one after it; reading a frame twice does no harm.
        add(load8(h - 3), load8(h - 2), x - 2, &sizes, &bends)
        add(load8(h + 5), load8(h + 6), x + 6, &sizes, &bends)
        add(load8(h + 9), load8(h + 10), x + 10, &sizes, &bends)
        return largest(sizes) * Self.slack + largest(bends) * bend
    }

    /// Returns the largest magnitudes from each frame to the next, for halves by one filter.
    @inline(__always)
    private func peak(_ x: UnsafePointer<Float>, _ h: UnsafePointer<Float>) -> SIMD8<Float> {
        let (now, next, half, last) = (load8(x), load8(x + 1), load8(h), load8(h - 1))
        let (before, (first, third)) = (quarters(x - 1, h - 1).second, quarters(x, h))
        let bound = larger(
            larger(absolute(now), absolute(next)),
            larger(absolute(half), absolute(last))
        )
        let limit = larger(bound, absolute(load8(h + 1))) * 1.414_2
        let top = larger(
            larger(parabola(before, now, first), parabola(now, first, half)),
            larger(parabola(first, half, third), parabola(half, third, next))
        )
        return smaller(top, limit)
    }

    /// Returns the values a quarter and three quarters after each frame.
    @inline(__always)
    private func quarters(
        _ x: UnsafePointer<Float>,
        _ h: UnsafePointer<Float>
    ) -> (first: SIMD8<Float>, second: SIMD8<Float>) {
        let taps = quarter.pointer
        let (now, next, half) = (load8(x), load8(x + 1), load8(h))
        var first = (now + half) * taps[0]
        first += (load8(h - 1) + next) * taps[1]
        first += (load8(x - 1) + load8(h + 1)) * taps[2]
        first += (load8(h - 2) + load8(x + 2)) * taps[3]
        var second = (half + next) * taps[0]
        second += (now + load8(h + 1)) * taps[1]
        second += (load8(h - 1) + load8(x + 2)) * taps[2]
        second += (load8(x - 1) + load8(h + 2)) * taps[3]
        return (first, second)
    }

    /// Returns the peak of the parabola through three values if the middle one is the largest, else the middle value.
    @inline(__always)
    private func parabola(_ before: SIMD8<Float>, _ middle: SIMD8<Float>, _ after: SIMD8<Float>) -> SIMD8<Float> {
        let size = absolute(middle)
        let sign = SIMD8<Float>(repeating: 1).replacing(with: -1, where: middle .< 0)
        let (left, right) = (larger(before * sign, -size), larger(after * sign, -size))
        let bend = 2 * size - left - right
        let slope = right - left
        let isTop = (left .<= size) .& (right .<= size) .& (bend .> 1e-6)
        let top = size + slope * slope / (8 * bend)
        return size.replacing(with: top, where: isTop)
    }
}
