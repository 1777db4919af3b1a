public import CSyrinxCoreMedia

extension CMTimeRange {
    /// An empty range at time 0.
    public static let zero = CMTimeRange(start: .zero, duration: .zero)
    /// An invalid range.
    public static let invalid = CMTimeRange(start: .invalid, duration: .invalid)

    /// Creates a range from `start` to `end`, which is not included; see `CMTimeRangeFromTimeToTime`.
    ///
    /// ```swift
    /// let range = CMTimeRange(start: .zero, end: CMTime(value: 90, timescale: 1))
    /// print(range.containsTime(CMTime(value: 30, timescale: 1))) // true
    /// ```
    public init(start: CMTime, end: CMTime) {
        self = CMTimeRangeFromTimeToTime(start: start, end: end)
    }

    /// Whether the range is valid: both times are valid, and the duration has epoch 0 and is not negative.
    public var isValid: Bool { start.isValid && duration.isValid && duration.epoch == 0 && duration.value >= 0 }
    /// Whether the range is valid and its start or duration is indefinite.
    public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }
    /// Whether the range is valid and its duration is 0.
    public var isEmpty: Bool { isValid && duration == .zero }
    /// The end of the range, which is not included; see `CMTimeRangeGetEnd`.
    public var end: CMTime { CMTimeRangeGetEnd(self) }

    /// Returns the smallest range that contains both ranges; see `CMTimeRangeGetUnion`.
    public func union(_ otherRange: CMTimeRange) -> CMTimeRange { CMTimeRangeGetUnion(self, otherRange: otherRange) }

    /// Returns the intersection of both ranges; see `CMTimeRangeGetIntersection`.
    public func intersection(_ otherRange: CMTimeRange) -> CMTimeRange {
        CMTimeRangeGetIntersection(self, otherRange: otherRange)
    }

    /// Returns whether the range contains `time`; its end is not included.
    public func containsTime(_ time: CMTime) -> Bool { CMTimeRangeContainsTime(self, time: time) }

    /// Returns whether this range contains all of `range`.
    public func containsTimeRange(_ range: CMTimeRange) -> Bool {
        CMTimeRangeContainsTimeRange(self, otherRange: range)
    }

    /// Whether the range can be used in comparisons and sums.
    fileprivate var isKnown: Bool { isValid && !isIndefinite && start.kind != .invalid && duration.kind != .invalid }
}

extension CMTimeRange: @retroactive Hashable {
    /// Returns whether the starts and the durations of both ranges are equal.
    public static func == (range1: CMTimeRange, range2: CMTimeRange) -> Bool { CMTimeRangeEqual(range1, range2) }

    /// Hashes the start and the duration.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(start)
        hasher.combine(duration)
    }
}

extension CMTimeRange: @retroactive Codable {
    private enum CodingKeys: String, CodingKey {
        case start, duration
    }

    /// Decodes a range from the keys `start` and `duration`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            start: try container.decode(CMTime.self, forKey: .start),
            duration: try container.decode(CMTime.self, forKey: .duration)
        )
    }

    /// Encodes the start and the duration under their names.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(start, forKey: .start)
        try container.encode(duration, forKey: .duration)
    }
}

/// Returns whether `range` is valid.
public func CMTIMERANGE_IS_VALID(_ range: CMTimeRange) -> Bool { range.isValid }

/// Returns whether `range` is invalid.
public func CMTIMERANGE_IS_INVALID(_ range: CMTimeRange) -> Bool { !range.isValid }

/// Returns whether the start or the duration of `range` is indefinite.
public func CMTIMERANGE_IS_INDEFINITE(_ range: CMTimeRange) -> Bool { range.isIndefinite }

/// Returns whether the duration of `range` is 0.
public func CMTIMERANGE_IS_EMPTY(_ range: CMTimeRange) -> Bool { range.isEmpty }

/// Returns a range; `invalid` if the epoch of the duration is not 0.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
    duration.epoch == 0 ? CMTimeRange(start: start, duration: duration) : .invalid
}

