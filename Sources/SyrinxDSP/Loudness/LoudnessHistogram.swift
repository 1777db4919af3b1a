#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The number of blocks of each loudness, in steps of 0.01 LU.
///
/// A day takes as much memory as a second.
///
/// Each step keeps the energy of its blocks, so that means are exact; only which blocks a gate lets through is rounded
/// to the step.
package struct LoudnessHistogram: Sendable, Equatable {
    private static let floor = -70.0
    private static let stepsPerUnit = 100.0
    /// The number of steps, up to +30 LUFS.
    ///
    /// Louder blocks count in the last step, with their own energy.
    private static let stepCount = 10_000

    private var counts: [Int] = Array(repeating: 0, count: stepCount)
    private var energies: [Double] = Array(repeating: 0, count: stepCount)
    /// The number of blocks above the absolute gate.
    package private(set) var blockCount = 0

    /// No blocks.
    package init() {}

    /// The loudness of an energy: −0.691 + 10·log₁₀, in LUFS.
    package static func loudness(_ energy: Double) -> Double { energy > 0 ? -0.691 + 10 * log10(energy) : -.infinity }

    /// Notes a block, unless it is below the absolute gate of −70 LUFS.
    package mutating func add(_ energy: Double) {
        let loudness = Self.loudness(energy)
        guard loudness > Self.floor, energy.isFinite else { return }
        let step = min(Int((loudness - Self.floor) * Self.stepsPerUnit), Self.stepCount - 1)
        counts[step] += 1
        energies[step] += energy
        blockCount += 1
    }

    /// Adds the blocks of another histogram.
    package mutating func merge(_ other: LoudnessHistogram) {
        for step in counts.indices {
            counts[step] += other.counts[step]
            energies[step] += other.energies[step]
        }
        blockCount += other.blockCount
    }

    /// The loudness of all blocks above `threshold` together, or `nil` if there are none.
    package func mean(above threshold: Double) -> Double? {
        var count = 0
        var energy = 0.0
        for step in firstStep(above: threshold)..<Self.stepCount {
            count += counts[step]
            energy += energies[step]
        }
        return count > 0 ? Self.loudness(energy / Double(count)) : nil
    }

    /// The gated mean loudness, over blocks at most 10 LU below the ungated mean; `nil` without blocks.
    package var integrated: Double? {
        mean(above: -.infinity).flatMap { mean(above: $0 - 10) }
    }

    /// The loudness range: from the 10th to the 95th percentile of blocks at most 20 LU below the mean (EBU Tech
    /// 3342).
    package var range: Double? {
        guard let all = mean(above: -.infinity) else { return nil }
        let first = firstStep(above: all - 20)
        let total = counts[first...].reduce(0, +)
        guard total > 0 else { return nil }
        let low = Int((Double(total - 1) * 0.10).rounded())
        let high = Int((Double(total - 1) * 0.95).rounded())
        return value(high, from: first) - value(low, from: first)
    }

    /// The loudness of the block that is number `rank` from below, counted from `first`.
    private func value(_ rank: Int, from first: Int) -> Double {
        var left = rank
        for step in first..<Self.stepCount where counts[step] > 0 {
            left -= counts[step]
            if left < 0 { return Self.loudness(energies[step] / Double(counts[step])) }
        }
        return Self.floor
    }

    /// Returns the first step above `threshold`.
    ///
    /// In the step that contains the threshold, the mean decides.
    private func firstStep(above threshold: Double) -> Int {
        guard threshold > Self.floor else { return 0 }
        let step = min(Int((threshold - Self.floor) * Self.stepsPerUnit), Self.stepCount - 1)
        guard counts[step] > 0 else { return step }
        return Self.loudness(energies[step] / Double(counts[step])) > threshold ? step : step + 1
    }
}
