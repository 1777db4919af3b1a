/// Finds the segment of input that best continues the current output.
///
/// The measure is the normalized correlation over 12 ms of all channels (Verhelst and Roelands, WSOLA, 1993). The
/// search first compares means of a few frames, and then the frames themselves around the best of these. Use from one
/// thread at a time; nothing allocates after `init`.
struct WSOLASearch: ~Copyable {
    /// The lowest pitch in Hz for which a whole period is searched.
    private static var lowestPitch: Double { 65 }
    /// The share of the energy that an acceptable join may lose.
    ///
    /// It determines how far away a slightly better join may be.
    private static var tolerance: Float { @_noLocks @_noAllocation get { 0.02 } }

    /// The number of joins that are tried at once, as `addSlidingProducts` does.
    private static var together: Int { @_noLocks @_noAllocation get { 16 } }

    /// Above this likeness something is not noise.
    private static var pitched: Float { @_noLocks @_noAllocation get { 0.5 } }

    /// The number of frames that are compared.
    let length: Int
    /// The search range in both directions in frames: half a period of the lowest pitch.
    let reach: Int
    private let channelCount: Int
    private let step: Int
    /// The distance between the channels of `heard` in floats.
    let stride: Int
    private let heardStore: AlignedFloatBuffer
    private let coarseHeard: AlignedFloatBuffer
    private let coarseOffer: AlignedFloatBuffer
    private let products: AlignedFloatBuffer

    // The search in hand.
    private var range = 0
    private var due = 0
    private var energy = 0.0
    private var coarseEnergy = 0.0
    private var coarse = -1
    private var power = 0.0
    private var bestScore = -Float.infinity
    /// The best of the joins tried so far: frames from the earliest.
    private(set) var best = 0
    /// The similarity of both sides of the join, 0 to 1.
    private(set) var likeness: Float = 1
    /// 1, or −1 if the continuation fits with inverted sign.
    private(set) var sign: Float = 1
    private var polarity: Float = 1
    private var canTurn = false

    init(length: Int, sampleRate: Double, channelCount: Int) {
        self.length = length
        self.channelCount = channelCount
        reach = Self.reach(sampleRate: sampleRate)
        step = max(1, Int(sampleRate / 5500))
        stride = (length + 15) / 16 * 16
        heardStore = AlignedFloatBuffer(count: stride * channelCount)
        coarseHeard = AlignedFloatBuffer(count: length * channelCount)
        // The last joins are tried beside some that there are not.
        coarseOffer = AlignedFloatBuffer(count: (length + 2 * reach) * channelCount + Self.together)
        products = AlignedFloatBuffer(count: Self.together)
    }

    static func reach(sampleRate: Double) -> Int { Int(sampleRate / lowestPitch / 2) + 1 }

    /// Returns the memory for the output so far of one channel, to be filled before the comparison.
    func heard(_ channel: Int) -> UnsafeMutablePointer<Float> { heardStore.pointer + channel * stride }

    /// Begins a search.
    ///
    /// - Parameters:
    ///   - range: The latest join, counted from the earliest; at most twice `reach`.
    ///   - due: The join that keeps the time map.
    ///   - polarity: The sign of the current output.
    ///   - canTurn: Whether the sign may be inverted.
    mutating func begin(range: Int, due: Int, polarity: Float, canTurn: Bool) {
        self.range = range
        self.due = due
        self.polarity = polarity
        self.canTurn = canTurn
        sign = 1
        energy = 0
        coarseEnergy = 0
        best = due
        bestScore = -.infinity
        likeness = 1
    }

    /// Adds the current output and the candidates of one channel: `length + range` frames from the earliest join.
    mutating func compare(_ channel: Int, _ offer: UnsafePointer<Float>) {
        energy += Double(dotProduct(heard(channel), heard(channel), count: length))
        guard step > 1 else { return }
        let own = coarseHeard.pointer + channel * coarseCount
        WSOLASearch.average(heard(channel), step, count: coarseCount, into: own)
        WSOLASearch.average(offer, step, count: coarseTotal, into: coarseOffer.pointer + channel * coarseTotal)
        coarseEnergy += Double(dotProduct(own, own, count: coarseCount))
    }

    /// Tries some of all joins, on averages: one of several parts, in their order.
    mutating func tryCoarsely(_ part: Int, of parts: Int) {
        guard isAudible, step > 1 else { return }
        tryJoins(
            part,
            of: parts,
            from: 0,
            to: coarseTotal - coarseCount,
            heard: (UnsafePointer(coarseHeard.pointer), coarseCount),
            offer: (UnsafePointer(coarseOffer.pointer), coarseTotal),
            count: coarseCount,
            scale: step,
            energy: coarseEnergy
        )
    }

