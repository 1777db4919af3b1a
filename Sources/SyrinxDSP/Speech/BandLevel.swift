#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The level of one band of a recording in blocks of 10 ms, its noise floor, and its loudest level, in dB of full
/// scale.
///
/// The floor is the quietest stretch of 100 ms in the last 8 s (after R. Martin, "Noise power spectral density
/// estimation based on optimal smoothing and minimum statistics", 2001), so it is met in the pauses of speech, however
/// short they are. The loudest level is that of 100 ms in the last 16 s.
struct BandLevel: ~Copyable {
    /// The level of silence, in dB.
    static var lowest: Float { -100 }
    /// Blocks that are remembered.
    static var capacity: Int { 64 }
    /// The number of blocks over which levels are averaged.
    private static var stretch: Int { 10 }
    /// Blocks of a second, and the seconds of which the extremes are remembered.
    private static var second: Int { 100 }
    private static var floorSeconds: Int { 8 }
    private static var peakSeconds: Int { 16 }

    private let powers = AlignedFloatBuffer(count: capacity)
    private let levels = AlignedFloatBuffer(count: capacity)
    private let minima = AlignedFloatBuffer(count: floorSeconds)
    private let maxima = AlignedFloatBuffer(count: peakSeconds)
    /// The number of blocks since the start.
    private(set) var count = 0
    /// The number of consecutive blocks that belong to the recording.
    private var counted = 0
    /// The blocks that the floor has been looked for in.
    private(set) var noted = 0
    private var inSecond = 0
    private var secondIndex = 0
    /// The noise floor in dB; far above all levels until 100 ms were measured.
    private(set) var floor: Float = 100
    /// The loudest level.
    private(set) var loudest: Float = lowest

    init() { forget() }

    /// Clears the signal, and keeps the statistics of the recording.
    mutating func reset() { (count, counted) = (0, 0) }

    /// Forgets the recording, too.
    mutating func forget() {
        reset()
        (inSecond, secondIndex, noted) = (0, 0, 0)
        (floor, loudest) = (100, BandLevel.lowest)
        for index in 0..<BandLevel.floorSeconds { minima.pointer[index] = 100 }
        for index in 0..<BandLevel.peakSeconds { maxima.pointer[index] = BandLevel.lowest }
    }

    /// Adds a block with this mean square.
    /// - Parameter counts: Whether it belongs to the recording, not to the silence before it.
    mutating func add(power: Float, counts: Bool) {
        let place = count % BandLevel.capacity
        let before = count > 0 ? powers.pointer[(count - 1) % BandLevel.capacity] : power
        powers.pointer[place] = power
        levels.pointer[place] = BandLevel.decibels((before + power) / 2)
        count += 1
        counted = counts ? counted + 1 : 0
        guard counted >= BandLevel.stretch else { return }
        var sum: Float = 0
        for index in count - BandLevel.stretch..<count { sum += powers.pointer[index % BandLevel.capacity] }
        note(BandLevel.decibels(sum / Float(BandLevel.stretch)))
    }

    /// Returns the level of block `index` and its predecessor in dB; the level of silence for an unknown block.
    func level(_ index: Int) -> Float {
        index >= 0 && index < count && index > count - BandLevel.capacity
            ? levels.pointer[index % BandLevel.capacity] : BandLevel.lowest
    }

    /// Returns whether block `index` is louder than `high`, or belongs to three in a row that are louder than `low`.
    func isLoud(_ index: Int, low: Float, high: Float) -> Bool {
        if exceeds(index, high) { return true }
        guard exceeds(index, low) else { return false }
        let (first, second) = (exceeds(index - 2, low), exceeds(index - 1, low))
        let (fourth, fifth) = (exceeds(index + 1, low), exceeds(index + 2, low))
        return first && second || second && fourth || fourth && fifth
    }

    /// Whether one of the two pairs of blocks that block `index` is in is louder than `limit`.
    private func exceeds(_ index: Int, _ limit: Float) -> Bool { level(index) > limit || level(index + 1) > limit }

    private mutating func note(_ mean: Float) {
        noted = min(noted + 1, Int(Int32.max))
        let low = secondIndex % BandLevel.floorSeconds
        let high = secondIndex % BandLevel.peakSeconds
        minima.pointer[low] = min(minima.pointer[low], mean)
        maxima.pointer[high] = max(maxima.pointer[high], mean)
        (floor, loudest) = (min(floor, mean), max(loudest, mean))
        inSecond += 1
        guard inSecond == BandLevel.second else { return }
        (inSecond, secondIndex) = (0, (secondIndex + 1) % (BandLevel.floorSeconds * BandLevel.peakSeconds))
        minima.pointer[secondIndex % BandLevel.floorSeconds] = 100
        maxima.pointer[secondIndex % BandLevel.peakSeconds] = BandLevel.lowest
        // Until the first section of the new second, the previous one is used.
        (floor, loudest) = (mean, mean)
        for index in 0..<BandLevel.floorSeconds { floor = min(floor, minima.pointer[index]) }
        for index in 0..<BandLevel.peakSeconds { loudest = max(loudest, maxima.pointer[index]) }
    }

    static func decibels(_ power: Float) -> Float { power > 1e-10 ? 10 * log10f(power) : lowest }
}
