import Synchronization

/// The weights of a windowed sinc for places between two frames: a row for each of `phaseCount` places, and one more.
///
/// Shared by all that read at the same ratio, for as long as one of them lives.
final class InterpolationRows: @unchecked Sendable {
    // Unchecked: constant after `init`.
    let weights: FloatStore
    let tapCount: Int
    let phaseCount: Int

    private struct Key: Hashable {
        let shape: SincShape
        let scale: Double
        let phaseCount: Int
    }

    private struct Known {
        weak var rows: InterpolationRows?
    }

    private static let known = Mutex<[Key: Known]>([:])

    /// The rows for reading `ratio` frames a step.
    static func shared(_ shape: SincShape, ratio: Double, phaseCount: Int) -> InterpolationRows {
        let key = Key(shape: shape, scale: max(ratio, 1), phaseCount: phaseCount)
        return known.withLock { known in
            if let rows = known[key]?.rows { return rows }
            known = known.filter { $0.value.rows != nil }
            let rows = InterpolationRows(key)
            known[key] = Known(rows: rows)
            return rows
        }
    }

    private init(_ key: Key) {
        let table = SincTable.shared(key.shape)
        tapCount = key.shape.tapCount(ratio: key.scale)
        phaseCount = key.phaseCount
        weights = FloatStore(count: tapCount * (phaseCount + 1))
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
    /// Fills rows with the sinc widened by `scale`, each so that it sums to one.
    @_noLocks @_noAllocation
    func fill(
        _ rows: UnsafeMutablePointer<Float>,
        from table: UnsafePointer<Float>,
        scale: Double,
        tapCount: Int,
        phaseCount: Int
    ) {
        let step = Float(Double(Self.resolution) / scale)
        let limit = Float(halfWidth * Self.resolution)
        // A row read backwards is the one as far from the other end.
        for phase in 0...phaseCount / 2 {
            let row = rows + phase * tapCount
            let offset = Float(phase) / Float(phaseCount) + Float(tapCount / 2 - 1)
            var sum: Float = 0
            for tap in 0..<tapCount {
                let place = min((Float(tap) - offset).magnitude * step, limit)
                let index = Int(place)
                let low = table[index]
                let weight = low + (place - Float(index)) * (table[index + 1] - low)
                row[tap] = weight
                sum += weight
            }
            let gain = 1 / sum
            for tap in 0..<tapCount { row[tap] *= gain }
            guard phase * 2 < phaseCount else { return }
            let mirrored = rows + (phaseCount - phase) * tapCount + (tapCount - 1)
            for tap in 0..<tapCount { mirrored[-tap] = row[tap] }
        }
    }
}
