/// Interpolates a band-limited signal between its samples with a Kaiser-windowed sinc, stored as a table of rows.
///
/// A row contains the weights for one position between two frames. If the ratio of two rates allows only few
/// positions, each has a row. Otherwise a row is interpolated linearly between two rows, with an error of (π /
/// phases)² / 8 of full scale (−94 dB at 256 rows, −106 dB at 512). For rates above 1 the sinc is widened by the rate
/// to prevent aliasing. Each row sums to one, so a constant signal does not change.
struct PolyphaseFilterBank: ~Copyable {
    private let shape: SincShape
    private let table: SincTable
    private let plain: PolyphaseTable
    // Pointers to the memory of `plain` and `table` for the render thread, which must not count references.
    private let plainWeights: UnsafePointer<Float>
    private let tableValues: UnsafePointer<Float>
    /// The rows of a ratio above 1 that changes.
    private let tuned: AlignedFloatBuffer
    /// A row between two others.
    private let between: AlignedFloatBuffer
    /// Sums on their way out: see `dot`.
    private let sums = AlignedFloatBuffer(count: 8)
    private var rows: UnsafePointer<Float>
    private var tunedScale = 1.0
    /// Whether some of the rows for the ratio have still to be computed.
    private var isTuning = false
    private(set) var tapCount: Int
    private var phaseCount: Int
    /// Whether every place that is read has a row.
    private let isExact: Bool

    /// A bank for ratios up to `maximumRatio`, tuned to 1.
    init(shape: SincShape, maximumRatio: Double) {
        let widest = 2 * Double(shape.halfWidth) * maximumRatio + 16
        let count = (2 * shape.halfWidth + 16) * (shape.phaseCount + 1) + 32 * Int(widest)
        self.init(
            shape,
            PolyphaseTable.shared(shape, ratio: 1, phaseCount: shape.phaseCount),
            isExact: false,
            maximumRatio: maximumRatio,
            tunedCount: maximumRatio > 1 ? count : 0
        )
    }

    /// A bank for one ratio, that of two rates.
    init(shape: SincShape, inputRate: Double, outputRate: Double) {
        let ratio = inputRate / outputRate
        let places = Self.placeCount(inputRate, outputRate)
        let phaseCount = places ?? Self.phaseCount(shape, ratio: ratio)
        let rows = PolyphaseTable.shared(shape, ratio: ratio, phaseCount: phaseCount)
        self.init(shape, rows, isExact: places != nil, maximumRatio: ratio, tunedCount: 0)
        tunedScale = max(ratio, 1)
    }

    private init(
        _ shape: SincShape,
        _ rows: PolyphaseTable,
        isExact: Bool,
        maximumRatio: Double,
        tunedCount: Int
    ) {
        self.shape = shape
        self.isExact = isExact
        plain = rows
        table = SincTable.shared(shape)
        plainWeights = UnsafePointer(rows.weights.pointer)
        tableValues = UnsafePointer(table.values.pointer)
        tuned = AlignedFloatBuffer(count: tunedCount)
        between = AlignedFloatBuffer(count: shape.tapCount(ratio: maximumRatio))
        self.rows = plainWeights
        tapCount = rows.tapCount
        phaseCount = rows.phaseCount
    }

    /// Returns the number of distinct places between two frames, if they are few: 160 from 44.1 to 48 kHz.
    private static func placeCount(_ inputRate: Double, _ outputRate: Double) -> Int? {
        guard var divisor = Int(exactly: inputRate), let output = Int(exactly: outputRate) else { return nil }
        var rest = output
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        // A larger table would exceed the processor's cache.
        return output / divisor <= 1024 ? output / divisor : nil
    }

    @_noLocks @_noAllocation
    private static func phaseCount(_ shape: SincShape, ratio: Double) -> Int {
        max(Int(Double(shape.phaseCount) / max(ratio, 1)), 16)
    }

    /// Computes the rows for a rate of `ratio` frames per step, at most the largest ratio of `init`.
    ///
    /// Costs nothing if the rows do not change, as for all ratios up to 1; otherwise about 0.3 ms for 64 zero
    /// crossings.
    @_noLocks @_noAllocation
    mutating func tune(ratio: Double) { tune(ratio: ratio, part: 0, of: 1) }

    /// Computes some of the rows for a rate: one of several parts, in their order.
    @_noLocks @_noAllocation
    mutating func tune(ratio: Double, part: Int, of parts: Int) {
        let scale = max(ratio, 1)
        if part == 0 {
            // A reset may have ended the computation before its last part.
            guard scale != tunedScale || isTuning else { return }
            tunedScale = scale
            tapCount = shape.tapCount(ratio: ratio)
            phaseCount = Self.phaseCount(shape, ratio: ratio)
            rows = scale > 1 ? UnsafePointer(tuned.pointer) : plainWeights
            isTuning = scale > 1
        }
        guard isTuning else { return }
        shape.fill(
            tuned.pointer,
            from: tableValues,
            scale: scale,
            tapCount: tapCount,
            phaseCount: phaseCount,
            part: part,
            of: parts
        )
        if part + 1 == parts { isTuning = false }
    }

