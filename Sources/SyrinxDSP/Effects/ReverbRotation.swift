#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Slow rotations of pairs of delay lines, each by a steadily growing angle.
///
/// They move the modes of the network, so that no single mode is audible as a tone. A rotation preserves the energy at
/// every frequency. Unlike modulated delays it needs no interpolation, which would shorten the decay of high
/// frequencies (S. Schlecht, E. Habets, "Time-varying feedback matrices in feedback delay networks", 2015).
struct ReverbRotation {
    /// The number of pairs.
    private static let count = 4
    /// Turns of each pair in a second, without a common multiple within a tail.
    private static let rates = SIMD4<Double>(2.5, -3.2, 3.9, -4.8)

    /// The cosines and sines of the angles.
    private var cosines = SIMD4<Double>(repeating: 1)
    private var sines = SIMD4<Double>()
    /// The cosines of the rotation per four frames.
    private var stepCosines = SIMD4<Double>(repeating: 1)
    private var stepSines = SIMD4<Double>()

    init(sampleRate: Double) {
        for pair in 0..<Self.count {
            let angle = 8 * Double.pi * Self.rates[pair] / sampleRate
            stepCosines[pair] = cos(angle)
            stepSines[pair] = sin(angle)
        }
    }

    /// Returns the first line of a pair.
    ///
    /// The second one is the next line, with nearly the same length and decay.
    @inline(__always)
    private static func line(ofPair pair: Int) -> Int { 4 &* pair &+ 2 }

    /// The cosine and the sine of a pair's angle.
    @inline(__always)
    private func angle(ofPair pair: Int) -> SIMD2<Float> { SIMD2(Float(cosines[pair]), Float(sines[pair])) }

    mutating func clear() { (cosines, sines) = (SIMD4(repeating: 1), SIMD4()) }

    /// Advances by a multiple of four frames.
    mutating func advance(_ count: Int) {
        var frame = 0
        while frame < count {
            let cosine = cosines * stepCosines - sines * stepSines
            sines = sines * stepCosines + cosines * stepSines
            cosines = cosine
            frame &+= 4
        }
        // Rounding would let the length drift.
        let scale = 1.5 - 0.5 * (cosines * cosines + sines * sines)
        cosines *= scale
        sines *= scale
    }

    /// Rotates the pairs among the sources of sixteen lines for one step, and writes the results to scratch memory.
    ///
    /// Source and destination of a line may be the same memory.
    mutating func turn(
        _ lines: UnsafeMutablePointer<UnsafePointer<Float>>,
        scratch: UnsafeMutablePointer<Float>,
        _ count: Int
    ) {
        let before = self
        advance(count)
        for pair in 0..<Self.count {
            let line = Self.line(ofPair: pair)
            let target = scratch + line &* ReverbLayout.longestStep
            let nextTarget = target + ReverbLayout.longestStep
            let (begin, end) = (before.angle(ofPair: pair), angle(ofPair: pair))
            Self.turn(lines[line], lines[line &+ 1], from: begin, to: end, into: target, nextTarget, count)
            lines[line] = UnsafePointer(target)
            lines[line &+ 1] = UnsafePointer(nextTarget)
        }
    }

    /// Writes two lines, rotated by an angle that changes linearly.
    private static func turn(
        _ first: UnsafePointer<Float>,
        _ second: UnsafePointer<Float>,
        from begin: SIMD2<Float>,
        to end: SIMD2<Float>,
        into firstTarget: UnsafeMutablePointer<Float>,
        _ secondTarget: UnsafeMutablePointer<Float>,
        _ count: Int
    ) {
        let slope = (end - begin) / Float(count)
        let ramp = FourFrames(0, 1, 2, 3)
        var cosine = FourFrames(repeating: begin[0]) + ramp * slope[0]
        var sine = FourFrames(repeating: begin[1]) + ramp * slope[1]
        let (cosineStep, sineStep) = (FourFrames(repeating: 4 * slope[0]), FourFrames(repeating: 4 * slope[1]))
        var frame = 0
        while frame < count {
            let (a, b) = (first.four(frame), second.four(frame))
            firstTarget.put(a * cosine - b * sine, frame)
            secondTarget.put(a * sine + b * cosine, frame)
            cosine += cosineStep
            sine += sineStep
            frame &+= 4
        }
    }
}
