#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Finds the most similar positions of a recording, and crossfades between them.
///
/// The crossfade keeps the power constant: for sounds of equal power and correlation ρ, the gains are cos θ and sin θ,
/// divided by √(1 + ρ sin 2θ). θ follows `CrossfadeCurve`, whose derivatives are 0 at both ends.
struct PauseJoiner: ~Copyable {
    /// The length of the crossfade, and the search range around the second position, in frames.
    let fadeLength: Int
    let reach: Int
    /// The step of the first look, in frames.
    private let step: Int
    /// The gains of the first side and of the second, for sounds that do not resemble each other.
    private let outward: AlignedFloatBuffer
    private let inward: AlignedFloatBuffer

    private static var searchRate: Double { 16_000 }
    /// The steepness that is inaudible as a click, −70 dB of full scale, and the number of further positions to try
    /// above it.
    private static var inaudibleExcess: Float { 0.000_3 }
    private static var otherCount: Int { 32 }

    /// Creates a joiner.
    /// - Parameters:
    ///   - fadeTime: The duration of the crossfade in seconds.
    ///   - reachTime: The search range in both directions around the second position, in seconds.
    init(sampleRate: Double, fadeTime: Double, reachTime: Double) {
        fadeLength = max(2, Int((sampleRate * fadeTime).rounded()))
        reach = Int((sampleRate * reachTime).rounded())
        step = max(1, Int(sampleRate / PauseJoiner.searchRate))
        outward = AlignedFloatBuffer(count: fadeLength)
        inward = AlignedFloatBuffer(count: fadeLength)
        var curve = CrossfadeCurve(frameCount: fadeLength)
        curve.begin()
        for index in 0..<fadeLength {
            let angle = Double(curve.share(after: index)) * .pi / 2
            outward.pointer[index] = Float(cos(angle))
            inward.pointer[index] = Float(sin(angle))
        }
    }

    /// Samples of several channels: contiguous for each channel, with a distance of `stride` between channels.
    struct Planes {
        let base: UnsafeMutablePointer<Float>
        let stride: Int
        let channelCount: Int
    }

    /// Returns the position that is most similar to the sound at frame `first`, and the correlation of both, −1…1.
    /// - Parameter frames: The candidates for the start of the second side.
    func bestMatch(of first: Int, in frames: ClosedRange<Int>, _ planes: Planes) -> (frame: Int, correlation: Float) {
        let middle = frames.lowerBound + (frames.upperBound - frames.lowerBound) / 2
        // The middle is used if no other position is better.
        var best = (frame: middle, correlation: correlation(first, middle, planes))
        func look(at frame: Int) {
            guard frames.lowerBound <= frame, frame <= frames.upperBound else { return }
            let value = correlation(first, frame, planes)
            if value > best.correlation { best = (frame, value) }
        }
        for frame in stride(from: frames.lowerBound, through: frames.upperBound, by: step) { look(at: frame) }
        let rough = best.frame
        for frame in rough - step + 1..<rough + step where frame != rough { look(at: frame) }
        return smoothest(of: first, in: frames, planes, besides: best)
    }

    /// Returns `best`, or another place if both sides add up to a click there.
    private func smoothest(
        of first: Int,
        in frames: ClosedRange<Int>,
        _ planes: Planes,
        besides best: (frame: Int, correlation: Float)
    ) -> (frame: Int, correlation: Float) {
        var (chosen, least) = (best, excess(first, best.frame, correlation: best.correlation, planes))
        guard least > PauseJoiner.inaudibleExcess else { return best }
        for frame in stride(
            from: frames.lowerBound,
            through: frames.upperBound,
            by: max(1, frames.count / PauseJoiner.otherCount)
        ) {
            let value = correlation(first, frame, planes)
            let excess = excess(first, frame, correlation: value, planes)
            if excess < least { (chosen, least) = ((frame, value), excess) }
        }
        return chosen
    }

    /// Crossfades from the sound at frame `first` to the sound at frame `second`, and writes the result over the
    /// latter.
    func fade(from first: Int, to second: Int, correlation: Float, _ planes: Planes) {
        let likeness = min(max(correlation, 0), 1)
        // In reverse order, so that overlapping input is read before it is overwritten.
        for index in (0..<fadeLength).reversed() {
            let (out, into) = gains(index, likeness)
            for channel in 0..<planes.channelCount {
                let samples = planes.base + channel * planes.stride
                samples[second + index] = samples[first + index] * out + samples[second + index] * into
            }
        }
    }

    /// Returns the gains of both sides at a frame of the fade.
    @inline(__always)
    private func gains(_ index: Int, _ likeness: Float) -> (out: Float, into: Float) {
        let (out, into) = (outward.pointer[index], inward.pointer[index])
        let norm = 1 / (1 + 2 * likeness * out * into).squareRoot()
        return (out * norm, into * norm)
    }

    /// Returns the amount by which the second difference of a crossfade exceeds the maximum of both its sides.
    private func excess(_ first: Int, _ second: Int, correlation: Float, _ planes: Planes) -> Float {
        let likeness = min(max(correlation, 0), 1)
        var worst: Float = 0
        for channel in 0..<planes.channelCount {
            let (before, after) = (
                planes.base + channel * planes.stride + first, planes.base + channel * planes.stride + second
            )
            var (around, faded): (Float, Float) = (0, 0)
            // Earlier frames are unknown.
            var (older, old): (Float, Float) = (before[0], before[1])
            for index in 2..<fadeLength {
                let (out, into) = gains(index, likeness)
                let sample = before[index] * out + after[index] * into
                faded = max(faded, (sample - 2 * old + older).magnitude)
                around = max(around, (before[index] - 2 * before[index - 1] + before[index - 2]).magnitude)
                around = max(around, (after[index] - 2 * after[index - 1] + after[index - 2]).magnitude)
                (older, old) = (old, sample)
            }
            worst = max(worst, faded - around)
        }
        return worst
    }

    private func correlation(_ first: Int, _ second: Int, _ planes: Planes) -> Float {
        var (product, firstEnergy, secondEnergy): (Float, Float, Float) = (0, 0, 0)
        for channel in 0..<planes.channelCount {
            let samples = planes.base + channel * planes.stride
            product += dotProduct(samples + first, samples + second, count: fadeLength)
            firstEnergy += dotProduct(samples + first, samples + first, count: fadeLength)
            secondEnergy += dotProduct(samples + second, samples + second, count: fadeLength)
        }
        let energies = firstEnergy * secondEnergy
        return energies > 0 && energies.isFinite ? product / energies.squareRoot() : 0
    }
}