    /// Reads `count` values at a distance of `step`.
    ///
    /// The first value is at `fraction` · 2⁻⁶⁴ after the frame `source[tapCount / 2 - 1]`.
    @_noLocks @_noAllocation
    func read(
        _ source: UnsafePointer<Float>,
        fraction: UInt64,
        step: FixedPosition,
        into target: UnsafeMutablePointer<Float>,
        count: Int
    ) {
        var place = FixedPosition(whole: 0, fraction: fraction)
        for index in 0..<count {
            dot(row(at: Float(place.fractionValue)), source + place.whole)
            target[index] = sum(0)
            place = place + step
        }
    }

    /// Reads the same of two channels, each to the bit as `read` does.
    @_noLocks @_noAllocation
    func read(
        _ sources: (UnsafePointer<Float>, UnsafePointer<Float>),
        fraction: UInt64,
        step: FixedPosition,
        into targets: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>),
        count: Int
    ) {
        var place = FixedPosition(whole: 0, fraction: fraction)
        for index in 0..<count {
            dot(row(at: Float(place.fractionValue)), sources.0 + place.whole, sources.1 + place.whole)
            targets.0[index] = sum(0)
            targets.1[index] = sum(4)
            place = place + step
        }
    }

    /// The weights for a place between two frames.
    @inline(__always)
    @_noLocks @_noAllocation
    private func row(at fraction: Float) -> UnsafePointer<Float> {
        let place = fraction * Float(phaseCount)
        if isExact { return rows + Int(place + 0.5) * tapCount }
        let phase = min(Int(place), phaseCount - 1)
        let share = place - Float(phase)
        let low = rows + phase * tapCount
        if share == 0 { return low }
        let high = low + tapCount
        let between = between.pointer
        let count = tapCount
        var tap = 0
        while tap < count {
            between[tap] = low[tap] + share * (high[tap] - low[tap])
            tap &+= 1
        }
        return UnsafePointer(between)
    }
}

// MARK: Products

// Eight sums side by side, which the compiler makes vectors of because they are stored side by side at the end:
// returned instead they become half-filled ones, twice as slow. Without optimisation this is twenty times as fast as
// `SIMD8`.
extension PolyphaseFilterBank {
    @inline(__always)
    @_noLocks @_noAllocation
    private func sum(_ first: Int) -> Float {
        let sums = sums.pointer + first
        return (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    @inline(__always)
    @_noLocks @_noAllocation
    private func dot(_ row: UnsafePointer<Float>, _ a: UnsafePointer<Float>) {
        var (a0, a1, a2, a3): (Float, Float, Float, Float) = (0, 0, 0, 0)
        var (a4, a5, a6, a7): (Float, Float, Float, Float) = (0, 0, 0, 0)
        let count = tapCount
        var tap = 0
        while tap < count {
            let w = row + tap
            let x = a + tap
            a0 += x[0] * w[0]
            a1 += x[1] * w[1]
            a2 += x[2] * w[2]
            a3 += x[3] * w[3]
            a4 += x[4] * w[4]
            a5 += x[5] * w[5]
            a6 += x[6] * w[6]
            a7 += x[7] * w[7]
            tap &+= 8
        }
        let sums = sums.pointer
        sums[0] = a0 + a4
        sums[1] = a1 + a5
        sums[2] = a2 + a6
        sums[3] = a3 + a7
    }

    @inline(__always)
    @_noLocks @_noAllocation
    private func dot(_ row: UnsafePointer<Float>, _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>) {
        var (a0, a1, a2, a3): (Float, Float, Float, Float) = (0, 0, 0, 0)
        var (a4, a5, a6, a7): (Float, Float, Float, Float) = (0, 0, 0, 0)
        var (b0, b1, b2, b3): (Float, Float, Float, Float) = (0, 0, 0, 0)
        var (b4, b5, b6, b7): (Float, Float, Float, Float) = (0, 0, 0, 0)
        let count = tapCount
        var tap = 0
        while tap < count {
            let w = row + tap
            let x = a + tap
            let y = b + tap
            a0 += x[0] * w[0]
            a1 += x[1] * w[1]
            a2 += x[2] * w[2]
            a3 += x[3] * w[3]
            a4 += x[4] * w[4]
            a5 += x[5] * w[5]
            a6 += x[6] * w[6]
            a7 += x[7] * w[7]
            b0 += y[0] * w[0]
            b1 += y[1] * w[1]
            b2 += y[2] * w[2]
            b3 += y[3] * w[3]
            b4 += y[4] * w[4]
            b5 += y[5] * w[5]
            b6 += y[6] * w[6]
            b7 += y[7] * w[7]
            tap &+= 8
        }
        let sums = sums.pointer
        sums[0] = a0 + a4
        sums[1] = a1 + a5
        sums[2] = a2 + a6
        sums[3] = a3 + a7
        sums[4] = b0 + b4
        sums[5] = b1 + b5
        sums[6] = b2 + b6
        sums[7] = b3 + b7
    }
}
