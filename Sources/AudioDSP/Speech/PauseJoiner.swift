#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Finds where two places of a recording resemble each other most, and fades from one to the other.
///
/// The fade keeps the power: with gains cos θ and sin θ, divided by √(1 + ρ sin 2θ), the power of two sounds of equal power and the
/// correlation ρ stays the same. θ follows `CrossfadeCurve`, whose derivatives are 0 at both ends.
struct PauseJoiner: ~Copyable {
    /// The frames of the fade, and how far either way the second place is looked for.
    let fadeLength: Int
    let reach: Int
    /// The step of the first look, in frames.
    private let step: Int
    private let shares: AlignedFloatBuffer

    private static var fadeTime: Double { 0.02 }
    private static var reachTime: Double { 0.01 }
    private static var searchRate: Double { 16_000 }

    init(sampleRate: Double) {
        fadeLength = max(2, Int((sampleRate * PauseJoiner.fadeTime).rounded()))
        reach = Int((sampleRate * PauseJoiner.reachTime).rounded())
        step = max(1, Int(sampleRate / PauseJoiner.searchRate))
        shares = AlignedFloatBuffer(count: fadeLength)
        var curve = CrossfadeCurve(frameCount: fadeLength)
        curve.begin()
        for index in 0..<fadeLength { shares.pointer[index] = Float(curve.share(after: index)) }
    }

    /// Samples of several channels: those of a channel follow on each other, `stride` after those of the one before.
    struct Planes {
        let base: UnsafeMutablePointer<Float>
        let stride: Int
        let channelCount: Int
    }

    /// Returns where a fade resembles most what begins at frame `first`, and the correlation of both, −1…1.
    /// - Parameter frames: The candidates for the start of the second side.
    func bestMatch(of first: Int, in frames: ClosedRange<Int>, _ planes: Planes) -> (frame: Int, correlation: Float) {
        let middle = frames.lowerBound + (frames.upperBound - frames.lowerBound) / 2
        // The middle wins where nothing is better.
        var best = (frame: middle, correlation: correlation(first, middle, planes))
        func look(at frame: Int) {
            guard frames.lowerBound <= frame, frame <= frames.upperBound else { return }
            let value = correlation(first, frame, planes)
            if value > best.correlation { best = (frame, value) }
        }
        for frame in stride(from: frames.lowerBound, through: frames.upperBound, by: step) { look(at: frame) }
        let rough = best.frame
        for frame in rough - step + 1..<rough + step where frame != rough { look(at: frame) }
        return best
    }

    /// Fades from what begins at frame `first` to what begins at frame `second`, in place of the latter.
    func fade(from first: Int, to second: Int, correlation: Float, _ planes: Planes) {
        let likeness = Double(min(max(correlation, 0), 1))
        for index in 0..<fadeLength {
            let angle = Double(shares.pointer[index]) * .pi / 2
            let norm = 1 / (1 + likeness * sin(2 * angle)).squareRoot()
            let (out, into) = (Float(cos(angle) * norm), Float(sin(angle) * norm))
            for channel in 0..<planes.channelCount {
                let samples = planes.base + channel * planes.stride
                samples[second + index] = samples[first + index] * out + samples[second + index] * into
            }
        }
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