/// Returns the range from `start` to `end`; `invalid` if `end` precedes `start`, the epochs differ, or a time is
/// invalid.
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
    guard !start.isNumeric || !end.isNumeric || start.epoch == end.epoch else { return .invalid }
    var duration = CMTimeSubtract(end, start)
    // Both times have the same epoch, or one of them is infinite and its epoch does not count.
    duration.epoch = 0
    let range = CMTimeRange(start: start, duration: duration)
    return range.isValid && !duration.isNegativeInfinity ? range : .invalid
}

/// Returns the smallest range that contains both ranges.
///
/// The result is `invalid` if a range is invalid or indefinite, or if the epochs differ.
public func CMTimeRangeGetUnion(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    guard range.isKnown, otherRange.isKnown, range.start.epoch == otherRange.start.epoch else { return .invalid }
    return CMTimeRangeFromTimeToTime(
        start: CMTimeMinimum(range.start, otherRange.start),
        end: CMTimeMaximum(range.end, otherRange.end)
    )
}

/// Returns the intersection of both ranges; `zero` if they do not overlap.
///
/// The result is `invalid` if a range is invalid or indefinite, or if the epochs differ.
public func CMTimeRangeGetIntersection(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    guard range.isKnown, otherRange.isKnown, range.start.epoch == otherRange.start.epoch else { return .invalid }
    let start = CMTimeMaximum(range.start, otherRange.start)
    let end = CMTimeMinimum(range.end, otherRange.end)
    return start < end ? CMTimeRangeFromTimeToTime(start: start, end: end) : .zero
}

/// Returns whether the starts and the durations of both ranges are equal.
public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool {
    range1.start == range2.start && range1.duration == range2.duration
}

/// Returns whether `range` contains `time`; its end is not included.
public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool {
    guard range.isKnown, time.kind != .invalid, !time.isIndefinite else { return false }
    guard !time.isNumeric || !range.start.isNumeric || time.epoch == range.start.epoch else { return false }
    return range.start <= time && time < range.end
}

/// Returns whether `range` contains all of `otherRange`.
public func CMTimeRangeContainsTimeRange(_ range: CMTimeRange, otherRange: CMTimeRange) -> Bool {
    guard range.isKnown, otherRange.isKnown, range.start.epoch == otherRange.start.epoch else { return false }
    return range.start <= otherRange.start && otherRange.end <= range.end
}

/// Returns the end of `range`, the sum of its start and its duration; `invalid` for an invalid range.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime {
    range.isValid ? CMTimeAdd(range.start, range.duration) : .invalid
}

/// Returns `time`, clamped to `range` including its end.
///
/// The result is `invalid` if the range is empty, or if either argument is invalid.
public func CMTimeClampToRange(_ time: CMTime, range: CMTimeRange) -> CMTime {
    guard time.kind != .invalid, range.isKnown, !range.isEmpty else { return .invalid }
    return CMTimeMinimum(CMTimeMaximum(time, range.start), range.end)
}

/// Maps the time `t` linearly from one range to another.
///
/// If both durations are infinite, the difference of the starts is added. The result is `invalid` if a range is empty
/// or indefinite, or if the epoch of `t` is not that of `fromRange`.
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

/// Scales the duration `dur` by the ratio of the durations of two ranges.
///
/// The result is `invalid` if a range is empty or indefinite, or if the epoch of `dur` is not 0.
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

/// Returns the time in `foldRange` that corresponds to `time` if the range repeats endlessly in both directions.
///
/// The result is `invalid` if the range is empty or indefinite, or if `time` is not numeric.
public func CMTimeFoldIntoRange(_ time: CMTime, foldRange: CMTimeRange) -> CMTime {
    guard time.kind == .number, foldRange.isKnown, !foldRange.isEmpty, foldRange.start.kind == .number else {
        return .invalid
    }
    let offset = CMTimeSubtract(time, foldRange.start)
    let duration = foldRange.duration
    guard offset.kind == .number else { return .invalid }
    guard duration.kind == .number else { return offset < .zero ? .invalid : time }
    // The remainder of offset and duration, over the product of both timescales, which has 62 bits.
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
