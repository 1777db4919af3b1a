/// Finds pauses in a recording from waveform blocks.
///
/// Blocks may arrive in any order, for example after a seek in a stream; quiet ranges are joined when the gap between
/// them is filled.
public struct SilenceRanges: Sendable {
    /// The peak, 0…1, below which a block is quiet: −54 dBFS.
    public static let threshold: Float = 0.002
    /// The minimum length of a pause, in seconds.
    public static let minimumLength = 0.8

    private let blockLength: Double
    /// The quiet ranges as block indices, sorted and not adjacent.
    private var runs: [Range<Int>] = []

    /// Creates an empty list.
    /// - Parameter blockLength: The duration of a block in seconds; if it is not positive, 1.
    public init(blockLength: Double) {
        self.blockLength = blockLength.isFinite && blockLength > 0 ? min(blockLength, 1e6) : 1
    }

    /// Adds blocks.
    /// - Parameters:
    ///   - peaks: The peak of each block, 0…1.
    ///   - index: The index of the first block, not negative.
    public mutating func insert(_ peaks: [Float], at index: Int) {
        guard index >= 0, index <= Int(Int32.max) else { return }
        var start: Int?
        for (offset, peak) in peaks.enumerated() {
            if peak < Self.threshold {
                start = start ?? offset
            } else if let first = start {
                insert(index + first..<index + offset)
                start = nil
            }
        }
        if let start { insert(index + start..<index + peaks.count) }
    }

    private mutating func insert(_ new: Range<Int>) {
        // Blocks usually arrive in order, so start at the last range.
        var first = runs.count
        while first > 0, runs[first - 1].upperBound >= new.lowerBound { first -= 1 }
        var (joined, last) = (new, first)
        while last < runs.count, runs[last].lowerBound <= new.upperBound {
            joined = min(joined.lowerBound, runs[last].lowerBound)..<max(joined.upperBound, runs[last].upperBound)
            last += 1
        }
        runs.replaceSubrange(first..<last, with: [joined])
    }

    /// The pauses of at least the minimum length, in seconds and in order.
    public var pauses: [(start: Double, end: Double)] {
        runs.compactMap { run in
            let (start, end) = (Double(run.lowerBound) * blockLength, Double(run.upperBound) * blockLength)
            return end - start >= Self.minimumLength ? (start, end) : nil
        }
    }
}
