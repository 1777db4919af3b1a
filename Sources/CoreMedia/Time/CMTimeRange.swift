public import CSyrinxCoreMedia

extension CMTimeRange {
    /// The empty range at 0.
    public static let zero = CMTimeRange(start: .zero, duration: .zero)
    /// No range at all.
    public static let invalid = CMTimeRange(start: .invalid, duration: .invalid)

    /// A range from `start` up to `end`; see `CMTimeRangeFromTimeToTime`.
    public init(start: CMTime, end: CMTime) {
        self = CMTimeRangeFromTimeToTime(start: start, end: end)
    }

    /// Whether this is a range: both times are valid, and the duration is of epoch 0 and not negative.
    public var isValid: Bool { start.isValid && duration.isValid && duration.epoch == 0 && duration.value >= 0 }
    /// Whether this is a range whose start or duration is not known.
    public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }
    /// Whether this is a range of no duration.
    public var isEmpty: Bool { isValid && duration == .zero }
    /// The time behind the range; see `CMTimeRangeGetEnd`.
    public var end: CMTime { CMTimeRangeGetEnd(self) }

    /// Returns the smallest range that holds both; see `CMTimeRangeGetUnion`.
    public func union(_ otherRange: CMTimeRange) -> CMTimeRange { CMTimeRangeGetUnion(self, otherRange: otherRange) }

    /// Returns the range that both have in common; see `CMTimeRangeGetIntersection`.
    public func intersection(_ otherRange: CMTimeRange) -> CMTimeRange {
        CMTimeRangeGetIntersection(self, otherRange: otherRange)
    }

    /// Returns whether `time` lies in the range, to which its end does not belong.
    public func containsTime(_ time: CMTime) -> Bool { CMTimeRangeContainsTime(self, time: time) }

    /// Returns whether all of `range` lies in this range.
    public func containsTimeRange(_ range: CMTimeRange) -> Bool {
        CMTimeRangeContainsTimeRange(self, otherRange: range)
    }

    /// Whether sums and comparisons with the range have a meaning.
    fileprivate var isKnown: Bool { isValid && !isIndefinite && start.kind != .invalid && duration.kind != .invalid }
}

extension CMTimeRange: @retroactive Hashable {
    /// Returns whether the starts and the durations of both are equal.
    public static func == (range1: CMTimeRange, range2: CMTimeRange) -> Bool { CMTimeRangeEqual(range1, range2) }

    /// Feeds start and duration into `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(start)
        hasher.combine(duration)
    }
}

extension CMTimeRange: @retroactive Codable {
    private enum CodingKeys: String, CodingKey {
        case start, duration
    }

    /// A range from a container with the keys `start` and `duration`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            start: try container.decode(CMTime.self, forKey: .start),
            duration: try container.decode(CMTime.self, forKey: .duration)
        )
    }

    /// Encodes start and duration under their names.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(start, forKey: .start)
        try container.encode(duration, forKey: .duration)
    }
}

/// Returns whether `range` is a range.
public func CMTIMERANGE_IS_VALID(_ range: CMTimeRange) -> Bool { range.isValid }

/// Returns whether `range` is none.
public func CMTIMERANGE_IS_INVALID(_ range: CMTimeRange) -> Bool { !range.isValid }

/// Returns whether the start or duration of `range` is not known.
public func CMTIMERANGE_IS_INDEFINITE(_ range: CMTimeRange) -> Bool { range.isIndefinite }

/// Returns whether `range` has no duration.
public func CMTIMERANGE_IS_EMPTY(_ range: CMTimeRange) -> Bool { range.isEmpty }

/// Returns a range; `invalid` if the duration is not of epoch 0.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
    duration.epoch == 0 ? CMTimeRange(start: start, duration: duration) : .invalid
}

/// Returns the range from `start` up to `end`; `invalid` if `end` is before `start`, in another epoch, or either is invalid.
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
    guard !start.isNumeric || !end.isNumeric || start.epoch == end.epoch else { return .invalid }
    var duration = CMTimeSubtract(end, start)
    // Both of one epoch, or one of epoch 0 that does not count because the other is infinite.
    duration.epoch = 0
    let range = CMTimeRange(start: start, duration: duration)
    return range.isValid && !duration.isNegativeInfinity ? range : .invalid
}

/// Returns the smallest range that holds all times of both.
///
/// It is `invalid` if one of them is invalid or indefinite, or if they are in different epochs.
public func CMTimeRangeGetUnion(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    guard range.isKnown, otherRange.isKnown, range.start.epoch == otherRange.start.epoch else { return .invalid }
    return CMTimeRangeFromTimeToTime(
        start: CMTimeMinimum(range.start, otherRange.start),
        end: CMTimeMaximum(range.end, otherRange.end)
    )
}

