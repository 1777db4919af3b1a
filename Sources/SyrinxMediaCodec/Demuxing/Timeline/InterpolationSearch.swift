internal import SyrinxByteStream

/// Finds the file offset of a sample with few reads, by interpolation.
///
/// Offsets are starts of units: FLAC frames or Ogg pages. The offset is interpolated between two known units, at first
/// the start and the end of the file. Each unit that is found replaces one of the two. Music takes three to five reads,
/// and a constant bit rate one. Each read is only as long as needed to find a unit, while libavformat's seek by
/// timestamp checks many units at every offset.
struct InterpolationSearch {
    typealias Place = (offset: Int64, sample: Int64)

    /// The result of reading a range.
    enum Look {
        /// The first unit that starts in the range.
        case next
        /// The second unit that starts in the range.
        case behindTheNext

        /// The number of units by which a read starts before the estimate, so that the unit found does not follow the
        /// sample.
        fileprivate var lead: Double { self == .next ? 1.5 : 2.5 }
        /// The distance from the target, in units, at which the search ends.
        fileprivate var nearUnits: Int64 { self == .next ? 3 : 1 }
    }

    private let target: Int64
    private let look: Look
    /// The approximate size of a unit, in bytes and samples.
    private let unit: Place
    private var low: Place
    private var high: Place
    private var looks = 0
    /// The unit that contains the sample, or one shortly before it; `nil` while the search continues.
    private(set) var found: Place?

    /// The maximum number of reads, more than bisection needs for 200 hours.
    private static let mostLooks = 24
    /// The number of interpolated reads before the search falls back to bisection.
    private static let guesses = 8

    /// - Parameters:
    ///   - target: The sample to find, 0…`sampleCount`.
    ///   - sampleCount: The number of samples of the recording.
    ///   - unitSize: The approximate number of samples per unit.
    ///   - bytes: The file range from the first unit to the end of the file.
    ///   - look: The unit that is passed to the next `see`.
    init(target: Int64, sampleCount: Int64, unitSize: Int64, bytes: Range<Int64>, look: Look = .next) {
        self.target = target
        self.look = look
        low = (bytes.lowerBound, 0)
        high = (bytes.upperBound, max(sampleCount, target.addingClamped(1)))
        let perSample = Double(bytes.upperBound - bytes.lowerBound) / Double(max(sampleCount, 1))
        unit = (Int64(clamped: min(max(perSample * Double(unitSize), 1), 1e15)), unitSize)
        settle()
    }

    /// Returns the next range to read; `nil` if the search is over.
    mutating func next() -> Range<Int64>? {
        guard found == nil, looks < Self.mostLooks else { return nil }
        looks += 1
        let guess: Int64
        if looks <= Self.guesses {
            let share =
                Double(target.subtractingClamped(low.sample))
                / Double(max(high.sample.subtractingClamped(low.sample), 1))
            let lead = look.lead * Double(unit.offset)
            guess = low.offset.addingClamped(Int64(clamped: share * Double(high.offset - low.offset) - lead))
        } else {
            guess = low.offset + (high.offset - low.offset) / 2
        }
        return min(max(guess, low.offset + 1), high.offset - 1)..<high.offset
    }

    /// Processes the result of reading `range`: the first sample and the offset of a unit, or `nil` if none was found.
    mutating func see(_ sample: Int64?, at offset: Int64, in range: Range<Int64>) {
        switch sample {
        case .some(let sample) where sample > low.sample && sample <= target: low = (offset, sample)
        case .some(let sample) where sample > target && sample <= high.sample: high = (range.lowerBound, sample)
        // No unit was found, or its position is out of range.
        default: high.offset = range.lowerBound
        }
        settle()
    }

    private mutating func settle() {
        let isNear = target.subtractingClamped(low.sample) < (look.nearUnits + 1).multipliedClamped(by: unit.sample)
        if isNear || high.offset - low.offset <= 1 { found = low }
    }
}