    /// Tries some of the joins around the best of the averages: one of several parts, in their order.
    ///
    /// - Parameter offer: the input from the earliest join on, channels `offerStride` apart.
    mutating func tryFinely(_ offer: UnsafePointer<Float>, offerStride: Int, _ part: Int, of parts: Int) {
        guard isAudible else { return }
        if part == 0 {
            coarse = best
            bestScore = -.infinity
            best = due
        }
        let from = step > 1 ? max(coarse - step, 0) : 0
        tryJoins(
            part,
            of: parts,
            from: from,
            to: step > 1 ? max(min(coarse + step - 1, range), from) : range,
            heard: (UnsafePointer(heardStore.pointer), stride),
            offer: (offer, offerStride),
            count: length,
            scale: 1,
            energy: energy
        )
    }

    /// Returns the number of parts into which the two search stages are divided.
    @_noLocks @_noAllocation
    func coarseParts(range: Int) -> Int { step > 1 ? min(range / step / WSOLASearch.together + 1, 8) : 1 }

    @_noLocks @_noAllocation
    func fineParts(range: Int) -> Int { min((step > 1 ? 2 * step - 1 : range) / WSOLASearch.together + 1, 8) }

    /// Returns the cost of the coarse search, in the units of `AmortizedSteps`.
    @_noLocks @_noAllocation
    func coarseCost(range: Int) -> Int {
        step > 1 ? (range / step + 1) * (length / step * channelCount / 14 + 8) : 8
    }

    @_noLocks @_noAllocation
    func fineCost(range: Int) -> Int {
        (step > 1 ? 2 * step : range + 1) * (length * channelCount / 14 + 8)
    }

    /// Whether the output is loud enough for a join to be audible: above −120 dB.
    private var isAudible: Bool { energy > 1e-12 * Double(length) }
    private var coarseCount: Int { length / step }
    private var coarseTotal: Int { (length + range) / step }

    // Neither this function nor its callers are marked `@_noLocks`, because the standard library's square root is not.
    private mutating func tryJoins(
        _ part: Int,
        of parts: Int,
        from: Int,
        to: Int,
        heard: (samples: UnsafePointer<Float>, stride: Int),
        offer: (samples: UnsafePointer<Float>, stride: Int),
        count: Int,
        scale: Int,
        energy: Double
    ) {
        let together = WSOLASearch.together
        let groups = (to - from) / together + 1
        let products = products.pointer
        var group = groups * part / parts
        while group < groups * (part + 1) / parts {
            let first = from + group * together
            products.update(repeating: 0, count: together)
            for channel in 0..<channelCount {
                addSlidingProducts(
                    heard.samples + channel * heard.stride,
                    offer.samples + channel * offer.stride + first,
                    count: count,
                    to: products
                )
            }
            for place in first...min(first + together - 1, to) {
                movePower(to: place, isFirst: place == from, offer.samples, offer.stride, count: count)
                let along = products[place - first] / (Float(max(power, 0) * energy) + 1e-20).squareRoot()
                weigh(along * (canTurn ? polarity : 1), place: place * scale)
            }
            group += 1
        }
    }

    /// Updates the energy of a candidate from the previous one, by the samples at its two ends.
    @_noLocks @_noAllocation
    private mutating func movePower(
        to place: Int,
        isFirst: Bool,
        _ offer: UnsafePointer<Float>,
        _ stride: Int,
        count: Int
    ) {
        if isFirst { power = 0 }
        for channel in 0..<channelCount {
            let other = offer + channel * stride + place
            if isFirst {
                power += Double(dotProduct(other, other, count: count))
            } else {
                power += Double(other[count - 1]) * Double(other[count - 1]) - Double(other[-1]) * Double(other[-1])
            }
        }
    }

    @_noLocks @_noAllocation
    private mutating func weigh(_ along: Float, place: Int) {
        // Noise that repeats with the same sign becomes colored, so noise may be inverted; pitched sound keeps its
        // sign.
        let isTurned = canTurn && along < 0 && along > -WSOLASearch.pitched
        let likeness = isTurned ? -along : along
        let score = WSOLASearch.score(likeness, off: place - due, reach: reach)
        if score > bestScore {
            bestScore = score
            best = place
            self.likeness = max(min(likeness, 1), 0)
            sign = canTurn ? (isTurned ? -polarity : polarity) : 1
        }
    }

    @_noLocks @_noAllocation
    private static func score(_ likeness: Float, off: Int, reach: Int) -> Float {
        let distance = Float(off) / Float(reach)
        let spoilt = 1 - likeness + tolerance
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
        var index = 0
        var source = samples
        while index < count {
            var (sum0, sum1, sum2, sum3): (Float, Float, Float, Float) = (0, 0, 0, 0)
            var offset = 0
            while offset &+ 4 <= step {
                sum0 += source[offset]
                sum1 += source[offset &+ 1]
                sum2 += source[offset &+ 2]
                sum3 += source[offset &+ 3]
                offset &+= 4
            }
            while offset < step {
                sum0 += source[offset]
                offset &+= 1
            }
            target[index] = (sum0 + sum2) + (sum1 + sum3)
            source += step
            index &+= 1
        }
    }
}