/// Returns the largest range that both hold; `zero` if they have no time in common.
///
/// It is `invalid` if one of them is invalid or indefinite, or if they are in different epochs.
public func CMTimeRangeGetIntersection(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    guard range.isKnown, otherRange.isKnown, range.start.epoch == otherRange.start.epoch else { return .invalid }
    let start = CMTimeMaximum(range.start, otherRange.start)
    let end = CMTimeMinimum(range.end, otherRange.end)
    return start < end ? CMTimeRangeFromTimeToTime(start: start, end: end) : .zero
}

/// Returns whether the starts and the durations of both are equal.
public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool {
    range1.start == range2.start && range1.duration == range2.duration
}

/// Returns whether `time` lies in `range`, to which its end does not belong.
public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool {
    guard range.isKnown, time.kind != .invalid, !time.isIndefinite else { return false }
    guard !time.isNumeric || !range.start.isNumeric || time.epoch == range.start.epoch else { return false }
    return range.start <= time && time < range.end
}

/// Returns whether all of `otherRange` lies in `range`.
public func CMTimeRangeContainsTimeRange(_ range: CMTimeRange, otherRange: CMTimeRange) -> Bool {
    guard range.isKnown, otherRange.isKnown, range.start.epoch == otherRange.start.epoch else { return false }
    return range.start <= otherRange.start && otherRange.end <= range.end
}

/// Returns the time behind `range`, the sum of its start and duration; `invalid` if it is no range.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime {
    range.isValid ? CMTimeAdd(range.start, range.duration) : .invalid
}

/// Returns the time of `range`, or its end, that is nearest to `time`.
///
/// It is `invalid` if the range is empty or either is invalid.
public func CMTimeClampToRange(_ time: CMTime, range: CMTimeRange) -> CMTime {
    guard time.kind != .invalid, range.isKnown, !range.isEmpty else { return .invalid }
    return CMTimeMinimum(CMTimeMaximum(time, range.start), range.end)
}

/// Returns the place in `toRange` that corresponds to the place of `t` in `fromRange`.
///
/// Between ranges of infinite duration only the starts differ. The result is `invalid` if a range is empty or not known, or if `t`
/// is in another epoch than `fromRange`.
public func CMTimeMapTimeFromRangeToRange(_ t: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange) -> CMTime {
    guard t.kind != .invalid, fromRange.isKnown, t.epoch == fromRange.start.epoch || !t.isNumeric else {
        return .invalid
    }
    var offset = CMTimeSubtract(t, fromRange.start)
    offset.epoch = 0
    return CMTimeAdd(
        CMTimeMapDurationFromRangeToRange(offset, fromRange: fromRange, toRange: toRange),
        toRange.start
    )
}

/// Returns the duration that has the same share of `toRange` as `dur` has of `fromRange`.
///
/// The result is `invalid` if a range is empty or not known, or if `dur` is not of epoch 0.
public func CMTimeMapDurationFromRangeToRange(_ dur: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange) -> CMTime {
    guard dur.kind != .invalid, dur.epoch == 0, fromRange.isKnown, toRange.isKnown, !fromRange.isEmpty, !toRange.isEmpty
    else { return .invalid }
    let (from, to) = (fromRange.duration, toRange.duration)
    if from.isPositiveInfinity, to.isPositiveInfinity { return dur }
    guard from.isNumeric else { return dur.isNumeric ? .zero : .invalid }
    guard to.isNumeric else { return dur == .zero ? dur : dur < .zero ? .negativeInfinity : .positiveInfinity }
    let ratio = TimeFraction(
        Int128(to.value) * Int128(from.timescale),
        over: Int128(to.timescale) * Int128(from.value)
    ).reduced
    if let multiplier = Int32(exactly: ratio.numerator), let divisor = Int32(exactly: ratio.denominator) {
        return CMTimeMultiplyByRatio(dur, multiplier: multiplier, divisor: divisor)
    }
    return CMTimeMultiplyByFloat64(dur, multiplier: Double(ratio.numerator) / Double(ratio.denominator))
}

/// Returns the time in `foldRange` that `time` comes to when the range repeats without end in both directions.
///
/// It is `invalid` if the range is empty or not known, or if `time` is no number.
public func CMTimeFoldIntoRange(_ time: CMTime, foldRange: CMTimeRange) -> CMTime {
    guard time.kind == .number, foldRange.isKnown, !foldRange.isEmpty, foldRange.start.kind == .number else {
        return .invalid
    }
    let offset = CMTimeSubtract(time, foldRange.start)
    let duration = foldRange.duration
    guard offset.kind == .number else { return .invalid }
    guard duration.kind == .number else { return offset < .zero ? .invalid : time }
    // offset mod duration over the product of both timescales, which has 62 bits.
    let whole = Int128(duration.value) * Int128(offset.timescale)
    let part = Int128(offset.value) * Int128(duration.timescale) % whole
    let rest = TimeFraction(
        part < 0 ? part + whole : part,
        over: Int128(offset.timescale) * Int128(duration.timescale)
    ).reduced
    let scale = Int32(clamping: rest.denominator)
    let flags = offset.flags.union(duration.flags)
    return CMTimeAdd(foldRange.start, CMTime(rest, timescale: scale, from: flags, epoch: 0))
}
