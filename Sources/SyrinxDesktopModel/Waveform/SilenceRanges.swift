/// The pauses of a recording, found while its waveform arrives in blocks.
///
/// Blocks may arrive in any order, as after a seek in a stream: what is quiet at either side of what was missing is joined.
public struct SilenceRanges: Sendable {
    /// The magnitude, 0…1, below which a block is quiet: −54 dB.
    public static let threshold: Float = 0.002
    /// The shortest pause in seconds.
    public static let minimumLength = 0.8

    private let blockLength: Double
    /// Starts and ends of quiet runs as numbers of blocks, in order and apart from each other.
    private var runs: [Range<Int>] = []

    /// Creates an empty list.
    /// - Parameter blockLength: The seconds of a block; what is not positive counts as a second.
    public init(blockLength: Double) {
        self.blockLength = blockLength.isFinite && blockLength > 0 ? min(blockLength, 1e6) : 1
    }

    /// Notes blocks that have become known.
    /// - Parameters:
    ///   - peaks: The greatest magnitude of each, 0…1.
    ///   - index: The number of the first, 0 or more.
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
        // Mostly they come in order, so that only the last is looked at.
        var first = runs.count
        while first > 0, runs[first - 1].upperBound >= new.lowerBound { first -= 1 }
        var (joined, last) = (new, first)
        while last < runs.count, runs[last].lowerBound <= new.upperBound {
            joined = min(joined.lowerBound, runs[last].lowerBound)..<max(joined.upperBound, runs[last].upperBound)
            last += 1
        }
        runs.replaceSubrange(first..<last, with: [joined])
    }

    /// The pauses that are long enough, in seconds and in order.
    public var pauses: [(start: Double, end: Double)] {
        runs.compactMap { run in
            let (start, end) = (Double(run.lowerBound) * blockLength, Double(run.upperBound) * blockLength)
            return end - start >= Self.minimumLength ? (start, end) : nil
        }
    }
}
