/// Finds the frame of a FLAC file that holds a sample, in a few looks at the file.
///
/// Where a sample lies is guessed from a straight line between two frames that are known, at first the start and the end;
/// what is found there is the next known one. In music three to five looks are enough; each costs as many bytes as it
/// takes to come across a frame, where a search by timestamps has a parser check many frames at every place.
struct FLACFrameSearch {
    private typealias Place = (offset: Int64, sample: Int64)

    private let target: Int64
    /// Bytes and samples of a frame, about.
    private let frame: Place
    private var low: Place
    private var high: Place
    private var looks = 0
    /// The offset of the frame that was looked for, or one of the few before it.
    private(set) var found: Int64?

    /// More looks than bisection alone needs for 200 hours.
    private static let mostLooks = 24
    /// After so many the guess is the middle: the line may not fit at all.
    private static let guesses = 8
    /// So many frames before the one that holds the sample are not worth another look.
    private static let nearFrames: Int64 = 3

    /// - Parameters:
    ///   - target: A sample, 0…`sampleCount`.
    ///   - sampleCount: Of the recording.
    ///   - bytes: Where the first frame begins, and where the file ends.
    init(target: Int64, sampleCount: Int64, blockSize: Int, bytes: Range<Int64>) {
        self.target = target
        low = (bytes.lowerBound, 0)
        high = (bytes.upperBound, max(sampleCount, target + 1))
        let perSample = Double(bytes.upperBound - bytes.lowerBound) / Double(max(sampleCount, 1))
        frame = (max(Int64(perSample * Double(blockSize)), 1), Int64(blockSize))
        settle()
    }

    /// Where to look next, for the first frame that begins there or behind; `nil` if the search is over.
    mutating func next() -> Range<Int64>? {
        guard found == nil, looks < Self.mostLooks else { return nil }
        looks += 1
        let guess: Int64
        if looks <= Self.guesses {
            let share = Double(target - low.sample) / Double(max(high.sample - low.sample, 1))
            // A frame and a half before, so that the first frame from there on is not yet behind it.
            guess = low.offset + Int64(share * Double(high.offset - low.offset)) - frame.offset * 3 / 2
        } else {
            guess = (low.offset + high.offset) / 2
        }
        return min(max(guess, low.offset + 1), high.offset - 1)..<high.offset
    }

    /// What the look at `range` has found: the first frame there, by its first sample, or none.
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
        let isNear = target - low.sample < (Self.nearFrames + 1) * frame.sample
        if isNear || high.offset - low.offset <= 1 { found = low.offset }
    }
}
