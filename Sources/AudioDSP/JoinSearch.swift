/// Finds where a piece of input continues best what is heard already.
///
/// The measure is the correlation of the two over 12 ms, all channels together, divided by their energies (Verhelst and
/// Roelands, WSOLA, 1993): first on means over a few frames, then on the frames themselves around the best of these.
/// One thread at a time; nothing allocates after `init`.
struct JoinSearch: ~Copyable {
    /// The lowest pitch whose whole period is searched, in Hz.
    private static var lowestPitch: Double { 65 }
    /// How much of the energy a join as good as any other still spoils: it decides how far away a slightly better one may be.
    private static var tolerance: Float { 0.02 }

    /// How many frames are compared.
    let length: Int
    /// How far either way a join may lie from where it is due, half a period of the lowest pitch.
    let reach: Int
    private let channelCount: Int
    private let step: Int
    /// Floats from one channel of `heard` to the next.
    let stride: Int
    /// What is heard already, to be filled before `best`.
    let heard: FloatStore
    private let coarseHeard: FloatStore
    private let coarseOffer: FloatStore

    init(length: Int, sampleRate: Double, channelCount: Int) {
        self.length = length
        self.channelCount = channelCount
        reach = Self.reach(sampleRate: sampleRate)
        step = max(1, Int(sampleRate / 5500))
        stride = (length + 15) / 16 * 16
        heard = FloatStore(count: stride * channelCount)
        coarseHeard = FloatStore(count: length * channelCount)
        coarseOffer = FloatStore(count: (length + 2 * reach) * channelCount)
    }

    static func reach(sampleRate: Double) -> Int { Int(sampleRate / lowestPitch / 2) + 1 }

    /// The best of the joins 0 ... range.
    ///
    /// - Parameters:
    ///   - offer: the input from the earliest join on, `length + range` frames of each channel, `offerStride` apart.
    ///   - range: at most twice `reach`.
    ///   - due: the join where time is kept.
    // Not marked `@_noLocks`: the standard library's square root is not.
    func best(_ offer: UnsafePointer<Float>, offerStride: Int, range: Int, due: Int) -> Int {
        var energy: Float = 0
        for channel in 0..<channelCount {
            let own = heard.pointer + channel * stride
            energy += dotProduct(own, own, count: length)
        }
        // Nothing is heard, or nothing a join could be heard in: −120 dB.
        guard energy > 1e-12 * Float(length) else { return due }
        let coarse = coarseBest(offer, offerStride: offerStride, range: range, due: due)
        return fineBest(offer, offerStride: offerStride, range: range, due: due, around: coarse, energy: energy)
    }

    private func coarseBest(_ offer: UnsafePointer<Float>, offerStride: Int, range: Int, due: Int) -> Int {
        guard step > 1 else { return -1 }
        let count = length / step
        let total = (length + range) / step
        var energy: Float = 0
        for channel in 0..<channelCount {
            let own = coarseHeard.pointer + channel * count
            JoinSearch.average(heard.pointer + channel * stride, step, count: count, into: own)
            JoinSearch.average(
                offer + channel * offerStride,
                step,
                count: total,
                into: coarseOffer.pointer + channel * total
            )
            energy += dotProduct(own, own, count: count)
        }
        var best = due / step
        var bestScore = -Float.infinity
        for place in 0...(total - count) {
            var product: Float = 0
            var power: Float = 0
            for channel in 0..<channelCount {
                let other = coarseOffer.pointer + channel * total + place
                product += dotProduct(coarseHeard.pointer + channel * count, other, count: count)
                power += dotProduct(other, other, count: count)
            }
            let score = JoinSearch.score(product, energy, power, off: place * step - due, reach: reach)
            if score > bestScore {
                bestScore = score
                best = place
            }
        }
        return best * step
    }

    private func fineBest(
        _ offer: UnsafePointer<Float>,
        offerStride: Int,
        range: Int,
        due: Int,
        around coarse: Int,
        energy: Float
    ) -> Int {
        let from = coarse < 0 ? 0 : max(coarse - step, 0)
        let to = coarse < 0 ? range : min(coarse + step, range)
        var best = due
        var bestScore = -Float.infinity
        for place in from...max(to, from) {
            var product: Float = 0
            var power: Float = 0
            for channel in 0..<channelCount {
                let other = offer + channel * offerStride + place
                product += dotProduct(heard.pointer + channel * stride, other, count: length)
                power += dotProduct(other, other, count: length)
            }
            let score = JoinSearch.score(product, energy, power, off: place - due, reach: reach)
            if score > bestScore {
                bestScore = score
                best = place
            }
        }
        return best
    }

    @inline(__always)
    private static func score(_ product: Float, _ energy: Float, _ power: Float, off: Int, reach: Int) -> Float {
        let distance = Float(off) / Float(reach)
        let spoilt = 1 - product / (energy * power + 1e-20).squareRoot() + tolerance
        // Where several fit alike, the nearest is taken: it keeps time best.
        return -spoilt * (1 + 2 * distance * distance)
    }

    @_noLocks @_noAllocation
    private static func average(
        _ samples: UnsafePointer<Float>,
        _ step: Int,
        count: Int,
        into target: UnsafeMutablePointer<Float>
    ) {
        for index in 0..<count {
            var sum: Float = 0
            for offset in 0..<step { sum += samples[index * step + offset] }
            target[index] = sum
        }
    }
}
