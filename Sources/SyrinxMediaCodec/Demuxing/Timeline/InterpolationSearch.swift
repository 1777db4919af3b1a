internal import SyrinxByteStream

/// Finds the place in a file at which the sound of a sample begins, in a few looks at the file.
///
/// Places are where its units begin: frames of FLAC, pages of Ogg. Where a sample lies is guessed from a straight line between two
/// places that are known, at first the start and the end; what is found there is the next known one. In music three to five looks
/// are enough, and one where the rate is even; each costs as many bytes as it takes to come across a unit, where a search by
/// timestamps has libavformat check many of them at every place.
struct InterpolationSearch {
    typealias Place = (offset: Int64, sample: Int64)

    /// The result of reading a range.
    enum Look {
        /// The first unit that begins in it.
        case next
        /// The one behind that.
        case behindTheNext

        /// So many units before the guess a look begins, so that what it finds is not yet behind the sample.
        fileprivate var lead: Double { self == .next ? 1.5 : 2.5 }
        /// A place so many units before the one that holds the sample is not worth another look.
        fileprivate var nearUnits: Int64 { self == .next ? 3 : 1 }
    }

    private let target: Int64
    private let look: Look
    /// Bytes and samples of a unit, about.
    private let unit: Place
    private var low: Place
    private var high: Place
    private var looks = 0
    /// The place that was looked for, or one of the few before it.
    private(set) var found: Place?

    /// More looks than bisection alone needs for 200 hours.
    private static let mostLooks = 24
    /// After so many the guess is the middle: the line may not fit at all.
    private static let guesses = 8

    /// - Parameters:
    ///   - target: A sample, 0…`sampleCount`.
    ///   - sampleCount: Of the recording.
    ///   - unitSize: Samples in a unit, about.
    ///   - bytes: Where the first unit begins, and where the file ends.
    ///   - look: The argument of the next `see`.
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

    /// Takes the result of reading `range`: a place, by its first sample, or none.
    mutating func see(_ sample: Int64?, at offset: Int64, in range: Range<Int64>) {
        switch sample {
        case .some(let sample) where sample > low.sample && sample <= target: low = (offset, sample)
        case .some(let sample) where sample > target && sample <= high.sample: high = (range.lowerBound, sample)
        // There is none, or one that says it lies where it cannot.
        default: high.offset = range.lowerBound
        }
        settle()
    }

    private mutating func settle() {
        let isNear = target.subtractingClamped(low.sample) < (look.nearUnits + 1).multipliedClamped(by: unit.sample)
        if isNear || high.offset - low.offset <= 1 { found = low }
    }
}
