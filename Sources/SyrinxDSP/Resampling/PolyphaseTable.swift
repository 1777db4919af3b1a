import Synchronization

/// The weights of a windowed sinc for places between two frames: a row for each of `phaseCount` places, and one more.
///
/// Shared by all that read at the same ratio, for as long as one of them lives.
final class PolyphaseTable: @unchecked Sendable {
    // Unchecked: constant after `init`.
    let weights: AlignedFloatBuffer
    let tapCount: Int
    let phaseCount: Int

    private struct Key: Hashable {
        let shape: SincShape
        let scale: Double
        let phaseCount: Int
    }

    private struct Known {
        weak var rows: PolyphaseTable?
    }

    private static let known = Mutex<[Key: Known]>([:])

    /// The rows for reading `ratio` frames a step.
    static func shared(_ shape: SincShape, ratio: Double, phaseCount: Int) -> PolyphaseTable {
        let key = Key(shape: shape, scale: max(ratio, 1), phaseCount: phaseCount)
        return known.withLock { known in
            if let rows = known[key]?.rows { return rows }
            known = known.filter { $0.value.rows != nil }
            let rows = PolyphaseTable(key)
            known[key] = Known(rows: rows)
            return rows
        }
    }

    private init(_ key: Key) {
        let table = SincTable.shared(key.shape)
        tapCount = key.shape.tapCount(ratio: key.scale)
        phaseCount = key.phaseCount
        weights = AlignedFloatBuffer(count: tapCount * (phaseCount + 1))
        key.shape.fill(
            weights.pointer,
            from: table.values.pointer,
            scale: key.scale,
            tapCount: tapCount,
            phaseCount: phaseCount
        )
    }
}

extension SincShape {
    /// Fills rows with the sinc widened by `scale`, each normalized to a sum of one.
    ///
    /// - Parameters:
    ///   - part: the index of the rows to fill, of `parts`; all of them by default.
    ///   - parts: the number of parts into which the rows are divided.
    @_noLocks @_noAllocation
    func fill(
        _ rows: UnsafeMutablePointer<Float>,
        from table: UnsafePointer<Float>,
        scale: Double,
        tapCount: Int,
        phaseCount: Int,
        part: Int = 0,
        of parts: Int = 1
    ) {
        // A reversed row equals the row at the same distance from the other end.
        let rowCount = phaseCount / 2 + 1
        let (first, end) = (rowCount * part / parts, rowCount * (part + 1) / parts)
        // Places in the table, from the middle of the sinc on, with 32 bits after the point.
        let step = UInt64(Double(Self.resolution) / (scale * Double(phaseCount)) * 0x1p32)
        let limit = UInt64(halfWidth * Self.resolution) << 32
        // Tap by tap, because all positions of one tap are adjacent in the table, which is larger than the first-level
        // cache.
        for tap in 0..<tapCount {
            let distance = (tap &- tapCount / 2 &+ 1) &* phaseCount
            var phase = first
            while phase < end {
                let place = min(UInt64(truncatingIfNeeded: (distance &- phase).magnitude) &* step, limit)
                let index = Int(truncatingIfNeeded: place &>> 32)
                let share = Float(UInt32(truncatingIfNeeded: place)) * 0x1p-32
                let low = table[index]
                rows[phase &* tapCount &+ tap] = low + share * (table[index &+ 1] - low)
                phase &+= 1
            }
        }
        var phase = first
        while phase < end {
            let row = rows + phase * tapCount
            var sum: Float = 0
            for tap in 0..<tapCount { sum += row[tap] }
            let gain = 1 / sum
            for tap in 0..<tapCount { row[tap] *= gain }
            if phase * 2 < phaseCount {
                let mirrored = rows + (phaseCount - phase) * tapCount + (tapCount - 1)
                for tap in 0..<tapCount { mirrored[-tap] = row[tap] }
            }
            phase &+= 1
        }
    }
}
